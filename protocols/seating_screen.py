"""A round's seating on the hall's screen: as many tables as can be read at once, the others in turn."""

from __future__ import annotations

from dataclasses import dataclass

from .lettering import lines_of, width_of
from .schedule import RoundTold, Table
from .seating_print import shared_out

AT_ONCE = 15  # tables: five side by side, three one under another
ACROSS = 5
TURN = 15  # seconds for which a part of the tables stands
SCALES = (100, 85, 70)  # per cent of the letters of a seat; each has a class in the style sheet
TWO_LINES = 60  # per cent, at which two lines stand in one seat's place
# Of a column, in letters of a seat, by how many rows of tables there are: a screen of 16 to 9 less what stands around.
WIDTHS = {1: 43.0, 2: 60.0, 3: 88.0}
NUMBER = 3.4  # letters that the seat's number and the gap beside a column take


@dataclass(frozen=True, slots=True)
class Shown:
    """A table on the screen: each seat with its nickname and the class of its size."""

    number: int
    judge: str
    seats: tuple[tuple[int, str, str], ...]


@dataclass(frozen=True, slots=True)
class Screen:
    """What stands on the screen now."""

    round: RoundTold
    tables: tuple[Shown, ...]
    columns: int
    rows: int
    part: int  # from 1
    parts: int


def screen_of(round: RoundTold, now: float) -> Screen:
    """The round as the screen shows it at that moment, s since 1970."""
    tables = () if round.is_cancelled else round.tables
    groups = shared_out(tables, AT_ONCE) or [()]
    part = int(now // TURN) % len(groups)
    group = groups[part]
    rows = max(1, -(-len(group) // ACROSS))
    columns = max(1, -(-len(group) // rows))
    letters = WIDTHS[rows] / columns - NUMBER
    shown = tuple(_shown(table, letters) for table in group)
    return Screen(round, shown, columns, rows, part + 1, len(groups))


def _shown(table: Table, letters: float) -> Shown:
    return Shown(
        table.number, table.judge, tuple((seat, name, _scale(name, letters)) for seat, name in table.nicknames)
    )


def _scale(name: str, letters: float) -> str:
    """The largest size in which the nickname stands on one line; otherwise that of two lines, or of three."""
    width = width_of(name)
    for scale in SCALES:
        if width * scale / 100 <= letters:
            return f"s{scale}"
    return f"s{TWO_LINES}" if lines_of(name, letters * 100 / TWO_LINES) <= 2 else "s40"
