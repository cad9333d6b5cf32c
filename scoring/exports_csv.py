"""A table as CSV that Excel in Russian opens with a double click: BOM, semicolons, decimal commas.

A spreadsheet takes text for a formula by its first sign, and «1/2» or «007» for a date or a number. Such text gets an
apostrophe in front: it is read as written, and nothing in it is ever run.
"""

from __future__ import annotations

import csv
import datetime
import io
import re
from fractions import Fraction
from functools import lru_cache

from .exports_tables import Cell, Table
from .wording import MINUS, decimals_of, figure

MOST_DECIMALS = 6  # of points that don't end: a share of Ci

FORMULA = re.compile(r"\s*[=+\-@\t\r\n|%＝＋－＠]")
NUMBER_OR_DATE = re.compile(
    r"[\d.,:/\\%()\s-]*\d[\d.,:/\\%()\s-]*(e\s*[+-]?\d+)?|истина|ложь|true|false"
    r"|\d{1,4}[\s./-]*(янв|фев|мар|апр|ма[йя]|июн|июл|авг|сен|окт|ноя|дек)\w*\.?[\s./-]*\d*"
    r"|(янв|фев|мар|апр|ма[йя]|июн|июл|авг|сен|окт|ноя|дек)\w*\.?[\s./-]*\d+",
    re.IGNORECASE,
)


def csv_of(table: Table, note: str = "") -> bytes:
    """The table in UTF-8 with a BOM; `note`, where there is one, in a row of its own after the last."""
    out = io.StringIO(newline="")
    write = csv.writer(out, delimiter=";", lineterminator="\r\n").writerow
    write([_cell(each) for each in table.head])
    for row in table.rows:
        write([_cell(each) for each in row])
    if note:
        write([])
        write([_cell(note)])
    return out.getvalue().encode("utf-8-sig")


def _cell(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return harmless(cell)
    if isinstance(cell, datetime.date):
        return f"{cell:%d.%m.%Y}"
    return _points(cell) if isinstance(cell, Fraction) else str(cell)


@lru_cache(maxsize=4096)
def _points(value: Fraction) -> str:
    places = decimals_of([value.numerator], value.denominator, MOST_DECIMALS)
    return figure(value.numerator, value.denominator, places).replace(MINUS, "-")


@lru_cache(maxsize=4096)
def harmless(text: str) -> str:
    """The text, with an apostrophe in front where a spreadsheet would take it for anything but text.

    >>> harmless("=1+1"), harmless("@Лис"), harmless("007"), harmless("7 мая"), harmless("Мистер =")
    ("'=1+1", "'@Лис", "'007", "'7 мая", 'Мистер =')
    """
    return f"'{text}" if FORMULA.match(text) or NUMBER_OR_DATE.fullmatch(text) else text
