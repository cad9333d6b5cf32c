"""A game's course: every step is what a replay of the entries so far gives, each with the rule that fired."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protocols.replaying import Course, Part, course_of, seen_at_the_table
from protocols.rules import entries as e
from protocols.rules.fold import replay, standing, struck_revisions
from protocols.rules.regulation import EDITION_A, FEDERATION, PRESETS
from protocols.rules.terms import AFTER, ROLE_OF_LETTER, SETUP, Moment, Penalty, Phase, Role, RulingAbout
from tests.exchange.expected import GAMES
from tests.exchange.test_the_four_games import PLAYED
from tests.games.random_play import ROLES_ARE, RandomGame
from tests.games.table import Table

ROLES = e.Roles(moment=SETUP, roles=tuple(ROLE_OF_LETTER[letter] for letter in "ККККДШЧЧКК"))
NIGHT, DON, SHERIFF = Moment(1, Phase.NIGHT), Moment(1, Phase.DON), Moment(1, Phase.SHERIFF)


def speech(day: int, step: int, seat: int) -> e.Turn:
    return e.Turn(moment=Moment(day, Phase.SPEECHES, 0, step), seat=seat)


def foul(day: int, step: int, seat: int) -> e.Foul:
    return e.Foul(moment=Moment(day, Phase.SPEECHES, 0, step), seat=seat)


def written(*entries: e.Entry) -> list[e.Entry]:
    """The entries, numbered as they are given."""
    table = Table(FEDERATION)
    for entry in entries:
        assert table.write(entry, checked=False) is None, entry
    return table.entries


@pytest.mark.parametrize("name", GAMES)
def test_the_table_at_each_step_is_the_replay_of_the_entries_so_far(name: str) -> None:
    entries = PLAYED[name].entries
    order = standing(entries)
    for number in range(len(order) + 1):
        course = course_of(entries, FEDERATION, at=number)
        assert course.at == number
        assert course.state == replay(order[:number], FEDERATION)
        assert course.end == replay(entries, FEDERATION)
    assert [step.entry for step in course.steps] == order
    assert [step.number for step in course.steps] == list(range(1, len(order) + 1))


@settings(max_examples=20, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32), st.sampled_from(list(PRESETS.values())), st.sampled_from(ROLES_ARE))
def test_random_games_too_up_to_a_consequence_that_was_noticed_later(seed: int, rules: object, roles: str) -> None:
    random = Random(seed)
    game = RandomGame(random, rules, roles=roles, disorder=random.choice([0.0, 0.2, 0.5]), longest=120)  # type: ignore[arg-type]
    table = game.play()
    order = standing(table.entries)
    for number in range(len(order)):
        course = course_of(table.entries, table.regulation, at=number)
        if course.state.pending:
            break
        assert course.state == replay(order[:number], table.regulation)
    whole = course_of(table.entries, table.regulation)
    assert (whole.at, whole.state, whole.end) == (len(order), whole.end, whole.state)
    whole.state.revision = table.state.revision  # strikes have numbers of their own
    assert whole.state == table.state
    assert [notice for step in whole.steps for notice in step.notices] == whole.end.notices
    assert [(step.entry, step.refusal) for step in whole.steps if step.refusal] == whole.end.set_aside


def test_a_step_past_the_last_is_the_last_and_before_the_first_there_is_nothing() -> None:
    entries = written(ROLES, speech(1, 1, 1), foul(1, 1, 2))
    assert course_of(entries, FEDERATION, at=9).at == 3
    start = course_of(entries, FEDERATION, at=0)
    assert (start.at, start.step, start.state) == (0, None, replay([], FEDERATION))
    assert (course_of([], FEDERATION).steps, course_of([], FEDERATION).step) == ((), None)


def test_each_rule_is_told_at_the_step_at_which_it_fired() -> None:
    course = course_of(PLAYED["fourth-foul-during-the-vote"].entries, FEDERATION)
    told = {step.number: [(n.code, n.clause) for n in step.notices] for step in course.steps if step.notices}
    last = course.steps[-1]
    assert told[last.number] == [("removed_fouls", "A 6.5"), ("vote_cancelled", "A 7.1")]
    assert last.outcome is not None
    assert (last.outcome.result, last.outcome.clause) == ("black", "A 4.6.1")
    assert [step.number for step in course.steps if step.outcome] == [last.number]


def test_days_and_nights_are_told_apart() -> None:
    entries = [
        *written(ROLES, e.Turn(moment=Moment(0, Phase.NIGHT)), speech(1, 1, 1), e.Shot(moment=NIGHT, target=4)),
        e.Turn(moment=Moment(2, Phase.VICTIM_WORDS, 0, 1), seat=4, revision=5),
        e.ExtraPoints(moment=AFTER, seat=1, points=500, revision=6),
    ]
    assert [step.part for step in course_of(entries, EDITION_A).steps] == [
        Part(0, "before"), Part(0, "night"), Part(1, "day"), Part(1, "night"), Part(2, "day"), Part(0, "after"),
    ]  # fmt: skip


# ---------------------------------------------------------------- what was corrected


def test_a_struck_entry_stands_at_its_place_and_is_no_step() -> None:
    nomination = e.Nomination(moment=Moment(1, Phase.SPEECHES, 0, 1), seat=1, target=5)
    entries = written(speech(1, 1, 1), nomination, foul(1, 1, 2), speech(1, 2, 2))
    entries += [e.Strike(moment=Moment(1, Phase.SPEECHES, 0, 2), of=2, text="Ослышался", revision=5)]
    course = course_of(entries, FEDERATION)
    assert [step.entry.revision for step in course.steps] == [1, 3, 4]
    assert [(each.entry.revision, each.after, each.strike.text) for each in course.struck] == [(2, 1, "Ослышался")]
    back = [*entries, e.Strike(moment=Moment(1, Phase.SPEECHES, 0, 2), of=5, revision=6)]
    assert [step.entry.revision for step in course_of(back, FEDERATION).steps] == [1, 2, 3, 4]
    assert course_of(back, FEDERATION).struck == ()


def test_a_clause_goes_with_its_struck_foul() -> None:
    entries = written(speech(1, 1, 1), foul(1, 1, 2), e.FoulClause(moment=AFTER, of=2, clause="6.6.1"))
    entries += [e.Strike(moment=Moment(1, Phase.SPEECHES, 0, 1), of=2, revision=4)]
    course = course_of(entries, FEDERATION)
    assert [each.entry.revision for each in course.struck] == [2]
    assert [step.entry.revision for step in course.steps] == [1]


def test_an_entry_that_no_longer_stands_is_a_step_with_its_reason() -> None:
    entries = written(speech(1, 1, 1), e.Nomination(moment=Moment(1, Phase.SPEECHES, 0, 1), seat=1, target=5))
    entries += [e.Withdrawal(moment=Moment(1, Phase.SPEECHES, 0, 1), seat=1, revision=3)]
    entries += [e.Strike(moment=Moment(1, Phase.SPEECHES, 0, 1), of=2, revision=4)]
    refused = [(step.number, step.refusal.code) for step in course_of(entries, FEDERATION).steps if step.refusal]
    assert refused == [(2, "nothing_to_withdraw")]


def test_only_what_was_written_after_the_game_had_gone_on_is_late() -> None:
    fouls = [foul(1, 1, 2), foul(1, 2, 3)]
    entries = written(speech(1, 1, 1), speech(1, 2, 2), *fouls, ROLES, e.FoulClause(moment=AFTER, of=4, clause="6.6.1"))
    late = {step.entry.revision for step in course_of(entries, FEDERATION).steps if step.is_late}
    assert late == {3}


def test_what_follows_a_step_taken_back_is_not_late() -> None:
    entries = written(speech(1, 1, 1), speech(1, 2, 2))
    entries += [
        e.Strike(moment=Moment(1, Phase.SPEECHES, 0, 2), of=2, revision=3),
        e.Nomination(moment=Moment(1, Phase.SPEECHES, 0, 1), seat=1, target=5, revision=4),
    ]
    assert not any(step.is_late for step in course_of(entries, FEDERATION).steps)


def test_a_fourth_foul_noticed_late_removes_where_it_was_noticed() -> None:
    fouls = [foul(1, 2, 3)] * 3
    entries = written(
        speech(1, 1, 1), speech(1, 2, 2), *fouls, speech(1, 3, 3),
        e.Nomination(moment=Moment(1, Phase.SPEECHES, 0, 3), seat=3, target=5), foul(1, 1, 3),
    )  # fmt: skip
    course = course_of(entries, FEDERATION)
    told = {step.entry.revision: [notice.code for notice in step.notices] for step in course.steps if step.notices}
    assert told[7] == ["removed_fouls", "vote_cancelled"]  # after the nomination, which was made
    nominated = next(step.number for step in course.steps if step.entry.revision == 6)
    assert course_of(entries, FEDERATION, at=nominated).state.seats[3].left is None


# ---------------------------------------------------------------- what must not be known


def at_the_table(entries: list[e.Entry]) -> Course:
    return course_of(seen_at_the_table(entries, course_of(entries, FEDERATION)), FEDERATION)


def test_a_player_reads_nothing_that_depends_on_roles() -> None:
    secret = written(
        ROLES,
        speech(1, 1, 1),
        e.Ruling(moment=Moment(1, Phase.SPEECHES, 0, 1), about=RulingAbout.STANDS, text="№5 — дон"),
        e.Shot(moment=NIGHT, target=4, shots=((5, 4), (7, 4), (8, 4))),
        e.Check(moment=DON, by=Role.DON, target=6),
        e.Foul(moment=DON, seat=9),
        e.Check(moment=SHERIFF, by=Role.SHERIFF, target=5),
        e.Foul(moment=SHERIFF, seat=10),
        e.BestMove(moment=Moment(1, Phase.BEST_MOVE), seats=(5, 7, 8)),
        speech(2, 1, 2),
    )
    secret += [
        e.Foul(moment=Moment(2, Phase.SPEECHES, 0, 1), seat=5, penalty=Penalty.WARNING, revision=11),
        e.Strike(moment=Moment(2, Phase.SPEECHES, 0, 1), of=11, revision=12),
    ]
    open_ = written(
        speech(1, 1, 1),
        e.Ruling(moment=Moment(1, Phase.SPEECHES, 0, 1), about=RulingAbout.STANDS, text="…"),
        e.Shot(moment=NIGHT, target=4),
        e.Foul(moment=NIGHT, seat=9),
        e.Foul(moment=NIGHT, seat=10),
        e.BestMove(moment=Moment(1, Phase.BEST_MOVE), seats=(5, 7, 8)),
        speech(2, 1, 2),
    )

    def told(course: Course) -> list[object]:
        return [
            (step.entry.kind, step.entry.moment, step.is_late, step.refusal, step.outcome,
             [(notice.code, notice.params) for notice in step.notices])
            for step in course.steps
        ]  # fmt: skip

    seen = at_the_table(secret)
    assert told(seen) == told(course_of(open_, FEDERATION))
    assert (seen.struck, seen.end.roles, seen.end.nights[1].don_check) == ((), None, None)


@pytest.mark.parametrize("name", GAMES)
def test_no_entry_of_a_real_game_tells_a_player_a_role(name: str) -> None:
    seen = at_the_table(PLAYED[name].entries)
    assert {step.entry.kind for step in seen.steps} & {"roles", "check", "extra_points", "speech_mark"} == set()
    assert {shots for step in seen.steps if isinstance(step.entry, e.Shot) for shots in step.entry.shots} == set()
    assert {step.entry.moment.phase for step in seen.steps} & {Phase.DON, Phase.SHERIFF} == set()
    assert struck_revisions(PLAYED[name].entries) == {}
