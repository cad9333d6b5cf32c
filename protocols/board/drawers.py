"""The forms that open over the board, as values: their fields, and what a finger may choose in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from ..rules.terms import SEATS
from ..wording import seat_words
from .posts import Ask, Other, Post
from .rows import Reason


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose."""

    value: object
    label: str
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """A field of an opened form: what it is decides how it is drawn."""

    name: str
    label: str
    look: str  # seats, pick, number, text, time
    choices: tuple[Choice, ...] = ()
    value: object = ""
    required: bool = False
    hint: str = ""


@dataclass(frozen=True, slots=True)
class RoleRow:
    """The four letters of one seat."""

    seat: int
    label: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """A form over the board."""

    kind: str
    title: str
    button: str
    post: Post | None = None  # None: only lines and links
    lines: tuple[str, ...] = ()
    fields: tuple[Field, ...] = ()
    roles: tuple[RoleRow, ...] = ()
    counts: tuple[tuple[str, int], ...] = field(default=())
    links: tuple[Other, ...] = ()
    danger: bool = False
    is_covered: bool = False  # what is chosen shows only under a finger
    begins: bool = False  # may be written together with the beginning of the game
    refused: str = ""  # why what was sent from it is not written

    def asked_by(self, ask: Ask) -> Opened:
        """The form, which says as what it is open; filled as it was sent where that was refused."""
        if self.post is None:
            return self
        name = {"opened": ask.open, "opened-of": ask.of or "", "opened-write": ask.write}
        fields = {**self.post.fields, **{key: value for key, value in name.items() if value}}
        named = replace(self, post=replace(self.post, fields=fields))
        return named._filled(dict(ask.typed), ask.refused) if ask.refused else named

    def _filled(self, typed: Mapping[str, str], refused: str) -> Opened:
        return replace(
            self,
            refused=refused,
            fields=tuple(
                replace(each, value=typed.get(each.name, ""), choices=_chosen(each.choices, typed.get(each.name, "")))
                for each in self.fields
            ),
            roles=tuple(
                replace(row, choices=_chosen(row.choices, typed.get(f"role_{row.seat}", ""))) for row in self.roles
            ),
        )


def _chosen(choices: tuple[Choice, ...], value: str) -> tuple[Choice, ...]:
    return tuple(replace(choice, chosen=str(choice.value) == value) for choice in choices)


def seats_to_choose(
    names: dict[int, str], chosen: object = None, among: Iterable[int] | None = None
) -> tuple[Choice, ...]:
    """The seats by number and nickname, all ten or those among which one may choose."""
    return tuple(
        Choice(seat, seat_words(seat, names), seat == chosen) for seat in SEATS if among is None or seat in among
    )


def clauses_to_choose(reasons: Iterable[Reason], chosen: str = "") -> tuple[Choice, ...]:
    """The clauses of a penalty with their words."""
    return tuple(Choice(r.clause, f"{r.clause} {r.words}", r.clause == chosen) for r in reasons)
