"""The ruled lines of the form's back: explanations of extra points and penalties, comments on the protest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from .lettering import POINT, lines_of
from .rules.sheet import Remark, Sheet
from .wording import clause_words, points_words

REMARK_LINES, PROTEST_LINES = 14, 7  # that the empty form has
LINE_MM = 256.0  # inner width
CHECK_MM = 68.0  # of it, what the proof of a signed sheet takes of the lines beside it
POINTS = 9.5

# How far apart the lines stand, mm, as sheet.css has it, and what is there to share with blocks of votes.
PITCHES = (("", 7.5), ("close", 6.5), ("closer", 5.2), ("closest", 4.0))
ROOM_MM, BLOCK_MM = 166.0, 27.0


def remark_lines(sheet: Sheet) -> tuple[str, ...]:
    """The judge's explanations: extra points, penalties, warnings, rulings, notes; the same one twice is one line."""
    lines = [*(_remark(remark) for remark in sheet.remarks), *sheet.notes]
    return tuple(line if times == 1 else f"{line} × {times}" for line, times in Counter(lines).items())


def protest_lines(text: str) -> tuple[str, ...]:
    """A protest too long for its box on the front."""
    return tuple(part.strip() for part in text.splitlines() if part.strip())


def density_of(blocks: int, remarks: tuple[str, ...], protest: tuple[str, ...], *, is_checked: bool = False) -> str:
    """How close the lines of the back must stand for everything to be on it; the closest if nothing will do."""
    room = ROOM_MM - (blocks + 1) // 2 * BLOCK_MM
    protest_mm = LINE_MM - CHECK_MM if is_checked else LINE_MM
    lines = max(REMARK_LINES, _taken(remarks)) + max(PROTEST_LINES, _taken(protest, protest_mm))
    return next((name for name, pitch in PITCHES if lines * pitch <= room), PITCHES[-1][0])


def _taken(lines: tuple[str, ...], width: float = LINE_MM) -> int:
    return sum(lines_of(line, width / (POINTS * POINT)) for line in lines)


def _remark(remark: Remark) -> str:
    who = _("No. %(seat)d %(nickname)s") % {"seat": remark.seat, "nickname": remark.nickname} if remark.seat else ""
    return ": ".join(part for part in (who, " — ".join(_parts(remark))) if part)


def _parts(remark: Remark) -> Iterator[str]:
    clause = f" ({clause_words(remark.clause)})" if remark.clause else ""
    amount = f" {points_words(remark.points, sign=True)}" if remark.points is not None else ""
    match remark.kind:
        case "extra":
            yield amount.strip()
        case "penalty" if remark.clause.startswith("A 6.8"):
            yield pgettext("form", "team defeat") + amount + clause
        case "penalty":
            yield pgettext("form", "removal") + amount + clause
        case "tournament":
            yield pgettext("form", "removed from the tournament") + clause
        case "warning":
            yield pgettext("form", "oral warning") + amount + clause
        case "ruling":
            yield pgettext("form", "ruling of the judge") + clause
        case "result":
            yield pgettext("form", "end of the game") + clause
    if remark.text:
        yield remark.text
