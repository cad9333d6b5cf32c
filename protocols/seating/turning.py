"""Meetings of ten rows as long as there are tables: what team tournaments are made of.

Each round turns every row by so many tables: player k of row i goes to table (k + turn) mod T. Players of one row never
meet, each table has one player of every row, and how often two players of different rows meet depends only on how
often the two rows' turns differ by the right number. So there is one number for ten players to search over, and the
seatings found keep apart whole teams with little loss.
"""

from __future__ import annotations

from collections.abc import Iterator

from .terms import SEATS, Chance


class Turns:
    """How far each row is turned in each round, and how often the turns of two rows differ by each number."""

    def __init__(self, tables: int, rounds: int, chance: Chance) -> None:
        self.tables = tables
        self.rounds = [[int(chance() * tables) for _ in range(SEATS)] for _ in range(rounds)]
        self._counts = [[[0] * tables for _ in range(SEATS)] for _ in range(SEATS)]  # row × row × difference
        for turns in self.rounds:
            for row in range(SEATS):
                for other in range(SEATS):
                    self._counts[row][other][(turns[row] - turns[other]) % tables] += 1
        self.energy = self._energy()

    def _energy(self) -> int:
        """Half of Σ of the squared counts over pairs of rows; it differs from a whole number by a constant."""
        pairs = [(row, other) for row in range(SEATS) for other in range(row)]
        return sum(times * (times - 1) // 2 for row, other in pairs for times in self._counts[row][other])

    def sweep(self, temperature: float, draws: Iterator[float], chance: Chance) -> None:
        """Offers every row of every round another turn."""
        tables = self.tables
        for turns in self.rounds:
            for row in range(SEATS):
                old, new = turns[row], int(chance() * tables)
                if old == new:
                    continue
                counts, change = self._counts[row], 0
                for other, turn in enumerate(turns):
                    if other != row:
                        times = counts[other]
                        change += times[new - turn] - times[old - turn] + 1
                if change <= temperature * next(draws):
                    self.energy += change
                    turns[row] = new
                    for other, turn in enumerate(turns):
                        if other != row:
                            counts[other][old - turn] -= 1
                            counts[other][new - turn] += 1
                            back = self._counts[other][row]
                            back[turn - old] -= 1
                            back[turn - new] += 1

    def seated(self, rows: list[list[int]]) -> list[list[list[int]]]:
        """The rounds that these turns make of the rows."""
        rounds = []
        for turns in self.rounds:
            tables: list[list[int]] = [[] for _ in range(self.tables)]
            for row, turn in zip(rows, turns, strict=True):
                for k, player in enumerate(row):
                    tables[(k + turn) % self.tables].append(player)
            rounds.append(tables)
        return rounds
