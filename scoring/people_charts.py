"""Plain charts: whole numbers for a picture that the server draws, and the same in a table for whoever can't see it.

A chart is columns on one scale, each of one or two parts (of games, those won). Every length is a whole number of the
picture's own units, which are a phone's pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 320, 180  # the whole picture
TOP, BOTTOM, SIDE = 22, 24, 8  # above the columns for their figures, below for their names, beside
NARROW = 12  # columns on which names have room


@dataclass(frozen=True, slots=True)
class Bar:
    """What a column shows: its whole, and a part of it or None; `value` is said above it."""

    name: str
    whole: int
    part: int | None
    value: str
    about: str = ""  # the same in words, for the table's caption or a pointer


@dataclass(frozen=True, slots=True)
class Column:
    """A column drawn: where it stands, how high it and its part are."""

    bar: Bar
    left: int
    middle: int
    width: int
    top: int
    height: int
    part_top: int
    part_height: int
    name_shown: str
    value_top: int


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture of columns, the table beside it, and what both are called."""

    key: str
    title: str
    about: str  # one sentence of what it shows
    columns: tuple[Column, ...]
    heads: tuple[str, ...]  # of the table
    rows: tuple[tuple[str, ...], ...]
    base: int  # where zero is
    width: int = WIDTH
    height: int = HEIGHT


def chart(
    key: str, title: str, about: str, bars: Sequence[Bar], heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]
) -> Chart:
    """The picture of these columns, one or more; values below 0 hang under the line.

    >>> drawn = chart("k", "", "", [Bar("К", 4, 2, ""), Bar("Ч", 2, None, "")], (), ())
    >>> [(column.left, column.width, column.height, column.part_height) for column in drawn.columns]
    [(18, 132, 134, 67), (170, 132, 67, 0)]
    """
    highest, lowest = max(0, *(bar.whole for bar in bars)), min(0, *(bar.whole for bar in bars))
    room = HEIGHT - TOP - BOTTOM
    span = max(1, highest - lowest)
    base = TOP + room * highest // span
    step = (WIDTH - 2 * SIDE) / len(bars)
    columns = []
    for index, bar in enumerate(bars):
        left, right = SIDE + round(index * step), SIDE + round((index + 1) * step)
        gap = max(1, (right - left) // 14) if len(bars) < 40 else 0
        height = room * abs(bar.whole) // span
        top = base - height if bar.whole >= 0 else base
        part = room * abs(bar.part or 0) // span
        columns.append(
            Column(
                bar=bar, left=left + gap, middle=(left + right) // 2, width=max(1, right - left - 2 * gap), top=top,
                height=height, part_top=base - part, part_height=part,
                name_shown=bar.name if len(bars) <= NARROW else "", value_top=max(top - 6, 12),
            )
        )  # fmt: skip
    return Chart(key, title, about, tuple(columns), heads, tuple(rows), base)
