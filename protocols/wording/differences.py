"""What a correction brings about, a line each, before it is written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ..rules import entries as e
from ..rules.differences import Difference
from ..rules.points import SeatPoints
from ..rules.refusal import Refusal
from ..rules.state import Contradiction, Exit, Outcome
from .course import disagreement_words
from .ends import outcome_words
from .entries import entry_words
from .moments import ballot_words
from .refusals import refusal_words
from .terms import (
    Names,
    Words,
    check_words,
    how_left_words,
    numbers_words,
    points_words,
    result_words,
    seat_words,
    seats_words,
    with_clause,
)

DIFFERENCES: Words = {
    "end": _("The game is over. %(now)s"),
    "no_end": _("The game is not over any more; it was: %(was)s"),
    "other_end": _("The end of the game changes; it was: %(was)s. %(now)s"),
    "leaves": _("%(seat)s leaves the table: %(now)s"),
    "comes_back": _("%(seat)s comes back to the table; had left: %(was)s"),
    "leaves_otherwise": _("%(seat)s leaves otherwise: %(now)s; it was: %(was)s"),
    "removed": _("%(seat)s is removed: only the penalty counts"),
    "not_removed": _("The removal of %(seat)s falls away"),
    "silence": _("%(seat)s loses the next own minute"),
    "no_silence": _("%(seat)s does not lose the next own minute"),
    "fouls": _("Fouls of %(seat)s: %(was)s → %(now)s"),
    "nominees": _("Nominated on day %(day)s: %(was)s → %(now)s"),
    "vote_cancelled": _("There is no vote on day %(day)s: %(seat)s is removed"),
    "vote_held": _("The vote of day %(day)s is no longer cancelled"),
    "ballot": _("Day %(day)s, %(ballot)s: %(was)s → %(now)s"),
    "ballot_gone": _("Day %(day)s, %(ballot)s: %(was)s → counts no more"),
    "decision": _("Day %(day)s, who leaves by the vote: %(was)s → %(now)s"),
    "shot": _("Night %(night)s: %(shot)s"),
    "check": _("Night %(night)s, %(check)s: %(target)s"),
    "best_move": _("Best move: %(seats)s"),
    "best_move_passes": _("The best move %(seats)s now is that of %(seat)s; strike it out if it was not"),
    "falls": _("No longer stands: %(entry)s — %(why)s"),
    "stands_again": _("Stands again: %(entry)s"),
    "contradiction": _("To be ruled on: %(contradiction)s"),
    "settled": _("No ruling is due any more: %(contradiction)s"),
    "points": _("Points of %(seat)s: %(was)s → %(now)s"),
}


def difference_words(difference: Difference, names: Names) -> str:
    """What is otherwise, each player named by seat and nickname, with the clause of what fired."""
    code, params = difference.code, difference.params
    if code == "vote_cancelled" and params["seat"] is None:
        words = gettext("There is no vote on day %(day)s by ruling") % params
    else:
        words = str(DIFFERENCES[code]) % _said(difference, names)
    return with_clause(words, difference.clause)


def _said(difference: Difference, names: Names) -> Mapping[str, object]:
    params = difference.params
    said = {key: _value(difference.code, key, value, names) for key, value in params.items()}
    if difference.code == "shot":
        seat = cast(int | None, params["seat"])
        hit = gettext("%(seat)s is shot") % {"seat": seat_words(seat, names)} if seat else gettext("a miss")
        said["shot"] = hit if params["shot"] else gettext("no shot is written")
    elif difference.code == "check":
        seat = cast(int | None, params["seat"])
        said |= {"check": check_words(params["by"]), "target": seat_words(seat, names) if seat else "—"}
    return said


def _value(code: str, key: str, value: object, names: Names) -> object:
    match value:
        case Outcome():
            return outcome_words(value) if key == "now" else result_words(value.result)
        case Exit():
            return how_left_words(value)
        case SeatPoints():
            extra = value.extra_points
            return points_words(value.points) + (f" {points_words(extra, sign=True)}" if extra else "")
        case e.Entry():
            return f"{value.revision}. {entry_words(value, names)}"
        case Refusal():
            return refusal_words(value, names)
        case Contradiction():
            return disagreement_words(value, names)
        case dict():
            return ", ".join(f"№{seat} — {count}" for seat, count in value.items()) or "—"
        case tuple():
            if code == "decision":
                return seats_words(value, names) if value else gettext("nobody")
            return numbers_words(value) if value else "—"
        case None:
            return gettext("not decided") if code == "decision" else "—"
    if key == "seat" and isinstance(value, int):
        return seat_words(value, names)
    if key == "ballot" and isinstance(value, int):
        return ballot_words(value - 1)
    return value
