"""The form on paper, read back: cells by their millimetres, fonts, lines, digits as they are seen."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from http.server import BaseHTTPRequestHandler, HTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageDraw, ImageFont
from pypdf import PageObject, PdfReader
from pypdf.generic import ContentStream

from protocols.pdf import SHEET_STYLES, OwnFiles, form_pdf, forms_html, html_pdf, merge, sheet_pdf, sheets_pdf
from protocols.rules.regulation import Edition
from protocols.rules.sheet import Sheet, Vote, blank
from protocols.sheet_view import form_of

from .sheets import (
    FIVE_DAYS,
    HEADER,
    NICKNAMES,
    RAISED,
    block_of,
    heads_of,
    picture_of,
    played,
    row_of,
    text_in,
    with_nicknames,
    words_of,
)

FONT = Path(__file__).resolve().parents[2] / "static" / "fonts" / "ibm-plex-sans-400.ttf"
LONG = "Неустрашимый Непобедимый Невыспавшийся Я"
EXTREMES = {
    1: LONG, 2: "Ш" * 40, 3: "🔥" * 40, 4: "Ёжик №7 «йод»", 5: "Лис🦊а", 6: "W" * 40, 7: "ф" * 40, 8: "Кот <b>&\"'",
    9: "🃏 Джокер 🃏", 10: "щ ц ю " * 6 + "щцюж",
}  # fmt: skip


@cache
def _five_days() -> Sheet:
    return played(FIVE_DAYS)


@cache
def _pdf() -> bytes:
    return sheet_pdf(_five_days())


def _read(data: bytes) -> PdfReader:
    return PdfReader(BytesIO(data))


# ---------------------------------------------------------------- cells


def test_the_form_is_the_two_sides_of_an_a4_sheet_laid_across() -> None:
    sizes = [(round(float(page.mediabox.width)), round(float(page.mediabox.height))) for page in _read(_pdf()).pages]
    assert sizes == [(842, 595), (842, 595)]


def test_the_header_stands_in_its_boxes() -> None:
    words = words_of(_pdf())
    assert text_in(words, 18, 17.4, 127, 7.7) == "ТУРНИР Кубок Невы"
    assert text_in(words, 18, 25.1, 127, 7.7) == "СТАДИЯ ТУРНИРА Отборочная стадия"
    assert text_in(words, 18, 32.8, 64, 7.7) == "ДАТА 14.03.2025"
    assert text_in(words, 82, 32.8, 32, 7.7) == "СТОЛ № 3"
    assert text_in(words, 114, 32.8, 31, 7.7) == "ИГРА № 7"
    assert text_in(words, 18, 45.3, 127, 6.9) == "ИГРОК РОЛЬ ФОЛЫ БАЛЛЫ ДОП. БАЛЛЫ"


def test_every_player_has_a_row() -> None:
    words = words_of(_pdf())
    rows = [row_of(words, seat) for seat in range(1, 11)]
    assert [row["seat"] for row in rows] == [str(seat) for seat in range(1, 11)]
    assert [row["nickname"] for row in rows] == list(NICKNAMES)
    assert "".join(row["role"] for row in rows) == "ККШКЧКДКЧК"
    assert [row["points"] for row in rows] == ["3", "3", "3", "3", "0", "3", "0", "3", "0", "2"]
    assert [row["extra"] for row in rows] == ["0", "0", "1", "0,5", "0", "0,5", "0", "0", "0", "0"]
    assert "".join(row["star"] or "." for row in rows) == "**.**.****"
    assert [rows[5][f"foul {n}"] for n in range(1, 5)] == ["✓", "✓", "✓", ""]
    assert [rows[9][f"foul {n}"] for n in range(1, 5)] == ["", "", "", "!"]


def test_every_vote_has_its_block() -> None:
    words = words_of(_pdf())
    assert [block_of(words, number) for number in range(1, 8)] == [
        ("Голосование 1 Подъём: 4 из 10, не подняты", ["5 9 4", "4 4 2", "5 5", ""]),
        ("Голосование 2 Подъём: —", ["(2)", "9", "", ""]),
        ("Голосование 3 не проводилось (удаление № 10)", ["1 9", "3", "", ""]),
        ("Голосование 4 Подъём: —", ["(5) 7", "5 2", "", ""]),
        ("Голосование 5 Подъём: —", ["(7) 9", "3 2", "", ""]),
        ("Голосование 6 Подъём: —", ["(9)", "3", "", ""]),
        ("Голосование 7 Подъём: ____ из ____", ["", "", "", ""]),
    ]
    cell = 108.2 / 11
    assert [text_in(words, 171.4 + cell * number, 27.5, cell, 5) for number in range(4)] == ["4", "4", "2", ""]


def test_a_vote_not_held_says_so_in_place_of_its_tallies() -> None:
    words = words_of(sheet_pdf(played(RAISED)))
    assert block_of(words, 1) == ("Голосование 1 Подъём: 6 из 10, подняты", ["(5) (9) 4", "4 4 2", "5 5", ""])
    assert block_of(words, 2) == ("Голосование 2", ["2 4", "не проводилось (удаление № 8)", "", ""])


def test_the_end_of_the_game_stands_below_the_players() -> None:
    words = words_of(_pdf())
    assert text_in(words, 18, 157.8, 127, 7.4) == "РЕЗУЛЬТАТ ИГРЫ победа красных"
    assert text_in(words, 18, 165.2, 89.8, 10.1) == "ЛУЧШИЙ ХОД 4 Гранит"
    assert [text_in(words, 107.8 + 12.4 * number, 165.2, 12.4, 10.1) for number in range(3)] == ["5", "7", "1"]
    assert text_in(words, 18, 182.4, 89.8, 10.1) == "СУДЬЯ Соколова"
    assert text_in(words, 107.8, 182.4, 37.2, 10.1) == "подпись"


def test_edition_b_and_the_federation_name_the_winning_team() -> None:
    for edition in ("B", "F"):
        words = words_of(sheet_pdf(replace(_five_days(), edition=edition, result="black")))
        assert text_in(words, 18, 157.8, 127, 7.4) == "ПОБЕДИВШАЯ КОМАНДА чёрные"


def test_the_back_explains_points_and_has_the_header_again() -> None:
    words = words_of(_pdf(), 2)
    lines = [text_in(words, 18, 23.4 + 7.5 * number, 262, 7.5) for number in range(4)]
    assert heads_of(_pdf()) == ["Кубок Невы · Отборочная стадия · 14.03.2025 · стол № 3 · игра № 7"]
    assert text_in(words, 18, 17.4, 262, 6) == "ПОЯСНЕНИЯ К ДОПОЛНИТЕЛЬНЫМ БАЛЛАМ И ШТРАФАМ"
    assert lines == ["№ 3 Вега: +1", "№ 6 Ёж: +0,5", "№ 10 Йод: удаление −1 (п. 6.7.4)", ""]
    assert text_in(words, 18, 131.4, 262, 6) == "КОММЕНТАРИИ К ПРОТЕСТУ"


def test_a_draft_says_on_both_sides_that_it_is_not_signed() -> None:
    pages = _read(form_pdf(form_of(_five_days(), is_draft=True))).pages
    assert ["черновик, не подписан" in page.extract_text() for page in pages] == [True, True]
    assert ["черновик" in page.extract_text() for page in _read(_pdf()).pages] == [False, False]


def test_what_the_front_has_no_room_for_is_overleaf_on_the_same_sheet() -> None:
    late = Vote(8, (1, 2), ((4, 4), (4, 4), (4, 4), (5, 3)), voted_out=(1,))
    data = sheet_pdf(replace(_five_days(), votes=(*_five_days().votes, late)))
    assert len(_read(data).pages) == 2
    words = words_of(data, 2)
    assert [text_in(words, 18, 17.4 + 5 * row, 122.6, 5) for row in range(3)] == [
        "Голосование 8 Подъём: —", "Игрок (1) 2", "Голоса 4 4",
    ]  # fmt: skip
    assert text_in(words, 157, 17.4, 122.6, 5) == "Голосование 8, переголосования с 3-го"
    assert text_in(words, 157, 27.4, 122.6, 5) == "Переголос. 5 3"


def test_more_words_than_the_back_holds_go_on_to_a_third_page_and_none_is_lost() -> None:
    notes = tuple(f"Заметка {number} о том, что случилось за столом" for number in range(60))
    pages = _read(sheet_pdf(replace(_five_days(), notes=notes))).pages
    text = "\n".join(page.extract_text() for page in pages[1:])
    assert len(pages) == 3
    assert [note for note in notes if note not in text] == []


# ---------------------------------------------------------------- nicknames


def test_a_nickname_of_any_letters_keeps_its_row_and_the_ten_rows_their_page() -> None:
    plain, extreme = words_of(_pdf()), words_of(sheet_pdf(with_nicknames(_five_days(), EXTREMES)))
    for seat, nickname in EXTREMES.items():
        row = row_of(extreme, seat)
        assert row["nickname"].replace(" ", "") == nickname.replace(" ", "").rstrip(), nickname
        assert {name: text for name, text in row.items() if name != "nickname"} == {
            name: text for name, text in row_of(plain, seat).items() if name != "nickname"
        }
    roles = [[word for word in words if word.text in "КЧШД" and 80 < word.left < 90] for words in (plain, extreme)]
    tops, moved = (sorted(word.top for word in words) for words in roles)
    assert len(tops) == 10
    assert tops == pytest.approx(moved, abs=0.01)


def test_a_nickname_stays_inside_its_box() -> None:
    words = words_of(sheet_pdf(with_nicknames(_five_days(), EXTREMES)))
    for seat in EXTREMES:
        top = 52.2 + 10.1 * (seat - 1)
        inside = [w for w in words if 25.9 <= w.left < 79.9 and top <= (w.top + w.bottom) / 2 < top + 10.1]
        assert inside
        assert [w for w in inside if w.right > 79.9 or w.top < top - 0.3 or w.bottom > top + 10.4] == []


def test_the_victims_nickname_stays_inside_the_box_of_the_best_move() -> None:
    for nickname in EXTREMES.values():
        words = words_of(sheet_pdf(with_nicknames(_five_days(), {4: nickname})))
        found = text_in(words, 56, 165.2, 51.8, 10.1)
        assert found.replace(" ", "") == f"4{nickname}".replace(" ", "")
        assert [w for w in words if w.left < 107.8 < w.right and 165.2 < w.top < 175.3] == []


# ---------------------------------------------------------------- fonts and ink


def _fonts(data: bytes) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for page in _read(data).pages:
        for layer in _layers(page):
            for font in layer["/Resources"]["/Font"].values():
                (descendant,) = font.get_object()["/DescendantFonts"]
                descriptor = descendant.get_object()["/FontDescriptor"].get_object()
                found[str(font.get_object()["/BaseFont"]).partition("+")[2]] = descriptor
    return found


def _layers(page: PageObject) -> list[Any]:
    """What is written on the page, and the printed form under it."""
    forms: Any = page["/Resources"]
    return [page, *(form.get_object() for form in forms.get("/XObject", {}).values())]


def test_the_fonts_are_ours_and_travel_with_the_file() -> None:
    fonts = _fonts(sheet_pdf(with_nicknames(_five_days(), EXTREMES)))
    assert sorted(fonts) == ["IBM-Plex-Sans", "IBM-Plex-Sans-Semi-Bold", "Noto-Emoji"]
    assert ["/FontFile2" in descriptor for descriptor in fonts.values()] == [True, True, True]


def test_every_digit_is_drawn_as_itself() -> None:
    # Two subset files of one family would be drawn with each other's glyphs, while the text still reads right.
    votes = tuple(Vote(day, (1, 2, 3, 4, 5, 6, 7, 8, 9, 10), ((9, 8, 7, 6, 5, 4, 3, 2, 1, 0),)) for day in (1, 2))
    image = picture_of(sheet_pdf(replace(_five_days(), votes=votes)), dpi=300).convert("L")
    cell = 108.2 / 11
    seen = [_digit(image, 171.4 + cell * number, 27.5, cell, 5) for number in range(10)]
    assert seen == list("9876543210")


def _digit(image: Image.Image, left: float, top: float, width: float, height: float) -> str:
    """The digit that is seen in that box, by likeness to the glyphs of the font."""
    dot = 300 / 25.4
    box = tuple(round(edge * dot) for edge in (left + 1, top + 0.4, left + width - 1, top + height - 0.4))
    drawn = _ink(image.crop((box[0], box[1], box[2], box[3])))
    return min("0123456789", key=lambda digit: _unlikeness(drawn, _glyph(digit)))


@cache
def _glyph(digit: str) -> Image.Image:
    sample = Image.new("L", (120, 160), 255)
    ImageDraw.Draw(sample).text((20, 10), digit, fill=0, font=ImageFont.truetype(str(FONT), 100))
    return _ink(sample)


def _ink(image: Image.Image) -> Image.Image:
    box = image.point(lambda value: 255 if value < 128 else 0).getbbox()
    assert box
    return image.crop(box).resize((20, 30))


def _unlikeness(one: Image.Image, other: Image.Image) -> int:
    return sum(abs(a - b) for a, b in zip(one.tobytes(), other.tobytes(), strict=True))


def test_no_letter_is_smaller_than_seven_points() -> None:
    data = sheet_pdf(with_nicknames(_five_days(), EXTREMES))
    sizes = set()
    reader = _read(data)
    for layer in (layer for page in reader.pages for layer in _layers(page)):
        stream = ContentStream(layer.get_contents() if isinstance(layer, PageObject) else layer, reader)
        scales = {abs(float(operands[0])) for operands, operator in stream.operations if operator == b"cm"}
        assert {scale for scale in scales if scale < 0.75} == set()  # WeasyPrint counts in pixels of 0.75 pt
        sizes |= {float(operands[1]) * 0.75 for operands, operator in stream.operations if operator == b"Tf"}
    assert min(sizes) == pytest.approx(7, abs=0.01)


def test_no_line_is_thinner_than_a_quarter_of_a_point() -> None:
    dense = replace(_five_days(), notes=tuple(f"заметка {number}" for number in range(25)))
    for page in (1, 2):
        image = picture_of(form_pdf(form_of(dense)), page=page, dpi=720).convert("L")  # 0.25 pt are 2.5 dots
        columns = {1: (25.2, 80.6, 157.4, 172), 2: (200,)}[page]  # between the words
        for column in columns:
            x = int(column * 720 / 25.4)
            strip = image.crop((x, 0, x + 1, image.height)).tobytes()
            runs = "".join("#" if value < 128 else " " for value in strip).split()
            assert len(runs) >= 20
            assert min(len(run) for run in runs) >= 2


def test_everything_is_black_on_white() -> None:
    for page in (1, 2):
        image = picture_of(sheet_pdf(with_nicknames(_five_days(), EXTREMES)), page=page, dpi=75)
        red, green, blue = (band.tobytes() for band in image.split())
        assert red == green == blue


def test_nothing_is_drawn_outside_the_margins() -> None:
    for page in (1, 2):
        image = picture_of(sheet_pdf(with_nicknames(_five_days(), EXTREMES)), page=page, dpi=100).convert("L")
        box = image.point(lambda value: 255 - value).getbbox()
        assert box
        left, top, right, bottom = (edge * 25.4 / 100 for edge in box)
        assert left >= 14
        assert top >= 10
        assert right <= 297 - 17
        assert bottom <= 210 - 10


# ---------------------------------------------------------------- how it is made


def test_the_page_of_the_form_is_well_formed_so_that_it_is_read_fast() -> None:
    html = forms_html([form_of(with_nicknames(_five_days(), EXTREMES)), form_of(blank(Edition.B, HEADER, {}))])
    assert ElementTree.fromstring(html.removeprefix("<!DOCTYPE html>")).tag == "html"


@pytest.mark.parametrize("edition", ["A", "B"])
def test_what_is_written_and_what_is_printed_together_look_like_the_whole(edition: str) -> None:
    written = replace(with_nicknames(_five_days(), EXTREMES), edition=edition)
    for form in (form_of(written, is_draft=True), form_of(blank(Edition(edition), HEADER, {}))):
        layered, whole = form_pdf(form), html_pdf(forms_html([form]), SHEET_STYLES)
        for page in (1, 2):
            assert picture_of(layered, page).tobytes() == picture_of(whole, page).tobytes()


def test_the_same_sheet_gives_the_same_file() -> None:
    assert sheet_pdf(_five_days()) == _pdf()


def test_sixty_sheets_are_one_document_in_their_order() -> None:
    sheets = [replace(_five_days(), header=replace(HEADER, game=number)) for number in range(1, 61)]
    document = sheets_pdf(sheets)
    assert len(_read(document).pages) == 120
    assert [head.rpartition(" ")[2] for head in heads_of(document)] == [str(number) for number in range(1, 61)]


def test_ready_documents_are_merged_as_they_are() -> None:
    other = sheet_pdf(played(RAISED))
    merged = merge([_pdf(), other])
    assert words_of(merged, 1) == words_of(_pdf(), 1)
    assert words_of(merged, 3) == words_of(other, 1)


def test_threads_may_draw_at_once() -> None:
    with ThreadPoolExecutor(4) as pool:
        drawn = list(pool.map(lambda _: sheet_pdf(_five_days()), range(8)))
    assert {data == _pdf() for data in drawn} == {True}


def test_the_garbage_collector_runs_on_after_a_drawing() -> None:
    sheet_pdf(_five_days())
    assert gc.isenabled()


@pytest.fixture
def asked() -> Iterator[tuple[str, list[str]]]:
    """The address of a server on this machine, and what it has been asked for."""
    paths: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            paths.append(self.path)
            self.send_error(404)

        def log_message(self, *args: object) -> None:
            """Says nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", paths
    server.shutdown()


def test_a_drawing_fetches_nothing_from_the_network(asked: tuple[str, list[str]]) -> None:
    address, paths = asked
    page = f"""<html><head><link rel="stylesheet" href="{address}/a.css"/></head>
        <body><p>Текст</p><img src="{address}/b.png" alt=""/></body></html>"""
    assert _read(html_pdf(page)).pages[0].extract_text() == "Текст"
    assert paths == []


@pytest.mark.parametrize("url", ["https://example.org/a.css", "file:///etc/passwd", "data:text/plain,a", "ftp://a/b"])
def test_only_our_own_static_files_are_read(url: str) -> None:
    with pytest.raises(ValueError, match="not one of our files"):
        OwnFiles().fetch(url)


def test_a_page_that_is_no_xml_is_drawn_all_the_same() -> None:
    assert _read(html_pdf("<p>Один<br>два&nbsp;три")).pages[0].extract_text().split() == ["Один", "два", "три"]
