"""The audit log of a tournament, for its head judge and its organizer: to read, to search, to take away."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from protocols import access
from protocols.audit_selectors import PAGE, Asked, AuditLine, lines_of
from protocols.models import AuditWhat, Game, Player, Tournament
from protocols.services.auditing import model_of
from protocols.wording import moment_words
from protocols.wording.entries import short_words

MOST_TAKEN = 20_000  # lines of a file
INSTANT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d")
TEXT_FIRST = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")  # what a spreadsheet takes for a formula


@require_safe
@never_cache
@login_required
def audit(request: HttpRequest, slug: str) -> HttpResponse:
    """Who did what, when and from where, the newest first; ?who=, ?what=, ?game=, ?q= look for something."""
    tournament = access.overseen(request.user, slug)
    asked = _asked(request)
    found = lines_of(tournament, request.user, asked)
    shown = found[:PAGE]
    games = Game.objects.filter(tournament=tournament, uuid__in={line.game for line in shown if line.game})
    names = {game.uuid: game for game in games.select_related("stage")}
    people = _people_in(shown)
    query = request.GET.copy()
    query.pop("before", None)
    context = {
        "tournament": tournament,
        "asked": asked,
        "lines": [(line, names.get(line.game) if line.game else None, _told(line, people)) for line in shown],
        "older": shown[-1].at.isoformat() if len(found) > PAGE else "",
        "query": query.urlencode(),
    }
    return render(request, "protocols/audit_page.html", context)


@require_safe
@never_cache
@login_required
def audit_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """The same as a table; nothing in it runs as a formula."""
    tournament = access.overseen(request.user, slug)
    out = io.StringIO(newline="")
    write = csv.writer(out, delimiter=";", lineterminator="\r\n").writerow
    write([_("When"), _("Who"), _("From where"), _("Browser"), _("What"), _("Game"), _("Values")])
    lines = lines_of(tournament, request.user, _asked(request), MOST_TAKEN)[:MOST_TAKEN]
    people = _people_in(lines)
    for line in lines:
        head, told = _told(line, people)
        where = [line.at.isoformat(timespec="seconds"), line.by, line.address, line.agent]
        write([_text(each) for each in (*where, head, str(line.game or ""), "; ".join(told))])
    return _file(out.getvalue().encode("utf-8-sig"), "text/csv; charset=utf-8", f"{slug}-audit.csv")


@require_safe
@never_cache
@login_required
def audit_json(request: HttpRequest, slug: str) -> HttpResponse:
    """The same as data."""
    tournament = access.overseen(request.user, slug)
    lines = [
        {
            "at": line.at.isoformat(), "by": line.by, "address": line.address, "agent": line.agent, "table": line.table,
            "what": line.what, "game": str(line.game) if line.game else None, "rows": list(line.rows),
        }
        for line in lines_of(tournament, request.user, _asked(request), MOST_TAKEN)[:MOST_TAKEN]
    ]  # fmt: skip
    data = {"format": "mafia-audit", "version": 1, "tournament": tournament.slug, "lines": lines}
    return _file(json.dumps(data, ensure_ascii=False, indent=1).encode(), "application/json", f"{slug}-audit.json")


def _file(content: bytes, kind: str, name: str) -> HttpResponse:
    return HttpResponse(content, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def _text(value: str) -> str:
    return f"'{value}" if value.startswith(TEXT_FIRST) else value


def _asked(request: HttpRequest) -> Asked:
    """What is looked for; what can't be a game or a time is taken for nothing."""
    given = {name: request.GET.get(name, "").strip()[:100] for name in ("who", "what", "game", "q", "before")}
    try:
        game = str(UUID(given["game"])) if given["game"] else ""
    except ValueError:
        game = ""
    before: datetime | None = None
    with suppress(ValueError):
        before = parse_datetime(given["before"])
    if before is not None and before.tzinfo is None:
        before = None
    return Asked(given["who"], given["what"], game, given["q"], before)


def _people_in(lines: list[AuditLine]) -> dict[tuple[type[models.Model], str], str]:
    """The logins and players that the lines name by their keys, as they are called now: two queries."""
    asked: dict[type[models.Model], set[str]] = {User: set(), Player: set()}
    for line in lines:
        model = model_of(line.table)
        for field in model._meta.concrete_fields if model is not None else ():
            if field.related_model in asked:
                cells = [row[part].get(field.column) for row in line.rows for part in ("before", "after")]
                asked[field.related_model] |= {str(cell) for cell in cells if str(cell).isdecimal()}
    found: dict[tuple[type[models.Model], str], str] = {}
    for user in User.objects.filter(pk__in=asked[User]):
        found[User, str(user.pk)] = user.last_name or user.get_username()
    for pk, nickname in Player.objects.filter(pk__in=asked[Player]).values_list("pk", "nickname"):
        found[Player, str(pk)] = nickname
    return found


def _told(line: AuditLine, people: Mapping[tuple[type[models.Model], str], str]) -> tuple[str, list[str]]:
    """What was done, and the values, in words."""
    if line.entry is not None:
        said = f"№ {line.rows[0]['key']} · {moment_words(line.entry.moment)} · {short_words(line.entry)}"
        return _("record of the game"), [said]
    model = model_of(line.table)
    name = str(model._meta.verbose_name) if model is not None else line.table
    fields = {each.column: each for each in model._meta.concrete_fields} if model is not None else {}

    def cell(column: str, value: Any) -> str:
        field = fields.get(column)
        if field is not None and field.choices and value not in (None, ""):
            return str(dict(field.flatchoices).get(value, value))
        if field is not None and isinstance(field.related_model, type):
            return people.get((field.related_model, str(value)), _value(value))
        return _value(value)

    told = []
    for row in line.rows:
        parts = []
        for column in dict.fromkeys([*row["before"], *row["after"]]):
            field, old, new = fields.get(column), row["before"].get(column), row["after"].get(column)
            if field is not None and field.related_model is Tournament:
                continue  # the log is one tournament's
            label = str(field.verbose_name) if field is not None else column
            if line.what == AuditWhat.CHANGED:
                parts.append(f"{label}: {cell(column, old)} → {cell(column, new)}")
            elif (value := old if line.what == AuditWhat.REMOVED else new) not in (None, "", []):
                parts.append(f"{label}: {cell(column, value)}")
        key = f"№ {row['key']} · " if row["key"] is not None else ""
        told.append(key + "; ".join(parts))
    return f"{AuditWhat(line.what).label}: {name}", told


def _value(value: Any) -> str:
    if value in (None, ""):
        return "—"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    text = str(value)
    if INSTANT.match(text) and (instant := parse_datetime(text)) is not None:
        aware = instant if instant.tzinfo is not None else instant.replace(tzinfo=UTC)
        return date_format(timezone.localtime(aware), "j E Y, H:i:s")
    return text
