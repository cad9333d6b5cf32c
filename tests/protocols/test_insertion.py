"""Where an entry that is written in later stands, and what was known there (RULES §5)."""

from dataclasses import replace

from protocols.rules import entries as e
from protocols.rules.fold import replay
from protocols.rules.insertion import behind, neighbours, refuse_there, state_before
from protocols.rules.regulation import EDITION_A
from protocols.rules.terms import Moment, Phase

from .test_differences import AT, BEGUN, FIRST, VOTED

WRITTEN = [replace(entry, revision=revision) for revision, entry in enumerate(VOTED, 1)]
LATER = Moment(1, Phase.SPEECHES, 0, 3)


def test_an_entry_goes_right_behind_another_of_its_moment() -> None:
    named, moved = WRITTEN[5], replace(WRITTEN[5], place=3)
    assert (named.revision, behind(named, AT), behind(moved, AT)) == (6, 6, 3)
    assert (behind(named, FIRST), behind(moved, FIRST)) == (0, 0)


def test_neighbours_are_those_that_stand_right_before_and_after() -> None:
    assert neighbours(WRITTEN, 4) == (WRITTEN[2], WRITTEN[4])
    assert neighbours(WRITTEN, 1) == (None, WRITTEN[1])
    assert neighbours(WRITTEN, 8) == (WRITTEN[6], None)
    assert neighbours(WRITTEN, 9) == (None, None)
    strike = e.Strike(moment=AT, revision=9, of=5)
    assert neighbours([*WRITTEN, strike], 5) == (None, None)
    assert neighbours([*WRITTEN, strike], 4) == (WRITTEN[2], WRITTEN[5])


def test_the_state_before_an_entry_knows_what_was_played_before_it_and_no_more() -> None:
    late = e.Nomination(moment=FIRST, seat=1, target=6)
    before = state_before(WRITTEN, late, EDITION_A)
    assert before.days[1].nominations == [(1, 5)]
    assert before.days[1].ballots == []
    assert before.living == replay(WRITTEN[:4], EDITION_A).living
    first = state_before(WRITTEN, replace(late, place=3), EDITION_A)
    assert first.days[1].nominations == []
    assert state_before([], late, EDITION_A) == replay([], EDITION_A)


def test_an_entry_is_refused_for_what_was_so_at_its_moment() -> None:
    def why(entry: e.Entry) -> tuple[str, str] | None:
        found = refuse_there(WRITTEN, entry, EDITION_A)
        return (found.code, found.clause) if found else None

    assert why(e.Nomination(moment=AT, seat=2, target=6)) == ("has_nominated", "§2")
    assert why(e.Nomination(moment=FIRST, seat=1, target=6, place=3)) is None
    last = refuse_there(WRITTEN[:6], e.Nomination(moment=AT, seat=2, target=6), EDITION_A)
    assert last is not None
    assert last.code == "has_nominated"  # it comes after the last one written, too
    assert why(e.Turn(moment=LATER, seat=3)) is None
    assert why(e.Turn(moment=LATER, seat=2)) is not None
    assert refuse_there(BEGUN[:1], e.Turn(moment=LATER, seat=3), EDITION_A, results_only=True) is not None
