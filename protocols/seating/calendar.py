"""How many tables each round has, and who sits it out to begin with."""

from __future__ import annotations

from .terms import SEATS, Chance, Request, shuffled


def tables_by_round(request: Request) -> list[int]:
    """Tables of every round: as even as they can be, the fuller rounds first.

    >>> tables_by_round(Request(players=33, games=10, tables=2))
    [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1]
    """
    rounds = request.rounds
    floor, over = divmod(request.total, rounds)
    return [floor + 1] * over + [floor] * (rounds - over)


def first_draw(request: Request, chance: Chance) -> tuple[list[list[list[int]]], list[list[int]]]:
    """Games at random, everybody in as many as asked for: rounds of tables of ten, and who sits out each round.

    Sitting out goes round the players in one circle, so nobody sits out twice before everybody has sat out once.
    """
    circle, place = shuffled(range(request.players), chance), 0
    rounds, benches = [], []
    for tables in tables_by_round(request):
        count = request.players - tables * SEATS
        bench = [circle[(place + step) % len(circle)] for step in range(count)]
        place += count
        playing = shuffled(sorted(set(circle) - set(bench)), chance)
        rounds.append([playing[first : first + SEATS] for first in range(0, len(playing), SEATS)])
        benches.append(bench)
    return rounds, benches
