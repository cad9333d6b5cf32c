"""The order of a tournament (A 8.5–8.6), from exact values: who stands where, and what put each above the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import lcm

from protocols.rules.regulation import Regulation

from .ratings import NO_TERMS, Exact, Line, Rating, Terms, ratings
from .tiebreaks import KEYS, LOT, decisive, has_lot, keys_of

Lots = Mapping[frozenset[int], tuple[int, ...]]  # who was tied → the same players in the order drawn


@dataclass(frozen=True, slots=True)
class Decision:
    """What put a row above the next: the key and both values, in the key's own unit (0 and 0 for the lot)."""

    key: str
    value: Exact = 0
    next_value: Exact = 0


@dataclass(frozen=True, slots=True)
class Place:
    """One row of the standings."""

    rating: Rating
    number: int | None  # from 1; None for a player removed from the tournament
    last: int | None  # the same, or the last of the places that equal players share
    lot_due: bool = False
    decision: Decision | None = None  # None in the last row, and above a row that shares the place

    @property
    def player_id(self) -> int:
        """Whose row it is."""
        return self.rating.player_id

    @property
    def is_shared(self) -> bool:
        """Whether equal players share the place."""
        return self.number != self.last


@dataclass(frozen=True, slots=True)
class Standings:
    """The whole order: the ranked, then whoever was removed from the tournament."""

    places: tuple[Place, ...]

    @property
    def due(self) -> tuple[frozenset[int], ...]:
        """The groups that wait for a lot, from the top (A 8.5.4)."""
        by_place = groupby((place for place in self.places if place.lot_due), key=lambda place: place.number)
        return tuple(frozenset(place.player_id for place in group) for _, group in by_place)

    def of(self, player_id: int) -> Place | None:
        """The row of that player; None for one without a counted game."""
        return next((place for place in self.places if place.player_id == player_id), None)


def standings(
    lines: Iterable[Line],
    regulation: Regulation,
    multipliers: Mapping[int, int],
    *,
    terms: Terms = NO_TERMS,
    names: Mapping[int, str] | None = None,
    lots: Callable[[], Lots] | None = None,
) -> Standings:
    """The order of all players with a line.

    `multipliers` are thousandths by stage. `names` are what equal players are listed by (an order of the page, not a
    place). `lots` gives the drawn ones and is asked once, only where players are tied; a lot holds as long as exactly
    its players are.
    """
    return placed(ratings(lines, regulation, multipliers, terms), regulation, names=names, lots=lots)


def placed(
    rows: Sequence[Rating],
    regulation: Regulation,
    *,
    names: Mapping[int, str] | None = None,
    lots: Callable[[], Lots] | None = None,
) -> Standings:
    """The order of these ratings by the tie keys of the regulation; `names` and `lots` as in `standings`."""
    keys, known = keys_of(regulation), names or {}
    drawn: Lots | None = None
    readers = [KEYS[key] for key in keys[1:]]  # after the rating
    common = lcm(*(row.total.denominator for row in rows))  # whole numbers of it compare faster than fractions
    values = {
        row.player_id: (
            -row.total.numerator * (common // row.total.denominator),
            *[-read(row) for read in readers],
        )
        for row in rows
    }

    def order(row: Rating) -> tuple[tuple[Exact, ...], str, int]:
        return values[row.player_id], known.get(row.player_id, ""), row.player_id

    ranked = sorted((row for row in rows if not row.from_tournament), key=order)
    groups: list[tuple[list[Rating], str]] = []  # tied rows, and how: alone, lot, due or shared
    for _, tied in groupby(ranked, key=lambda row: values[row.player_id]):
        group = list(tied)
        if len(group) == 1:
            groups.append((group, "alone"))
            continue
        if drawn is None:
            drawn = lots() if lots is not None else {}
        lot = drawn.get(frozenset(row.player_id for row in group))
        if lot is not None and has_lot(regulation):
            groups.append((sorted(group, key=lambda row: lot.index(row.player_id)), "lot"))
        else:
            groups.append((group, "due" if has_lot(regulation) else "shared"))

    places: list[Place] = []
    for index, (group, how) in enumerate(groups):
        below = groups[index + 1][0][0] if index + 1 < len(groups) else None
        first = len(places) + 1
        for offset, row in enumerate(group):
            is_last = offset == len(group) - 1
            decision = _decision(row, below, keys) if is_last else Decision(LOT) if how == "lot" else None
            if how in ("due", "shared"):
                place = Place(row, first, first + len(group) - 1, how == "due", decision)
            else:
                place = Place(row, first + offset, first + offset, False, decision)
            places.append(place)
    removed = sorted((row for row in rows if row.from_tournament), key=order)
    return Standings((*places, *(Place(row, None, None) for row in removed)))


def _decision(row: Rating, below: Rating | None, keys: tuple[str, ...]) -> Decision | None:
    key = decisive(row, below, keys) if below is not None else None
    return Decision(key, KEYS[key](row), KEYS[key](below)) if key is not None and below is not None else None
