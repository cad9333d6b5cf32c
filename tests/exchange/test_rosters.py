"""Lists of players as text and as files: what is read of them, and why a line or a whole file is not."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from time import perf_counter
from typing import Any

import openpyxl  # type: ignore[import-untyped]
import pytest
import xlsxwriter  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st

from protocols.exchange.roster import MOST_LINES, Divider, Listed, NoList, read_list
from protocols.exchange.roster_files import text_of

TABLE = [["Никнейм", "Имя", "Город", "Команда"], ["Ёлка", "Анна Белова", "Омск", "Север"], ["Кот", "", "", "Юг"]]
READ = [(2, "Ёлка", "Анна Белова", "Омск", "Север"), (3, "Кот", "", "", "Юг")]


def rows_of(listed: Listed) -> list[tuple[int, str, str, str, str]]:
    """What was read, line by line."""
    return [(row.line, row.nickname, row.name, row.city, row.team) for row in listed.rows]


def workbook(rows: list[list[Any]], *sheets: str) -> bytes:
    """These rows as a workbook of XlsxWriter, formulas where a text begins with =."""
    kept = io.BytesIO()
    with xlsxwriter.Workbook(kept) as book:
        sheet = book.add_worksheet(*sheets[:1])
        for name in sheets[1:]:
            book.add_worksheet(name)
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)
    return kept.getvalue()


def other_workbook(rows: list[list[Any]]) -> bytes:
    """The same rows as openpyxl writes them."""
    kept = io.BytesIO()
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(kept)
    return kept.getvalue()


def zipped(parts: Mapping[str, bytes | str]) -> bytes:
    """An archive of these parts."""
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in parts.items():
            file.writestr(name, data)
    return kept.getvalue()


# ---------------------------------------------------------------- text


@pytest.mark.parametrize("divider", ["\t", ";", ","])
def test_columns_are_found_by_their_headings(divider: str) -> None:
    listed = read_list("\n".join(divider.join(row) for row in TABLE))
    assert (rows_of(listed), listed.has_headings) == (READ, True)


def test_headings_may_stand_in_any_order_and_in_english() -> None:
    listed = read_list("№;Team;City;First name;Last name;Nickname;Paid\n1;North;Omsk;Anna;Belova;Yolka;yes")
    assert rows_of(listed) == [(2, "Yolka", "Anna Belova", "Omsk", "North")]
    assert listed.left_out == ("№", "Paid")


def test_without_headings_the_columns_are_nickname_name_city_team() -> None:
    listed = read_list("Ёлка;Анна Белова;Омск;Север\r\n\r\nКот;;;Юг\r\n")
    assert rows_of(listed) == [(1, "Ёлка", "Анна Белова", "Омск", "Север"), (3, "Кот", "", "", "Юг")]


def test_a_line_is_a_nickname() -> None:
    listed = read_list("Ёлка\n  Петя, просто Петя \n\n\n")
    assert rows_of(listed) == [(1, "Ёлка", "", "", ""), (2, "Петя, просто Петя", "", "", "")]


@pytest.mark.parametrize("text", ["1. Ёлка\n2. Кот 2\n3) 3 кота", "1\tЁлка\n2\tКот 2\n3\t3 кота"])
def test_the_numbers_of_a_numbered_list_are_left_out(text: str) -> None:
    listed = read_list(text)
    assert ([row.nickname for row in listed.rows], listed.is_numbered) == (["Ёлка", "Кот 2", "3 кота"], True)


def test_a_nickname_that_is_a_number_stays() -> None:
    assert [row.nickname for row in read_list("47\n48\n50").rows] == ["47", "48", "50"]
    assert [row.nickname for row in read_list("2. Ёлка\n3. Кот").rows] == ["2. Ёлка", "3. Кот"]


@pytest.mark.parametrize(
    ("text", "nickname"),
    [
        ('"Кот; учёный";Иван', "Кот; учёный"),
        ('"Кот ""Баюн""";Иван', 'Кот "Баюн"'),
        ('"Кот"\tИван', '"Кот"'),
        ('"Кот ""Баюн"""\tИван', 'Кот "Баюн"'),
        ("=1+1;Иван", "=1+1"),
        ("\u202eК\u200bот\ufeff;Иван", "Кот"),
        ("sep=;\nКот;Иван", "Кот"),
    ],
)  # fmt: skip
def test_a_cell_is_what_its_writer_meant(text: str, nickname: str) -> None:
    assert [row.nickname for row in read_list(text).rows] == [nickname]


def test_a_divider_may_be_said() -> None:
    assert [row.nickname for row in read_list("Петя, просто Петя\nВася, тоже", Divider.NONE).rows] == [
        "Петя, просто Петя", "Вася, тоже",
    ]  # fmt: skip
    assert rows_of(read_list("A;B,Иван", Divider.COMMA)) == [(1, "A;B", "Иван", "", "")]


def test_formulas_are_known_for_what_they_are() -> None:
    listed = read_list("=HYPERLINK(1)\n+7\n-Кот\n@кот\nКот=")
    assert [row.is_formula for row in listed.rows] == [True, True, True, True, False]


@pytest.mark.parametrize(
    ("text", "flaws"),
    [
        ("Кот;Иван\n;Пётр;Омск\n", [(2, "no_nickname", "Пётр; Омск")]),
        ("Кот\n" + "ы" * 41, [(2, "too_long", "ы" * 41)]),
        ("Кот;Иван;" + "ы" * 61 + ";", [(1, "too_long", "Кот; Иван; " + "ы" * 68 + "…")]),
        ('Кот;Иван\n"Пёс;Пётр\nЁж;Егор\n', [(2, "open_quote", '"Пёс;Пётр')]),
        ("Кот\n\u200b\u202e\n", []),
    ],
)
def test_a_line_that_cannot_be_read_is_named_with_its_reason(text: str, flaws: list[tuple[int, str, str]]) -> None:
    found = [(flaw.line, flaw.code, flaw.text) for flaw in read_list(text).flaws]
    assert [(line, code) for line, code, _text in found] == [(line, code) for line, code, _text in flaws]
    assert [text[:20] for _line, _code, text in found] == [text[:20] for _line, _code, text in flaws]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty"),
        (" \n\t\n", "empty"),
        ("Имя;Город\nИван;Омск", "no_nicknames"),
        ("Кот\n" * 5000, "too_many_lines"),
        ("ы" * 300_000, "too_long"),
    ],
)
def test_what_is_no_list_is_refused_with_its_reason(text: str, code: str) -> None:
    with pytest.raises(NoList) as refused:
        read_list(text)
    assert refused.value.code == code


def test_a_thousand_lines_are_read_and_one_more_is_not() -> None:
    assert len(read_list("\n".join(f"Игрок {n}" for n in range(MOST_LINES))).rows) == MOST_LINES
    with pytest.raises(NoList):
        read_list("\n".join(f"Игрок {n}" for n in range(MOST_LINES + 1)))


# ---------------------------------------------------------------- files

CSV = "\r\n".join(";".join(row) for row in TABLE)
BOMB = b"<worksheet><sheetData>" + b"<row/>" * 2_000_000 + b"</sheetData></worksheet>"
BOOK = (
    '<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>'
    '<sheet name="a" r:id="r1"/></sheets></workbook>'
)
LINKS = '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>'
LAUGHS = '<!DOCTYPE lolz [<!ENTITY a "ха"><!ENTITY b "&a;&a;&a;">]><worksheet>&b;</worksheet>'


@pytest.mark.parametrize(
    ("raw", "how"),
    [
        (CSV.encode(), "utf-8"),
        (CSV.encode("utf-8-sig"), "utf-8"),
        (CSV.encode("cp1251"), "windows-1251"),
        (CSV.encode("utf-16"), "utf-16"),
        (CSV.replace(";", "\t").encode(), "utf-8"),
        (CSV.replace(";", ",").encode(), "utf-8"),
        (workbook(TABLE), "excel"),
        (other_workbook(TABLE), "excel"),
    ],
)
def test_a_file_says_the_same_however_it_is_written(raw: bytes, how: str) -> None:
    file = text_of(raw)
    assert (rows_of(read_list(file.text)), file.how) == (READ, how)


def test_numbers_and_formulas_of_a_workbook_are_taken_as_they_are_read() -> None:
    rows: list[list[Any]] = [[7, "Иван"], [7.5, ""], [True, ""], ["=1+1", ""], ["", "", "x"], [1e20, "Ы"]]
    assert text_of(other_workbook(rows)).text.split("\n")[:4] == ["7\tИван", "7.5", "1", "=1+1"]
    kept = io.BytesIO()
    with xlsxwriter.Workbook(kept) as book:
        sheet = book.add_worksheet()
        sheet.write_formula(0, 0, '="Кот"&" 2"', None, "Кот 2")
        sheet.write_formula(1, 0, "=6*7", None, 42)
        sheet.write_rich_string(2, 0, "Ё", book.add_format({"bold": True}), "лка")
    assert text_of(kept.getvalue()).text == "Кот 2\n=6*7\nЁлка"


def test_lines_are_numbered_as_in_the_workbook() -> None:
    file = text_of(workbook([["Кот"], [], [], ["Пёс"]]))
    assert [row.line for row in read_list(file.text).rows] == [1, 4]


def test_the_first_sheet_that_is_seen_is_read() -> None:
    assert text_of(workbook(TABLE, "Игроки", "Судьи")).sheet == "Игроки"
    assert text_of(workbook(TABLE)).sheet == ""
    kept = io.BytesIO()
    with xlsxwriter.Workbook(kept) as book:
        hidden, seen = book.add_worksheet("Скрытый"), book.add_worksheet("Игроки")
        hidden.write(0, 0, "Тайна")
        seen.write(0, 0, "Кот")
        seen.activate()
        hidden.hide()
    assert (text_of(kept.getvalue()).text, text_of(kept.getvalue()).sheet) == ("Кот", "Игроки")


def spoilt(was: str, becomes: str) -> bytes:
    """The workbook of XlsxWriter with something else in its sheet."""
    with zipfile.ZipFile(io.BytesIO(workbook(TABLE))) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    sheet = parts["xl/worksheets/sheet1.xml"].decode()
    assert was in sheet
    return zipped({**parts, "xl/worksheets/sheet1.xml": sheet.replace(was, becomes, 1)})


REFUSED = {
    "nothing": (b"", "empty"),
    "spaces": (b" \r\n", "empty"),
    "an empty workbook": (workbook([]), "empty"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "not_text"),
    "a PDF": (b"%PDF-1.7\n\x00\x01\x02", "not_text"),
    "an old workbook": (bytes.fromhex("d0cf11e0a1b11ae1") + bytes(512), "old_excel"),
    "another archive": (zipped({"mimetype": "application/vnd.oasis.opendocument.spreadsheet"}), "other_zip"),
    "half a workbook": (workbook(TABLE)[:900], "broken_excel"),
    "a workbook without sheets": (zipped({"xl/workbook.xml": "<workbook/>"}), "broken_excel"),
    "a workbook that is no XML": (zipped({"xl/workbook.xml": "так"}), "broken_excel"),
    "a sheet that is not there": (
        zipped({"xl/workbook.xml": BOOK, "xl/_rels/workbook.xml.rels": LINKS}),
        "broken_excel",
    ),
    "a text that is not there": (spoilt("<v>0</v>", "<v>-1</v>"), "broken_excel"),
    "a text beyond the last": (spoilt("<v>0</v>", "<v>99</v>"), "broken_excel"),
    "a row without a number": (spoilt('<row r="1"', '<row r="первая"'), "broken_excel"),
    "a column without letters": (spoilt('r="A1"', 'r="1"'), "broken_excel"),
    "another encoding": (spoilt('encoding="UTF-8"', 'encoding="KOI-9"'), "broken_excel"),
    "a document type": (
        zipped({"xl/workbook.xml": BOOK, "xl/_rels/workbook.xml.rels": LINKS, "xl/worksheets/sheet1.xml": LAUGHS}),
        "broken_excel",
    ),
    "a bomb": (
        zipped({"xl/workbook.xml": BOOK, "xl/_rels/workbook.xml.rels": LINKS, "xl/worksheets/sheet1.xml": BOMB}),
        "too_much_inside",
    ),
    "too many parts": (zipped({f"part{n}": b"" for n in range(2500)}), "too_much_inside"),
    "5000 lines": (workbook([["Кот"]] * 5000), "too_many_lines"),
    "a line far below": (workbook([[]] * 4000 + [["Кот"]]), "too_many_lines"),
    "3 MB": (b"a;b\n" * 750_000, "too_big"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_file_that_is_no_list_is_refused_with_its_reason_and_soon(what: str) -> None:
    raw, code = REFUSED[what]
    began = perf_counter()
    with pytest.raises(NoList) as refused:
        text_of(raw)
    assert (refused.value.code, perf_counter() - began < 5) == (code, True)


PARTS = ("xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/sharedStrings.xml", "xl/worksheets/sheet1.xml")


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(PARTS), st.integers(0, 5000), st.text('0129-AZrtv<>"=/ ', max_size=6))
def test_no_words_inside_a_workbook_break_the_reading(name: str, place: int, words: str) -> None:
    with zipfile.ZipFile(io.BytesIO(workbook(TABLE))) as file:
        parts = {each: file.read(each) for each in file.namelist()}
    text = parts[name].decode()
    at = place % len(text)
    with suppress(NoList):
        read_list(text_of(zipped({**parts, name: text[:at] + words + text[at + len(words) :]})).text)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300), st.integers(0, 2000), st.integers(0, 255))
def test_no_bytes_break_the_reading(noise: bytes, place: int, byte: int) -> None:
    whole = bytearray(workbook(TABLE))
    whole[place % len(whole)] = byte
    for raw in (noise, bytes(whole), b"PK\x03\x04" + noise):
        with suppress(NoList):
            read_list(text_of(raw).text)
