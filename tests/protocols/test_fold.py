"""The order in which entries are folded, whenever they were written (RULES §5)."""

from random import Random

from protocols.rules import entries as e
from protocols.rules.fold import new_game, preview, replay, standing, step, struck_revisions, walk
from protocols.rules.regulation import EDITION_A
from protocols.rules.terms import AFTER, RESTART, SETUP, Moment, Phase

SPEECHES = Moment(1, Phase.SPEECHES)


def nomination(revision: int, by: int, target: int, place: int = 0) -> e.Nomination:
    """A nomination on day 1, where speeches are not written."""
    return e.Nomination(moment=SPEECHES, revision=revision, place=place, seat=by, target=target)


def ballot_of(*entries: e.Entry) -> list[int]:
    """The ballot order of day 1."""
    return [target for _, target in replay(entries, EDITION_A).days[1].nominations]


def test_moments_stand_in_the_order_of_play() -> None:
    played = [
        SETUP,
        Moment(0, Phase.NIGHT),
        Moment(1, Phase.SPEECHES),
        Moment(1, Phase.SPEECHES, 0, 10),
        Moment(1, Phase.BALLOT, 0, 0),
        Moment(1, Phase.BALLOT, 0, 3),
        Moment(1, Phase.PRE_REVOTE, 1, 1),
        Moment(1, Phase.BALLOT, 1, 1),
        Moment(1, Phase.PRE_REVOTE, 2, 1),
        Moment(1, Phase.BALLOT, 2, 2),
        Moment(1, Phase.RAISE_ALL),
        Moment(1, Phase.BALLOT, RESTART, 1),
        Moment(1, Phase.BALLOT, RESTART + 1, 1),
        Moment(1, Phase.RAISE_ALL, RESTART),
        Moment(1, Phase.BALLOT, 2 * RESTART, 0),
        Moment(1, Phase.LAST_WORDS, 0, 1),
        Moment(1, Phase.NIGHT),
        Moment(1, Phase.DON),
        Moment(1, Phase.SHERIFF),
        Moment(1, Phase.BEST_MOVE),
        Moment(2, Phase.VICTIM_WORDS, 0, 1),
        Moment(2, Phase.SPEECHES, 0, 1),
        AFTER,
    ]
    mixed = list(played)
    Random(1).shuffle(mixed)
    assert sorted(mixed, key=lambda moment: moment.key) == played
    assert len({moment.key for moment in played}) == len(played)


def test_the_last_words_of_the_victim_belong_to_the_day_and_night_0_is_a_night() -> None:
    assert not Moment(2, Phase.VICTIM_WORDS, 0, 1).is_night
    assert Moment(0, Phase.NIGHT).is_night
    assert SETUP.is_night
    assert Moment(2, Phase.BEST_MOVE).is_night


def test_entries_of_one_moment_stand_as_written() -> None:
    assert ballot_of(nomination(2, 2, 6), nomination(1, 1, 5), nomination(3, 3, 7)) == [5, 6, 7]


def test_a_late_entry_stands_right_after_the_one_it_follows() -> None:
    assert ballot_of(nomination(1, 1, 5), nomination(2, 2, 6), nomination(3, 3, 7, place=1)) == [5, 7, 6]


def test_two_late_entries_after_the_same_one_stand_as_written() -> None:
    late = [nomination(3, 3, 7, place=1), nomination(4, 4, 8, place=1)]
    assert ballot_of(nomination(1, 1, 5), nomination(2, 2, 6), *late) == [5, 7, 8, 6]


def test_a_place_before_all_comes_first() -> None:
    assert ballot_of(nomination(1, 1, 5), nomination(2, 2, 6, place=-1)) == [6, 5]


def test_what_is_not_yet_written_comes_last_in_its_moment() -> None:
    assert ballot_of(nomination(0, 3, 7), nomination(1, 1, 5)) == [5, 7]


def test_a_preview_tells_what_would_fall_and_writes_nothing() -> None:
    votes = [
        e.Vote(moment=Moment(1, Phase.BALLOT, 0, ordinal), revision=2 + ordinal, target=target, count=count)
        for ordinal, target, count in ((1, 5, 4), (2, 6, 6))
    ]
    written = [nomination(1, 1, 5), nomination(2, 2, 6), *votes]
    strike = e.Strike(moment=votes[-1].moment, of=2)
    seen = preview(written, strike, EDITION_A)
    assert seen.refusal is None
    assert [(entry.revision, refusal.code) for entry, refusal in seen.fallen] == [
        (3, "single_nominee"),
        (4, "single_nominee"),
    ]
    assert seen.before == replay(written, EDITION_A)
    assert seen.before.seats[6].left is not None
    assert seen.after.seats[6].left is None


def test_a_preview_of_a_strike_of_nothing_is_refused() -> None:
    seen = preview([nomination(1, 1, 5)], e.Strike(moment=SPEECHES, of=7), EDITION_A)
    assert seen.refusal is not None
    assert (seen.refusal.code, seen.refusal.clause) == ("nothing_to_strike", "§5")
    assert seen.after == seen.before


def test_struck_entries_are_left_out_and_a_struck_strike_strikes_nothing() -> None:
    written = [
        nomination(1, 1, 5),
        e.Strike(moment=SPEECHES, revision=2, of=1),
        e.Strike(moment=SPEECHES, revision=3, of=2),
        nomination(4, 2, 6),
        e.Strike(moment=SPEECHES, revision=5, of=4),
    ]
    assert [entry.revision for entry in standing(written)] == [1]
    assert struck_revisions(written) == {2: 3, 4: 5}


def test_a_strike_that_names_a_later_entry_strikes_nothing() -> None:
    written = [e.Strike(moment=SPEECHES, revision=1, of=2), nomination(2, 1, 5)]
    assert ballot_of(*written) == [5]


def test_a_step_leaves_the_state_before_it_alone() -> None:
    before = replay([nomination(1, 1, 5)], EDITION_A)
    after = step(before, nomination(2, 2, 6))
    assert len(before.days[1].nominations) == 1
    assert len(after.days[1].nominations) == 2


def test_a_walk_stops_after_each_entry() -> None:
    state = new_game(EDITION_A)
    seen = [len(state.days[1].nominations) for _ in walk([nomination(2, 2, 6), nomination(1, 1, 5)], state)]
    assert seen == [1, 2]


def test_a_refused_entry_changes_nothing_and_is_set_aside() -> None:
    before = replay([nomination(1, 1, 5)], EDITION_A)
    after = step(before, nomination(2, 2, 5))
    assert [(entry.revision, refusal.code) for entry, refusal in after.set_aside] == [(2, "already_nominated")]
    assert after.days == before.days
