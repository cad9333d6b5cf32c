"""The cut: who comes into a stage by the games before it, and what a later correction would change (RULES §7).

through   comes in, whatever is drawn
tied      equal in every key across the line: a lot among exactly these decides who of them comes in
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from .standings import Place, Standings


@dataclass(frozen=True, slots=True)
class Passing:
    """Who comes in by a table."""

    size: int  # how many should
    through: tuple[Place, ...]  # from the top
    tied: tuple[Place, ...] = ()  # empty where the line is clear
    ranked: int = 0  # players with a place at all

    @property
    def is_settled(self) -> bool:
        """Whether everybody who comes in is known."""
        return not self.tied and len(self.through) == self.size

    @property
    def left(self) -> int:
        """How many of the tied come in."""
        return self.size - len(self.through) if self.tied else 0

    @property
    def tied_players(self) -> frozenset[int]:
        """Who waits for the lot."""
        return frozenset(place.player_id for place in self.tied)


@dataclass(frozen=True, slots=True)
class Change:
    """What a cut taken before would be by the results as they are now; the players from the top of the table."""

    comes: tuple[int, ...] = ()  # would come in, and did not
    goes: tuple[int, ...] = ()  # came in, and would not
    tied: tuple[int, ...] = ()  # a lot would decide among these

    def __bool__(self) -> bool:
        return bool(self.comes or self.goes or self.tied)


def passing(table: Standings, size: int) -> Passing:
    """The first `size` of the table.

    Whoever is removed from the tournament has no place, and the next takes it (A 7.4). Equal players that the line goes
    through wait for a lot; equal players on one side of it don't.
    """
    ranked = [place for place in table.places if place.number is not None and place.last is not None]
    through = [place for place in ranked if place.last is not None and place.last <= size]
    tied = [place for place in ranked if (place.number or 0) <= size < (place.last or 0)]
    return Passing(size, tuple(through), tuple(tied), len(ranked))


def change(passed: Collection[int], now: Passing) -> Change:
    """How the table as it is now differs from who has passed; the order among those who pass is no difference."""
    order = [place.player_id for place in (*now.through, *now.tied)]
    through, tied = {place.player_id for place in now.through}, now.tied_players
    comes = tuple(player for player in order if player in through and player not in passed)
    goes = tuple(player for player in passed if player not in through and player not in tied)
    return Change(comes, goes, tuple(player for player in order if player in tied))
