"""What a measurement prints: figures of a sample, and one aligned table a measure."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` (0–1) of the values don't exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


@dataclass(frozen=True, slots=True)
class Sample:
    """Times of one thing, in seconds."""

    values: tuple[float, ...]

    @property
    def median(self) -> float:
        """Half of the values lie below."""
        return statistics.median(self.values)

    @property
    def spread(self) -> str:
        """The 10th and the 90th percentile, in milliseconds."""
        return f"{ms(percentile(self.values, 0.1))}–{ms(percentile(self.values, 0.9))}"


def ms(seconds: float) -> str:
    """Milliseconds to three significant digits, as far as they mean anything."""
    value = seconds * 1000
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def times(ratio: float) -> str:
    """A ratio to its floor."""
    return f"{ratio:.2f}×"


def verdict(value: float, aim: float) -> str:
    """Whether the aim, a largest value, is met."""
    return "met" if value <= aim else "missed"


def show(title: str, headings: Sequence[str], rows: Sequence[Sequence[object]], *notes: str) -> None:
    """Prints a table: the first column left, the others right, notes below."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in [list(headings), *cells]) for i in range(len(headings))]

    def line(row: Sequence[str]) -> str:
        padded = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        return "  ".join([row[0].ljust(widths[0]), *padded[1:]]).rstrip()

    print(f"\n{title}\n")
    print(f"  {line(headings)}")
    print(f"  {'  '.join('─' * width for width in widths)}")
    for row in cells:
        print(f"  {line(row)}")
    for note in notes:
        print(f"  {note}")
    print(flush=True)
