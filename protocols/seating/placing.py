"""In which order the rounds are played, and at which table each game: waits spread, tables even."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .terms import Chance, Item, shuffled

_SWEEPS = 60
_HOT, _COLD = 3.0, 0.2

Rounds = list[list[tuple[int, ...]]]


def placed(rounds: Sequence[Sequence[tuple[int, ...]]], players: int, tables: int, chance: Chance) -> Rounds:
    """The same games, ordered so that few sit out twice in a row and each player sees the tables evenly often."""
    ordered = _with_spread_waits([list(games) for games in rounds], players, chance)
    return _with_even_tables(ordered, players, tables, chance)


def _with_spread_waits(rounds: Rounds, players: int, chance: Chance) -> Rounds:
    """Rounds of equally many games trade places while that lets fewer players sit out twice in a row."""
    everybody = frozenset(range(players))
    benches = [everybody.difference(*games) for games in rounds]
    if not any(benches):
        return rounds

    def waits_at(numbers: set[int]) -> int:
        """Players who sit out both rounds of a seam that touches these."""
        seams = {seam for number in numbers for seam in (number, number + 1)} - {0, len(rounds)}
        return sum(len(benches[seam - 1] & benches[seam]) for seam in seams)

    for _ in range(_SWEEPS):
        better = False
        for first in shuffled(range(len(rounds)), chance):
            for second in range(len(rounds)):
                if first == second or len(rounds[first]) != len(rounds[second]):
                    continue
                before = waits_at({first, second})
                _swap(benches, first, second)
                if waits_at({first, second}) < before:
                    _swap(rounds, first, second)
                    better = True
                else:
                    _swap(benches, first, second)
        if not better:
            break
    return rounds


def _swap(items: list[Item], first: int, second: int) -> None:
    items[first], items[second] = items[second], items[first]


def _with_even_tables(rounds: Rounds, players: int, tables: int, chance: Chance) -> Rounds:
    """Games of a round trade tables, annealed, until nothing makes Σ over players and tables (games there)² smaller."""
    counts = [[0] * tables for _ in range(players)]
    for games in rounds:
        for table, game in enumerate(games):
            for player in game:
                counts[player][table] += 1
    for sweep in range(_SWEEPS):
        temperature = _HOT * (_COLD / _HOT) ** (sweep / _SWEEPS) if sweep < _SWEEPS - 5 else 0.0
        for games in rounds:
            for first in range(1, len(games)):
                for second in range(first):
                    change = sum(counts[player][second] - counts[player][first] + 1 for player in games[first])
                    change += sum(counts[player][first] - counts[player][second] + 1 for player in games[second])
                    if change < 0 or (temperature and chance() < math.exp(-change / temperature)):
                        for player in games[first]:
                            counts[player][first] -= 1
                            counts[player][second] += 1
                        for player in games[second]:
                            counts[player][second] -= 1
                            counts[player][first] += 1
                        _swap(games, first, second)
    return rounds
