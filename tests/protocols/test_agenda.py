"""What comes next at the table, with its moment, its length and its figures, from the first night to the end."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from protocols.rules import entries as e
from protocols.rules.agenda import Step, next_step, next_steps
from protocols.rules.fold import replay
from protocols.rules.regulation import EDITION_A, FEDERATION, Regulation
from protocols.rules.terms import RESTART, ROLE_OF_LETTER, SEATS, SETUP, Moment, Penalty, Phase, Role, RulingAbout

ROLES = e.Roles(moment=SETUP, roles=tuple(ROLE_OF_LETTER[letter] for letter in "ККШКЧКДКЧК"))
ZERO, NIGHT = Moment(0, Phase.NIGHT), Moment(1, Phase.NIGHT)
VOTE = Moment(1, Phase.BALLOT)


def speech(step: int, seat: int, day: int = 1, seconds: int = 60, *, silent: bool = False) -> Step:
    """The step of a player's minute."""
    return Step("speech", Moment(day, Phase.SPEECHES, 0, step), seat, seconds=seconds, silent=silent)


def minute(step: int, seat: int, day: int = 1) -> e.Turn:
    """A minute that has begun."""
    return e.Turn(moment=Moment(day, Phase.SPEECHES, 0, step), seat=seat)


def named(by: int, target: int) -> e.Nomination:
    """A nomination in the minute of `by` on day 1."""
    return e.Nomination(moment=Moment(1, Phase.SPEECHES, 0, by), seat=by, target=target)


def tally(target: int, count: int, step: int, ballot: int = 0) -> e.Vote:
    """A tally of day 1."""
    return e.Vote(moment=Moment(1, Phase.BALLOT, ballot, step), target=target, count=count)


BEGUN: list[e.Entry] = [ROLES, e.Turn(moment=ZERO)]
SPOKEN: list[e.Entry] = [*BEGUN, minute(1, 1), named(1, 5), minute(2, 2), named(2, 9)]
CALLED: list[e.Entry] = [*SPOKEN, e.Turn(moment=VOTE)]
VOTED: list[e.Entry] = [*CALLED, tally(5, 4, 1), tally(9, 6, 2)]
TIED: list[e.Entry] = [*CALLED, tally(5, 5, 1), tally(9, 5, 2)]
TWICE: list[e.Entry] = [*TIED, tally(5, 5, 1, 1), tally(9, 5, 2, 1)]
SHOT: list[e.Entry] = [*VOTED, e.Turn(moment=NIGHT), e.Shot(moment=NIGHT, target=4)]
BEST = Step("best_move", Moment(1, Phase.BEST_MOVE), 4)
WORDS = Step("victim_words", Moment(2, Phase.VICTIM_WORDS, 0, 1), 4, seconds=60)
DON = Step("don", Moment(1, Phase.DON), 7, seconds=20)
SHERIFF = Step("sheriff", Moment(1, Phase.SHERIFF), 3, seconds=20)


def steps(entries: Sequence[e.Entry], regulation: Regulation = EDITION_A, *, results_only: bool = False) -> list[Step]:
    """What may come after these entries, written in this order."""
    written = [replace(entry, revision=revision) for revision, entry in enumerate(entries, 1)]
    return next_steps(replay(written, regulation, results_only=results_only))


def test_a_game_begins_with_a_minute_of_night_or_with_the_first_speech() -> None:
    assert steps([]) == [Step("begin", ZERO, seconds=60), speech(1, 1)]
    assert steps([ROLES, e.Turn(moment=ZERO)]) == [speech(1, 1)]


def test_each_speaks_a_minute_in_turn_and_then_the_vote_is_called() -> None:
    assert steps(SPOKEN) == [speech(3, 3), Step("vote", VOTE, seats=(5, 9))]
    everybody = [*SPOKEN, *(minute(seat, seat) for seat in range(3, 11))]
    assert steps(everybody) == [Step("vote", VOTE, seats=(5, 9))]
    assert next_step(replay([replace(ROLES, revision=1)], EDITION_A)) == Step("begin", ZERO, seconds=60)


def test_nobody_named_means_night() -> None:
    assert steps([*BEGUN, minute(1, 1)]) == [speech(2, 2), Step("night", NIGHT)]


def test_whoever_has_three_fouls_is_passed_over_without_seconds() -> None:
    fouls = [e.Foul(moment=Moment(1, Phase.SPEECHES, 0, 2), seat=3)] * 3
    assert steps([*SPOKEN, *fouls])[0] == speech(3, 3, seconds=0, silent=True)
    assert steps([*SPOKEN, *fouls[:2]])[0] == speech(3, 3)


def test_three_at_the_table_give_thirty_seconds_instead_of_silence_under_the_federation() -> None:
    moment = Moment(1, Phase.SPEECHES, 0, 2)
    removed = [e.Foul(moment=moment, seat=seat, penalty=Penalty.DISQUALIFYING) for seat in (5, 9, 8, 6, 4, 10)]
    fouls = [e.Foul(moment=moment, seat=3)] * 3
    course = [*SPOKEN[:4], *SPOKEN[4:5], *removed, *fouls]
    assert steps(course, FEDERATION)[0] == speech(3, 3, seconds=30)
    assert steps(course)[0] == speech(3, 3, seconds=0, silent=True)


def test_a_tally_is_asked_for_with_what_is_left_to_give() -> None:
    both = (5, 9)
    assert steps(CALLED) == [Step("tally", VOTE._replace(step=1), 5, seats=both, count=10)]
    last = Step("tally", VOTE._replace(step=2), 9, seats=both, count=6, is_last=True)
    assert steps([*CALLED, tally(5, 4, 1)]) == [last]


def test_the_tied_speak_thirty_seconds_before_the_revote_or_it_begins_without() -> None:
    revote = Step("tally", Moment(1, Phase.BALLOT, 1, 1), 5, seats=(5, 9), count=10)
    words = [
        Step("pre_revote", Moment(1, Phase.PRE_REVOTE, 1, step), seat, seconds=30) for step, seat in ((1, 5), (2, 9))
    ]
    spoken = [e.Turn(moment=step.moment, seat=step.seat) for step in words]
    assert steps(TIED) == [words[0], revote]
    assert steps([*TIED, spoken[0]]) == [words[1], revote]
    assert steps([*TIED, *spoken]) == [revote]
    assert steps([*TIED, tally(5, 5, 1, 1)]) == [
        replace(revote, moment=Moment(1, Phase.BALLOT, 1, 2), seat=9, count=5, is_last=True)
    ]


def test_a_second_tie_asks_whether_all_are_raised_by_more_than_half() -> None:
    assert steps(TWICE) == [Step("raise_all", Moment(1, Phase.RAISE_ALL), seats=(5, 9), count=6)]


def test_a_vote_that_a_ruling_restores_begins_anew() -> None:
    removal = e.Foul(moment=Moment(1, Phase.BALLOT, 0, 1), seat=10, penalty=Penalty.DISQUALIFYING)
    ruling = e.Ruling(moment=removal.moment, about=RulingAbout.VOTE_HELD, text="так решено")
    course = [*CALLED, tally(5, 4, 1), removal, ruling]
    again = Moment(1, Phase.BALLOT, RESTART)
    assert steps(course) == [Step("vote", again, seats=(5, 9))]
    six = [*SPOKEN, minute(3, 3), named(3, 6), e.Turn(moment=VOTE), *course[-3:]]
    thrice = [(seat, step) for step, seat in enumerate((5, 9, 6), 1)]
    ballots = [tally(seat, 3, step, RESTART + ballot) for ballot in (0, 1) for seat, step in thrice]
    question = Step("raise_all", Moment(1, Phase.RAISE_ALL, RESTART), seats=(5, 9, 6), count=5)
    assert steps([*six, *ballots]) == [question]


def test_whoever_is_voted_out_has_a_minute_and_those_raised_thirty_seconds_each() -> None:
    night = Step("night", NIGHT)
    words = Moment(1, Phase.LAST_WORDS)
    assert steps(VOTED) == [Step("last_words", words._replace(step=1), 9, seconds=60), night]
    assert steps([*VOTED, e.Turn(moment=words._replace(step=1), seat=9)]) == [night]
    raised = [*TWICE, e.RaiseAll(moment=Moment(1, Phase.RAISE_ALL), count=6)]
    first, second = (Step("last_words", words._replace(step=step), seat, seconds=30) for step, seat in ((1, 5), (2, 9)))
    assert steps(raised) == [first, night]
    assert steps([*raised, e.Turn(moment=first.moment, seat=5)]) == [second, night]
    removed = e.Foul(moment=words._replace(step=1), seat=9, penalty=Penalty.DISQUALIFYING)
    assert steps([*raised, removed]) == [first, night]
    assert steps([*raised, e.Turn(moment=first.moment, seat=5), removed]) == [night]


def test_a_night_has_a_shot_two_checks_a_best_move_and_the_victims_words() -> None:
    assert steps([*VOTED, e.Turn(moment=NIGHT)]) == [Step("shot", NIGHT, seats=tuple(SEATS))]
    # Seat 1 opened day 1; the next at the table opens day 2.
    assert steps(SHOT) == [DON, SHERIFF, BEST, WORDS, speech(1, 2, day=2)]
    don = e.Check(moment=DON.moment, by=Role.DON, target=3)
    assert steps([*SHOT, don]) == [SHERIFF, BEST, WORDS, speech(1, 2, day=2)]
    sheriff = e.Check(moment=SHERIFF.moment, by=Role.SHERIFF, target=7)
    assert steps([*SHOT, sheriff]) == [BEST, WORDS, speech(1, 2, day=2)]
    move = e.BestMove(moment=BEST.moment, seats=(5, 7, 9))
    assert steps([*SHOT, sheriff, move]) == [WORDS, speech(1, 2, day=2)]


def test_a_miss_leaves_nobody_to_name_a_best_move_or_to_speak() -> None:
    missed = [*SHOT[:-1], e.Shot(moment=NIGHT)]
    assert steps(missed) == [DON, SHERIFF, speech(1, 2, day=2)]


def test_a_best_move_may_be_named_in_the_last_words_but_is_no_longer_offered_in_the_day() -> None:
    words = [*SHOT, e.Turn(moment=WORDS.moment, seat=4)]
    assert steps(words) == [
        replace(BEST, moment=WORDS.moment),
        speech(1, 2, day=2),
        Step("night", Moment(2, Phase.NIGHT)),
    ]
    assert steps([*words, minute(1, 2, day=2)])[0] == speech(2, 3, day=2)


def test_whoever_was_removed_has_no_last_words() -> None:
    removed = e.Foul(moment=Moment(1, Phase.DON), seat=4, penalty=Penalty.DISQUALIFYING)
    assert "victim_words" not in {step.code for step in steps([*SHOT, removed])}
    assert "best_move" not in {step.code for step in steps([*SHOT, removed])}


def test_a_game_that_is_over_is_finished_and_a_best_move_may_still_come() -> None:
    defeat = e.Foul(moment=Moment(1, Phase.SHERIFF), seat=7, penalty=Penalty.TEAM_DEFEAT)
    assert [step.code for step in steps([*SHOT, defeat])] == ["best_move", "finish"]
    late = replace(defeat, moment=Moment(2, Phase.SPEECHES, 0, 1))
    assert [step.code for step in steps([*SHOT, minute(1, 2, day=2), late])] == ["finish", "best_move"]
    early = replace(defeat, moment=Moment(1, Phase.SPEECHES, 0, 2))
    assert steps([*SPOKEN, early]) == [Step("finish", early.moment)]


def test_results_only_are_finished_at_once() -> None:
    assert steps([ROLES], results_only=True) == [Step("finish", SETUP)]


@pytest.mark.parametrize(
    ("code", "is_turn"),
    [
        *((code, True) for code in ("begin", "speech", "vote", "pre_revote", "last_words", "night", "victim_words")),
        *((code, False) for code in ("tally", "raise_all", "shot", "don", "sheriff", "best_move", "finish")),
    ],
)
def test_steps_that_are_written_as_a_plain_turn(code: str, is_turn: bool) -> None:
    assert Step(code, NIGHT).is_turn == is_turn
