"""What looks wrong in a record and yet may be right is told with its clause and figures (RULES §2, §3, A 7.3)."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from protocols.rules import entries as e
from protocols.rules.cautions import Place, cautions, late_protest, repeats
from protocols.rules.fold import replay
from protocols.rules.outcome import Problem
from protocols.rules.regulation import EDITION_A, EDITION_B, FEDERATION, Regulation
from protocols.rules.terms import Moment, Penalty, Phase

from .test_agenda import TIED
from .test_differences import ROLES

BEGUN: list[e.Entry] = [ROLES, e.Turn(moment=Moment(0, Phase.NIGHT))]
ENDED = datetime(2024, 1, 5, 21, 0, tzinfo=UTC)


def minutes(*seats: int, day: int = 1) -> list[e.Entry]:
    """The minutes of these seats, one after another."""
    return [e.Turn(moment=Moment(day, Phase.SPEECHES, 0, step), seat=seat) for step, seat in enumerate(seats, 1)]


def quiet(day: int, first: int = 1) -> list[e.Entry]:
    """A day with its night in which nobody leaves."""
    night = Moment(day, Phase.NIGHT)
    return [*minutes(first, day=day), e.Turn(moment=night), e.Shot(moment=night)]


def told(entries: Sequence[e.Entry], regulation: Regulation = EDITION_A) -> list[tuple[str, str, dict[str, object]]]:
    """Code, clause and figures of each caution; nothing of what is told is set aside."""
    written = [replace(entry, revision=revision) for revision, entry in enumerate(entries, 1)]
    state = replay(written, regulation)
    assert state.set_aside == []
    return [(each.code, each.clause, dict(each.params)) for each in cautions(written, state)]


# ---------------------------------------------------------------- the order of speaking


@pytest.mark.parametrize(
    ("seats", "out_of_turn"),
    [
        (range(1, 11), []),
        ((1, 2, 3, 5, 7), []),  # not every minute is written
        ((1, 2, 2), [(2, 5)]),
        ((1, 3, 2, 4), [(2, 5)]),
        ((1, 5, 2, 3, 4, 6), [(2, 5), (3, 6), (4, 7)]),
        ((2, 3, 1), [(1, 5)]),  # seat 1 opens day 1, and was passed over
    ],
)
def test_who_speaks_out_of_turn_is_told(seats: Sequence[int], out_of_turn: list[tuple[int, int]]) -> None:
    found = told([*BEGUN, *minutes(*seats)])
    assert found == [
        ("out_of_turn", "§2", {"day": 1, "seat": seat, "revisions": (revision,)}) for seat, revision in out_of_turn
    ]


def test_the_next_at_the_table_opens_the_next_day_and_10_is_followed_by_1() -> None:
    first = [*BEGUN, *quiet(1)]
    assert told([*first, *minutes(2, 3, 10, 1, day=2)]) == []
    again = [("out_of_turn", "§2", {"day": 2, "seat": 2, "revisions": (9,)})]
    assert told([*first, *minutes(2, 3, 10, 2, day=2)]) == again
    assert told([*first, *minutes(3, 4, 1, 2, day=2)]) == again
    gone = e.Foul(moment=Moment(1, Phase.SPEECHES, 0, 1), seat=2, penalty=Penalty.DISQUALIFYING)
    assert told([*first[:3], gone, *first[3:], *minutes(3, 4, 1, day=2)]) == []


def test_every_day_opens_with_seat_1_where_the_regulation_says_so() -> None:
    always = replace(EDITION_A, opener_moves=False)
    assert told([*BEGUN, *quiet(1), *minutes(1, 2, 3, day=2)], always) == []
    found = [("out_of_turn", "§2", {"day": 2, "seat": 1, "revisions": (8,)})]
    assert told([*BEGUN, *quiet(1), *minutes(2, 3, 1, day=2)], always) == found


def test_the_tied_speak_in_the_order_of_the_ballot() -> None:
    five, nine = (e.Turn(moment=Moment(1, Phase.PRE_REVOTE, 1, step), seat=seat) for step, seat in ((1, 9), (2, 5)))
    assert told([*TIED, five, nine]) == [
        ("out_of_turn", "§3", {"day": 1, "seat": 9, "revisions": (10,)}),
        ("out_of_turn", "§3", {"day": 1, "seat": 5, "revisions": (11,)}),
    ]


# ---------------------------------------------------------------- nobody leaves


def test_a_second_unchanged_day_is_told_with_the_one_before() -> None:
    first, third = [*BEGUN, *quiet(1)], minutes(3, day=3)
    second = ("second_unchanged_day", "A 7.3", {"night": 2, "before": 1, "revisions": ()})
    assert told([*first, *minutes(2, day=2)]) == []
    assert told([*first, *quiet(2, 2)]) == []
    assert told([*first, *quiet(2, 2), *third]) == [second]
    stalemate = [*first, *quiet(2, 2), *quiet(3, 3), *minutes(4, day=4)]
    assert told(stalemate) == []
    shot = [*first, *quiet(2, 2)[:-1], e.Shot(moment=Moment(2, Phase.NIGHT), target=9), *third]
    assert told(shot) == []


def test_the_federation_counts_a_night_with_the_day_after_it() -> None:
    first = [*BEGUN, *quiet(1), *quiet(2, 2), *minutes(3, day=3)]
    found = ("second_unchanged_night", "ФИИМ", {"night": 2, "before": 1, "revisions": ()})
    assert told(first, FEDERATION) == []
    assert told([*first, e.Turn(moment=Moment(3, Phase.NIGHT))], FEDERATION) == [found]
    by_day = e.Foul(moment=Moment(2, Phase.SPEECHES, 0, 1), seat=9, penalty=Penalty.DISQUALIFYING)
    left = [*first[:6], by_day, *first[6:], e.Turn(moment=Moment(3, Phase.NIGHT))]
    assert told(left, FEDERATION) == []


def test_edition_b_counts_misses_with_four_at_the_table_only() -> None:
    gone = [
        e.Foul(moment=Moment(0, Phase.NIGHT), seat=seat, penalty=Penalty.DISQUALIFYING) for seat in (5, 9, 1, 2, 4, 6)
    ]
    course = [*BEGUN, *gone, *quiet(1, 3), *quiet(2, 7)]
    found = ("second_miss_at_four", "B-S3", {"night": 2, "before": 1, "revisions": ()})
    assert told(course, EDITION_B) == [found]
    assert told([*BEGUN, *gone[1:], *quiet(1, 3), *quiet(2, 5)], EDITION_B) == []


# ---------------------------------------------------------------- what stands beside the record


def test_a_protest_is_late_after_ten_minutes() -> None:
    late = late_protest(ENDED, ENDED + timedelta(minutes=12, seconds=5), EDITION_A)
    params = {"late": "2:05", "minutes": 10, "revisions": ()}
    assert late == [Problem("protest_written_late", "A 8.7.1", params)]
    assert late_protest(ENDED, ENDED + timedelta(minutes=10), EDITION_A) == []
    assert late_protest(ENDED, None, EDITION_A) == []
    assert late_protest(None, ENDED, EDITION_A) == []
    assert late_protest(None, None, EDITION_A) == []


def test_a_round_has_a_table_once_and_a_number_once_unless_all_carry_it() -> None:
    params = {"round": 3, "table": 1, "game": 7, "revisions": ()}
    table, number = (Problem(f"{what}_twice_in_round", "A 9.2", params) for what in ("table", "number"))

    def found(*others: Place) -> list[Problem]:
        return repeats(Place(3, 1, 7), others, EDITION_A)

    assert found() == []
    assert found(Place(3, 2, 8), Place(4, 1, 7)) == []
    assert found(Place(3, 1, 8), Place(3, 2, 9)) == [table]
    assert found(Place(3, 2, 7), Place(3, 3, 8)) == [number]
    assert found(Place(3, 2, 7), Place(3, 3, 7), Place(4, 4, 8)) == []
    assert found(Place(3, 1, 7), Place(3, 2, 8)) == [table, number]
    assert repeats(Place(None, 1, 7), [Place(None, 1, 7)], EDITION_A) == []
