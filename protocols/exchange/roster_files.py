"""A list of players as a file: CSV in UTF-8, UTF-16 or Windows-1251, or an Excel workbook; read within bounds.

Of a workbook only the first visible sheet is read. It is read here and not by a library, because a list needs no
more than texts of cells, and everything that a stranger's file may hold must stay bounded: nothing is unpacked beyond
`MOST_UNPACKED`, and a document type, by which XML is made to swell or to fetch something, is refused.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from xml.parsers import expat

from .packed import Packed, Spoilt
from .roster import LONGEST_TEXT, MOST_LINES, NoList

MAX_BYTES = 2_000_000
MOST_UNPACKED = 5_000_000  # bytes, of each part of a workbook that is read
MOST_PARTS = 2_000
MOST_COLUMNS = 40
OLE = bytes.fromhex("d0cf11e0a1b11ae1")  # Excel before 2007, and any workbook under a password
BREAKS = re.compile(r"_x000[AaDd9]_|[\t\r\n]+")


@dataclass(frozen=True, slots=True)
class ListFile:
    """A file as text, one player a line; the lines are numbered as in the file."""

    text: str
    how: str  # utf-8, utf-16, windows-1251 or excel
    sheet: str = ""  # the one that was read, where there are others


def text_of(raw: bytes) -> ListFile:
    """The file as text. Raises NoList."""
    if len(raw) > MAX_BYTES:
        raise NoList("too_big", megabytes=MAX_BYTES // 1_000_000)
    if raw.startswith(b"PK\x03\x04"):
        return _workbook(raw)
    if raw.startswith(OLE):
        raise NoList("old_excel")
    try:
        text, how = _decoded(raw)
    except UnicodeDecodeError:
        raise NoList("not_text") from None
    if any(unicodedata.category(each) == "Cc" and each not in "\t\r\n\x1a\x0b\x0c" for each in text):
        raise NoList("not_text")
    if not text.strip():
        raise NoList("empty")
    return ListFile(text, how)


def _decoded(raw: bytes) -> tuple[str, str]:
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return raw.decode("utf-16"), "utf-16"
    try:
        return raw.decode("utf-8-sig"), "utf-8"
    except UnicodeDecodeError:
        return raw.decode("cp1251"), "windows-1251"


# ---------------------------------------------------------------- workbooks


def _workbook(raw: bytes) -> ListFile:
    try:
        packed = Packed(raw)
        if len(packed.names) > MOST_PARTS:
            raise NoList("too_much_inside", megabytes=MOST_UNPACKED // 1_000_000)
        if "xl/workbook.xml" not in packed.names:
            raise NoList("other_zip")
        book, links, texts = _Book(), _Links(), _SharedTexts()
        _parse(packed, "xl/workbook.xml", book)
        sheet = book.first()
        _parse(packed, "xl/_rels/workbook.xml.rels", links)
        if "xl/sharedStrings.xml" in packed.names:
            _parse(packed, "xl/sharedStrings.xml", texts)
        cells = _Cells(texts.found)
        _parse(packed, links.part(sheet.link), cells)
    except (Spoilt, expat.ExpatError):
        raise NoList("broken_excel") from None
    if not cells.rows:
        raise NoList("empty")
    text = "\n".join(_line(cells.rows.get(number, {})) for number in range(1, max(cells.rows) + 1))
    if len(text) > LONGEST_TEXT:
        raise NoList("too_long", most=LONGEST_TEXT)
    return ListFile(text, "excel", sheet.name if len(book.sheets) > 1 else "")


def _line(cells: dict[int, str]) -> str:
    if not cells:
        return ""
    line = [cells.get(column, "") for column in range(min(max(cells) + 1, MOST_COLUMNS))]
    return "\t".join(line) if len(line) > 1 else line[0]


class _Part:
    """What is heard of a part of a workbook: the elements by their local names."""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""

    def end(self, name: str) -> None:
        """An element ends."""

    def words(self, text: str) -> None:
        """Characters between tags."""


def _parse(packed: Packed, name: str, part: _Part) -> None:
    """Plays the part's XML to `part`, without unpacking more than is allowed. Raises NoList, Spoilt and ExpatError."""
    raw = packed.part(name, MOST_UNPACKED)
    if len(raw) > MOST_UNPACKED:
        raise NoList("too_much_inside", megabytes=MOST_UNPACKED // 1_000_000)
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True

    def local(name: str) -> str:
        return name.rpartition(" ")[2]

    def begin(name: str, attributes: dict[str, str]) -> None:
        part.start(local(name), {local(key): value for key, value in attributes.items()})

    def refuse(*_told: object) -> None:
        raise NoList("broken_excel")

    def declare(_version: str, encoding: str | None, _standalone: int) -> None:
        if encoding is not None and encoding.lower() not in ("utf-8", "utf-16"):
            refuse()

    finish: Callable[[str], None] = lambda name: part.end(local(name))  # noqa: E731
    parser.StartElementHandler, parser.EndElementHandler = begin, finish
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = part.words, refuse
    parser.XmlDeclHandler = declare
    parser.Parse(raw, True)


@dataclass(frozen=True, slots=True)
class _Sheet:
    name: str
    link: str
    is_hidden: bool


@dataclass(slots=True)
class _Book(_Part):
    """The sheets of a workbook, in their order."""

    sheets: list[_Sheet] = field(default_factory=list)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "sheet":
            is_hidden = attributes.get("state", "visible") != "visible"
            self.sheets.append(_Sheet(attributes.get("name", ""), attributes.get("id", ""), is_hidden))

    def first(self) -> _Sheet:
        """The first sheet that can be seen. Raises NoList where there is none at all."""
        if not self.sheets:
            raise NoList("broken_excel")
        return next((sheet for sheet in self.sheets if not sheet.is_hidden), self.sheets[0])


@dataclass(slots=True)
class _Links(_Part):
    """Where the sheets lie."""

    targets: dict[str, str] = field(default_factory=dict)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "Relationship":
            self.targets[attributes.get("Id", "")] = attributes.get("Target", "")

    def part(self, link: str) -> str:
        """The name of the part that the link leads to. Raises NoList where it leads nowhere."""
        target = self.targets.get(link)
        if not target:
            raise NoList("broken_excel")
        return target[1:] if target.startswith("/") else f"xl/{target}"


@dataclass(slots=True)
class _SharedTexts(_Part):
    """The texts that cells name by their number; readings above the signs are no part of them."""

    found: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    is_text: bool = False
    is_reading: bool = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "si":
            self.text = []
        self.is_text = name == "t" and not self.is_reading
        self.is_reading = self.is_reading or name == "rPh"

    def end(self, name: str) -> None:
        if name == "si":
            self.found.append("".join(self.text))
        self.is_text = False
        self.is_reading = self.is_reading and name != "rPh"

    def words(self, text: str) -> None:
        if self.is_text:
            self.text.append(text)


@dataclass(slots=True)
class _Cells(_Part):
    """The texts of a sheet's cells by row, from 1, and column, from 0; rows without a text are not there."""

    shared: list[str]
    rows: dict[int, dict[int, str]] = field(default_factory=dict)
    row: int = 0
    column: int = -1
    kind: str = ""
    told: dict[str, list[str]] = field(default_factory=dict)  # of the cell: v, f and t
    inside: str = ""
    is_reading: bool = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "row":
            self.row = _count(attributes["r"]) if "r" in attributes else self.row + 1
            self.column = -1
        elif name == "c":
            self.column = _column(attributes["r"]) if "r" in attributes else self.column + 1
            self.kind, self.told = attributes.get("t", "n"), {}
        elif name == "rPh":
            self.is_reading = True
        self.inside = name if name in ("v", "f", "t") and not self.is_reading else ""

    def end(self, name: str) -> None:
        self.inside = ""
        if name == "rPh":
            self.is_reading = False
        if name == "c":
            text = BREAKS.sub(" ", self._text()).strip()
            if text and self.column < MOST_COLUMNS:
                if self.row > MOST_LINES:
                    raise NoList("too_many_lines", lines=self.row, most=MOST_LINES)
                self.rows.setdefault(self.row, {})[self.column] = text

    def words(self, text: str) -> None:
        if self.inside:
            self.told.setdefault(self.inside, []).append(text)

    def _text(self) -> str:
        """A text as it stands; of a formula its words, or, where it gives a number, the formula itself."""
        value = "".join(self.told.get("v", ()))
        if self.kind == "inlineStr":
            return "".join(self.told.get("t", ()))
        if self.kind == "s":
            return self._shared(value) if value else ""
        if self.kind == "e":
            return ""
        if "f" in self.told and self.kind != "str":
            return "=" + "".join(self.told["f"])
        return _number(value) if self.kind == "n" else value

    def _shared(self, number: str) -> str:
        at = _count(number)
        if at >= len(self.shared):
            raise NoList("broken_excel")
        return self.shared[at]


def _count(text: str) -> int:
    """A number of a row or of a text. Raises NoList."""
    if not (text.isascii() and text.isdigit() and len(text) < 9):
        raise NoList("broken_excel")
    return int(text)


def _column(reference: str) -> int:
    letters = reference.rstrip("0123456789").upper()
    if not letters or len(letters) > 3 or not letters.isascii() or not letters.isalpha():
        raise NoList("broken_excel")
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _number(value: str) -> str:
    """The number as it is read: 7 and not 7.0."""
    try:
        exact = Decimal(value)
        is_whole = abs(exact) < 10**15 and exact == exact.to_integral_value()
    except InvalidOperation:
        return value
    return str(int(exact)) if is_whole else value
