"""How an entry's value lies in the columns of its row, and what the database requires of each kind.

One table holds every kind. A field of a rules value goes to one column whatever the kind, so the row of a kind
uses the columns of its value's fields, and all others stay empty.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

from django.db import models
from django.db.models import Q
from django.db.models.functions import Length, Replace
from django.db.models.lookups import Exact

from ..rules import entries as e
from ..rules.terms import (
    ROLE_COUNTS,
    ROLE_OF_LETTER,
    Moment,
    Penalty,
    Phase,
    Result,
    Role,
    RulingAbout,
    Team,
)


@dataclass(frozen=True, slots=True)
class Column:
    """Where a field of a value is kept: the column, how it is written and read."""

    name: str
    write: Callable[[Any], Any] = lambda value: value
    read: Callable[[Any], Any] | None = None  # as it is


def _word(value: Any) -> str:
    return "" if value is None else str(value)


def _word_of(kind: Callable[[str], Any]) -> Callable[[str], Any]:
    return lambda text: kind(text) if text else None


def _letters(roles: tuple[Role, ...]) -> str:
    return "".join(role.letter for role in roles)


def _pairs(value: Any) -> Any:
    return tuple((shooter, seat) for shooter, seat in value or ())


COLUMN_OF: dict[str, Column] = {
    "seat": Column("seat"),
    "target": Column("target"),
    "count": Column("count"),
    "points": Column("points"),
    "of": Column("of"),
    "clause": Column("clause"),
    "text": Column("text"),
    "time": Column("time"),
    "penalty": Column("penalty", str, Penalty),
    "team": Column("team", _word, _word_of(Team)),
    "by": Column("role", str, Role),
    "result": Column("result", _word, _word_of(Result)),
    "about": Column("about", str, RulingAbout),
    "roles": Column("roles", _letters, lambda text: tuple(ROLE_OF_LETTER[letter] for letter in text)),
    "raised": Column("flag"),
    "from_tournament": Column("flag"),
    "hits": Column("count"),
    "seats": Column("seats", lambda value: list(value) if value else None, lambda value: tuple(value or ())),
    "shots": Column("seats", lambda value: [list(pair) for pair in value] if value else None, _pairs),
    "voters": Column(
        "seats",
        lambda value: None if value is None else list(value),
        lambda value: None if value is None else tuple(value),
    ),
}
"""Field of a value → its column."""

PLACED = ("moment", "revision", "place")
FIELDS: dict[str, tuple[tuple[str, Column], ...]] = {
    kind: tuple((field.name, COLUMN_OF[field.name]) for field in fields(value) if field.name not in PLACED)
    for kind, value in e.KINDS.items()
}
"""Kind → the fields of its value, each with its column."""

NUMBERS = ("seat", "target", "of", "count", "points", "flag", "seats")  # NULL where empty
WORDS = ("clause", "penalty", "team", "role", "result", "about", "roles", "text", "time")  # "" where empty


def columns_of(value: e.Entry) -> dict[str, Any]:
    """The columns of the row that holds this value, its moment and place included."""
    moment = value.moment
    columns: dict[str, Any] = {
        "kind": value.kind,
        "day": moment.day,
        "phase": int(moment.phase),
        "ballot": moment.ballot,
        "step": moment.step,
        "place": value.place,
    }
    for name, column in FIELDS[value.kind]:
        columns[column.name] = column.write(getattr(value, name))
    return columns


VALUE_COLUMNS = ("kind", "revision", "place", "day", "phase", "ballot", "step", *NUMBERS, *WORDS)
"""The columns that make a value, in the order in which `value_of` takes them."""

_AT = {name: index for index, name in enumerate(VALUE_COLUMNS)}
_PARTS = {
    kind: tuple((name, _AT[column.name], column.read) for name, column in parts) for kind, parts in FIELDS.items()
}
_PHASES = {int(phase): phase for phase in Phase}


def value_of(cells: Sequence[Any]) -> e.Entry:
    """The rules value that the cells of VALUE_COLUMNS hold."""
    kind, revision, place, day, phase, ballot, step = cells[:7]
    parts = {name: read(cells[at]) if read else cells[at] for name, at, read in _PARTS[kind]}
    moment = Moment(day, _PHASES[phase], ballot, step)
    return e.KINDS[kind](moment=moment, revision=revision, place=place, **parts)


# ---------------------------------------------------------------- what the database requires

_HAS_CLAUSE = ~Q(clause="")
_HAS_TEXT = ~Q(text="")
_HAS_SEAT = Q(seat__isnull=False)
_HAS_TARGET = Q(target__isnull=False)


def _role_counts() -> Q:
    """Six К, two Ч, one Ш, one Д, and nothing else."""
    condition = Q(Exact(Length("roles"), 10))
    for role, count in ROLE_COUNTS.items():
        without = Replace(models.F("roles"), models.Value(role.letter), models.Value(""))
        condition &= Q(Exact(Length(without), 10 - count))
    return condition


REQUIRED: dict[str, Q] = {
    "turn": Q(),
    "foul": Q(penalty__in=[p.value for p in Penalty], flag__isnull=False)
    & (_HAS_SEAT | Q(penalty=Penalty.TEAM_DEFEAT.value))
    & (Q(team="") | Q(penalty=Penalty.TEAM_DEFEAT.value)),
    "foul_clause": Q(of__isnull=False) & _HAS_CLAUSE,
    "nomination": _HAS_TARGET,
    "withdrawal": _HAS_SEAT,
    "vote": _HAS_TARGET & Q(count__isnull=False),
    "raise_all": Q(count__isnull=False) | Q(flag__isnull=False),
    "shot": Q(),
    "check": _HAS_TARGET & Q(role__in=[Role.DON.value, Role.SHERIFF.value]),
    "best_move": Q(seats__isnull=False) | Q(count__isnull=False, count__lte=3),
    "extra_points": _HAS_SEAT & Q(points__isnull=False),
    "speech_mark": _HAS_SEAT & Q(points__isnull=False, points__gte=0),
    "roles": _role_counts(),
    "seat_correction": _HAS_SEAT & _HAS_TARGET & ~Q(seat=models.F("target")),
    "game_over": Q(result__in=[r.value for r in Result]),
    "ruling": Q(about__in=[a.value for a in RulingAbout])
    & _HAS_TEXT
    & (Q(result__in=[r.value for r in Result]) | (Q(result="") & ~Q(about=RulingAbout.RESULT.value))),
    "strike": Q(of__isnull=False),
}
"""Kind → what its row must hold."""


def _rest_is_empty(kind: str) -> Q:
    used = {column.name for _, column in FIELDS[kind]}
    condition = Q()
    for name in NUMBERS:
        if name not in used:
            condition &= Q(**{f"{name}__isnull": True})
    for name in WORDS:
        if name not in used:
            condition &= Q(**{name: ""})
    return condition


def constraints() -> list[models.BaseConstraint]:
    """One constraint a kind, and those that hold for all of them."""
    of_kinds = [
        models.CheckConstraint(name=f"entry_{kind}", condition=~Q(kind=kind) | (_rest_is_empty(kind) & REQUIRED[kind]))
        for kind in e.KINDS
    ]
    return [
        *of_kinds,
        models.UniqueConstraint(fields=["game", "revision"], name="entry_revision_is_one_of_its_game"),
        models.CheckConstraint(name="entry_has_a_known_kind", condition=Q(kind__in=list(e.KINDS))),
        models.CheckConstraint(
            name="entry_has_a_moment",
            condition=Q(phase__in=[int(phase) for phase in Phase], day__gte=0, day__lte=99, ballot__gte=0, step__gte=0),
        ),
        models.CheckConstraint(name="entry_has_a_place_in_the_record", condition=Q(revision__gte=1, place__gte=0)),
        models.CheckConstraint(
            name="entry_seats_are_from_1_to_10",
            condition=(Q(seat__isnull=True) | Q(seat__gte=1, seat__lte=10))
            & (Q(target__isnull=True) | Q(target__gte=1, target__lte=10)),
        ),
        models.CheckConstraint(
            name="entry_counts_up_to_ten", condition=Q(count__isnull=True) | Q(count__gte=0, count__lte=10)
        ),
        models.CheckConstraint(
            name="entry_team_is_red_or_black", condition=Q(team__in=["", *(team.value for team in Team)])
        ),
        models.CheckConstraint(
            name="entry_names_an_earlier_one",
            condition=Q(of__isnull=True) | Q(of__gte=1, of__lt=models.F("revision")),
        ),
        models.CheckConstraint(
            name="entry_is_chained", condition=Q(Exact(Length("hash"), 64)) & Q(Exact(Length("previous_hash"), 64))
        ),
    ]
