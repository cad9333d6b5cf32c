"""The second look at a record: it finds nothing in what the rules accept, and what a fault of the fold would leave."""

import ast
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.rules import entries as e
from protocols.rules.cautions import cautions
from protocols.rules.fold import replay
from protocols.rules.invariants import breaches
from protocols.rules.outcome import Problem
from protocols.rules.regulation import EDITION_A, EDITION_B, FEDERATION, Regulation
from protocols.rules.state import Exit, GameState, Outcome
from protocols.rules.terms import (
    ROLE_OF_LETTER,
    SETUP,
    HowLeft,
    Moment,
    Penalty,
    Phase,
    Result,
    Role,
    RulingAbout,
)
from protocols.wording.invariants import BREACHES, CAUTIONS
from tests.games.random_play import nonsense
from tests.games.table import Table

from .test_random_play import EXAMPLES, games

CORE = Path(__file__).resolve().parents[2] / "protocols" / "rules"
ROLES = e.Roles(moment=SETUP, roles=tuple(ROLE_OF_LETTER[letter] for letter in "ККШКЧКДКЧК"))
NIGHT = Moment(1, Phase.NIGHT)
QUESTION = Moment(1, Phase.RAISE_ALL)


def minute(seat: int, day: int = 1, step: int = 0) -> e.Turn:
    """The minute of a seat."""
    return e.Turn(moment=Moment(day, Phase.SPEECHES, 0, step or seat), seat=seat)


def named(by: int, target: int, day: int = 1) -> e.Nomination:
    """A nomination in the speaker's minute."""
    return e.Nomination(moment=Moment(day, Phase.SPEECHES, 0, by), seat=by, target=target)


def tally(target: int, count: int, step: int, ballot: int = 0, day: int = 1) -> e.Vote:
    """A tally."""
    return e.Vote(moment=Moment(day, Phase.BALLOT, ballot, step), target=target, count=count)


def removal(seat: int, moment: Moment) -> e.Foul:
    """A disqualifying foul."""
    return e.Foul(moment=moment, seat=seat, penalty=Penalty.DISQUALIFYING)


BEGUN: list[e.Entry] = [ROLES, e.Turn(moment=Moment(0, Phase.NIGHT))]
NAMED: list[e.Entry] = [*BEGUN, minute(1), named(1, 5), minute(2), named(2, 9)]
VOTED: list[e.Entry] = [*NAMED, tally(5, 4, 1), tally(9, 6, 2)]
SHOT: list[e.Entry] = [*VOTED, e.Shot(moment=NIGHT, target=4)]
TIED: list[e.Entry] = [*NAMED, *(tally(seat, 5, step, ballot) for ballot in (0, 1) for step, seat in ((1, 5), (2, 9)))]


def numbered(entries: Iterable[e.Entry]) -> list[e.Entry]:
    """The entries in the order of writing."""
    return [replace(entry, revision=revision) for revision, entry in enumerate(entries, 1)]


def seen(
    entries: Iterable[e.Entry],
    spoil: Callable[[GameState], object] | None = None,
    *,
    regulation: Regulation = EDITION_A,
    results_only: bool = False,
) -> list[Problem]:
    """What the second look finds; `spoil` makes of the state what a fault of the fold would."""
    written = numbered(entries)
    state = replay(written, regulation, results_only=results_only)
    if spoil is not None:
        spoil(state)
    return breaches(written, state)


def figures(found: list[Problem]) -> list[tuple[str, str, dict[str, object]]]:
    """Code, clause and figures of each."""
    return [(each.code, each.clause, dict(each.params)) for each in found]


# ---------------------------------------------------------------- nothing in what the rules accept


@EXAMPLES
@given(games())
def test_a_game_that_the_rules_accept_breaks_nothing(table: Table) -> None:
    if not table.state.set_aside:
        assert breaches(table.entries, table.state) == []


@EXAMPLES
@given(games(), st.integers(0, 2**32))
def test_whatever_is_stored_can_be_looked_over(table: Table, seed: int) -> None:
    random = Random(seed)
    junk = [replace(nonsense(random), revision=1000 + number) for number in range(60)]
    written = [*table.entries, *junk]
    state = replay(written, table.regulation)
    for each in [*breaches(written, state), *cautions(written, state)]:
        assert each.clause
        assert {*BREACHES, *CAUTIONS} >= {each.code}


@EXAMPLES
@given(games(), st.integers(0, 2**32))
def test_words_left_out_make_no_other_breach_than_entries_that_fall(table: Table, seed: int) -> None:
    random = Random(seed)
    kept = [entry for entry in table.entries if not isinstance(entry, e.Turn) or random.random() < 0.7]
    state = replay(kept, table.regulation)
    if not state.set_aside:
        assert breaches(kept, state) == []


@pytest.mark.parametrize("course", [BEGUN, NAMED, VOTED, SHOT, TIED])
def test_a_game_under_way_breaks_nothing(course: list[e.Entry]) -> None:
    assert seen(course) == []


def test_a_removal_noticed_later_leaves_what_was_played_before_it() -> None:
    late = [e.Foul(moment=Moment(1, Phase.SPEECHES, 0, 1), seat=5) for _ in range(4)]
    course = [*VOTED, e.Turn(moment=NIGHT), e.Shot(moment=NIGHT, target=4, shots=((5, 4), (7, 4)))]
    assert seen([*course, *late]) == []
    state = replay(numbered([*course, *late]), EDITION_A)
    assert state.seats[5].removed is not None
    after = [*course, *late, minute(2, day=2, step=1), replace(named(2, 5, day=2), moment=minute(2, 2, 1).moment)]
    assert [each.code for each in seen(after)] == ["acts_after_leaving"]


def test_a_protocol_with_results_only_is_not_asked_for_its_course() -> None:
    over = e.GameOver(moment=SETUP, result=Result.RED)
    course = [ROLES, over, e.BestMove(moment=SETUP, hits=2)]
    assert seen(course, results_only=True) == []
    assert seen([*course, named(1, 5), named(2, 5), replace(over, result=Result.BLACK)], results_only=True) == []
    wrong = [*(e.Foul(moment=SETUP, seat=3) for _ in range(5)), e.ExtraPoints(moment=SETUP, seat=2, points=700)]
    assert [each.code for each in seen([*course, *wrong], results_only=True)] == [
        "fouls_over_four",
        "extra_not_given_so",
    ]


# ---------------------------------------------------------------- what a fault of the fold would leave


def _stays(seat: int) -> Callable[[GameState], None]:
    def spoil(state: GameState) -> None:
        state.seats[seat].left = None

    return spoil


def _leaves(seat: int, how: HowLeft, revision: int) -> Callable[[GameState], None]:
    def spoil(state: GameState) -> None:
        state.seats[seat].left = Exit(how, Moment(1, Phase.BALLOT, 0, 2), "§3", revision)

    return spoil


def test_a_leader_who_stays_is_found() -> None:
    found = {"day": 1, "seats": (9,), "leavers": (), "revisions": ()}
    assert figures(seen(VOTED, _stays(9))) == [("left_by_no_vote", "§3", found)]


def test_a_player_who_leaves_by_no_vote_is_found() -> None:
    found = {"day": 1, "seats": (9,), "leavers": (3, 9), "revisions": ()}
    assert figures(seen(VOTED, _leaves(3, HowLeft.VOTED, 8))) == [("left_by_no_vote", "§3", found)]


def test_those_raised_leave_and_nobody_else() -> None:
    raised = [*TIED, e.RaiseAll(moment=QUESTION, count=6)]
    assert seen(raised) == []
    found = {"day": 1, "seats": (5, 9), "leavers": (5,), "revisions": ()}
    assert figures(seen(raised, _stays(9))) == [("left_by_no_vote", "§3", found)]
    found = {"day": 1, "seats": (), "leavers": (9,), "revisions": ()}
    not_raised = [*TIED, e.RaiseAll(moment=QUESTION, count=5)]
    assert figures(seen(not_raised, _leaves(9, HowLeft.RAISED, 11))) == [("left_by_no_vote", "§3", found)]


def test_a_victim_who_stays_is_found() -> None:
    found = {"night": 1, "seat": 4, "revisions": (9,)}
    assert figures(seen(SHOT, _stays(4))) == [("shot_and_there", "§4", found)]


def test_shots_of_unknown_players_are_held_against_the_target_alone() -> None:
    before = [entry for entry in VOTED if entry is not ROLES]
    agreed = e.Shot(moment=NIGHT, target=4, shots=((1, 4), (2, 4)))
    assert seen([*before, agreed]) == []
    assert [each.code for each in seen([*before, replace(agreed, target=6)])] == ["shots_apart"]


def test_a_player_killed_by_no_shot_is_found() -> None:
    found = {"seat": 3, "revisions": ()}
    assert figures(seen(VOTED, _leaves(3, HowLeft.SHOT, 8))) == [("killed_unshot", "§4", found)]


def test_four_fouls_without_a_removal_are_found() -> None:
    course = [*BEGUN, minute(1), *(e.Foul(moment=minute(1).moment, seat=6) for _ in range(4))]

    def spoil(state: GameState) -> None:
        state.seats[6].left = state.seats[6].removed = None

    assert seen(course) == []
    assert figures(seen(course, spoil)) == [("four_fouls_there", "A 6.5", {"seat": 6, "revisions": ()})]


def test_roles_dealt_otherwise_than_written_are_found() -> None:
    def spoil(state: GameState) -> None:
        state.seats[1].role = Role.BLACK

    found = {"red": 5, "black": 3, "sheriff": 1, "don": 1, "revisions": ()}
    assert figures(seen(BEGUN, spoil)) == [("roles_count", "A 9.4.1", found)]


@pytest.mark.parametrize(("result", "reason"), [(Result.RED, "no_black_left"), (Result.BLACK, "blacks_not_fewer")])
def test_a_winner_who_is_not_the_one_by_the_living_is_found(result: Result, reason: str) -> None:
    def spoil(state: GameState) -> None:
        state.derived = Outcome(result, reason, "A 4.6.1", state.moment, 8, 8)

    found = {"result": result, "red": 7, "black": 2, "revisions": ()}
    assert figures(seen(VOTED, spoil)) == [("winner_and_living", "A 4.6.1", found)]


def test_the_living_are_counted_where_the_game_ended() -> None:
    removed = [removal(seat, minute(1).moment) for seat in (5, 7, 9)]
    assert seen([*BEGUN, minute(1), *removed]) == []
    removed = [removal(seat, minute(1).moment) for seat in (1, 2, 3, 4)]
    assert seen([*BEGUN, minute(1), *removed]) == []


def test_a_result_that_a_ruling_lets_stand_is_no_breach() -> None:
    over = e.GameOver(moment=minute(1).moment, result=Result.BLACK)
    ruling = e.Ruling(moment=minute(1).moment, about=RulingAbout.RESULT, result=Result.BLACK, text="так решено")
    assert [each.code for each in seen([*BEGUN, minute(1), over])] == ["winner_and_living"]
    assert seen([*BEGUN, minute(1), over, ruling]) == []


@pytest.mark.parametrize(
    ("points", "is_one"),
    [(-1000, True), (1000, True), (50, True), (0, True), (70, False), (1050, False), (-1050, False)],
)
def test_extra_points_by_step_and_range_keep_within_both(points: int, is_one: bool) -> None:
    course = [*NAMED, e.ExtraPoints(moment=minute(2).moment, seat=2, points=points)]
    codes = [each.code for each in seen(course, regulation=FEDERATION)]
    assert codes == ([] if is_one else ["extra_not_given_so"])


def test_who_won_by_the_living_is_not_asked_where_roles_are_unknown() -> None:
    red = e.GameOver(moment=minute(2).moment, result=Result.RED)
    assert seen([*NAMED[1:], red, replace(red, result=Result.BLACK)]) == []


# ---------------------------------------------------------------- votes that are not held, and hands


def test_a_removal_at_night_leaves_the_next_day_without_tallies() -> None:
    course = [ROLES, e.Turn(moment=Moment(0, Phase.NIGHT)), removal(10, Moment(0, Phase.NIGHT)), *NAMED[2:]]
    assert seen(course) == []
    found = {"day": 1, "seat": 10, "revisions": (8, 9)}
    counted = [*course, tally(5, 4, 1), tally(9, 5, 2)]
    assert figures(seen(counted)) == [("counted_though_cancelled", "A 7.2", found)]
    assert figures(seen(counted, regulation=EDITION_B)) == [("counted_though_cancelled", "B-S2", found)]


def test_a_removal_after_the_vote_leaves_the_next_day_without_tallies_under_the_federation() -> None:
    words = Moment(1, Phase.LAST_WORDS, 0, 1)
    night = [e.Turn(moment=NIGHT), e.Shot(moment=NIGHT)]
    next_day = [minute(2, 2, 1), replace(named(2, 5, 2), moment=minute(2, 2, 1).moment), tally(5, 8, 1, day=2)]
    course = [*VOTED, removal(10, words), *night, *next_day]
    assert seen(course) == []
    found = {"day": 2, "seat": 10, "revisions": (14,)}
    assert figures(seen(course, regulation=FEDERATION)) == [("counted_though_cancelled", "ФИИМ", found)]


def test_a_vote_that_was_ruled_out_has_no_tallies() -> None:
    ruling = e.Ruling(moment=Moment(1, Phase.SPEECHES, 0, 2), about=RulingAbout.VOTE_CANCELLED, text="свет погас")
    found = {"day": 1, "seat": None, "revisions": (8, 9)}
    counted = [*NAMED, ruling, tally(5, 4, 1), tally(9, 6, 2)]
    assert figures(seen(counted)) == [("counted_though_cancelled", "§5", found)]
    again = e.Ruling(moment=Moment(1, Phase.SPEECHES, 0, 2), about=RulingAbout.VOTE_HELD, text="свет дали")
    assert seen([*NAMED, ruling, again, tally(5, 4, 1), tally(9, 6, 2)]) == []


def test_tallies_before_the_removal_are_void_and_no_breach() -> None:
    assert seen([*NAMED, tally(5, 4, 1), removal(10, Moment(1, Phase.BALLOT, 0, 1)), e.Turn(moment=NIGHT)]) == []


def test_a_ballot_that_the_game_went_on_without_is_found() -> None:
    found = {"day": 1, "ballot": 1, "given": 4, "living": 10, "seats": (5, 9), "revisions": (7,)}
    assert figures(seen([*NAMED, tally(5, 4, 1), e.Turn(moment=NIGHT)])) == [("tallies_and_living", "A 9.5", found)]
    assert seen([*NAMED, tally(5, 4, 1)]) == []


def test_who_is_nominated_and_who_nominates_a_second_time_is_named_with_the_first() -> None:
    third = [minute(3), named(3, 5)]
    found = {"day": 1, "by": 3, "seat": 5, "speaker": 1, "revisions": (8,)}
    assert figures(seen([*NAMED, *third])) == [("nominated_twice", "§2", found)]
    found = {"day": 1, "by": 2, "seat": 2, "seats": (9, 6), "revisions": (7,)}
    assert figures(seen([*NAMED, named(2, 6)])) == [("nominates_twice", "§2", found)]
    taken_back = e.Withdrawal(moment=minute(2).moment, seat=2)
    assert seen([*NAMED, taken_back, named(2, 6)]) == []


def test_a_revote_closes_the_ballot_before_it() -> None:
    found = {"day": 1, "ballot": 1, "given": 4, "living": 10, "seats": (5, 9), "revisions": (7,)}
    begun = [*NAMED, tally(5, 4, 1), tally(5, 5, 1, ballot=1)]
    assert ("tallies_and_living", "A 9.5", found) in figures(seen(begun))


def test_more_votes_than_players_are_found_before_the_ballot_is_complete() -> None:
    found = {"day": 1, "ballot": 1, "given": 11, "living": 10, "seats": (5, 9), "revisions": (7,)}
    assert figures(seen([*NAMED, tally(5, 11, 1)])) == [("tallies_and_living", "A 9.5", found)]


def test_the_only_nominee_of_a_later_day_gets_every_vote() -> None:
    night = [e.Turn(moment=NIGHT), e.Shot(moment=NIGHT)]
    day = [minute(2, 2, 1), replace(named(2, 5, 2), moment=minute(2, 2, 1).moment), tally(5, 9, 1, day=2)]
    assert seen([*VOTED, *night, *day]) == []


def test_hands_for_raising_are_at_most_the_living_and_as_many_as_named() -> None:
    eight = [removal(10, Moment(0, Phase.NIGHT)), e.Ruling(
        moment=Moment(1, Phase.SPEECHES, 0, 2), about=RulingAbout.VOTE_HELD, text="решено")]  # fmt: skip
    course = [
        *BEGUN, eight[0], *NAMED[2:], minute(3), named(3, 6), eight[1],
        *(tally(seat, 3, step, ballot) for ballot in (0, 1) for step, seat in ((1, 5), (2, 9), (3, 6))),
    ]  # fmt: skip
    first = len(course) + 1
    found = {"day": 1, "count": 10, "living": 9, "revisions": (first,)}
    assert figures(seen([*course, e.RaiseAll(moment=QUESTION, count=10)])) == [("hands_and_living", "§3", found)]
    found = {"day": 1, "count": 4, "named": 3, "revisions": (first,)}
    miscounted = e.RaiseAll(moment=QUESTION, count=4, voters=(1, 2, 3))
    assert figures(seen([*course, miscounted])) == [("hands_and_named", "§3", found)]
    assert seen([*course, e.RaiseAll(moment=QUESTION, count=9)]) == []


# ---------------------------------------------------------------- words


def _codes() -> set[str]:
    """Every code that the second look can give, and those of the people at the table."""
    found = {"raised_by_too_few", "not_raised_by_half", "vote_for_other", "revote_for_other"}  # chosen by a condition
    for name in ("invariants", "invariants_of_votes", "cautions"):
        for node in ast.walk(ast.parse((CORE / f"{name}.py").read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in (
                "breach",
                "problem_of",
            ):
                first = node.args[0]
                found |= {str(first.value)} if isinstance(first, ast.Constant) else set()
    return found


def test_every_code_has_words() -> None:
    of_people = {"person_twice", "judge_plays"}
    variants = {"counted_though_ruled_out", "words_of_nobody", "shots_agree_on"}
    of_days = {"second_unchanged_day", "second_unchanged_night", "second_miss_at_four"}
    assert {*BREACHES, *CAUTIONS} == _codes() | of_people | variants | of_days
