"""A moment that the game has not is refused; one not yet come to may be gone on to (RULES §2–§4)."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from protocols.rules import entries as e
from protocols.rules.fold import replay
from protocols.rules.refusals import refuse
from protocols.rules.regulation import EDITION_A
from protocols.rules.terms import AFTER, Moment, Phase

from .test_agenda import TIED, TWICE
from .test_differences import AT, BEGUN, FOULS, NIGHT, ROLES, SHOT, VOTED, extra


def why(entries: Sequence[e.Entry], entry: e.Entry) -> str | None:
    """The code of the refusal after these entries."""
    written = [replace(one, revision=revision) for revision, one in enumerate(entries, 1)]
    found = refuse(replay(written, EDITION_A), entry)
    return found.code if found else None


@pytest.mark.parametrize(
    "moment",
    [
        NIGHT._replace(step=1),
        NIGHT._replace(ballot=1),
        Moment(1, Phase.DON, 0, 1),
        Moment(1, Phase.LAST_WORDS, 0, 2),
        Moment(2, Phase.VICTIM_WORDS, 0, 2),
        Moment(2, Phase.SPEECHES, 0, 2),
        Moment(2, Phase.SPEECHES, 1, 1),
        Moment(1, Phase.SETUP),
        AFTER,
    ],
    ids=str,
)
def test_there_is_no_such_moment(moment: Moment) -> None:
    entries = SHOT if moment.phase == Phase.DON or moment.day == 2 else VOTED
    assert why(entries, e.Foul(moment=moment, seat=3)) == "no_such_moment"


@pytest.mark.parametrize(
    "moment",
    [NIGHT, Moment(1, Phase.LAST_WORDS, 0, 1), Moment(1, Phase.BALLOT, 0, 2), Moment(1, Phase.SPEECHES, 0, 1)],
    ids=str,
)
def test_there_is_such_a_moment(moment: Moment) -> None:
    assert why(VOTED, e.Foul(moment=moment, seat=3)) is None


def test_a_tally_of_a_vote_not_called_yet_is_refused_as_such() -> None:
    assert why(SHOT, e.Vote(moment=Moment(2, Phase.BALLOT, 0, 1), target=5, count=9)) != "no_such_moment"
    assert why(BEGUN, e.Vote(moment=Moment(1, Phase.BALLOT, 0, 11), target=5, count=9)) == "no_such_moment"


def test_in_night_zero_nobody_is_shot_or_checked() -> None:
    assert why(BEGUN, e.Shot(moment=Moment(0, Phase.DON), target=5)) == "night_zero"


WORDS = Moment(1, Phase.LAST_WORDS, 0, 1)
RAISED: list[e.Entry] = [*TWICE, e.RaiseAll(moment=Moment(1, Phase.RAISE_ALL), count=6)]
BEGINNINGS: list[tuple[list[e.Entry], Moment, int | None]] = [
    (BEGUN, Moment(1, Phase.SPEECHES, 0, 3), 3),
    (BEGUN, Moment(1, Phase.BALLOT), None),
    (TIED, Moment(1, Phase.PRE_REVOTE, 1, 1), 5),
    (VOTED, WORDS, 9),
    ([*RAISED, e.Turn(moment=WORDS, seat=5)], WORDS._replace(step=2), 9),
    (VOTED, NIGHT, None),
    (SHOT, Moment(2, Phase.VICTIM_WORDS, 0, 1), 4),
]


@pytest.mark.parametrize(("entries", "moment", "seat"), BEGINNINGS, ids=lambda value: str(value)[:30])
def test_what_has_begun_does_not_begin_again(entries: list[e.Entry], moment: Moment, seat: int | None) -> None:
    turn = e.Turn(moment=moment, seat=seat)
    assert why(entries, turn) is None
    assert why([*entries, turn], turn) == "already_there"


@pytest.mark.parametrize(
    ("entries", "moment", "seat"), [one for one in BEGINNINGS if one[2]], ids=lambda value: str(value)[:30]
)
def test_words_whose_turn_was_struck_may_be_written_anew_though_a_foul_stands_in_them(
    entries: list[e.Entry], moment: Moment, seat: int
) -> None:
    assert why([*entries, e.Foul(moment=moment, seat=3)], e.Turn(moment=moment, seat=seat)) is None


def test_a_vote_is_called_once_though_only_a_foul_says_so() -> None:
    called = Moment(1, Phase.BALLOT)
    assert why([*BEGUN, e.Foul(moment=called, seat=3)], e.Turn(moment=called)) == "already_there"


@pytest.mark.parametrize(
    "entry",
    [
        replace(ROLES, moment=AFTER),
        e.SeatCorrection(moment=AFTER, seat=3, target=5),
        e.FoulClause(moment=AFTER, of=7, clause="6.6.1"),
        extra(2, 500),
    ],
    ids=lambda entry: entry.kind,
)
def test_what_belongs_to_no_moment_may_be_written_for_after_the_game_and_moves_nothing(entry: e.Entry) -> None:
    written = [*BEGUN, FOULS[0]]
    assert why(written, entry) is None
    numbered = [replace(one, revision=revision) for revision, one in enumerate([*written, entry], 1)]
    state = replay(numbered, EDITION_A)
    assert (state.moment, state.set_aside) == (AT, [])


def test_phases_have_the_numbers_that_records_are_stored_with() -> None:
    assert {phase.name: int(phase) for phase in Phase} == {
        "SETUP": 0, "VICTIM_WORDS": 10, "SPEECHES": 20, "PRE_REVOTE": 30, "BALLOT": 31, "RAISE_ALL": 40,
        "LAST_WORDS": 50, "NIGHT": 60, "DON": 70, "SHERIFF": 80, "BEST_MOVE": 90, "AFTER": 99,
    }  # fmt: skip
