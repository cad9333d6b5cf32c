"""Every write of the site, caught where it reaches the database: who did it, from where, what was there before.

A statement and the row that tells of it stand in one transaction: neither is there without the other. The entries of a
record are left out, and so are the addresses that judges tap on: the record is a log of its own, chained and signed,
and a tap costs not one statement more. What names people is told of by its column alone, for this log never changes
and a person's data may have to be erased.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db import connection, models
from django.utils import timezone

from ..models import Game, Tournament
from ..models.audit import ADDRESS_LENGTH, AGENT_LENGTH, PATH_LENGTH, AuditRow, AuditWhat

TAPS = frozenset({"entries", "queue", "clock", "live", "pulse"})
"""Addresses at which nothing but the record of a game, and its timer, is written."""
NOT_TOLD = ("django_", "axes_", "protocols_entry", "protocols_clock", "protocols_auditrow")
"""Tables, or how their names begin, of which nothing is told: sessions, wrong passwords, records, this log."""
NAMES = frozenset({
    "nickname", "nickname_key", "email", "first_name", "last_name", "username", "whom", "gone", "came", "change",
    "contact", "password", "salt", "digest", "handle", "code", "secret", "raw", "data",
})  # fmt: skip
"""Columns whose values are not told: personal data, secrets, and documents, which prove themselves."""
PEOPLE = frozenset({"protocols_player", "protocols_application"})
NAMES_OF_PEOPLE = NAMES | {"name", "name_key", "city"}
MOST_ROWS, MOST_TEXT = 50, 300

UPDATE = re.compile(r'UPDATE "(\w+)" SET (.*?)(?: WHERE (.*))?$', re.DOTALL)
DELETE = re.compile(r'DELETE FROM "(\w+)"(?: WHERE (.*))?$', re.DOTALL)
INSERT = re.compile(r'INSERT (?:OR IGNORE )?INTO "(\w+)" \(([^)]*)\) (.*)$', re.DOTALL)

Told = list[dict[str, Any]]


@dataclass(slots=True)
class Origin:
    """Whose form is answered, as far as it is known when something is written."""

    view: Callable[[], str]
    user: Callable[[], int | None]
    about: Callable[[], dict[str, Any]]  # what the address names: slug, uuid
    path: str
    address: str
    agent: str
    _found: tuple[int | None, UUID | None] | None = field(default=None)

    def place(self) -> tuple[int | None, UUID | None]:
        """The tournament and the game that the address names; asked for once."""
        if self._found is None:
            named = self.about()
            slug, uuid = named.get("slug"), named.get("uuid")
            tournament = Tournament.objects.filter(slug=slug).values_list("pk", flat=True).first() if slug else None
            game = None
            if tournament is None and uuid:
                tournament = Game.objects.filter(uuid=uuid).values_list("tournament", flat=True).first()
                game = uuid if tournament is not None else None
            self._found = tournament, game
        return self._found


@contextmanager
def watched(origin: Origin) -> Iterator[None]:
    """Tells of whatever is written inside."""
    watch = _Watch(origin)
    with connection.execute_wrapper(watch):
        yield


class _Watch:
    """Stands between Django and the database."""

    def __init__(self, origin: Origin) -> None:
        self.origin = origin
        self.is_asking = False

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if self.is_asking or many or not sql.startswith(("INSERT", "UPDATE", "DELETE")):
            return execute(sql, params, many, context)
        table = sql.split('"', 2)[1] if '"' in sql else ""
        if not table or table.startswith(NOT_TOLD) or self.origin.view() in TAPS:
            return execute(sql, params, many, context)
        params = tuple(params or ())
        if sql.startswith("INSERT"):
            answer = execute(sql, params, many, context)
            self._tell(table, AuditWhat.ADDED, _added(sql, params))
            return answer
        found = (UPDATE if sql.startswith("UPDATE") else DELETE).match(sql)
        if found and found.re is UPDATE and "SELECT" in found[2]:  # which rows it means can't be told apart from it
            self._tell(table, AuditWhat.CHANGED, [{"key": None, "before": {}, "after": {}}])
            return execute(sql, params, many, context)
        where = found[found.lastindex] if found and found.lastindex and " WHERE " in sql else ""
        asked = params[len(params) - where.count("%s") :] if where else ()
        before = self._rows(table, where, asked) if found else {}
        answer = execute(sql, params, many, context)
        if not before:
            return answer
        if sql.startswith("DELETE"):
            gone = [{"key": key, "before": _safe(table, row), "after": {}} for key, row in before.items()]
            self._tell(table, AuditWhat.REMOVED, gone)
        else:
            marks = ", ".join(["%s"] * len(before))
            after = self._rows(table, f'"{_key_of(table)}" IN ({marks})', tuple(before))
            self._tell(table, AuditWhat.CHANGED, _changed(table, before, after))
        return answer

    def _rows(self, table: str, where: str, params: Sequence[Any]) -> dict[Any, dict[str, Any]]:
        """The rows of the table by key, at most so many."""
        sql = f'SELECT * FROM "{table}"' + (f" WHERE {where}" if where else "") + f" LIMIT {MOST_ROWS}"  # noqa: S608
        self.is_asking = True
        try:
            with connection.cursor() as cursor:
                cursor.execute(sql, params)
                names = [each[0] for each in cursor.description]
                rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
        finally:
            self.is_asking = False
        return {row[_key_of(table)]: row for row in rows}

    def _tell(self, table: str, what: AuditWhat, rows: Told) -> None:
        if not rows:
            return
        self.is_asking = True
        try:
            tournament, game = self.origin.place()
            words = " ".join(f"{k} {v}" for row in rows for part in ("before", "after") for k, v in row[part].items())
            AuditRow.objects.create(
                at=timezone.now(), by_id=self.origin.user(), address=self.origin.address[:ADDRESS_LENGTH],
                agent=self.origin.agent[:AGENT_LENGTH], view=self.origin.view()[:40],
                path=self.origin.path[:PATH_LENGTH], tournament_id=tournament, game=game, table=table, what=what,
                rows=rows, words=words.casefold()[:5000],
            )  # fmt: skip
        finally:
            self.is_asking = False


MODELS: dict[str, type[models.Model]] = {}


def model_of(table: str) -> type[models.Model] | None:
    """The model whose rows the table holds."""
    if not MODELS:
        MODELS.update({model._meta.db_table: model for model in apps.get_models() if not model._meta.proxy})
    return MODELS.get(table)


def _key_of(table: str) -> str:
    model = model_of(table)
    key = model._meta.pk if model is not None else None
    return str(key.column) if key is not None else "id"


def _added(sql: str, params: tuple[Any, ...]) -> Told:
    found = INSERT.match(sql)
    if found is None:
        return []
    table, names = found[1], [name.strip(' "') for name in found[2].split(",")]
    if "UNNEST" in found[3]:
        rows = list(zip(*params, strict=True))
    else:
        rows = [params[at : at + len(names)] for at in range(0, len(params), len(names))]
    return [
        {"key": None, "before": {}, "after": _safe(table, dict(zip(names, row, strict=False)))}
        for row in rows[:MOST_ROWS]
    ]


def _changed(table: str, before: dict[Any, dict[str, Any]], after: dict[Any, dict[str, Any]]) -> Told:
    """The columns that differ, row by row."""
    told = []
    for key, old in before.items():
        new = after.get(key, {})
        names = [name for name in old if old[name] != new.get(name)]
        if names:
            told.append({
                "key": key, "before": _safe(table, {name: old[name] for name in names}),
                "after": _safe(table, {name: new.get(name) for name in names}),
            })  # fmt: skip
    return told


def _safe(table: str, row: dict[str, Any]) -> dict[str, Any]:
    """The values as the log keeps them: short, and without secrets and personal data."""
    hidden = NAMES_OF_PEOPLE if table in PEOPLE else NAMES
    return {name: "•••" if name in hidden else _short(value) for name, value in row.items()}


def _short(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, bytes | memoryview):
        return f"{len(value)} B"
    if isinstance(value, datetime.datetime):
        return value.isoformat(timespec="seconds")
    text = str(getattr(value, "obj", value))  # what is written as JSON comes wrapped
    return text if len(text) <= MOST_TEXT else text[:MOST_TEXT] + "…"
