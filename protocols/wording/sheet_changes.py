"""What a new sheet says otherwise than the one before, as rows of a table: what, what it was, what it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from ..rules.sheet import Remark, Vote
from ..rules.sheet_changes import SheetChange
from .terms import Names, Words, points_words, result_words, seat_words, with_clause

FIELDS: Words = {
    "nickname": _("nickname"),
    "role": _("role"),
    "fouls": _("fouls"),
    "removed": _("removal"),
    "left": _("how the player left"),
    "points": _("points"),
    "extra_points": _("extra points"),
    "result": _("Result of the game"),
    "result_reason": _("Ground of the result"),
    "best_move": _("Best move"),
    "ended_at": _("End of the game"),
    "protest": _("Protest"),
    "remark_gone": _("Explanation"),
    "remark_new": _("Explanation"),
}
HEADER: Words = {
    "game": _("Game no."), "table": _("Table no."), "date": _("Date"), "judge": _("Judge"),
}  # fmt: skip
REASONS: Words = {
    "ruling": _("ruling of the judge"),
    "broken_off": _("the game was broken off"),
    "declared": _("declared by the judge"),
    "results_only": _("only the result is known"),
}
NOTHING = "—"


@dataclass(frozen=True, slots=True)
class ChangeWords:
    """One row: what differs, what it was, what it is."""

    what: str
    was: str
    now: str


def sheet_change_words(change: SheetChange, names: Names) -> ChangeWords:
    """The change in words, a player named by seat and nickname."""
    return ChangeWords(_what(change, names), _value(change, change.was, names), _value(change, change.now, names))


def sheet_changes_words(changes: Iterable[SheetChange], names: Names) -> list[ChangeWords]:
    """The same of all of them."""
    return [sheet_change_words(change, names) for change in changes]


def _what(change: SheetChange, names: Names) -> str:
    if change.code == "vote":
        return gettext("Vote of day %(day)d") % {"day": change.day}
    if change.code == "night":
        return gettext("Night %(night)d") % {"night": change.day}
    if change.code == "header":
        return str(HEADER[change.name])
    words = str(FIELDS[change.code])
    if change.seat is None or change.code.startswith("remark"):
        return words
    return f"{seat_words(change.seat, names)}: {words}"


def _value(change: SheetChange, value: Any, names: Names) -> str:
    match change.code:
        case "result":
            return result_words(value) if value else NOTHING
        case "result_reason":
            reason, clause = cast(tuple[str, str], value)
            return with_clause(str(REASONS.get(reason, gettext("by the rules"))), clause)
        case "points" | "extra_points":
            return points_words(value) if value is not None else NOTHING
        case "fouls":
            return str(len(value))
        case "removed":
            return gettext("removed") if value else gettext("not removed")
        case "left":
            return _left(value)
        case "night":
            return gettext("a miss") if value is None else seat_words(value, names) if value else NOTHING
        case "vote":
            return _vote(value)
        case "best_move":
            return _best_move(value, names)
        case "remark_gone" | "remark_new":
            return _remark(value)
        case "ended_at":
            return str(value)[11:16] or NOTHING
    return str(value) or NOTHING


def _left(value: tuple[str, int, bool]) -> str:
    how, day, at_night = value
    if not how:
        return gettext("at the table")
    when = gettext("night %(number)d") if at_night else gettext("day %(number)d")
    return when % {"number": day}


def _vote(vote: Vote | None) -> str:
    if vote is None:
        return NOTHING
    if vote.status == "cancelled":
        return gettext("no vote")
    tallies = vote.tallies[-1] if vote.tallies else ()
    counted = ", ".join(
        f"№{seat} — {count}" for seat, count in zip(vote.candidates, tallies, strict=False) if count is not None
    )
    out = ", ".join(str(seat) for seat in vote.voted_out)
    left = gettext("leaves: %(seats)s") % {"seats": out} if out else ""
    return "; ".join(part for part in (counted, left) if part) or NOTHING


def _best_move(value: tuple[int | None, tuple[int, ...], int | None, bool], names: Names) -> str:
    seat, seats, hits, _dash = value
    named = ", ".join(str(each) for each in seats)
    if hits is not None and not seats:
        named = pgettext("form", "named right: %(hits)d") % {"hits": hits}
    if not (seat or named):
        return NOTHING
    return f"{seat_words(seat, names)}: {named or NOTHING}" if seat else named


def _remark(remark: Remark | None) -> str:
    if remark is None:
        return NOTHING
    who = seat_words(remark.seat, {remark.seat: remark.nickname}) if remark.seat else ""
    points = points_words(remark.points, sign=True) if remark.points is not None else ""
    words = ": ".join(part for part in (who, " ".join(part for part in (points, remark.text) if part)) if part)
    return with_clause(words, remark.clause) or NOTHING
