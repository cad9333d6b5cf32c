"""What a new sheet says otherwise than the one before, field by field, in values and in words."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from protocols.rules.sheet import Header, Remark, Row, Sheet, Vote
from protocols.rules.sheet_changes import SheetChange, sheet_changes
from protocols.wording import sheet_changes_words

ROWS = tuple(Row(seat, f"Ник {seat}", "К", points=Decimal(3), extra_points=Decimal(0)) for seat in range(1, 11))
VOTE = Vote(1, (2, 5), ((6, 4),), voted_out=(2,))
SHEET = Sheet(
    "A", Header("Кубок", "Отбор", 12, 3, "2026-11-30", "Орлова"), ROWS, (VOTE,), "red", "derived", "A 4.6.1",
    best_move_seat=4, best_move=(1, 2, 3), nights=((1, 4), (2, None)), ended_at="2026-11-30T21:40",
    remarks=(Remark("extra", 2, "Ник 2", Decimal("0.5"), text="За речь"),),
)  # fmt: skip
NAMES = {row.seat: row.nickname for row in ROWS}


def with_row(seat: int, **fields: object) -> Sheet:
    """The sheet with another row."""
    rows = tuple(replace(row, **fields) if row.seat == seat else row for row in ROWS)  # type: ignore[arg-type]
    return replace(SHEET, rows=rows)


CASES = [
    (replace(SHEET, result="black", result_reason="ruling", result_clause="§5"), [
        ("Результат игры", "победа красных", "победа чёрных"),
        ("Основание результата", "по правилам (п. 4.6.1)", "решение судьи (уточнение §5)"),
    ]),
    (with_row(7, points=Decimal("-0.5"), extra_points=Decimal(1)), [
        ("№7 Ник 7: баллы", "3", "−0,5"), ("№7 Ник 7: доп. баллы", "0", "1"),
    ]),
    (with_row(7, points=None), [("№7 Ник 7: баллы", "3", "—")]),
    (with_row(7, nickname="Жук"), [("№7 Ник 7: никнейм", "Ник 7", "Жук")]),
    (with_row(7, role="Д"), [("№7 Ник 7: роль", "К", "Д")]),
    (with_row(7, fouls=("A 6.6.1", "")), [("№7 Ник 7: фолы", "0", "2")]),
    (with_row(7, removed=True), [("№7 Ник 7: удаление", "не удалён", "удалён")]),
    (with_row(7, disqualified=True), [("№7 Ник 7: удаление", "не удалён", "не удалён")]),
    (with_row(7, left="shot", left_day=2, left_at_night=True), [
        ("№7 Ник 7: как покинул стол", "за столом", "ночь 2"),
    ]),
    (with_row(7, left="voted", left_day=2), [("№7 Ник 7: как покинул стол", "за столом", "день 2")]),
    (replace(SHEET, votes=(replace(VOTE, tallies=((4, 6),), voted_out=(5,)),)), [
        ("Голосование дня 1", "№2 — 6, №5 — 4; уходит: 2", "№2 — 4, №5 — 6; уходит: 5"),
    ]),
    (replace(SHEET, votes=()), [("Голосование дня 1", "№2 — 6, №5 — 4; уходит: 2", "—")]),
    (replace(SHEET, votes=(replace(VOTE, status="cancelled"),)), [
        ("Голосование дня 1", "№2 — 6, №5 — 4; уходит: 2", "голосования нет"),
    ]),
    (replace(SHEET, nights=((1, 4), (2, 6))), [("Ночь 2", "промах", "№6 Ник 6")]),
    (replace(SHEET, nights=((1, 4),)), [("Ночь 2", "промах", "—")]),
    (replace(SHEET, best_move=(1, 2, 8)), [("Лучший ход", "№4 Ник 4: 1, 2, 3", "№4 Ник 4: 1, 2, 8")]),
    (replace(SHEET, header=replace(SHEET.header, judge="Соколова")), [
        ("Судья", "Орлова", "Соколова"),
    ]),
    (replace(SHEET, header=replace(SHEET.header, tournament="Кубок-2")), []),
    (replace(SHEET, ended_at="2026-11-30T21:45"), [("Окончание игры", "21:40", "21:45")]),
    (replace(SHEET, protest="Против"), [("Протест", "—", "Против")]),
    (replace(SHEET, remarks=(*SHEET.remarks, SHEET.remarks[0])), [("Пояснение", "—", "№2 Ник 2: +0,5 За речь")]),
    (replace(SHEET, remarks=()), [("Пояснение", "№2 Ник 2: +0,5 За речь", "—")]),
]  # fmt: skip


@pytest.mark.parametrize(("after", "rows"), CASES)
def test_a_field_that_differs_is_told_with_what_it_was_and_is(after: Sheet, rows: list[tuple[str, str, str]]) -> None:
    told = sheet_changes_words(sheet_changes(SHEET, after), NAMES)
    assert [(each.what, each.was, each.now) for each in told] == rows


def test_equal_sheets_differ_in_nothing() -> None:
    assert sheet_changes(SHEET, replace(SHEET, notes=())) == ()


def test_the_result_comes_first() -> None:
    after = replace(with_row(1, points=Decimal(0)), result="black")
    assert sheet_changes(SHEET, after) == (
        SheetChange("result", "red", "black"), SheetChange("points", Decimal(3), Decimal(0), seat=1),
    )  # fmt: skip
