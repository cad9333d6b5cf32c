"""What is asked for and what is answered: a request, its limits, and a plan of rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

SEATS = 10  # at a table
KEY_SEATS = (0, 1, 9)  # game seats 1, 2 and 10, which weigh most
THIRD_OF = (0, 0, 0, 1, 1, 1, 1, 2, 2, 2)  # seat → beginning, middle or end of the table

Chance = Callable[[], float]  # a number from 0 up to 1 at every call, such as `Random(seed).random`
Game = tuple[int, ...]  # ten players by seat
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Limit:
    """Any two of these players meet at most `most` times: team-mates and named pairs."""

    players: tuple[int, ...]
    most: int = 0

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Every two of the players, the smaller number first."""
        return combinations(sorted(set(self.players)), 2)


@dataclass(frozen=True, slots=True)
class Request:
    """So many players, so many games for each, at most so many tables at once, and who is kept apart."""

    players: int
    games: int
    tables: int
    limits: tuple[Limit, ...] = ()

    @property
    def total(self) -> int:
        """Games of the whole tournament; meaningful when players × games is a multiple of ten."""
        return self.players * self.games // SEATS

    @property
    def rounds(self) -> int:
        """As few as the tables allow."""
        return -(-self.total // self.tables)

    @property
    def mean(self) -> float:
        """How often a pair meets on average."""
        return (SEATS - 1) * self.games / (self.players - 1)

    def most_meetings(self) -> dict[tuple[int, int], int]:
        """The limit of every limited pair, the smaller number first; the strictest where several name it."""
        found: dict[tuple[int, int], int] = {}
        for limit in self.limits:
            for pair in limit.pairs():
                found[pair] = min(limit.most, found.get(pair, limit.most))
        return found


@dataclass(frozen=True, slots=True)
class Plan:
    """Rounds of games: `rounds[r][t]` is the game at table t in round r, ten players by seat."""

    players: int
    rounds: tuple[tuple[Game, ...], ...]

    def games(self) -> Iterator[Game]:
        """Every game, round by round and table by table."""
        for tables in self.rounds:
            yield from tables

    def sitting_out(self, number: int) -> list[int]:
        """The players whom this round leaves over, in order."""
        playing = {player for game in self.rounds[number] for player in game}
        return [player for player in range(self.players) if player not in playing]


def shuffled(items: Sequence[Item], chance: Chance) -> list[Item]:
    """The items in an order that chance alone decides; the same chance gives the same order in every release."""
    mixed = list(items)
    for last in range(len(mixed) - 1, 0, -1):
        other = int(chance() * (last + 1))
        mixed[last], mixed[other] = mixed[other], mixed[last]
    return mixed
