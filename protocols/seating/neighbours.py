"""The search for varied neighbours: annealing that leaves meetings, and everybody's count of each seat, as they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .bounds import evenly
from .cooling import coolings, thresholds
from .seats import Seats
from .terms import SEATS, Chance, Game

_HOT, _WARM, _COLD = 4.0, (1.5, 2.0), 0.4
_FIRST_COOLING = 60  # sweeps
_LONGEST = 16  # games in a chain; longer ones change too much to be taken


@dataclass(frozen=True, slots=True)
class Seated:
    """Games by seat, the best after so many sweeps."""

    steps: int
    games: tuple[Game, ...]
    squares: int  # Σ over pairs (games as neighbours)²


def seat(games: Sequence[Sequence[int]], players: int, chance: Chance) -> Iterator[Seated]:
    """After each sweep the best so far; without end unless neighbours are as even as whole numbers allow."""
    work = _Neighbours(Seats(games, players, chance), players)
    least = evenly(SEATS * len(games), players * (players - 1) // 2)
    best = Seated(0, work.games(), work.squares)
    yield best
    if best.squares <= least:
        return
    draws = thresholds(chance)
    steps = 0
    for temperatures in coolings(_HOT, _WARM, _COLD, _FIRST_COOLING):
        for temperature in temperatures:
            work.sweep(temperature, draws, chance)
            steps += 1
            if work.squares < best.squares:
                best = Seated(steps, work.games(), work.squares)
            yield Seated(steps, best.games, best.squares)
            if best.squares <= least:
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
        self.squares = sum(times * times for times in self._beside)

    def games(self) -> tuple[Game, ...]:
        return tuple(tuple(row) for row in self._seats.at)

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
            change = self._exchange(games, first, second)
            if change <= temperature * next(draws):
                seats.exchange_runs(games, first, second)
                self.squares += change
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
