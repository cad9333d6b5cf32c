"""What a new sheet says otherwise than the one it supersedes, field by field (RULES §8, §9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .sheet import Remark, Sheet, Vote


@dataclass(frozen=True, slots=True)
class SheetChange:
    """One field that differs. `seat` and `day` where it is of one; `was` and `now` as the sheets hold them.

    Codes: header, nickname, role, fouls, removed, left, points, extra_points, vote, night, result, result_reason,
    best_move, ended_at, protest, remark_gone, remark_new.
    """

    code: str
    was: Any = None
    now: Any = None
    seat: int | None = None
    day: int | None = None
    name: str = ""  # of the field of the header


def sheet_changes(before: Sheet, after: Sheet) -> tuple[SheetChange, ...]:
    """Every field in which they differ, the result first; the titles of tournament and stage are not of the game."""
    return (*_result(before, after), *_rows(before, after), *_play(before, after), *_rest(before, after))


def _result(before: Sheet, after: Sheet) -> Iterator[SheetChange]:
    if before.result != after.result:
        yield SheetChange("result", before.result, after.result)
    was, now = ((sheet.result_reason, sheet.result_clause) for sheet in (before, after))
    if was != now:
        yield SheetChange("result_reason", was, now)


def _rows(before: Sheet, after: Sheet) -> Iterator[SheetChange]:
    for was, now in zip(before.rows, after.rows, strict=True):
        for code in ("nickname", "role", "fouls", "points", "extra_points"):
            if getattr(was, code) != getattr(now, code):
                yield SheetChange(code, getattr(was, code), getattr(now, code), seat=was.seat)
        if (was.removed, was.disqualified) != (now.removed, now.disqualified):
            yield SheetChange("removed", was.removed, now.removed, seat=was.seat)
        left = [(row.left, row.left_day, row.left_at_night) for row in (was, now)]
        if left[0] != left[1]:
            yield SheetChange("left", left[0], left[1], seat=was.seat)


def _play(before: Sheet, after: Sheet) -> Iterator[SheetChange]:
    votes: list[dict[int, Vote]] = [{vote.day: vote for vote in sheet.votes} for sheet in (before, after)]
    for day in sorted({*votes[0], *votes[1]}):
        if votes[0].get(day) != votes[1].get(day):
            yield SheetChange("vote", votes[0].get(day), votes[1].get(day), day=day)
    nights = [dict(sheet.nights) for sheet in (before, after)]
    for night in sorted({*nights[0], *nights[1]}):
        shots = [at.get(night, 0) for at in nights]
        if shots[0] != shots[1]:
            yield SheetChange("night", shots[0], shots[1], day=night)
    moves = [(s.best_move_seat, s.best_move, s.best_move_hits, s.best_move_dash) for s in (before, after)]
    if moves[0] != moves[1]:
        yield SheetChange("best_move", moves[0], moves[1])


def _rest(before: Sheet, after: Sheet) -> Iterator[SheetChange]:
    for name in ("game", "table", "date", "judge"):
        was, now = getattr(before.header, name), getattr(after.header, name)
        if was != now:
            yield SheetChange("header", was, now, name=name)
    for code in ("ended_at", "protest"):
        if getattr(before, code) != getattr(after, code):
            yield SheetChange(code, getattr(before, code), getattr(after, code))
    gone, new = _without(before.remarks, after.remarks), _without(after.remarks, before.remarks)
    yield from (SheetChange("remark_gone", was=remark, seat=remark.seat) for remark in gone)
    yield from (SheetChange("remark_new", now=remark, seat=remark.seat) for remark in new)


def _without(some: tuple[Remark, ...], others: tuple[Remark, ...]) -> list[Remark]:
    """Those of the remarks, in their order, that the others don't have as often."""
    return list((Counter(some) - Counter(others)).elements())
