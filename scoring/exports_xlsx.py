"""All tables of an export as one workbook: numbers are numbers, text is text whatever it begins with."""

from __future__ import annotations

import datetime
import io
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import xlsxwriter  # type: ignore[import-untyped]
from django.utils.translation import gettext as _

from .exports import Exported
from .exports_tables import Cell, Table, fines_table, games_table, nominations_table, said_beside, standings_table
from .team_table import members_table, teams_table
from .wording import decimals_of

MOST_DECIMALS = 6  # shown; the cell holds as much as a spreadsheet's number can
NARROWEST, WIDEST = 6, 44  # characters of a column
A4 = 9  # the number of the paper in the format
HEAD_ROW = 1  # below the line that says what this is


def xlsx_of(export: Exported) -> bytes:
    """The workbook: standings, games, nominations, teams where there are any. The same result gives the same bytes."""
    tournament = export.found.tournament
    said = " · ".join(filter(None, (tournament.title, tournament.city, said_beside(export))))
    tables = [standings_table(export), games_table(export), nominations_table(export)]
    if export.fines:
        tables.append(fines_table(export))
    if export.teams is not None:
        tables += [teams_table(export), members_table(export)]
    return workbook(tables, tournament.title, tournament.starts_on, said)


def workbook(tables: Iterable[Table], title: str, day: datetime.date, said: str) -> bytes:
    """These tables, a sheet each, under a line that says what they are; `day` stands for when it was made."""
    out = io.BytesIO()
    # Text never becomes a formula, a link or a number, even where a call forgets to say what it writes.
    options = {
        "in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False,
        "default_date_format": "dd.mm.yyyy",
    }  # fmt: skip
    book = xlsxwriter.Workbook(out, options)
    created = datetime.datetime.combine(day, datetime.time())  # no clock in the file
    book.set_properties({"title": title, "created": created})
    for table in tables:
        _write(book, table, f"{table.name} · {said}")
    book.close()
    return out.getvalue()


def _write(book: Any, table: Table, title: str) -> None:
    sheet = book.add_worksheet(table.name)
    bold, head = book.add_format({"bold": True}), book.add_format({"bold": True, "text_wrap": True, "bottom": 1})
    sheet.write_string(0, 0, title, bold)
    for column, name in enumerate(table.head):
        sheet.write_string(HEAD_ROW, column, name, head)
        cells = [row[column] for row in table.rows]
        sheet.set_column(column, column, _width(name, cells), _format(book, cells))
        for row, cell in enumerate(cells, start=HEAD_ROW + 1):
            _write_cell(sheet, row, column, cell)
    sheet.freeze_panes(HEAD_ROW + 1, table.kept)
    if table.rows:
        sheet.autofilter(HEAD_ROW, 0, HEAD_ROW + len(table.rows), len(table.head) - 1)
    sheet.set_landscape()
    sheet.set_paper(A4)
    sheet.fit_to_pages(1, 0)
    sheet.repeat_rows(HEAD_ROW)
    sheet.set_footer("&R" + _("page %(page)s of %(pages)s") % {"page": "&P", "pages": "&N"})


def _write_cell(sheet: Any, row: int, column: int, cell: Cell) -> None:
    if cell is None or cell == "":
        return
    if isinstance(cell, str):
        sheet.write_string(row, column, cell)
    elif isinstance(cell, datetime.date):
        sheet.write_datetime(row, column, cell)
    else:
        sheet.write_number(row, column, float(cell))


def _format(book: Any, cells: list[Cell]) -> Any:
    """As many decimals as the points of the column need; None for a column of other things."""
    points = [cell for cell in cells if isinstance(cell, Fraction)]
    if not points:
        return None
    places = max(decimals_of([cell.numerator], cell.denominator, MOST_DECIMALS) for cell in points)
    return book.add_format({"num_format": "0." + "0" * places if places else "0"})


def _width(name: str, cells: list[Cell]) -> int:
    texts = [len(cell) for cell in cells if isinstance(cell, str)]
    dates = [10 for cell in cells if isinstance(cell, datetime.date)]
    longest_word = max(len(word) for word in name.split()) + 4  # and the filter's button
    return min(WIDEST, max(NARROWEST, longest_word, *texts, *dates) + 1)
