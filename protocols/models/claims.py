"""How entries come into a game's record: the game's next revisions are claimed and the rows written, or nothing is.

The claim is a compare-and-swap on `Game.revision`. Every tap does this, so its SQL is made once; on PostgreSQL claim
and rows are one statement, which needs neither BEGIN nor COMMIT around it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connections, models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from .entries import Entry
from .game import OPEN, Game, Status
from .planned import planning_once

_COLUMNS = [field for field in Entry._meta.concrete_fields if not field.primary_key]
_WRITTEN_OTHERWISE = [  # than Python has them: numbers and words are not
    (at, field)
    for at, field in enumerate(_COLUMNS)
    if isinstance(field, models.UUIDField | models.DateTimeField | models.JSONField)
]
_NAMES = ", ".join(f'"{field.column}"' for field in _COLUMNS)


class Standing(NamedTuple):
    """The columns of a game's row that follow from its entries."""

    revision: int
    status: Status
    ended_at: datetime | None


def claim(game: Game, revision: int, after: Standing, entries: Sequence[Entry]) -> bool:
    """Takes the open game from that revision to where it stands with these entries; False where somebody was faster.

    Raises IntegrityError for entries that the database refuses; then nothing is written.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    ended_at = Game._meta.get_field("ended_at").get_db_prep_save(after.ended_at, connection)
    claimed = [after.revision, after.status.value, ended_at, game.pk, revision, *OPEN]
    if connection.vendor != "postgresql":
        return _in_two(connection, claimed, entries)
    if not connection.in_atomic_block:
        return _in_one(connection, claimed, entries)
    with transaction.atomic():
        return _in_one(connection, claimed, entries)


def _in_one(connection: BaseDatabaseWrapper, claimed: list[Any], entries: Sequence[Entry]) -> bool:
    rows = [{field.column: getattr(entry, field.attname) for field in _COLUMNS} for entry in entries]
    with planning_once(connection) as cursor:
        cursor.execute(_update_and_insert(), [*claimed, json.dumps(rows, default=str)])
        return bool(cursor.rowcount)


def _in_two(connection: BaseDatabaseWrapper, claimed: list[Any], entries: Sequence[Entry]) -> bool:
    rows = [[getattr(entry, field.attname) for field in _COLUMNS] for entry in entries]
    for at, field in _WRITTEN_OTHERWISE:
        for row in rows:
            row[at] = field.get_db_prep_save(row[at], connection)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_update(), claimed)
        if not cursor.rowcount:
            return False
        cursor.executemany(_insert(), rows)
        return True


@cache
def _update() -> str:
    return (
        f'UPDATE "{Game._meta.db_table}" SET "revision" = %s, "status" = %s, "ended_at" = %s'  # noqa: S608 – as below: names of ours, and marks for values
        f' WHERE "id" = %s AND "revision" = %s AND "status" IN ({_marks(len(OPEN))})'
    )


@cache
def _insert() -> str:
    return f'INSERT INTO "{Entry._meta.db_table}" ({_NAMES}) VALUES ({_marks(len(_COLUMNS))})'  # noqa: S608


@cache
def _update_and_insert() -> str:
    """One statement: where the claim finds no row, there is nothing to insert from. The rows come as JSON."""
    table, columns = Entry._meta.db_table, ", ".join(f'given."{field.column}"' for field in _COLUMNS)
    return (
        f'WITH claimed AS ({_update()} RETURNING "id") INSERT INTO "{table}" ({_NAMES})'  # noqa: S608
        f' SELECT {columns} FROM claimed CROSS JOIN json_populate_recordset(NULL::"{table}", %s) AS given'
    )


def _marks(count: int) -> str:
    return ", ".join(["%s"] * count)
