"""Filled sheets for tests, played by the language of the cases; and what can be read back from a PDF."""

from __future__ import annotations

import re
import subprocess
import tempfile
from dataclasses import dataclass, replace
from html import unescape
from io import BytesIO
from pathlib import Path

from PIL import Image
from pypdf import PdfReader

from protocols.rules.sheet import Header, Sheet, sheet
from tests.games.runner import play
from tests.games.script import read_case

POINT = 25.4 / 72  # mm
HEADER = Header("Кубок Невы", "Отборочная стадия", 7, 3, "2025-03-14", "Соколова")
NICKNAMES = ("Астра", "Барс", "Вега", "Гранит", "Дельта", "Ёж", "Жар-птица", "Зенит", "Искра", "Йод")

FIVE_DAYS = """\
# A 9.5: five days of votes: two revotes and the question, a miss, a cancelled vote, a red win
roles   К К Ш К Ч К Д К Ч К
day 1   nominate 1>5, 2>9, 3>4 · vote 5=4, 9=4, 4=2 · revote 5=5, 9=5 · raise 4 of 10
night 1 shot 4 · best 5 7 1
day 2   foul 6 6.6.1 ×3 · nominate 1>2 · vote 2=9
night 2 miss
day 3   nominate 7>1, 8>9 · vote 1=3 · disqualify 10 6.7.4
night 3 miss
day 4   nominate 1>5, 3>7 · vote 5=5, 7=2
night 4 shot 8
day 5   nominate 1>7, 3>9 · vote 7=3, 9=2
night 5 shot 1
day 6   nominate 3>9 · vote 9=3
        extra 3 1 · extra 6 0.5
"""

RAISED = """\
# A 9.5: two revotes and both raised, a removal at night, one candidate
roles   К К Ш К Ч К Д К Ч К
day 1   nominate 1>5, 2>9, 3>4 · vote 5=4, 9=4, 4=2 · revote 5=5, 9=5 · raise 6 of 10
night 1 disqualify 8 6.7.2 · miss
day 2   nominate 1>2, 3>4
night 2 shot 2
day 3
"""


def played(text: str, nicknames: tuple[str, ...] = NICKNAMES, header: Header = HEADER) -> Sheet:
    """The sheet of the game that the case tells."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "case.txt"
        path.write_text(text, encoding="utf-8")
        state = play(read_case(path)).state
    return sheet(state, header, dict(enumerate(nicknames, start=1)))


def with_nicknames(value: Sheet, nicknames: dict[int, str]) -> Sheet:
    """The sheet with other nicknames in those seats."""
    rows = tuple(replace(row, nickname=nicknames.get(row.seat, row.nickname)) for row in value.rows)
    return replace(value, rows=rows)


# ---------------------------------------------------------------- what stands on a page


@dataclass(frozen=True)
class Word:
    """A word of a page and its box, mm from the top left corner."""

    text: str
    left: float
    top: float
    right: float
    bottom: float


def words_of(pdf: bytes, page: int = 1) -> list[Word]:
    """The words of a page as poppler finds them, in the order of drawing."""
    out = _poppler(pdf, "pdftotext", "-bbox", "-f", str(page), "-l", str(page), "{in}", "-").decode()
    found = re.findall(r'<word xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax="(.*?)">(.*?)</word>', out)
    return [Word(unescape(text), *(float(number) * POINT for number in box)) for *box, text in found]


def text_in(words: list[Word], left: float, top: float, width: float, height: float) -> str:
    """What is written in a box of the form, mm: the words whose middle lies in it, line by line."""
    inside = [
        word
        for word in words
        if left <= (word.left + word.right) / 2 < left + width and top <= (word.top + word.bottom) / 2 < top + height
    ]
    lines: list[list[Word]] = []
    for word in sorted(inside, key=lambda word: word.top + word.bottom):
        if not lines or (word.top + word.bottom) - (lines[-1][0].top + lines[-1][0].bottom) > 3:
            lines.append([])
        lines[-1].append(word)
    return " ".join(word.text for line in lines for word in sorted(line, key=lambda word: word.left))


def heads_of(pdf: bytes) -> list[str]:
    """The header that stands again on each back."""
    pages = len(PdfReader(BytesIO(pdf)).pages)
    return [text_in(words_of(pdf, page), 18, 9, 261, 7) for page in range(2, pages + 1, 2)]


def picture_of(pdf: bytes, page: int = 1, dpi: int = 150) -> Image.Image:
    """The page as it is printed."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "page"
        pages = ("-f", str(page), "-l", str(page), "-singlefile")
        _poppler(pdf, "pdftoppm", "-r", str(dpi), *pages, "-png", "{in}", str(target))
        with Image.open(target.with_suffix(".png")) as image:
            image.load()
            return image.convert("RGB")


def _poppler(pdf: bytes, *command: str) -> bytes:
    with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
        file.write(pdf)
        file.flush()
        words = [part.replace("{in}", file.name) for part in command]
        return subprocess.run(words, check=True, capture_output=True).stdout


# ---------------------------------------------------------------- the boxes of the form, mm

ROW_TOP, ROW_HEIGHT = 52.2, 10.1
COLUMNS = {
    "seat": (18.0, 7.9), "nickname": (25.9, 54.0), "role": (79.9, 10.1), "foul 1": (90.0, 7.5), "foul 2": (97.5, 7.5),
    "foul 3": (105.0, 7.5), "foul 4": (112.5, 7.4), "points": (119.9, 11.9), "extra": (131.8, 13.2),
    "star": (13.0, 5.0),
}  # fmt: skip


def row_of(words: list[Word], seat: int) -> dict[str, str]:
    """A player's row, by column."""
    top = ROW_TOP + ROW_HEIGHT * (seat - 1)
    return {name: text_in(words, left, top, width, ROW_HEIGHT) for name, (left, width) in COLUMNS.items()}


def block_of(words: list[Word], number: int) -> tuple[str, list[str]]:
    """A vote block: its title with what stands at its end, and its four rows of cells."""
    top = 17.5 + 25 * (number - 1)
    rows = [text_in(words, 171.4, top + 5 * row, 108.2, 5) for row in range(1, 5)]
    return text_in(words, 157, top, 122.6, 5), rows
