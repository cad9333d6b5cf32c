"""Lower bounds against values known by hand, and against seatings that reach them."""

from itertools import combinations, product

import pytest

from protocols.seating.bounds import bounds_of, evenly
from protocols.seating.terms import Limit, Request


@pytest.mark.parametrize(
    ("players", "games", "tables", "arithmetic", "welch", "overlaps"),
    [
        (20, 10, 2, 36.84, 236.84, 236.84),
        (30, 12, 3, 86.90, 206.90, 338.90),
        (40, 10, 4, 166.15, 346.15, 526.15),
        (50, 10, 5, 167.35, 367.35, 367.35),
        (60, 12, 6, 249.15, 0, 477.15),
        (10, 7, 1, 0, 0, 0),
        (11, 10, 1, 0, 0, 0),
    ],
)
def test_bounds_have_the_known_values(
    players: int, games: int, tables: int, arithmetic: float, welch: float, overlaps: float
) -> None:
    bounds = bounds_of(Request(players, games, tables))
    assert (round(bounds.arithmetic, 2), round(bounds.welch, 2), round(bounds.overlaps, 2)) == (
        arithmetic,
        welch,
        overlaps,
    )
    assert bounds.best == max(bounds.arithmetic, bounds.welch, bounds.overlaps)


@pytest.mark.parametrize(("total", "parts"), [(0, 1), (3, 2), (5, 3), (6, 3), (7, 4)])
def test_whole_numbers_are_most_even_at_floor_and_ceil(total: int, parts: int) -> None:
    all_ways = (ways for ways in product(range(total + 1), repeat=parts) if sum(ways) == total)
    assert evenly(total, parts) == min(sum(way**2 for way in ways) for ways in all_ways)


def test_two_kept_apart_raise_the_arithmetic_bound_by_what_they_lack() -> None:
    # Twenty players, ten games: 900 meetings of 190 pairs. Ten pairs at 0 leave five to each of the other 180.
    partners = tuple(Limit((player, player + 1)) for player in range(0, 20, 2))
    mean = 90 / 19
    assert bounds_of(Request(20, 10, 2, partners)).arithmetic == pytest.approx(10 * mean**2 + 180 * (5 - mean) ** 2)


def test_a_limit_above_the_mean_changes_no_bound() -> None:
    generous = tuple(Limit(pair, 5) for pair in combinations(range(20), 2))
    assert bounds_of(Request(20, 10, 2, generous)) == bounds_of(Request(20, 10, 2))
