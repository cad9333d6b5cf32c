"""The pages of a seating on paper, each as HTML: sizes of letters are chosen here, so that no word is cut.

wall    a sheet a round: tables side by side, in letters that are read from two metres
cards   a card of a quarter of A4 for each table and round
tables  a sheet a table, with all its rounds
seats   ten cards with the numbers of the seats, a sheet a table
slips   each player's rounds, several to a sheet
judges  the same for judges
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

from django.http import Http404
from django.template.loader import render_to_string
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from .lettering import POINT, lines_of, width_of
from .schedule import SEATS, RoundTold, Schedule, Table, Turn
from .schedule_words import start_words, zone_words

STYLES = ("css/seating_print.css",)
SIZES = ("a4", "a3")
POINTS = (60, 48, 40, 36, 32, 28, 24, 22, 20, 18, 16, 14, 12, 11, 10, 9, 8, 7)  # each has a class in the style sheet
LEADING = 1.15  # of the letters' size, from line to line
Each = TypeVar("Each")
Page = tuple[str, int]  # HTML, and how many names are on it


class Fitted(NamedTuple):
    """Words with the class of their size."""

    words: str
    size: str


@lru_cache(maxsize=8192)
def fitted(words: str, width: float, height: float, most: int = 60) -> Fitted:
    """The words in the largest letters, at most `most` points, in which they fit into a place of so many mm.

    Words are broken only where they fit in no size of letters whole.
    """
    longest = max((width_of(word) for word in words.split()), default=0.0)
    for breaks in (False, True):
        for points in POINTS:
            em = points * POINT
            lines = int(height / (em * LEADING))
            if points > most or not lines or (not breaks and longest * em > width):
                continue
            if lines_of(words, width / em) <= lines:
                return Fitted(words, f"p{points}")
    return Fitted(words, f"p{POINTS[-1]}")


def pages_of(schedule: Schedule, kind: str, *, size: str = "a4", person: int | None = None) -> Iterator[Page]:
    """The pages of a paper, each with how many names are on it. Raises KeyError for another kind, and Http404 where
    there is nothing to print, or no such person.
    """
    pages = list(PRINTED[kind](schedule, size, person))
    if not pages:
        raise Http404
    return iter(pages)


def _page(schedule: Schedule, kind: str, context: dict[str, Any]) -> str:
    about = {
        "tournament": schedule.tournament,
        "zone": zone_words(schedule),
        "is_draft": schedule.is_draft,
    }
    return render_to_string(f"protocols/seating_{kind}_print.html", about | context)


# ---------------------------------------------------------------- the wall


class Sheet(NamedTuple):
    """How tables stand on a sheet, mm: the inner width, the heights of a table's head and of a seat."""

    css: str
    width: float
    head: float
    row: float


A4, A3, A3_TWO = Sheet("a4", 281, 13, 15), Sheet("a3", 400, 20, 20), Sheet("a3-two", 400, 14, 10)
ACROSS = {"a4": 3, "a3": 5}
SEAT_MM, GAP_MM = 12.0, 6.5  # the number of the seat; what is between two tables


def _wall(schedule: Schedule, size: str, person: int | None) -> Iterator[Page]:
    across = ACROSS[size]
    for round in schedule.rounds:
        tables = () if round.is_cancelled else round.tables
        most = across if size == "a4" or len(tables) <= across else 2 * across
        groups = shared_out(tables, most) or [()]
        for group in groups:
            rows = shared_out(group, across)
            sheet = A4 if size == "a4" else A3_TWO if len(rows) > 1 else A3
            columns = max((len(row) for row in rows), default=1)
            context = {
                "round": round,
                "title": fitted(f"{schedule.tournament.title} · {round.stage.name}", sheet.width * 0.36, 18, 20),
                "start": fitted(start_words(round.starts_at), sheet.width * 0.36, 18, 36),
                "because": fitted(round.cancelled_because, sheet.width, 120),
                "css": sheet.css,
                "columns": range(columns),
                "rows": [
                    [_on_the_wall(table, sheet, columns) for table in row] + [None] * (columns - len(row))
                    for row in rows
                ],
                "part": (group[0].number, group[-1].number) if len(groups) > 1 else None,
            }
            yield _page(schedule, "wall", context), 10 * len(group) + 5


def _on_the_wall(table: Table, sheet: Sheet, columns: int) -> dict[str, Any]:
    width = sheet.width / columns - GAP_MM
    return {
        "number": table.number,
        "judge": fitted(table.judge, width, sheet.head * 0.4, 16),
        "seats": [(seat, fitted(name, width - SEAT_MM, sheet.row - 1, 36)) for seat, name in table.nicknames],
    }


def shared_out(items: Sequence[Each], most: int) -> list[Sequence[Each]]:
    """The items in as few groups of at most `most` as can be, about equally many in each.

    >>> [len(group) for group in shared_out(range(11), 5)]
    [4, 4, 3]
    """
    groups = -(-len(items) // most)
    each, more = divmod(len(items), groups) if groups else (0, 0)
    starts = [number * each + min(number, more) for number in range(groups + 1)]
    return [items[start:end] for start, end in pairwise(starts)]


# ---------------------------------------------------------------- for the tables


CARDS = 4  # on a sheet
CARD_MM = 93.0  # inner width
ROUNDS = 15  # on a table's sheet
LINES = (24, 20, 15, 12, 10)  # mm, heights of a round there


def _cards(schedule: Schedule, size: str, person: int | None) -> Iterator[Page]:
    cards = [
        {
            "round": round,
            "start": start_words(round.starts_at),
            "number": table.number,
            "judge": fitted(table.judge, CARD_MM, 6, 12),
            "title": fitted(f"{schedule.tournament.title} · {round.stage.name}", CARD_MM, 8, 10),
            "seats": [(seat, fitted(name, CARD_MM - 12, 7.6, 18)) for seat, name in table.nicknames],
        }
        for round in schedule.rounds
        if not round.is_cancelled
        for table in round.tables
    ]
    for group in _in_turn(cards, CARDS):
        yield _page(schedule, "cards", {"rows": _in_turn(group, 2)}), 10 * len(group)


def _tables(schedule: Schedule, size: str, person: int | None) -> Iterator[Page]:
    for stage in schedule.stages:
        rounds = [round for round in schedule.rounds if round.stage == stage and not round.is_cancelled]
        for number in _numbers(rounds):
            lines = [(round, table) for round in rounds for table in round.tables if table.number == number]
            for group in shared_out(lines, ROUNDS):
                height = next((each for each in LINES if each * len(group) <= 150), LINES[-1])
                context = {
                    "number": number,
                    "css": height,
                    "title": fitted(f"{schedule.tournament.title} · {stage.name}", 190, 12, 18),
                    "seats": SEATS,
                    "lines": [_line(round, table, height) for round, table in group],
                }
                yield _page(schedule, "tables", context), 10 * len(group)


def _line(round: RoundTold, table: Table, height: float) -> dict[str, Any]:
    return {
        "number": round.number,
        "start": date_format(round.starts_at, "d.m H:i") if round.starts_at else "",
        "judge": fitted(table.judge, 29, height - 5, 8),
        "seats": [fitted(name, 23.2, height - 1, 14) for _seat, name in table.nicknames],
    }


def _seats(schedule: Schedule, size: str, person: int | None) -> Iterator[Page]:
    for number in _numbers(schedule.rounds):
        yield _page(schedule, "seats", {"number": number, "rows": _in_turn(SEATS, 2)}), 5


def _numbers(rounds: Sequence[RoundTold]) -> list[int]:
    return sorted({table.number for round in rounds if not round.is_cancelled for table in round.tables})


def _in_turn(items: Sequence[Each], many: int) -> list[Sequence[Each]]:
    return [items[start : start + many] for start in range(0, len(items), many)]


# ---------------------------------------------------------------- for the pocket


SLIP_MM, JUDGE_MM, BECAUSE_MM = 93.0, 43.0, 62.0  # inner width; that of a judge's name, and of a reason
SLIP_HEAD_MM, SLIP_LINE_MM = 31.0, 4.3  # all but the lines, padding included; a line
SHEET_MM = 297.0
DOWN = (5, 4, 3, 2, 1)  # slips one under another


def _slips(schedule: Schedule, size: str, person: int | None) -> Iterator[Page]:
    yield from _slips_of(schedule, schedule.turns_of_players(), schedule.nicknames, person, is_judge=False)


def _judges(schedule: Schedule, size: str, person: int | None) -> Iterator[Page]:
    yield from _slips_of(schedule, schedule.turns_of_judges(), schedule.judges, person, is_judge=True)


def _slips_of(
    schedule: Schedule, turns: dict[int, list[Turn]], names: dict[int, str], person: int | None, *, is_judge: bool
) -> Iterator[Page]:
    keys = [key for key in turns if person in (None, key)]
    if not keys:
        return
    slips = [_slip(schedule, names[key], turns[key]) for key in keys]
    tallest = max(slip["height"] for slip in slips)
    down = next((each for each in DOWN if SHEET_MM / each >= tallest), 1)
    for group in _in_turn(slips, 2 * down):
        context = {"rows": _in_turn(group, 2), "down": down, "is_judge": is_judge}
        yield _page(schedule, "slips", context), 2 * sum(len(slip["lines"]) for slip in group)


def _slip(schedule: Schedule, name: str, turns: list[Turn]) -> dict[str, Any]:
    lines: list[dict[str, Any]] = []
    height, stage = SLIP_HEAD_MM, turns[0].round.stage
    several = any(turn.round.stage != stage for turn in turns)
    told = None
    for turn in turns:
        if several and turn.round.stage != told:
            told = turn.round.stage
            lines.append({"stage": fitted(told.name, SLIP_MM, SLIP_LINE_MM, 9)})
            height += SLIP_LINE_MM
        off = turn.round.is_cancelled
        words = _("cancelled: %(reason)s") % {"reason": turn.round.cancelled_because} if off else _judge_of(turn)
        said, tall = _said(words, BECAUSE_MM if off else JUDGE_MM)
        lines.append({"turn": turn, "start": _short(turn), "said": said})
        height += tall
    where = schedule.tournament.title if several else f"{schedule.tournament.title} · {stage.name}"
    return {
        "name": fitted(name, SLIP_MM, 8, 16), "where": fitted(where, SLIP_MM, 6.2, 8), "lines": lines, "height": height,
    }  # fmt: skip


def _judge_of(turn: Turn) -> str:
    return turn.table.judge if turn.table else ""


def _said(words: str, width: float) -> tuple[Fitted, float]:
    """Words in a line of a slip, small ones in several lines where they must; and how high the line is, mm."""
    for lines in (1, 2, 3, 4):
        height = max(SLIP_LINE_MM, lines * 7 * POINT * LEADING + 0.4)
        said = fitted(words, width, height, 8)
        if lines_of(words, width / (int(said.size[1:]) * POINT)) <= lines:
            break
    return said, height


def _short(turn: Turn) -> str:
    return date_format(turn.round.starts_at, "d.m H:i") if turn.round.starts_at else "—"


PRINTED: dict[str, Callable[[Schedule, str, int | None], Iterator[Page]]] = {
    "wall": _wall,
    "cards": _cards,
    "tables": _tables,
    "seats": _seats,
    "slips": _slips,
    "judges": _judges,
}
"""What there is on paper."""
