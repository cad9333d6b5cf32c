"""How wide words come out on paper, measured in the very fonts that the form is printed in.

Sizes of letters are chosen here, before anything is laid out, so that a row of the form never grows.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from django.contrib.staticfiles import finders
from fontTools.ttLib import TTFont

FONTS = ("fonts/ibm-plex-sans-400.ttf", "fonts/noto-emoji-400.ttf")
POINT = 25.4 / 72  # mm
UNKNOWN = 1.3  # em; a letter that neither font has, taken as wide as an emoji
WEIGHTLESS = {0x200D, 0xFE0E, 0xFE0F, *range(0x1F3FB, 0x1F400)}  # joiners, variants and tones draw nothing themselves


class Size(NamedTuple):
    """A size of letters: its CSS class, points, and the number of lines that its place has room for."""

    css: str
    points: float
    lines: int


@cache
def _widths() -> dict[int, float]:
    """Code point → width in em; the text font is asked before that of the emoji."""
    found: dict[int, float] = dict.fromkeys(WEIGHTLESS, 0.0)
    for name in FONTS:
        font = TTFont(finders.find(name), lazy=True)
        advances, em = font["hmtx"].metrics, font["head"].unitsPerEm
        for code, glyph in font.getBestCmap().items():
            found.setdefault(code, advances[glyph][0] / em)
        font.close()
    return found


def width_of(text: str) -> float:
    """The width of the text on one line, in em."""
    widths = _widths()
    return sum(widths.get(ord(letter), UNKNOWN) for letter in text)


def lines_of(text: str, width: float) -> int:
    """How many lines of that width in em the text takes: broken between words, and inside a word only if it must."""
    space = width_of(" ")
    lines, filled = 1, 0.0
    for word in text.split():
        length = width_of(word)
        if filled and filled + space + length <= width:
            filled += space + length
            continue
        if filled:
            lines, filled = lines + 1, 0.0
        for letter in word if length > width else ():
            step = width_of(letter)
            if filled + step > width:
                lines, filled = lines + 1, 0.0
            filled += step
        if length <= width:
            filled = length
    return lines


def size_for(text: str, width: float, sizes: Sequence[Size]) -> Size:
    """The first of the sizes in which the text fits into `width` mm; the last one if none does."""
    return next((size for size in sizes if lines_fit(text, width, size)), sizes[-1])


def lines_fit(text: str, width: float, size: Size) -> bool:
    """Whether the text, in that size, fits into the lines of a place `width` mm wide."""
    return lines_of(text, width / (size.points * POINT)) <= size.lines
