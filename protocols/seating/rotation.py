"""One table of ten in several games: the seats change hands so that everybody has each as evenly as possible."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from .terms import KEY_SEATS, SEATS, THIRD_OF, Game

# Turned by each of 0…9 this row has every player on every seat once. Seats 1, 2 and 10 hold neighbouring numbers, so
# that of any so many games some have these seats as evenly as there can be; of the nine steps from seat to seat eight
# differ, so that all but ten of the ordered pairs of neighbours come once.
_ROW = (0, 1, 8, 7, 5, 3, 6, 2, 4, 9)


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


def tables_of(order: Sequence[int], *, by_place: bool) -> tuple[tuple[int, ...], ...]:
    """The players of each table of ten: by place there and back, so that the tables are as strong; otherwise in turn.

    >>> [len(table) for table in tables_of(range(30), by_place=True)]
    [10, 10, 10]
    >>> tables_of(range(20), by_place=True)[0][:4]
    (0, 3, 4, 7)
    """
    tables = len(order) // SEATS
    if not by_place:
        return tuple(tuple(order[first : first + SEATS]) for first in range(0, tables * SEATS, SEATS))
    found: list[list[int]] = [[] for _ in range(tables)]
    for place, player in enumerate(order[: tables * SEATS]):
        turn, at = divmod(place, tables)
        found[tables - 1 - at if turn % 2 else at].append(player)
    return tuple(tuple(table) for table in found)


def seated(order: Sequence[int], games: int, *, by_place: bool) -> list[list[list[int]]]:
    """So many rounds of these players, ten at each table in every round, the seats of each table rotated."""
    tables = [rotated(table, games) for table in tables_of(order, by_place=by_place)]
    return [[list(table[game]) for table in tables] for game in range(games)]


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
