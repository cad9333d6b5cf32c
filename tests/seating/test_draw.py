"""A whole seating: what it always holds, how it is repeated and stopped, and what limits do."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocols.seating.advice import Code
from protocols.seating.bounds import bounds_of
from protocols.seating.draw import CannotSeat, Phase, Progress, Seating, draw, for_seconds, for_steps
from protocols.seating.gathering import gather
from protocols.seating.quality import quality_of
from protocols.seating.terms import Limit, Request

sizes = (
    st.tuples(st.integers(10, 36), st.integers(1, 13), st.integers(1, 3))
    .filter(lambda size: size[0] * size[1] % 10 == 0 and size[2] <= size[0] // 10)
    .map(lambda size: Request(*size))
)


def drawn(request: Request, seed: int = 1, meetings: int = 3, seats: int = 3) -> Seating:
    return draw(request, Random(seed).random, for_steps(meetings, seats))


@given(request=sizes, seed=st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_a_plan_is_whole(request: Request, seed: int) -> None:
    plan = drawn(request, seed).plan
    quality = quality_of(request, plan)
    for number, games in enumerate(plan.rounds):
        assert {len(game) for game in games} == {10}
        playing = [player for game in games for player in game]
        assert sorted(playing + plan.sitting_out(number)) == list(range(request.players))
    assert {sum(row) for row in quality.seats} == {request.games}
    assert {sum(row) for row in quality.tables} == {request.games}
    assert {sum(row) for row in quality.meetings} == {9 * request.games}
    assert {sum(row) for row in quality.beside} == {2 * request.games}
    assert quality.spread >= quality.bounds.best - 1e-6
    assert quality.neighbour_spread.value >= quality.neighbour_spread.least - 1e-6
    assert quality.third_spread.value >= quality.third_spread.least - 1e-6
    assert quality.table_spread.value >= quality.table_spread.least - 1e-6


@given(request=sizes, seed=st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_everybody_sits_on_each_seat_floor_or_ceil_of_a_tenth_of_the_games(request: Request, seed: int) -> None:
    quality = quality_of(request, drawn(request, seed, 2, 5).plan)
    allowed = {request.games // 10, -(-request.games // 10)}
    assert {times for row in quality.seats for times in row} <= allowed
    assert quality.seat_spread.value == pytest.approx(quality.seat_spread.least)
    assert quality.key_seat_spread.value == pytest.approx(quality.key_seat_spread.least)


@pytest.mark.parametrize(("players", "games"), [(20, 12), (30, 12), (20, 13)])
def test_what_seats_are_left_over_are_spread_over_the_table(players: int, games: int) -> None:
    request = Request(players, games, players // 10)
    quality = quality_of(request, drawn(request, meetings=1, seats=200).plan)
    assert quality.third_spread.value == pytest.approx(quality.third_spread.least)


def test_in_every_ten_games_in_a_row_a_player_sits_on_ten_seats() -> None:
    plan = drawn(Request(20, 20, 2), meetings=5, seats=40).plan
    for player in range(20):
        seats = [game.index(player) for game in plan.games() if player in game]
        assert sorted(seats[:10]) == sorted(seats[10:]) == list(range(10))


def test_twenty_players_of_ten_games_meet_as_evenly_as_can_be() -> None:
    request = Request(20, 10, 2)
    quality = quality_of(request, drawn(request, meetings=2000).plan)
    assert quality.spread == pytest.approx(quality.bounds.best) == pytest.approx(236.842, abs=0.001)


@pytest.mark.parametrize("games", range(1, 12))
def test_fifty_players_meet_as_evenly_as_can_be_at_once(games: int) -> None:
    request = Request(50, games, 5)
    seating = drawn(request)
    assert seating.steps[Phase.MEETINGS] == 0
    assert quality_of(request, seating.plan).spread == pytest.approx(bounds_of(request).best)


def test_ten_teams_of_five_never_meet_and_all_others_meet_twice() -> None:
    teams = tuple(Limit(tuple(range(first, first + 5))) for first in range(0, 50, 5))
    request = Request(50, 10, 5, teams)
    quality = quality_of(request, drawn(request).plan)
    assert quality.pairs_by_meetings() == {0: 100, 2: 1125}
    assert quality.excesses == ()
    assert quality.spread == pytest.approx(quality.bounds.best)


def test_ten_teams_of_three_that_never_meet_meet_all_others_as_evenly_as_can_be() -> None:
    teams = tuple(Limit(tuple(range(first, first + 3))) for first in range(0, 30, 3))
    request = Request(30, 12, 3, teams)
    quality = quality_of(request, drawn(request, meetings=4000).plan)
    assert quality.pairs_by_meetings() == {0: 30, 4: 405}
    assert quality.spread == pytest.approx(quality.bounds.best)


def test_the_same_seed_and_steps_give_the_same_seating() -> None:
    request = Request(33, 10, 3, (Limit((0, 1, 2)), Limit((4, 9), 1)))
    assert drawn(request, 7, 20, 10) == drawn(request, 7, 20, 10)
    assert drawn(request, 7, 20, 10) != drawn(request, 8, 20, 10)


def test_a_run_ended_by_the_clock_is_repeated_by_its_steps() -> None:
    request = Request(40, 10, 4)
    ticks = iter(range(10**6))
    timed = draw(request, Random(3).random, for_seconds(40, lambda: float(next(ticks))))
    assert 20 < timed.steps[Phase.MEETINGS] < 40
    again = for_steps(timed.steps[Phase.MEETINGS], timed.steps[Phase.SEATS])
    assert draw(request, Random(3).random, again) == timed


def test_a_search_that_is_stopped_gives_the_best_it_has_told_of() -> None:
    request = Request(30, 12, 3)
    told: list[Progress] = []

    def go_on(progress: Progress) -> bool:
        told.append(progress)
        return len(told) < 50

    quality = quality_of(request, draw(request, Random(5).random, go_on).plan)
    meetings = [progress for progress in told if progress.phase is Phase.MEETINGS]
    assert [progress.steps for progress in meetings] == list(range(50))
    assert quality.spread == pytest.approx(min(progress.value for progress in meetings))
    assert told[-1].phase is Phase.SEATS
    assert quality.neighbour_spread.value == pytest.approx(told[-1].value)
    assert quality.neighbour_spread.least == pytest.approx(told[-1].least)


def test_the_best_so_far_never_gets_worse() -> None:
    found = [gathering.spread for gathering, _ in zip(gather(Request(30, 4, 3), Random(1).random), range(150))]  # noqa: B905
    assert found == sorted(found, reverse=True)


@pytest.mark.parametrize(
    ("players", "games", "tables", "limits"),
    [
        (20, 10, 2, tuple(Limit((player, player + 1)) for player in range(0, 20, 2))),
        (30, 12, 3, tuple(Limit(tuple(range(first, first + 3))) for first in range(0, 30, 3))),
        (33, 10, 3, tuple(Limit(tuple(range(first, first + 3)), 1) for first in range(0, 33, 3))),
        (20, 10, 2, (Limit((0, 1), 2), Limit((1, 2), 1), Limit((5, 6, 7), 4))),
        (40, 10, 4, (Limit((0, 10)), Limit((0, 20)), Limit((0, 30)))),
    ],
)
def test_limited_pairs_meet_no_more_than_they_may(
    players: int, games: int, tables: int, limits: tuple[Limit, ...]
) -> None:
    request = Request(players, games, tables, limits)
    quality = quality_of(request, drawn(request, 2, 250, 1).plan)
    assert quality.excesses == ()
    for limit in limits:
        assert max(quality.meetings[first][second] for first, second in combinations(limit.players, 2)) <= limit.most


def test_what_counting_forbids_is_not_tried() -> None:
    with pytest.raises(CannotSeat) as caught:
        drawn(Request(20, 10, 2, (Limit((0, 1, 2)),)))
    assert [fault.code for fault in caught.value.faults] == [Code.MUST_MEET]


def test_limits_that_can_not_be_kept_together_are_named() -> None:
    # At two tables 0, 1 and 2 are apart pairwise only if one of them sits out; each pair alone could be.
    request = Request(20, 10, 2, (Limit((0, 1)), Limit((1, 2)), Limit((0, 2))))
    quality = quality_of(request, drawn(request, 1, 30, 1).plan)
    assert quality.excesses != ()
    for excess in quality.excesses:
        assert set(excess.players) < {0, 1, 2}
        assert (excess.most, excess.met > 0) == (0, True)


def test_sitting_out_goes_round() -> None:
    request = Request(33, 10, 3)
    plan = drawn(request, meetings=60).plan
    waits = Counter(player for number in range(len(plan.rounds)) for player in plan.sitting_out(number))
    assert set(waits.values()) == {1}
    assert quality_of(request, plan).longest_wait == 1
