"""What the form says, before it is drawn: every mark, the edition's words, and where there is no room."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from protocols.lettering import Size, lines_of, size_for, width_of
from protocols.rules.regulation import Edition
from protocols.rules.sheet import Header, Remark, Sheet, Vote, blank
from protocols.sheet_view import Form, Signature, form_of

from .sheets import FIVE_DAYS, HEADER, NICKNAMES, RAISED, played


@pytest.fixture(scope="module")
def sheet() -> Sheet:
    return played(FIVE_DAYS)


def _votes(value: Sheet, *votes: Vote) -> Form:
    return form_of(replace(value, votes=votes))


@pytest.mark.parametrize(
    ("edition", "result", "label", "words"),
    [
        ("A", "red", "Результат игры", "победа красных"),
        ("A", "black", "Результат игры", "победа чёрных"),
        ("A", "annulled", "Результат игры", "игра аннулирована"),
        ("A", "replay", "Результат игры", "переигровка"),
        ("B", "red", "Победившая команда", "красные"),
        ("B", "black", "Победившая команда", "чёрные"),
        ("F", "draw", "Победившая команда", "ничья"),
        ("F", "", "Победившая команда", ""),
    ],
)
def test_the_result_is_in_the_words_of_the_edition(
    sheet: Sheet, edition: str, result: str, label: str, words: str
) -> None:
    form = form_of(replace(sheet, edition=edition, result=result))
    assert (form.labels.result, form.result) == (label, words)


def test_every_foul_is_a_tick_and_a_removal_without_four_fouls_an_exclamation_mark(sheet: Sheet) -> None:
    rows = form_of(sheet).players
    assert rows[5].fouls == ("✓", "✓", "✓", "")
    assert rows[9].fouls == ("", "", "", "!")
    four = replace(sheet.rows[0], fouls=("",) * 4)
    assert form_of(replace(sheet, rows=(four, *sheet.rows[1:]))).players[0].fouls == ("✓",) * 4


def test_points_have_a_comma_and_no_trailing_zeros(sheet: Sheet) -> None:
    first = replace(sheet.rows[0], points=Decimal("-1.000"), extra_points=Decimal("0.50"))
    player = form_of(replace(sheet, rows=(first, *sheet.rows[1:]))).players[0]
    assert (player.points, player.extra_points) == ("−1", "0,5")


def test_the_raise_all_question_shows_its_count_and_answer(sheet: Sheet) -> None:
    assert form_of(sheet).blocks[0].note == "Подъём: 4 из 10, не подняты"
    assert form_of(played(RAISED)).blocks[0].note == "Подъём: 6 из 10, подняты"
    unknown = Vote(1, (5, 9), ((5, 5), (5, 5)), raise_asked=True, raise_living=10)
    assert _votes(sheet, unknown).blocks[0].note == "Подъём: — из 10, не подняты"


def test_a_vote_without_the_question_says_so(sheet: Sheet) -> None:
    assert form_of(sheet).blocks[1].note == "Подъём: —"
    tied = Vote(1, (3, 7), ((2, 2), (2, 2)), clause="A 7.6")
    assert _votes(sheet, tied).blocks[0].note == "без подъёма (п. 7.6)"
    assert form_of(sheet).blocks[6].note == "Подъём: ____ из ____"


def test_a_cancelled_vote_keeps_its_tallies_struck_through(sheet: Sheet) -> None:
    block = form_of(sheet).blocks[2]
    assert block.note == "не проводилось (удаление № 10)"
    assert (block.rows[0].cells, block.rows[1].cells, block.rows[1].void) == (("1", "9"), ("3",), True)


def test_where_no_vote_was_taken_words_stand_in_place_of_tallies(sheet: Sheet) -> None:
    assert form_of(played(RAISED)).blocks[1].rows[1].words == "не проводилось (удаление № 8)"
    single = _votes(sheet, Vote(1, (5,), status="single")).blocks[0]
    assert (single.rows[0].cells, single.rows[1].words, single.note) == (("5",), "1 кандидат", "")
    ruled = _votes(sheet, Vote(1, (5, 6), status="cancelled")).blocks[0]
    assert ruled.rows[1].words == "не проводилось (решение судьи)"


def test_block_n_belongs_to_day_n_though_a_day_before_it_had_no_vote(sheet: Sheet) -> None:
    form = _votes(sheet, Vote(3, (2, 8), ((5, 3),), voted_out=(2,)))
    assert [block.is_blank for block in form.blocks] == [True, True, False, True, True, True, True]
    assert form.blocks[2].rows[0].cells == ("(2)", "8")


def test_those_raised_together_are_both_in_brackets() -> None:
    assert form_of(played(RAISED)).blocks[0].rows[0].cells == ("(5)", "(9)", "4")


def test_what_the_front_has_no_room_for_goes_overleaf(sheet: Sheet) -> None:
    four = Vote(8, (1, 2, 3), ((2, 2, 2), (2, 2, 2), (3, 3, None), (4, 2, None)), voted_out=(1,))
    form = _votes(sheet, four)
    assert [block.title for block in form.overleaf] == ["Голосование 8", "Голосование 8, переголосования с 3-го"]
    assert [row.cells for row in form.overleaf[0].rows] == [
        ("(1)", "2", "3"), ("2", "2", "2"), ("2", "2", "2"), ("3", "3"),
    ]  # fmt: skip
    assert [(row.label, row.cells) for row in form.overleaf[1].rows[:2]] == [
        ("Игрок", ("(1)", "2", "3")), ("Переголос.", ("4", "2")),
    ]  # fmt: skip
    wide = Vote(1, tuple(range(1, 13)), (tuple(range(1, 13)),))
    assert [row.cells for row in _votes(sheet, wide).overleaf[0].rows[:2]] == [("12",), ("12",)]


def test_a_vote_begun_anew_by_a_ruling_keeps_what_was_before_it_overleaf(sheet: Sheet) -> None:
    form = _votes(sheet, Vote(3, (2, 8), ((5, 3),), voted_out=(2,), void_tallies=((4, None),)))
    (before,) = form.overleaf
    assert (before.title, before.note) == ("Голосование 3, до решения судьи", "не засчитано")
    assert [(row.cells, row.void) for row in before.rows[:2]] == [(("2", "8"), False), (("4",), True)]


def test_the_best_move_has_its_seat_nickname_and_three_seats(sheet: Sheet) -> None:
    move = form_of(sheet).best_move
    assert (move.who.words, move.cells, move.words) == ("4\N{NO-BREAK SPACE}Гранит", ("5", "7", "1"), "")


def test_after_a_miss_the_best_move_is_a_dash() -> None:
    move = form_of(played(RAISED)).best_move
    assert (move.who.words, move.cells) == ("", ("—", "—", "—"))


def test_an_archive_that_kept_only_the_hits_shows_their_number(sheet: Sheet) -> None:
    move = form_of(replace(sheet, best_move=(), best_move_hits=2)).best_move
    assert (move.cells, move.words) == (("", "", ""), "угадано: 2")


def test_the_blank_has_header_and_nicknames_and_is_empty_otherwise() -> None:
    form = form_of(blank(Edition.A, HEADER, dict(enumerate(NICKNAMES, start=1))))
    assert (form.tournament.words, form.stage.words) == ("Кубок Невы", "Отборочная стадия")
    assert (form.date, form.table, form.game, form.judge.words) == ("14.03.2025", "3", "7", "Соколова")
    assert [player.nickname.words for player in form.players] == list(NICKNAMES)
    marks = {(player.star, player.role, *player.fouls, player.points, player.extra_points) for player in form.players}
    assert marks == {("",) * 8}
    assert all(block.is_blank for block in form.blocks)
    assert (form.result, form.best_move.cells, form.remarks, form.is_draft) == ("", ("", "", ""), (), False)


def test_a_form_without_a_header_is_left_to_the_pen() -> None:
    form = form_of(blank(Edition.A, Header("", "", 0, 0, "", ""), {}))
    assert (form.date, form.table, form.game, form.header_again) == ("____/____/________", "", "", "")


def test_remarks_name_seat_nickname_and_clause(sheet: Sheet) -> None:
    remarks = (
        Remark("extra", 3, "Вега", Decimal("0.5"), "", "верно прочла стол"),
        Remark("penalty", 10, "Йод", Decimal("-1"), "A 6.5", "оскорбление"),
        Remark("penalty", 2, "Барс", None, "A 6.8.1"),
        Remark("tournament", 2, "Барс", None, "A 7.4"),
        Remark("warning", 6, "Ёж", None, "A 6.3"),
        Remark("warning", 6, "Ёж", None, "A 6.3"),
        Remark("ruling", None, "", None, "§5", "голосование не проводить"),
    )
    assert form_of(replace(sheet, remarks=remarks)).remarks == (
        "№ 3 Вега: +0,5 — верно прочла стол",
        "№ 10 Йод: удаление −1 (п. 6.5) — оскорбление",
        "№ 2 Барс: присуждено поражение команде (п. 6.8.1)",
        "№ 2 Барс: удалён с турнира (п. 7.4)",
        "№ 6 Ёж: устное предупреждение (п. 6.3) × 2",
        "Решение судьи (уточнение §5) — голосование не проводить",
    )


def test_a_short_protest_stands_on_the_front_and_a_long_one_overleaf(sheet: Sheet) -> None:
    short = form_of(replace(sheet, protest="Фол № 6 дан после слова «Спасибо»"))
    assert (short.protest.words, short.protest_lines) == ("Фол № 6 дан после слова «Спасибо»", ())
    text = "Фол № 6 дан после слова «Спасибо». " * 5
    long = form_of(replace(sheet, protest=text))
    assert (long.protest.words, long.protest_lines) == ("см. на обороте", (text.strip(),))


def test_a_signed_sheet_says_who_signed_it_and_when(sheet: Sheet) -> None:
    form = form_of(sheet, Signature("Анна Соколова", datetime(2025, 3, 14, 18, 5, tzinfo=UTC)))
    assert form.signature == "подписано электронно: Анна Соколова, 14.03.2025 21:05"
    assert form.signature_below == ""


def test_a_name_too_long_for_the_box_of_the_signature_stands_below_it(sheet: Sheet) -> None:
    name = "Мария-Антуанетта Константинопольская-Ростовцева-Оболенская"
    form = form_of(sheet, Signature(name, datetime(2025, 3, 14, 18, 5, tzinfo=UTC)))
    assert form.signature == "подписано электронно, см. ниже"
    assert form.signature_below == f"подписано электронно: {name}, 14.03.2025 21:05"


def test_the_shots_so_far_are_on_a_form_that_is_carried_on_by_pen(sheet: Sheet) -> None:
    assert form_of(sheet).nights == "Отстрелы по ночам: 1 — 4 · 2 — промах · 3 — промах · 4 — 8 · 5 — 1"


@pytest.mark.parametrize(
    ("overleaf", "lines", "density"),
    [(0, 0, ""), (1, 0, "close"), (4, 0, "closer"), (6, 0, "closest"), (0, 30, "closest")],
)  # fmt: skip
def test_lines_of_the_back_stand_closer_where_much_is_written(
    sheet: Sheet, overleaf: int, lines: int, density: str
) -> None:
    votes = tuple(Vote(day, (1, 2), ((3, 2),)) for day in range(8, 8 + overleaf))
    form = form_of(replace(sheet, votes=votes, remarks=(), notes=tuple(f"заметка {n}" for n in range(lines))))
    assert form.density == density


# ---------------------------------------------------------------- the size of letters


def test_a_word_is_measured_in_the_font_that_it_is_printed_in() -> None:
    assert width_of("0123456789") == pytest.approx(6.0)  # equally wide digits of 0.6 em
    assert width_of("") == 0
    assert width_of("🔥") == pytest.approx(width_of("🔥\N{VARIATION SELECTOR-16}"))


def test_lines_break_between_words_and_inside_one_only_if_it_is_too_long() -> None:
    word = width_of("слово")
    assert [lines_of("слово слово", width) for width in (2 * word, 2 * word + 0.3, word)] == [2, 1, 2]
    assert lines_of("слово" * 3, word) == 3
    assert lines_of("", 1) == 1


def test_the_largest_size_that_fits_is_taken_and_the_last_one_where_none_does() -> None:
    sizes = (Size("large", 12, 1), Size("small", 8, 1), Size("two", 7, 2))
    assert size_for("Кот", 50, sizes).css == "large"
    assert size_for("Щ" * 15, 50, sizes).css == "small"
    assert size_for("Щ" * 40, 50, sizes).css == "two"
    assert size_for("Щ" * 400, 50, sizes).css == "two"
