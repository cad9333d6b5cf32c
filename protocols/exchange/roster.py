"""A list of players as text: nickname, name, city and team, line by line, and what can't be read of it."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from .lines import line_written
from .reading import NICKNAME_LENGTH

MOST_LINES = 1000  # of a list, empty ones among them
LONGEST_TEXT = 200_000  # characters
LONGEST = {"nickname": NICKNAME_LENGTH, "name": 120, "city": 60, "team": 60}  # characters, as they are stored
FORMULA = ("=", "+", "-", "@")  # what a spreadsheet takes for one
NUMBERED = re.compile(r"(\d{1,4})[.)]\s+(?=\S)")


class NoList(Exception):
    """This is no list of players. `code` names the words, `params` what they need.

    Codes: empty, too_big, too_long, too_many_lines, not_text, old_excel, other_zip, broken_excel, too_much_inside,
    no_nicknames.
    """

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(f"{code} {params}")
        self.code = code
        self.params = params


class Divider(StrEnum):
    """What stands between the cells of a line."""

    TAB = "\t"
    SEMICOLON = ";"
    COMMA = ","
    NONE = "line"  # a line is a nickname


class Part(StrEnum):
    """What a column holds."""

    NICKNAME = "nickname"
    NAME = "name"
    CITY = "city"
    TEAM = "team"


ORDER = (Part.NICKNAME, Part.NAME, Part.CITY, Part.TEAM)
_WORDS = {
    Part.NICKNAME: "никнейм|ник|никнейм игрока|ник игрока|игровой ник|игровое имя|псевдоним|позывной|игрок|игроки|"
    "участник|участники|nickname|nick|nick name|player|players|handle",
    Part.NAME: "имя|фио|фамилия|отчество|имя фамилия|фамилия имя|имя и фамилия|фамилия и имя|фамилия имя отчество|"
    "настоящее имя|реальное имя|name|full name|real name|first name|last name|surname|firstname|lastname",
    Part.CITY: "город|город игрока|населенный пункт|city|town",
    Part.TEAM: "команда|название команды|клуб|team|team name|club",
}
HEADINGS = {word: part for part, words in _WORDS.items() for word in words.split("|")}
"""A heading, as `_heading` folds it → what its column holds."""


@dataclass(frozen=True, slots=True)
class Row:
    """A player of the list; empty is what the list doesn't tell."""

    line: int  # from 1
    nickname: str
    name: str = ""
    city: str = ""
    team: str = ""

    @property
    def is_formula(self) -> bool:
        """Whether a spreadsheet would take a cell of it for a formula."""
        return any(text.startswith(FORMULA) for text in (self.nickname, self.name, self.city, self.team))


@dataclass(frozen=True, slots=True)
class Flaw:
    """Why a line can't be read. Codes: no_nickname, too_long (`part`, `most`), open_quote (`last`)."""

    line: int
    code: str
    text: str = ""  # what stands there, shortened
    params: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Listed:
    """What the text says."""

    rows: tuple[Row, ...]
    flaws: tuple[Flaw, ...]
    columns: tuple[Part | None, ...]  # None: left out
    has_headings: bool
    left_out: tuple[str, ...] = ()  # headings of columns that nobody asked for
    is_numbered: bool = False  # the numbers before the nicknames are left out


def read_list(text: str, divider: Divider | None = None) -> Listed:
    """What the lines of the text say; without a `divider` it is found out. Raises NoList."""
    if len(text) > LONGEST_TEXT:
        raise NoList("too_long", most=LONGEST_TEXT)
    lines = re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))
    while lines and not lines[-1].strip():
        lines.pop()
    if len(lines) > MOST_LINES:
        raise NoList("too_many_lines", lines=len(lines), most=MOST_LINES)
    if lines and (told := re.fullmatch(r"sep=([;,\t])", lines[0].strip(" \"'"))):  # as some spreadsheets write it
        divider, lines[0] = Divider(told[1]), ""
    if not any(line.strip() for line in lines):
        raise NoList("empty")
    flaws: list[Flaw] = []
    cells = list(_cells(lines, divider or divider_of(lines), flaws))
    headings = _headings(cells[0][1]) if cells else None
    if headings is not None:
        left_out = tuple(each for each, part in zip(cells[0][1], headings, strict=False) if each and part is None)
        rows = tuple(_rows(cells[1:], headings, flaws))
        return Listed(rows, _in_order(flaws), headings, True, left_out)
    cells, is_numbered = _without_numbers(cells)
    width = max((len(each) for _line, each in cells), default=1)
    columns = (*ORDER[:width], *[None] * (width - len(ORDER)))
    return Listed(tuple(_rows(cells, columns, flaws)), _in_order(flaws), columns, False, (), is_numbered)


def divider_of(lines: Sequence[str]) -> Divider:
    """What divides the cells: a tab or a semicolon wherever it stands, a comma where every line has one."""
    filled = [line for line in lines if line.strip()]
    for divider in (Divider.TAB, Divider.SEMICOLON):
        if any(divider in line.strip() for line in filled):
            return divider
    if filled and (all("," in line for line in filled) or _headings(next(csv.reader(filled[:1]))[:20] or [""])):
        return Divider.COMMA if any("," in line for line in filled) else Divider.NONE
    return Divider.NONE


def _cells(lines: Sequence[str], divider: Divider, flaws: list[Flaw]) -> Iterator[tuple[int, list[str]]]:
    """Each line that has something, with its number and its cells."""
    if divider in (Divider.TAB, Divider.NONE):
        for number, line in enumerate(lines, start=1):
            cells = [_unquoted(each) for each in line.split("\t")] if divider == Divider.TAB else [line]
            written = [line_written(each) for each in cells]
            if any(written):
                yield number, written
        return
    first = 1
    reader = csv.reader(io.StringIO("\n".join(lines), newline=""), delimiter=divider.value)
    for cells in reader:
        number, first = first, reader.line_num + 1
        written = [line_written(each) for each in cells]
        if any("\n" in each for each in cells):
            flaws.append(Flaw(number, "open_quote", _short(lines[number - 1]), {"last": reader.line_num}))
        elif any(written):
            yield number, written


def _unquoted(cell: str) -> str:
    """A cell from a spreadsheet's clipboard without the quotes that it has put round one with quotes in it."""
    inside = cell[1:-1]
    is_quoted = len(cell) > 4 and cell[0] == cell[-1] == '"' and '"' in inside
    return inside.replace('""', '"') if is_quoted and '"' not in inside.replace('""', "") else cell


def _heading(text: str) -> str:
    return " ".join(re.sub(r"[.:*_()]", " ", text.casefold().replace("ё", "е")).split()).replace("ф и о", "фио")


def _headings(cells: Sequence[str]) -> tuple[Part | None, ...] | None:
    """What the columns hold, where these cells are headings; None where they are a player."""
    filled = [_heading(each) for each in cells if each]
    known = [HEADINGS[each] for each in filled if each in HEADINGS]
    if len(known) * 2 < len(filled) or not (Part.NICKNAME in known or len(known) > 1):
        return None
    if Part.NICKNAME not in known:
        raise NoList("no_nicknames", headings=", ".join(each for each in cells if each)[:200])
    found: list[Part | None] = []
    for each in cells:
        part = HEADINGS.get(_heading(each))
        found.append(None if part in found and part != Part.NAME else part)  # names may lie in two columns
    return tuple(found)


def _without_numbers(cells: list[tuple[int, list[str]]]) -> tuple[list[tuple[int, list[str]]], bool]:
    """The lines without the numbers 1, 2, 3 … that they begin with, and whether they do."""
    if len(cells) < 2:
        return cells, False
    due = range(1, len(cells) + 1)
    if all(len(each) > 1 and each[0].rstrip(".)") == str(n) for n, (_line, each) in zip(due, cells, strict=True)):
        return [(line, each[1:]) for line, each in cells], True
    found = [NUMBERED.match(each[0]) for _line, each in cells]
    if all(match and match[1] == str(n) for n, match in zip(due, found, strict=True)):
        return [(line, [NUMBERED.sub("", each[0], count=1), *each[1:]]) for line, each in cells], True
    return cells, False


def _rows(cells: Sequence[tuple[int, list[str]]], columns: Sequence[Part | None], flaws: list[Flaw]) -> Iterator[Row]:
    for line, each in cells:
        told: dict[str, list[str]] = {}
        for part, text in zip(columns, each, strict=False):
            if part is not None and text:
                told.setdefault(part.value, []).append(text)
        texts = {part: " ".join(words) for part, words in told.items()}
        shown = _short("; ".join(text for text in each if text))
        long = [part for part, text in texts.items() if len(text) > LONGEST[part]]
        if "nickname" not in texts:
            flaws.append(Flaw(line, "no_nickname", shown))
        elif long:
            flaws.append(Flaw(line, "too_long", shown, {"part": long[0], "most": LONGEST[long[0]]}))
        else:
            yield Row(line, **texts)


def _in_order(flaws: list[Flaw]) -> tuple[Flaw, ...]:
    return tuple(sorted(flaws, key=lambda flaw: flaw.line))


def _short(text: str) -> str:
    written = line_written(text)
    return written if len(written) <= 80 else written[:79] + "…"
