"""Whether an entry can be stored at all, whatever the rules say of it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeVar, cast

from django.utils.translation import gettext as _

from ..exchange.lines import JOINERS
from ..models import Game
from ..rules import entries as e
from ..rules.refusal import Refusal
from ..rules.terms import AFTER, SEATS
from .ending import typed_time
from .errors import Invalid

AT_THE_ENDS = re.compile(rf"^[\s{JOINERS}]+|[\s{JOINERS}]+$")
LONGEST_TEXT = 1000  # characters
LONGEST_CLAUSE = 12
MOST_STEPS = 60

Value = TypeVar("Value", bound=e.Entry)


def plain_text(text: str) -> str:
    """The text with composed letters and without control characters, as both databases can store it.

    Nor does it hold what is invisible or turns the line round: a reason is to be read where it is printed.
    """
    composed = unicodedata.normalize("NFC", text)
    kept = (c for c in composed if c in "\n\t" + JOINERS or unicodedata.category(c) not in ("Cc", "Cf", "Cs"))
    return AT_THE_ENDS.sub("", "".join(kept))


def fitted(value: Value, game: Game) -> Value:
    """The entry with its words as they are stored. Raises Invalid for what no form of ours sends."""
    moment = value.moment
    if not (0 <= moment.day <= AFTER.day and 0 <= moment.ballot <= MOST_STEPS and 0 <= moment.step <= MOST_STEPS):
        raise Invalid(_("There is no such moment in a game."))
    for name, most in (("text", LONGEST_TEXT), ("clause", LONGEST_CLAUSE)):
        words = getattr(value, name, None)
        if words is None:
            continue
        words = plain_text(words)
        if len(words) > most:
            raise Invalid(_("The text is too long: at most %(most)d characters.") % {"most": most})
        value = cast(Value, replace(cast(Any, value), **{name: words}))
    if isinstance(value, e.GameOver) and value.time:
        try:
            typed_time(value.time, game)
        except ValueError:
            message = _("“%(time)s” is no time; write hours and minutes, like 21:40.")
            raise Invalid(message % {"time": value.time[:40]}) from None
    if isinstance(value, e.BestMove) and value.hits is not None and not 0 <= value.hits <= 3:
        raise Invalid(_("A best move names between 0 and 3 blacks."))
    return value


def refuse_seats(value: e.Entry, game: Game) -> Refusal | None:
    """Why a seat that the entry names is none: seats are 1 to 10."""
    for seat in _seats(value):
        if seat not in SEATS:
            return Refusal("no_such_seat", game.rules.cite("table"), {"seat": seat})
    return None


def _seats(value: e.Entry) -> Iterator[int]:
    for name in ("seat", "target"):
        seat = getattr(value, name, None)
        if seat is not None:
            yield seat
    if isinstance(value, e.Vote | e.RaiseAll):
        yield from value.voters or ()
    elif isinstance(value, e.Shot):
        for pair in value.shots:
            yield from pair
    elif isinstance(value, e.BestMove):
        yield from value.seats
