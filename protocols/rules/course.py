"""A record in the order of play, and who was still at the table at each of its entries.

The fold says who left, by which entry; here is only where in the order that was, so that what the fold took can be
looked at once more without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from . import entries as e
from .fold import TIMELESS, standing
from .outcome import Problem
from .state import Exit, GameState
from .terms import SEATS, HowLeft, RulingAbout

Kind = TypeVar("Kind", bound=e.Entry)
REMOVALS = (HowLeft.FOULS, HowLeft.DISQUALIFIED)


class Course:
    """The standing entries in the order of play; an entry's place is its index in it."""

    def __init__(self, entries: Iterable[e.Entry], state: GameState) -> None:
        self.state = state
        self.rules = state.regulation
        self.order = standing(entries)
        self.places = {entry.revision: place for place, entry in enumerate(self.order)}
        self.aside = {entry.revision for entry, _ in state.set_aside}
        self.left = {seat: self._place(player.left) for seat, player in state.seats.items() if player.left}
        self.removed = {seat: self._place(player.removed) for seat, player in state.seats.items() if player.removed}

    def _place(self, exit_: Exit) -> int:
        """The last place at which the player was still at the table."""
        if exit_.how not in REMOVALS:
            return self.places.get(exit_.revision, -1)
        # RULES §5: what was played before the removal could be noticed was played with that player.
        noticed = (
            place
            for place, entry in enumerate(self.order)
            if entry.revision <= exit_.revision and not isinstance(entry, TIMELESS)
        )
        return max(noticed, default=-1)

    def of(self, kind: type[Kind]) -> Iterator[tuple[int, Kind]]:
        """The entries of that kind, each with its place."""
        for place, entry in enumerate(self.order):
            if isinstance(entry, kind):
                yield place, entry

    def days_of(self, kind: type[Kind]) -> dict[int, list[tuple[int, Kind]]]:
        """The entries of that kind by their day."""
        days: dict[int, list[tuple[int, Kind]]] = {}
        for place, entry in self.of(kind):
            days.setdefault(entry.moment.day, []).append((place, entry))
        return days

    def had_left(self, seat: int, place: int) -> bool:
        """Whether the player had left the table before the entry at that place."""
        return seat in self.left and self.left[seat] < place

    def was_removed(self, seat: int, place: int) -> bool:
        """Whether the player had been removed before the entry at that place, also after having left."""
        return seat in self.removed and self.removed[seat] < place

    def living(self, place: int) -> list[int]:
        """The seats at the table when the entry at that place was written, in seat order."""
        return [seat for seat in SEATS if not self.had_left(seat, place)]

    def ruled_on(self, about: tuple[RulingAbout, ...], revision: int) -> bool:
        """Whether a ruling of that kind was given after that revision."""
        return any(ruling.about in about and ruling.revision > revision for ruling in self.state.rulings)

    def breach(self, code: str, rule: str, *entries: e.Entry, **params: object) -> Problem:
        """A breach with the clause of this regulation; `entries` are those that it explains."""
        return problem_of(code, self.rules.cite(rule), entries, params)


def problem_of(code: str, clause: str, entries: Iterable[e.Entry], params: Mapping[str, object]) -> Problem:
    """A breach as what blocks signing, with the revisions of the entries that it explains."""
    revisions = tuple(entry.revision for entry in entries)
    return Problem(code, clause, {**params, "revisions": revisions})
