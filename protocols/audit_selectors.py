"""The audit log as it is read: what was written in a tournament, the entries of its records among the rest."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Q

from .access import Viewer
from .models import OPEN, AuditRow, Entry, Game, Tournament
from .rules import entries as e

PAGE = 100  # lines


@dataclass(frozen=True, slots=True)
class Asked:
    """What is looked for; empty where anything is."""

    who: str = ""  # part of a login or of a surname
    what: str = ""  # a table, or «entry»
    game: str = ""  # its uuid
    words: str = ""
    before: datetime | None = None  # the lines older than this


@dataclass(frozen=True, slots=True)
class AuditLine:
    """One line: a statement that wrote rows, or an entry of a record."""

    at: datetime
    by: str
    address: str
    agent: str
    table: str  # «protocols_entry» for an entry
    what: str
    game: UUID | None
    rows: tuple[dict[str, Any], ...]
    entry: e.Entry | None = None  # of a record


def lines_of(tournament: Tournament, viewer: Viewer, asked: Asked, most: int = PAGE) -> list[AuditLine]:
    """The lines that are asked for, the newest first, and one more than `most` where there are more: three queries,
    and one where somebody is asked for.

    What was written at a game at which the viewer sits and which is not over is left out (RULES §9).
    """
    hidden: set[UUID] = set()
    if viewer is not None and viewer.is_authenticated:
        own = Game.objects.filter(tournament=tournament, status__in=OPEN, seats__player__user=viewer.pk)
        hidden = set(own.values_list("uuid", flat=True))
    rows = AuditRow.objects.filter(tournament=tournament).select_related("by").order_by("-at", "-pk")
    entries = (
        Entry.objects.filter(game__tournament=tournament).select_related("author", "game").order_by("-recorded_at")
    )
    if hidden:
        rows, entries = rows.exclude(game__in=hidden), entries.exclude(game__uuid__in=hidden)
    if asked.who:
        people = _called(asked.who, Q(pk__in=rows.values("by")) | Q(pk__in=entries.values("author")))
        rows, entries = rows.filter(by__in=people), entries.filter(author__in=people)
    if asked.what:
        rows = rows.filter(table=asked.what)
        entries = entries if asked.what == "protocols_entry" else entries.none()
    if asked.game:
        rows, entries = rows.filter(game=asked.game), entries.filter(game__uuid=asked.game)
    if asked.words:
        rows = rows.filter(words__contains=asked.words.casefold())
        entries = entries.filter(Q(text__icontains=asked.words) | Q(kind__icontains=asked.words))
    if asked.before is not None:
        rows, entries = rows.filter(at__lt=asked.before), entries.filter(recorded_at__lt=asked.before)
    found = [_of_row(row) for row in rows[: most + 1]] + [_of_entry(entry) for entry in entries[: most + 1]]
    return sorted(found, key=lambda line: line.at, reverse=True)[: most + 1]


def _called(who: str, among: Q) -> list[int]:
    """Those of the people whose login or surname holds the words, whatever the case: databases know that of ASCII."""
    people = User.objects.filter(among).values_list("pk", "username", "last_name")
    return [pk for pk, *names in people if any(who.casefold() in name.casefold() for name in names)]


def _of_row(row: AuditRow) -> AuditLine:
    by = (row.by.last_name or row.by.get_username()) if row.by else ""
    return AuditLine(row.at, by, row.address, row.agent, row.table, row.what, row.game, tuple(row.rows))


def _of_entry(entry: Entry) -> AuditLine:
    says = {
        "kind": entry.kind, "seat": entry.seat, "target": entry.target, "of": entry.of, "count": entry.count,
        "points": entry.points, "clause": entry.clause, "penalty": entry.penalty, "roles": entry.roles,
        "text": entry.text,
    }  # fmt: skip
    after = {name: value for name, value in says.items() if value not in (None, "")}
    by = entry.author.last_name or entry.author.get_username()
    row = {"key": entry.revision, "before": {}, "after": after}
    return AuditLine(entry.recorded_at, by, "", "", "protocols_entry", "added", entry.game.uuid, (row,), entry.value())
