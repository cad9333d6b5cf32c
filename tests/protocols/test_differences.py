"""What a correction brings about is told before it is written: each consequence, its clause and figures (RULES §5)."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from protocols.rules import entries as e
from protocols.rules.differences import Difference, differences
from protocols.rules.fold import replay
from protocols.rules.points import SeatPoints
from protocols.rules.regulation import EDITION_A
from protocols.rules.state import Contradiction, Exit, GameState
from protocols.rules.terms import AFTER, ROLE_OF_LETTER, SETUP, HowLeft, Moment, Penalty, Phase, Result, Role

ROLES = e.Roles(moment=SETUP, roles=tuple(ROLE_OF_LETTER[letter] for letter in "ККШКЧКДКЧК"))
FIRST, AT = Moment(1, Phase.SPEECHES, 0, 1), Moment(1, Phase.SPEECHES, 0, 2)
NIGHT = Moment(1, Phase.NIGHT)
COUNTED = Moment(1, Phase.BALLOT, 0, 2)


def tally(target: int, count: int, step: int) -> e.Vote:
    """A tally of the first ballot."""
    return e.Vote(moment=Moment(1, Phase.BALLOT, 0, step), target=target, count=count)


def check(by: Role, target: int) -> e.Check:
    """The don's or the sheriff's check of night 1."""
    return e.Check(moment=Moment(1, Phase.DON if by == Role.DON else Phase.SHERIFF), by=by, target=target)


def extra(seat: int, points: int) -> e.ExtraPoints:
    """Extra points in thousandths."""
    return e.ExtraPoints(moment=AFTER, seat=seat, points=points)


BEGUN: list[e.Entry] = [
    ROLES,
    e.Turn(moment=Moment(0, Phase.NIGHT)),
    e.Turn(moment=FIRST, seat=1),
    e.Nomination(moment=FIRST, seat=1, target=5),
    e.Turn(moment=AT, seat=2),
    e.Nomination(moment=AT, seat=2, target=9),
]
VOTED: list[e.Entry] = [*BEGUN, tally(5, 4, 1), tally(9, 6, 2)]
SHOT: list[e.Entry] = [*VOTED, e.Turn(moment=NIGHT), e.Shot(moment=NIGHT, target=4)]
MISSED: list[e.Entry] = [*SHOT[:-1], e.Shot(moment=NIGHT)]
SHOT_6: list[e.Entry] = [*SHOT[:-1], e.Shot(moment=NIGHT, target=6)]
FOULS = [e.Foul(moment=AT, seat=3)] * 4
DEFEAT = e.Foul(moment=AT, seat=7, penalty=Penalty.TEAM_DEFEAT)
NAMED = e.BestMove(moment=Moment(1, Phase.BEST_MOVE), seats=(5, 7, 9))
OUT = e.Foul(moment=Moment(1, Phase.LAST_WORDS, 0, 1), seat=9, penalty=Penalty.DISQUALIFYING)
SPOKE: list[e.Entry] = [
    e.Turn(moment=Moment(1, Phase.SPEECHES, 0, 3), seat=3),
    e.Nomination(moment=Moment(1, Phase.SPEECHES, 0, 3), seat=3, target=8),
]
BY_NIGHT: list[e.Entry] = [e.Foul(moment=Moment(0, Phase.NIGHT), seat=3)] * 4
VOTED_OUT = Exit(HowLeft.VOTED, COUNTED, "§3", 8)
KILLED = Exit(HowLeft.SHOT, NIGHT, "§4", 10)


def state_of(entries: Sequence[e.Entry]) -> GameState:
    """The state after these entries, written in this order."""
    return replay([replace(entry, revision=revision) for revision, entry in enumerate(entries, 1)], EDITION_A)


def told(before: Sequence[e.Entry], after: Sequence[e.Entry]) -> list[tuple[str, str, dict[str, Any]]]:
    """Code, clause and figures of every difference."""
    found = differences(state_of(before), state_of(after))
    return [(each.code, each.clause, dict(each.params)) for each in found]


def test_the_fourth_foul_removes_and_cancels_the_vote() -> None:
    now = Exit(HowLeft.FOULS, AT, "A 6.5", 10)
    assert told([*BEGUN, *FOULS[:3]], [*BEGUN, *FOULS]) == [
        ("leaves", "A 6.5", {"seat": 3, "now": now}),
        ("fouls", "", {"seat": 3, "was": 3, "now": 4}),
        ("vote_cancelled", "A 7.1", {"day": 1, "seat": 3}),
    ]
    assert told([*BEGUN, *FOULS], [*BEGUN, *FOULS[:3]]) == [
        ("comes_back", "", {"seat": 3, "was": now}),
        ("silence", "A 6.4", {"seat": 3}),
        ("fouls", "", {"seat": 3, "was": 4, "now": 3}),
        ("vote_held", "A 7.1", {"day": 1}),
    ]


def test_the_third_foul_silences() -> None:
    assert told([*BEGUN, *FOULS[:2]], [*BEGUN, *FOULS[:3]]) == [
        ("silence", "A 6.4", {"seat": 3}),
        ("fouls", "", {"seat": 3, "was": 2, "now": 3}),
    ]
    assert told([*BEGUN, *FOULS[:3]], [*BEGUN, *FOULS[:2]]) == [
        ("no_silence", "A 6.4", {"seat": 3}),
        ("fouls", "", {"seat": 3, "was": 3, "now": 2}),
    ]


def test_a_consequence_that_came_too_late_is_put_before_the_judge() -> None:
    late = Contradiction("late_removal", "§5", 12, {"seat": 3, "moment": AT})
    before, after = [*VOTED, *FOULS[:3]], [*VOTED, *FOULS]
    assert told(before, after) == [
        ("leaves", "A 6.5", {"seat": 3, "now": Exit(HowLeft.FOULS, COUNTED, "A 6.5", 12)}),
        ("fouls", "", {"seat": 3, "was": 3, "now": 4}),
        ("contradiction", "", {"contradiction": late}),
    ]
    assert told(after, before)[-1] == ("settled", "", {"contradiction": late})


def test_each_consequence_that_came_too_late_is_one_for_the_judge() -> None:
    both = [*VOTED, *FOULS, *(replace(foul, seat=6) for foul in FOULS)]
    late = [(found.code, found.params["seat"]) for found in state_of(both).contradictions]
    assert late == [("late_removal", 3), ("late_removal", 6)]


def test_another_nominee_is_told_with_both_lists() -> None:
    other = [*BEGUN[:-1], e.Nomination(moment=AT, seat=2, target=8)]
    assert told(BEGUN, other) == [("nominees", "", {"day": 1, "was": (5, 9), "now": (5, 8)})]
    assert told(BEGUN, BEGUN[:-1]) == [("nominees", "", {"day": 1, "was": (5, 9), "now": (5,)})]


def test_other_tallies_make_another_leave() -> None:
    assert told(VOTED, [*BEGUN, tally(5, 7, 1), tally(9, 3, 2)]) == [
        ("leaves", "§3", {"seat": 5, "now": VOTED_OUT}),
        ("comes_back", "", {"seat": 9, "was": VOTED_OUT}),
        ("ballot", "", {"day": 1, "ballot": 1, "was": {5: 4, 9: 6}, "now": {5: 7, 9: 3}}),
        ("decision", "§3", {"day": 1, "was": (9,), "now": (5,)}),
    ]


def test_a_tally_that_is_missing_decides_nothing() -> None:
    assert told(VOTED, VOTED[:-1]) == [
        ("comes_back", "", {"seat": 9, "was": VOTED_OUT}),
        ("ballot", "", {"day": 1, "ballot": 1, "was": {5: 4, 9: 6}, "now": {5: 4}}),
        ("decision", "§3", {"day": 1, "was": (9,), "now": None}),
    ]
    assert told(VOTED, BEGUN)[1] == ("ballot_gone", "", {"day": 1, "ballot": 1, "was": {5: 4, 9: 6}})
    assert told(BEGUN, VOTED)[1] == ("ballot", "", {"day": 1, "ballot": 1, "was": {}, "now": {5: 4, 9: 6}})


def test_ballots_are_counted_from_1() -> None:
    tied = [*BEGUN, tally(5, 5, 1), tally(9, 5, 2)]
    again = e.Vote(moment=Moment(1, Phase.BALLOT, 1, 1), target=5, count=4)
    assert told(tied, [*tied, again]) == [("ballot", "", {"day": 1, "ballot": 2, "was": {}, "now": {5: 4}})]


def test_a_shot_at_another_or_at_nobody() -> None:
    assert told(SHOT, MISSED) == [
        ("comes_back", "", {"seat": 4, "was": KILLED}),
        ("shot", "", {"night": 1, "shot": True, "seat": None}),
    ]
    assert told(SHOT, SHOT_6) == [
        ("comes_back", "", {"seat": 4, "was": KILLED}),
        ("leaves", "§4", {"seat": 6, "now": KILLED}),
        ("shot", "", {"night": 1, "shot": True, "seat": 6}),
    ]
    assert told(MISSED, SHOT[:-1]) == [("shot", "", {"night": 1, "shot": False, "seat": None})]


def test_checks_are_told_by_whom_they_were_made() -> None:
    don, sheriff = check(Role.DON, 3), check(Role.SHERIFF, 7)
    assert told(SHOT, [*SHOT, don, sheriff]) == [
        ("check", "", {"night": 1, "by": "don", "seat": 3}),
        ("check", "", {"night": 1, "by": "sheriff", "seat": 7}),
    ]
    assert told([*SHOT, don], [*SHOT, check(Role.DON, 4)]) == [("check", "", {"night": 1, "by": "don", "seat": 4})]
    assert told([*SHOT, don], SHOT) == [("check", "", {"night": 1, "by": "don", "seat": None})]


def test_a_best_move_passes_to_another_victim() -> None:
    assert told(SHOT, [*SHOT, NAMED]) == [("best_move", "", {"seats": (5, 7, 9)})]
    assert told([*SHOT, NAMED], SHOT) == [("best_move", "", {"seats": ()})]
    assert told([*SHOT, NAMED], [*SHOT_6, NAMED]) == [
        ("comes_back", "", {"seat": 4, "was": KILLED}),
        ("leaves", "§4", {"seat": 6, "now": KILLED}),
        ("shot", "", {"night": 1, "shot": True, "seat": 6}),
        ("best_move_passes", "", {"seats": (5, 7, 9), "seat": 6}),
    ]


def test_a_removal_after_having_left_is_one_of_its_own() -> None:
    assert told(VOTED, [*VOTED, OUT]) == [("removed", "A 6.7", {"seat": 9})]
    assert told([*VOTED, OUT], VOTED) == [("not_removed", "A 6.7", {"seat": 9})]


def test_who_leaves_otherwise_and_what_falls_with_it() -> None:
    removed = [*BEGUN, *(replace(foul, seat=9) for foul in FOULS), *VOTED[6:]]
    found = told(VOTED, removed)
    assert [(code, clause) for code, clause, _ in found] == [
        ("leaves_otherwise", "A 6.5"),
        ("removed", "A 6.5"),
        ("fouls", ""),
        ("vote_cancelled", "A 7.1"),
        ("ballot_gone", ""),
        ("decision", "§3"),
        ("falls", ""),
        ("falls", ""),
    ]
    assert found[0][2] == {"seat": 9, "was": VOTED_OUT, "now": Exit(HowLeft.FOULS, AT, "A 6.5", 10)}
    fallen = [(figures["entry"].target, figures["why"].code, figures["why"].clause) for *_, figures in found[6:]]
    assert fallen == [(5, "vote_cancelled", "A 7.1"), (9, "vote_cancelled", "A 7.1")]
    assert {code for code, *_ in told(removed, VOTED)} >= {"leaves_otherwise", "not_removed"}


def test_what_no_longer_stands_and_what_stands_again() -> None:
    there, gone = [*BEGUN[:2], *BY_NIGHT[:3], *BEGUN[2:], *SPOKE], [*BEGUN[:2], *BY_NIGHT, *BEGUN[2:], *SPOKE]
    found = [(code, figures["entry"].kind) for code, _, figures in told(there, gone) if code == "falls"]
    assert found == [("falls", "turn"), ("falls", "nomination")]
    strikes = e.Strike(moment=AT, of=6)
    found = [(code, figures["entry"].kind) for code, _, figures in told(gone, [*gone, strikes]) if "again" in code]
    assert found == [("stands_again", "turn"), ("stands_again", "nomination")]
    assert "falls" not in {code for code, *_ in told(gone, [*gone, strikes])}


def test_the_end_comes_goes_and_changes_sides() -> None:
    red, black = state_of([*BEGUN, DEFEAT]).derived, state_of([*BEGUN, replace(DEFEAT, seat=1)]).derived
    assert red is not None
    assert black is not None
    assert (red.result, black.result) == (Result.RED, Result.BLACK)
    assert told(BEGUN, [*BEGUN, DEFEAT]) == [("end", "", {"now": red})]
    assert told([*BEGUN, DEFEAT], BEGUN) == [("no_end", "", {"was": red})]
    found = told([*BEGUN, DEFEAT], [*BEGUN, replace(DEFEAT, seat=1)])
    assert found[0] == ("other_end", "", {"was": red, "now": black})
    assert [(code, figures["seat"]) for code, _, figures in found[1:]] == [("points", seat) for seat in range(1, 11)]
    later = [*BEGUN, e.Turn(moment=Moment(1, Phase.SPEECHES, 0, 3), seat=3), replace(DEFEAT, moment=SPOKE[0].moment)]
    assert [code for code, *_ in told([*BEGUN, DEFEAT], later)] == ["other_end"]


def test_points_are_told_of_those_who_get_others() -> None:
    ended = [*BEGUN, DEFEAT]
    half, one = (SeatPoints(win=Decimal(3), extra=Decimal(points)) for points in ("0.5", "1"))
    assert told([*ended, extra(2, 500)], [*ended, extra(2, 1000)]) == [
        ("points", "", {"seat": 2, "was": half, "now": one}),
    ]
    assert told([*BEGUN, extra(2, 500)], [*ended, extra(2, 500)])[1:] == []


@pytest.mark.parametrize("code", ["fouls", "nominees", "check", "best_move"])
def test_what_the_entry_itself_says_is_no_consequence(code: str) -> None:
    assert not Difference(code).follows
    assert Difference("leaves").follows
