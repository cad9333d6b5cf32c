"""Seatings that algebra gives at once, with meetings as even as they can be."""

from __future__ import annotations

from .terms import SEATS, Chance, Request, shuffled

# The difference in two rows of a generalized Hadamard matrix takes every value alike often. This one has order 10 over
# the remainders of 5: block (s, t) holds a·i² + b·i·j + c·j² at row i, column j, for these a, b, c.
_FORMS = (((0, 1, 0), (1, 1, 0)), ((0, 1, 2), (2, 2, 4)))
_ORDER = 5


def _shift(row: int, column: int) -> int:
    (s, i), (t, j) = divmod(row, _ORDER), divmod(column, _ORDER)
    a, b, c = _FORMS[s][t]
    return (a * i * i + b * i * j + c * j * j) % _ORDER


def design_of(request: Request, chance: Chance) -> list[list[list[int]]] | None:
    """Fifty players at five tables in up to 11 rounds, any two tables of different rounds with two in common; or None.

    The players stand in ten rows of five. Each column of the matrix makes a round: player k of row i goes to table
    (k + entry) mod 5, so players of one row never meet, and players of two rows meet at most twice. An eleventh round
    keeps rows together, two a table. Which player stands where is left to chance and the limits.
    """
    if request.players != 50 or request.tables != 5 or request.games > (10 if request.limits else 11):
        return None
    rows = rows_of(request, chance, below=2)
    if rows is None:
        return None
    rounds = []
    for column in range(request.games):
        tables: list[list[int]] = [[] for _ in range(_ORDER)]
        for row, players in enumerate(rows):
            for k, player in enumerate(players):
                tables[(k + _shift(row, column)) % _ORDER if column < 10 else row // 2].append(player)
        rounds.append(tables)
    return shuffled(rounds, chance)


def rows_of(request: Request, chance: Chance, *, below: int) -> list[list[int]] | None:
    """Everybody in ten rows as long as there are tables; two who may meet less than `below` times stand in one row.

    None when everybody at all tables is not everybody there is, or when such groups don't fit into rows.
    """
    if request.players != SEATS * request.tables:
        return None
    groups = {player: {player} for player in range(request.players)}
    for (first, second), most in request.most_meetings().items():
        if most < below and groups[first] is not groups[second]:
            groups[first] |= groups[second]
            for player in groups[second]:
                groups[player] = groups[first]
    rows: list[list[int]] = [[] for _ in range(SEATS)]
    apart = {min(group): shuffled(sorted(group), chance) for group in groups.values()}
    for group in sorted(shuffled(list(apart.values()), chance), key=len, reverse=True):
        row = next((row for row in rows if len(row) + len(group) <= request.tables), None)
        if row is None:
            return None
        row.extend(group)
    return rows
