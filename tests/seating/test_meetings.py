"""The annealing of meetings: its running sum against a count made anew, and what it never breaks."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocols.seating.calendar import first_draw, tables_by_round
from protocols.seating.cooling import thresholds
from protocols.seating.meetings import Meetings
from protocols.seating.quality import meetings_of
from protocols.seating.terms import Request
from protocols.seating.turning import Turns

SIZES = [(10, 3, 1), (13, 10, 1), (20, 4, 2), (20, 30, 2), (25, 6, 2), (33, 10, 3), (40, 3, 4), (40, 5, 3)]


def energy_anew(work: Meetings, handicaps: dict[tuple[int, int], int]) -> int:
    met = meetings_of(work.players, [table for tables in work.rounds for table in tables])
    found = 0
    for first in range(work.players):
        for second in range(first):
            times = met[first][second] + handicaps.get((second, first), 0)
            found += times * (times + 1) // 2
    return found


@given(
    size=st.sampled_from(SIZES),
    seed=st.integers(0, 10**6),
    temperature=st.sampled_from([0.0, 0.3, 1.0, 20.0]),
    handicap=st.sampled_from([0, 3, 60]),
)
@settings(max_examples=60, deadline=None)
def test_the_running_sum_is_the_sum_counted_anew(
    size: tuple[int, int, int], seed: int, temperature: float, handicap: int
) -> None:
    chance = Random(seed).random
    handicaps = {(0, 1): handicap, (2, 7): handicap, (1, 9): handicap} if handicap else {}
    rounds, benches = first_draw(Request(*size), chance)
    work = Meetings(size[0], rounds, benches, handicaps)
    assert work.energy == energy_anew(work, handicaps)
    before = work.energy
    for _ in range(3):
        work.sweep(temperature, thresholds(chance), chance)
        assert work.energy == energy_anew(work, handicaps)
    if temperature == 0:
        assert work.energy <= before


@given(size=st.sampled_from(SIZES), seed=st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_everybody_plays_as_often_as_asked_and_never_twice_in_a_round(size: tuple[int, int, int], seed: int) -> None:
    players, games, _ = size
    request, chance = Request(*size), Random(seed).random
    rounds, benches = first_draw(request, chance)
    work = Meetings(players, rounds, benches, {})
    for _ in range(3):
        work.sweep(5.0, thresholds(chance), chance)
        assert [len(tables) for tables in rounds] == tables_by_round(request)
        assert {len(table) for tables in rounds for table in tables} == {10}
        for tables, bench in zip(rounds, benches, strict=True):
            assert sorted([player for table in tables for player in table] + bench) == list(range(players))
        assert set(Counter(player for tables in rounds for table in tables for player in table).values()) == {games}


@pytest.mark.parametrize("size", SIZES)
def test_rounds_are_as_few_as_the_tables_allow_and_as_even_as_they_can_be(size: tuple[int, int, int]) -> None:
    players, games, tables = size
    by_round = tables_by_round(Request(*size))
    assert sum(by_round) == players * games // 10
    assert len(by_round) == -(-sum(by_round) // tables)
    assert max(by_round) - min(by_round) <= 1


@given(tables=st.integers(1, 6), rounds=st.integers(1, 8), seed=st.integers(0, 10**6), temperature=st.floats(0, 20))
@settings(max_examples=60, deadline=None)
def test_turned_rows_meet_as_their_turns_say(tables: int, rounds: int, seed: int, temperature: float) -> None:
    chance = Random(seed).random
    rows = [list(range(first, first + tables)) for first in range(0, 10 * tables, tables)]
    turns = Turns(tables, rounds, chance)
    for _ in range(3):
        turns.sweep(temperature, thresholds(chance), chance)
        seated = turns.seated(rows)
        assert {len(table) for at_once in seated for table in at_once} == {10}
        met = meetings_of(10 * tables, [table for at_once in seated for table in at_once])
        assert {met[one][other] for row in rows for one in row for other in row} == {0}
        pairs = sum(times * (times - 1) // 2 for line in met for times in line) // 2
        assert turns.energy * tables == pairs
