"""Seats as an edge colouring: exchanges along chains keep runs whole, and sums that run along stay true."""

from itertools import pairwise
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from protocols.seating.calendar import first_draw
from protocols.seating.neighbours import seat
from protocols.seating.seats import Seats
from protocols.seating.terms import THIRD_OF, Request, shuffled

SIZES = [(10, 3, 1), (13, 10, 1), (20, 4, 2), (20, 23, 2), (25, 6, 2), (33, 10, 3)]


def games_of(request: Request, seed: int) -> list[list[int]]:
    return [table for tables in first_draw(request, Random(seed).random)[0] for table in tables]


@given(size=st.sampled_from(SIZES), seed=st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_no_seat_comes_twice_in_ten_games_whatever_is_exchanged(size: tuple[int, int, int], seed: int) -> None:
    chance, games = Random(seed).random, games_of(Request(*size), seed)
    seats = Seats(games, size[0], chance)
    for _ in range(20):
        first, second = shuffled(range(10), chance)[:2]
        chain = seats.chain(int(chance() * len(games)), first, second)
        assert len(set(chain)) == len(chain)
        seats.exchange(chain, first, second)
    assert [sorted(row) for row in seats.at] == [sorted(game) for game in games]
    for player in range(size[0]):
        taken = [row.index(player) for row in seats.at if player in row]
        for start in range(0, len(taken), 10):
            run = taken[start : start + 10]
            assert len(set(run)) == len(run)


@given(size=st.sampled_from(SIZES), seed=st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_the_running_sums_are_the_sums_counted_anew(size: tuple[int, int, int], seed: int) -> None:
    games = games_of(Request(*size), seed)
    for seated, _ in zip(seat(games, size[0], Random(seed).random), range(10), strict=False):
        beside: dict[frozenset[int], int] = {}
        thirds: dict[tuple[int, int], int] = {}
        for game in seated.games:
            for pair in pairwise((*game, game[0])):
                beside[frozenset(pair)] = beside.get(frozenset(pair), 0) + 1
            for place, player in enumerate(game):
                thirds[player, THIRD_OF[place]] = thirds.get((player, THIRD_OF[place]), 0) + 1
        assert seated.squares == sum(times**2 for times in beside.values())
        assert seated.thirds == sum(times**2 for times in thirds.values())
