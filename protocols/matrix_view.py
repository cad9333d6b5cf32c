"""The matrices of a seating as pictures: drawn here, with a number in every cell, so that no colour has to be seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

CELL = 22  # units of the picture
LEVELS = 5


@dataclass(frozen=True, slots=True)
class Cell:
    """A square with its number; `level` from 0 to 5 is how dark it is."""

    x: int
    y: int
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A matrix as it is drawn: rows and columns by their numbers, cells, and the legend."""

    width: int
    height: int
    columns: tuple[tuple[int, str], ...]
    rows: tuple[tuple[int, str], ...]
    cells: tuple[Cell, ...]
    legend: tuple[tuple[int, int, int], ...]  # value, level, how many cells
    table: tuple[tuple[str, tuple[str, ...]], ...]  # the same to be read


def picture_of(matrix: Sequence[Sequence[int]], *, names: Sequence[str], is_of_pairs: bool) -> Picture:
    """The picture of a matrix of whole numbers; `is_of_pairs`: the diagonal is empty and each pair counts once."""
    values = [
        value for row, line in enumerate(matrix) for column, value in enumerate(line) if not is_of_pairs or column > row
    ]
    low, high = min(values, default=0), max(values, default=0)

    def level(value: int) -> int:
        return round((value - low) * LEVELS / (high - low)) if high > low else 0

    shown = [
        ["" if is_of_pairs and row == column else str(value) for column, value in enumerate(line)]
        for row, line in enumerate(matrix)
    ]
    cells = tuple(
        Cell((column + 1) * CELL, (row + 1) * CELL, level(value), shown[row][column])
        for row, line in enumerate(matrix)
        for column, value in enumerate(line)
        if shown[row][column]
    )
    wide = len(matrix[0]) if matrix else 0
    return Picture(
        width=(wide + 1) * CELL,
        height=(len(matrix) + 1) * CELL,
        columns=tuple(((number + 1) * CELL, str(number + 1)) for number in range(wide)),
        rows=tuple(((number + 1) * CELL, str(number + 1)) for number in range(len(matrix))),
        cells=cells,
        legend=tuple((value, level(value), values.count(value)) for value in sorted(set(values))),
        table=tuple((name, tuple(line)) for name, line in zip(names, shown, strict=True)),
    )
