"""The official protocol as a value: what of a record stands on it, and what the public sees of it (A 9, RULES §9)."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

from protocols.rules import entries as e
from protocols.rules.fold import replay
from protocols.rules.regulation import EDITION_A, EDITION_B, Edition
from protocols.rules.sheet import Header, Remark, Row, Sheet, Vote, blank, from_data, sheet, to_data
from protocols.rules.terms import Moment, Penalty, Phase

from .test_differences import AT, BEGUN, DEFEAT, NIGHT, SHOT, VOTED, extra

HEADER = Header("Кубок", "Отбор", 12, 3, "2026-11-30", "Орлова")
NAMES = dict(enumerate(("Астра", "Барс", "Вихрь", "Гранит", "Дельта", "Ёлка", "Жук", "Зенит", "Ирис", "Клён"), 1))
WARNING = e.Foul(moment=AT, seat=6, penalty=Penalty.WARNING, clause="6.6.1", text="шепчет")
OUT = e.Foul(moment=AT, seat=8, penalty=Penalty.DISQUALIFYING, text="вышел", from_tournament=True)
MISSED: list[e.Entry] = [*SHOT[:-1], e.Shot(moment=NIGHT)]


def made(*entries: e.Entry, **more: Any) -> Sheet:
    """The sheet after these entries, written in this order."""
    written = [replace(entry, revision=revision) for revision, entry in enumerate(entries, 1)]
    return sheet(replay(written, more.pop("regulation", EDITION_A)), HEADER, NAMES, **more)


def test_a_game_under_way_has_rows_votes_and_nights_and_no_result() -> None:
    found = made(*SHOT)
    assert (found.edition, found.header) == ("A", HEADER)
    assert [row.role for row in found.rows] == list("ККШКЧКДКЧК")
    assert found.rows[8] == Row(9, "Ирис", "Ч", left="voted", left_day=1)
    assert found.rows[3] == Row(4, "Гранит", "К", left="shot", left_day=1, left_at_night=True)
    assert found.votes == (Vote(1, (5, 9), ((4, 6),), clause="§3", voted_out=(9,)),)
    assert found.nights == ((1, 4),)
    assert (found.result, found.result_reason, found.result_clause) == ("", "", "")
    assert (found.best_move_seat, found.best_move, found.best_move_hits, found.best_move_dash) == (4, (), None, False)
    assert (found.ended_at, found.protest, found.remarks, found.results_only, found.notes) == ("", "", (), False, ())


def test_time_and_protest_are_those_given() -> None:
    found = made(*SHOT, ended_at="2026-11-30T21:40", protest="Против")
    assert (found.ended_at, found.protest) == ("2026-11-30T21:40", "Против")


def test_a_missed_night_is_one_and_its_best_move_a_dash() -> None:
    found = made(*MISSED)
    assert (found.nights, found.best_move_seat, found.best_move_dash) == (((1, None),), None, True)
    assert made(*SHOT[:-1]).nights == ()
    assert not made(*SHOT[:-1]).best_move_dash
    assert made(*SHOT, replace(DEFEAT, moment=Moment(1, Phase.SHERIFF))).best_move_dash


def test_the_back_has_a_line_for_extra_points_penalties_warnings_and_rulings() -> None:
    ended = made(*BEGUN, WARNING, OUT, replace(DEFEAT, clause="6.8.1", text="клятва"), extra(2, 500), extra(3, 0))
    assert ended.remarks == (
        Remark("extra", 2, "Барс", Decimal("0.5")),
        Remark("warning", 6, "Ёлка", None, "A 6.6.1", "шепчет"),
        Remark("penalty", 7, "Жук", None, "A 6.8.1", "клятва"),
        Remark("penalty", 8, "Зенит", Decimal(-1), "A 6.7", "вышел"),
        Remark("tournament", 8, "Зенит", None, "A 6.3"),
    )
    noted = replace(extra(3, 0), text="без очков")
    assert made(*BEGUN, noted).remarks == (Remark("extra", 3, "Вихрь", Decimal(0), "", "без очков"),)
    assert made(*BEGUN, OUT).remarks[0].points is None
    plain = made(*BEGUN, DEFEAT, e.Foul(moment=AT, seat=6, penalty=Penalty.WARNING))
    assert [(remark.clause, remark.text) for remark in plain.remarks] == [("A 6.3", ""), ("A 6.8", "")]


def test_the_public_sees_penalties_and_warnings_but_nothing_that_tells_a_role() -> None:
    found = made(*BEGUN, WARNING, OUT, extra(2, 500), DEFEAT)
    hidden = found.without_roles()
    assert {remark.kind for remark in found.remarks} == {"extra", "penalty", "tournament", "warning"}
    assert [(remark.kind, remark.seat) for remark in hidden.remarks] == [
        ("warning", 6), ("penalty", 7), ("penalty", 8),
    ]  # fmt: skip
    assert {(row.role, row.points, row.extra_points) for row in hidden.rows} == {("", None, None)}
    assert (hidden.result, hidden.result_reason, hidden.result_clause, hidden.best_move_hits) == ("", "", "", None)
    assert [replace(row, role="", points=None, extra_points=None) for row in found.rows] == list(hidden.rows)


def test_a_vote_that_was_not_held_says_why() -> None:
    alone = BEGUN[:4]
    night = e.Turn(moment=NIGHT)
    votes = [made(*course).votes for course in ([*alone, night], alone, [*BEGUN, OUT], [*BEGUN[:3], night])]
    assert votes == [
        (Vote(1, (5,), status="single"),),
        (Vote(1, (5,), status="open"),),
        (Vote(1, (5, 9), status="cancelled", cancelled_seat=8, clause="A 7.1"),),
        (),
    ]
    assert made(*VOTED[:-1]).votes == (Vote(1, (5, 9), ((4, None),)),)


def test_a_sheet_comes_back_from_plain_data_with_its_points_exact() -> None:
    found = made(*SHOT, replace(DEFEAT, moment=Moment(1, Phase.SHERIFF)), extra(2, 1000), regulation=EDITION_B)
    data = to_data(found)
    assert (data["rows"][1]["points"], data["rows"][1]["extra_points"], data["edition"]) == ("3", "1", "B")
    assert data["rows"][4]["points"] == "0"
    assert from_data(data) == found
    del data["votes"][0]["void_tallies"]  # those signed before there were any
    assert from_data(data) == found


def test_a_blank_has_a_header_and_nicknames_and_nothing_else() -> None:
    found = blank(Edition.B, HEADER, {2: "Барс"})
    assert (found.edition, found.header) == ("B", HEADER)
    assert found.rows == tuple(Row(seat, "Барс" if seat == 2 else "") for seat in range(1, 11))
    assert found.nickname_of(2) == "Барс"
