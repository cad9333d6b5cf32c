"""The search for varied neighbours: annealing that leaves meetings as they are, and everybody's seats even.

Where games don't come out in tens, a player has some seats once more than others; which ones may change, and is chosen
so that the beginning, the middle and the end of the table (seats 1–3, 4–7, 8–10) are even too. That comes first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from .bounds import evenly
from .cooling import coolings, thresholds
from .seats import Seats
from .terms import SEATS, THIRD_OF, Chance, Game

_HOT, _WARM, _COLD = 4.0, (1.5, 2.0), 0.4
_FIRST_COOLING = 60  # sweeps
_WEIGHT = 4  # of an uneven third against an uneven pair of neighbours
_LONGEST = 16  # games in a chain; longer ones change too much to be taken


@dataclass(frozen=True, slots=True)
class Seated:
    """Games by seat, the best after so many sweeps."""

    steps: int
    games: tuple[Game, ...]
    squares: int  # Σ over pairs (games as neighbours)²
    thirds: int  # Σ over players and thirds of the table (games there)²


def seat(games: Sequence[Sequence[int]], players: int, chance: Chance) -> Iterator[Seated]:
    """After each sweep the best so far; without end unless neighbours are as even as whole numbers allow."""
    work = _Neighbours(Seats(games, players, chance), players)
    least = evenly(SEATS * len(games), players * (players - 1) // 2)
    least_thirds = sum(evenly(THIRD_OF.count(third) * len(games), players) for third in range(3))
    best = work.told(0)
    yield best
    draws = thresholds(chance)
    steps, cost = 0, work.cost
    for temperatures in coolings(_HOT, _WARM, _COLD, _FIRST_COOLING):
        for temperature in temperatures:
            work.sweep(temperature, draws, chance)
            steps += 1
            if work.cost < cost:
                best, cost = work.told(steps), work.cost
            yield replace(best, steps=steps)
            if best.squares <= least and best.thirds <= least_thirds:
                return


class _Neighbours:
    """Seats, and how often any two players sit side by side at the round table."""

    def __init__(self, seats: Seats, players: int) -> None:
        self._seats = seats
        self._players = players
        self._beside = [0] * players**2  # by the smaller number, then the larger
        for row in seats.at:
            for place in range(SEATS):
                self._beside[self._pair(row[place - 1], row[place])] += 1
        self._thirds = [[0, 0, 0] for _ in range(players)]
        for row in seats.at:
            for place, player in enumerate(row):
                self._thirds[player][THIRD_OF[place]] += 1
        self.squares = sum(times * times for times in self._beside)
        self.thirds = sum(times * times for row in self._thirds for times in row)

    @property
    def cost(self) -> int:
        """What is made small."""
        return self.squares + _WEIGHT * self.thirds

    def told(self, steps: int) -> Seated:
        """The seats as they are now."""
        return Seated(steps, tuple(tuple(row) for row in self._seats.at), self.squares, self.thirds)

    def _pair(self, one: int, other: int) -> int:
        return one * self._players + other if one < other else other * self._players + one

    def sweep(self, temperature: float, draws: Iterator[float], chance: Chance) -> None:
        """Offers each game, in turn, the exchange of two seats with all that hangs on it."""
        seats = self._seats
        for number in range(len(seats.at)):
            first = int(chance() * SEATS)
            second = (first + 1 + int(chance() * (SEATS - 1))) % SEATS
            games = seats.chain(number, first, second, _LONGEST)
            if not games:
                continue
            runs = seats.runs(games, first, second)
            moved = [] if THIRD_OF[first] == THIRD_OF[second] else list(seats.moved(runs, first, second))
            thirds = sum(
                2 * (self._thirds[player][THIRD_OF[new]] - self._thirds[player][THIRD_OF[old]] + 1)
                for player, old, new in moved
            )
            change = self._exchange(games, first, second)
            if change + _WEIGHT * thirds <= temperature * next(draws):
                seats.exchange_runs(runs, first, second)
                for player, old, new in moved:
                    self._thirds[player][THIRD_OF[old]] -= 1
                    self._thirds[player][THIRD_OF[new]] += 1
                self.squares += change
                self.thirds += thirds
            else:
                self._exchange(games, first, second)

    def _exchange(self, games: Sequence[int], first: int, second: int) -> int:
        """Exchanges two seats in these games; gives the change of the sum of squares."""
        beside, change = self._beside, 0
        places = {first, second, (first + 1) % SEATS, (second + 1) % SEATS}  # each with the place before it
        for number in games:
            row = self._seats.at[number]
            for place in places:
                pair = self._pair(row[place - 1], row[place])
                change += 1 - 2 * beside[pair]
                beside[pair] -= 1
            row[first], row[second] = row[second], row[first]
            for place in places:
                pair = self._pair(row[place - 1], row[place])
                change += 1 + 2 * beside[pair]
                beside[pair] += 1
        return change
