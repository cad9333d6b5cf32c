"""Who plays whom: annealing of trades between the games of a round, and of who sits which round out.

How often a player met each other one is kept as one long whole number, a field of bits for each opponent. To sum the
meetings with a whole table then takes two operations: mask the fields of its players, and take the remainder by
2^bits − 1, which adds the fields up as casting out nines adds digits. Nearly all trades lose; one comparison for
each player and table throws out ten of them at a time.

What is made small is half of Σ over pairs (m + handicap)², up to a constant. A handicap is given to limited pairs: the
two are treated as if they had already met that often.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import combinations

from .terms import SEATS, Chance

_NARROW, _WIDE = 8, 16  # bits of a field


class Meetings:
    """Rounds of tables in the making, and how often everybody has met everybody."""

    def __init__(
        self,
        players: int,
        rounds: list[list[list[int]]],
        benches: list[list[int]],
        handicaps: Mapping[tuple[int, int], int],
    ) -> None:
        self.players = players
        self.rounds = rounds
        self.benches = benches
        most = len(rounds) + max(handicaps.values(), default=0)
        self._bits = _NARROW if (SEATS - 1) * most < (1 << _NARROW) - 1 else _WIDE
        self._full = (1 << self._bits) - 1
        # A trade of a and b leaves m(a, b) as it is, but the sums of `_trade` count it twice; it is seldom above this.
        self._slack = [2 * (math.ceil((SEATS - 1) * len(rounds) / (players - 1)) + 1)] * players
        for pair, handicap in handicaps.items():
            for player in pair:
                self._slack[player] = max(self._slack[player], 2 * (handicap + 1))
        self._one = [1 << self._bits * player for player in range(players)]
        self._mask = [self._full * one for one in self._one]
        self._masks = [[sum(self._mask[player] for player in table) for table in tables] for tables in rounds]
        self._rows = [0] * players
        for (first, second), handicap in handicaps.items():
            self._rows[first] += handicap * self._one[second]
            self._rows[second] += handicap * self._one[first]
        for tables in rounds:
            for table in tables:
                for first, second in combinations(table, 2):
                    self._rows[first] += self._one[second]
                    self._rows[second] += self._one[first]
        self.energy = self._energy()

    def _energy(self) -> int:
        """Half of Σ over pairs (m + handicap)² + Σ (m + handicap), counted anew; never a fraction."""
        found = 0
        for first, second in combinations(range(self.players), 2):
            times = self.of(first, second)
            found += times * (times + 1) // 2
        return found

    def of(self, first: int, second: int) -> int:
        """How often two players meet, their handicap included."""
        return self._rows[first] >> self._bits * second & self._full

    def sweep(self, temperature: float, draws: Iterator[float], chance: Chance) -> None:
        """Offers every player of every round every other table of it, and every one who sits out another round."""
        for tables, masks in zip(self.rounds, self._masks, strict=True):
            for here in range(1, len(tables)):
                for there in range(here):
                    self._trade(tables, masks, here, there, temperature, draws, chance)
        if any(self.benches):
            for number in range(len(self.rounds)):
                self._change_rounds(number, temperature, draws, chance)

    def _trade(
        self,
        tables: list[list[int]],
        masks: list[int],
        here: int,
        there: int,
        temperature: float,
        draws: Iterator[float],
        chance: Chance,
    ) -> None:
        """Lets each player of one table change places with one of the other table, where the threshold allows it."""
        rows, one, bits, full, slack = self._rows, self._one, self._bits, self._full, self._slack
        table, other = tables[here], tables[there]
        mask, other_mask = masks[here], masks[there]
        loss = [(rows[player] & mask) % full - (rows[player] & other_mask) % full for player in other]
        least = min(loss)
        for place in range(SEATS):
            player = table[place]
            row = rows[player]
            gain = (row & mask) % full - (row & other_mask) % full
            room = temperature * next(draws) + gain - 2 * (SEATS - 1)
            if least > room + slack[player]:
                continue
            willing = [
                number
                for number, partner in enumerate(other)
                if loss[number] - 2 * (row >> bits * partner & full) <= room
            ]
            if not willing:
                continue
            number = willing[int(chance() * len(willing))]
            partner = other[number]
            self.energy += loss[number] - 2 * (row >> bits * partner & full) - gain + 2 * (SEATS - 1)
            swap = one[partner] - one[player]
            for mate in table:
                rows[mate] += swap
            for mate in other:
                rows[mate] -= swap
            left = (mask ^ self._mask[player]) // full
            met = (other_mask ^ self._mask[partner]) // full
            rows[player] += met - left - swap
            rows[partner] += left - met + swap
            table[place], other[number] = partner, player
            mask += full * swap
            other_mask -= full * swap
            loss = [(rows[player] & mask) % full - (rows[player] & other_mask) % full for player in other]
            least = min(loss)
        masks[here], masks[there] = mask, other_mask

    def _change_rounds(self, number: int, temperature: float, draws: Iterator[float], chance: Chance) -> None:
        """Lets those who sit this round out play it, and sit out another round instead.

        The one who comes back leaves her game of the other round to the one whose game of this round she takes.
        """
        for place, incoming in enumerate(self.benches[number]):
            other = int(chance() * len(self.rounds))
            if incoming in self.benches[other]:
                continue
            candidates = [player for player in self.benches[other] if player not in self.benches[number]]
            if not candidates:
                continue
            outgoing = candidates[int(chance() * len(candidates))]
            change = self._change_of_rounds(incoming, outgoing, number, other)
            if change <= temperature * next(draws):
                self._replace(number, outgoing, incoming)
                self._replace(other, incoming, outgoing)
                self.benches[number][place] = outgoing
                self.benches[other][self.benches[other].index(outgoing)] = incoming
                self.energy += change

    def _change_of_rounds(self, incoming: int, outgoing: int, number: int, other: int) -> int:
        """What it costs that `outgoing` gives `incoming` her game of one round for her game of the other."""
        game = self._mates(number, outgoing)
        other_game = self._mates(other, incoming)
        come, go, full = self._rows[incoming], self._rows[outgoing], self._full
        change = (come & game) % full - (go & game) % full + (go & other_game) % full - (come & other_game) % full
        both = (game & other_game).bit_count() // self._bits
        return change + 2 * (SEATS - 1) - 2 * both

    def _table_of(self, number: int, player: int) -> int:
        return next(place for place, table in enumerate(self.rounds[number]) if player in table)

    def _mates(self, number: int, player: int) -> int:
        """The fields of those who play with her in this round."""
        return self._masks[number][self._table_of(number, player)] ^ self._mask[player]

    def _replace(self, number: int, leaving: int, coming: int) -> None:
        """Seats one player in the game of another who leaves the round."""
        place = self._table_of(number, leaving)
        table = self.rounds[number][place]
        table[table.index(leaving)] = coming
        swap = self._one[coming] - self._one[leaving]
        mates = (self._masks[number][place] ^ self._mask[leaving]) // self._full
        for mate in table:
            if mate != coming:
                self._rows[mate] += swap
        self._rows[coming] += mates
        self._rows[leaving] -= mates
        self._masks[number][place] += self._full * swap
