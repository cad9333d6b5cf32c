"""One table of ten in several games: the seats change hands so that everybody has each as evenly as possible."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from .terms import KEY_SEATS, SEATS, THIRD_OF, Game

# 0, 1, 9, 2, 8, … : turned by each of 0…9 these rows have every player on every seat once, and every ordered pair of
# neighbours in a row once (a Latin square of Williams).
_ROW = tuple((step + 1) // 2 if step % 2 else -(step // 2) % SEATS for step in range(SEATS))


def rotated(order: Sequence[int], games: int) -> tuple[Game, ...]:
    """So many games of these ten players, who sit in the first one in this order.

    In any ten games everybody has every seat once; within them, seats 1, 2 and 10, and then the beginning, the middle
    and the end of the table, come round as evenly as the turns left allow.

    >>> [game[0] for game in rotated(range(10), 10)].count(0)
    1
    """
    player_of = dict(zip(_ROW, order, strict=True))
    found: list[Game] = []
    left: list[int] = []
    had = [[0] * 4 for _ in range(SEATS)]  # place in the order → key seats, three thirds
    for number in range(games):
        left = left or list(range(SEATS))
        turn = 0 if not number else min(left, key=lambda turn: (_unevenness(had, turn), turn))
        left.remove(turn)
        for place, row in enumerate(_with(had, turn)):
            had[place] = row
        found.append(tuple(player_of[value] for value in _turned(turn)))
    return tuple(found)


def _turned(turn: int) -> tuple[int, ...]:
    return tuple((value + turn) % SEATS for value in _ROW)


def _with(had: list[list[int]], turn: int) -> list[list[int]]:
    rows = [list(row) for row in had]
    for seat, value in enumerate(_turned(turn)):
        rows[value][0] += seat in KEY_SEATS
        rows[value][1 + THIRD_OF[seat]] += 1
    return rows


def _unevenness(had: list[list[int]], turn: int) -> tuple[int, int]:
    rows = _with(had, turn)
    keys = sum((one[0] - other[0]) ** 2 for one, other in combinations(rows, 2))
    thirds = sum((one[third] - other[third]) ** 2 for one, other in combinations(rows, 2) for third in (1, 2, 3))
    return keys, thirds
