"""What holds in every game that the rules accept, shown on games played at random under all regulations."""

from dataclasses import replace
from decimal import Decimal
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protocols.rules import entries as e
from protocols.rules.agenda import next_steps
from protocols.rules.fold import new_game, replay, step, walk
from protocols.rules.outcome import outcome, problems
from protocols.rules.points import points_of
from protocols.rules.refusals import refuse
from protocols.rules.regulation import PRESETS
from protocols.rules.sheet import from_data, sheet, to_data
from protocols.rules.state import GameState
from protocols.rules.terms import SEATS, HowLeft, Phase, Result
from tests.games.random_play import KNOWN, LATE, ROLES_ARE, UNKNOWN, RandomGame, nonsense, scattered
from tests.games.table import HEADER, NICKNAMES, Table, differences

EXAMPLES = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,  # the same games in every run; raise max_examples to look for more
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)


@st.composite
def games(draw: st.DrawFn, roles: tuple[str, ...] = ROLES_ARE) -> Table:
    """A game under any preset, its roles known from the start, late or never; orderly or not."""
    game = RandomGame(
        Random(draw(st.integers(0, 2**32))),
        draw(st.sampled_from(list(PRESETS.values()))),
        roles=draw(st.sampled_from(roles)),
        disorder=draw(st.sampled_from([0.05, 0.2, 0.5])),
        longest=draw(st.integers(20, 220)),
    )
    return game.play()


def same(one: GameState, other: GameState) -> bool:
    """Whether two states differ at most in the number of their last entry."""
    return differences(one, other).keys() <= {"revision"}


@EXAMPLES
@given(games(), st.integers(0, 2**32))
def test_a_game_replays_to_the_state_it_was_played_to(table: Table, seed: int) -> None:
    assert differences(table.state, table.replayed()) == {}
    mixed = replay(scattered(table, Random(seed)), table.regulation)
    assert differences(mixed, table.state) == {}


@EXAMPLES
@given(games())
def test_the_tallies_of_a_complete_ballot_sum_to_the_living(table: Table) -> None:
    state = new_game(table.regulation)
    living = 10
    for entry in walk(table.entries, state):
        if isinstance(entry, e.Vote) and (not state.set_aside or state.set_aside[-1][0] is not entry):
            ballots = state.days[entry.moment.day].ballots
            ballot = ballots[-1]
            assert ballot.living == living
            assert ballot.given == ballot.living if ballot.is_complete else ballot.given <= ballot.living
        living = len(state.living)
    for day in state.days.values():
        for ballot in day.ballots:
            if day.decision and not ballot.void:
                assert ballot.given == ballot.living


def acting(entry: e.Entry) -> tuple[int, ...]:
    """Who acts in the entry, or is acted on in a way that only somebody at the table can be."""
    match entry:
        case e.Turn(seat=int(seat)) if entry.moment.phase == Phase.SPEECHES:
            return (seat,)
        case e.Nomination():
            return (entry.target,) if entry.seat is None else (entry.seat, entry.target)
        case e.Withdrawal():
            return (entry.seat,)
        case e.Vote():
            return (entry.target, *(entry.voters or ()))
        case e.RaiseAll():
            return entry.voters or ()
        case e.Shot():
            return tuple(shooter for shooter, _ in entry.shots)
    return ()


@EXAMPLES
@given(games())
def test_nobody_acts_after_leaving(table: Table) -> None:
    state = new_game(table.regulation)
    living = set(state.living)
    for entry in walk(table.entries, state):
        if not state.set_aside or state.set_aside[-1][0] is not entry:
            assert set(acting(entry)) <= living, entry
        living = set(state.living)


@EXAMPLES
@given(games(), st.integers(0, 2**32))
def test_no_entry_whatever_makes_the_fold_fail(table: Table, seed: int) -> None:
    random = Random(seed)
    state = table.state
    for number in range(20):
        entry = replace(nonsense(random), revision=table.state.revision + 1 + number)
        refusal = refuse(state, entry)
        assert refusal is None or (refusal.code and refusal.clause)
        state = step(state, entry)
        if refusal is not None:
            assert state.set_aside[-1] == (entry, refusal)
    assert next_steps(state)
    assert all(problem.clause for problem in problems(state))
    made = sheet(state, HEADER, NICKNAMES)
    assert from_data(to_data(made)) == made


@EXAMPLES
@given(games(), st.integers(0, 2**32))
def test_anything_stored_in_any_order_can_be_read(table: Table, seed: int) -> None:
    random = Random(seed)
    junk = [replace(nonsense(random), revision=number) for number in range(1, 60)]
    state = replay([*junk, *scattered(table, random)], table.regulation)
    assert len(state.set_aside) > 0
    assert next_steps(state)


@EXAMPLES
@given(games())
def test_a_strike_gives_the_state_before_and_a_struck_strike_the_state_after(table: Table) -> None:
    if not table.entries or isinstance(table.entries[-1], e.Strike):
        return
    last, state = table.entries[-1], table.state
    struck = [*table.entries, e.Strike(moment=state.moment, revision=last.revision + 1, of=last.revision)]
    assert same(replay(struck, table.regulation), replay(table.entries[:-1], table.regulation))
    restored = [*struck, e.Strike(moment=state.moment, revision=last.revision + 2, of=last.revision + 1)]
    assert same(replay(restored, table.regulation), state)


@EXAMPLES
@given(games())
def test_the_sheet_of_every_game_comes_back_from_plain_data(table: Table) -> None:
    made = sheet(table.state, HEADER, NICKNAMES)
    assert from_data(to_data(made)) == made
    assert len(made.rows) == 10
    hidden = made.without_roles()
    assert {row.role for row in hidden.rows} == {""}
    assert hidden.result == ""


@EXAMPLES
@given(games((KNOWN, LATE)))
def test_points_add_up(table: Table) -> None:
    state, rules = table.state, table.regulation
    end, points = outcome(state), points_of(state)
    if end is None or not end.result.counts or not state.roles_known:
        assert points is None
        return
    assert points is not None
    won = {Result.RED: 7 * rules.win_red, Result.BLACK: 3 * rules.win_black, Result.DRAW: 10 * rules.draw}
    assert sum(seat.win for seat in points.values()) == won[end.result]
    removed = [seat for seat in SEATS if state.seats[seat].removed]
    offenders = [seat for seat in SEATS if state.seats[seat].team_defeat]
    penalties = len(removed) * rules.removal + len(offenders) * rules.team_defeat_offender
    assert sum(seat.penalty for seat in points.values()) == penalties
    rows = sheet(state, HEADER, NICKNAMES).rows
    columns = sum(((row.points or Decimal(0)) + (row.extra_points or Decimal(0)) for row in rows), Decimal(0))
    assert columns == sum(seat.total for seat in points.values())
    if rules.extra_sum is not None:
        assert sum(seat.extra for seat in points.values()) <= rules.extra_sum


@EXAMPLES
@given(games((UNKNOWN,)))
def test_no_exit_ends_a_game_whose_roles_are_unknown(table: Table) -> None:
    end = outcome(table.state)
    assert end is None or end.reason in (
        "declared",
        "team_defeat",
        "three_days",
        "three_nights",
        "three_misses",
        "ruling",
    )


@EXAMPLES
@given(games())
def test_every_exit_has_its_clause_and_its_place_in_the_game(table: Table) -> None:
    for seat in table.state.seats.values():
        if seat.left:
            assert seat.left.clause
            assert seat.left.moment.key <= table.state.moment.key
        if seat.removed and seat.left and seat.left.how in (HowLeft.FOULS, HowLeft.DISQUALIFIED):
            assert seat.left.moment == seat.removed.moment
    assert all(notice.clause for notice in table.state.notices)


@pytest.mark.parametrize("code", PRESETS)
def test_an_orderly_game_comes_to_an_end(code: str) -> None:
    for seed in range(5):
        table = RandomGame(Random(seed), PRESETS[code], disorder=0, longest=2000).play()
        assert table.state.derived is not None
        assert table.state.set_aside == []
