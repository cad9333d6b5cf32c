"""Standings in words and figures: the one place where a rating is rounded, for reading only."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from protocols.rules.regulation import Reckoning, Regulation
from protocols.rules.terms import Result

from .ratings import MILLION, ONE, Exact
from .standings import Decision, Place
from .tiebreaks import LOT, RATING

MOST_PLACES = 2  # decimals shown of a rating
MINUS = "−"
IN_THOUSANDTHS = ("extra", "best_move", "penalty", "qualifying")  # tie keys that are points


def figure(value: Exact, unit: int, places: int = MOST_PLACES) -> str:
    """So many `unit`ths with that many decimals, half away from zero: a comma, and a true minus.

    >>> figure(7_500_000, 1_000_000, 2), figure(-1000, 1000, 0), figure(1_005_000, 1_000_000), figure(-4, 1000)
    ('7,50', '−1', '1,01', '0,00')
    """
    scaled = Fraction(abs(value) * 10**places, unit) + Fraction(1, 2)
    digits = str(scaled.numerator // scaled.denominator).rjust(places + 1, "0")
    sign = MINUS if value < 0 and digits.strip("0") else ""
    return sign + (f"{digits[:-places]},{digits[-places:]}" if places else digits)


def decimals_of(values: Iterable[Exact], unit: int, most: int = MOST_PLACES) -> int:
    """How many decimals a column needs so that all of its figures stand on one comma, at most `most`.

    >>> decimals_of([3_000_000, 7_500_000], 1_000_000), decimals_of([3_000_000], 1_000_000), decimals_of([1], 7)
    (1, 0, 2)
    """
    needed = 0
    for value in values:
        while needed < most and (value * 10**needed) % unit:
            needed += 1
        if needed == most:
            break
    return needed


def short_figure(value: Exact, unit: int) -> str:
    """So many `unit`ths without trailing zeros, at most two decimals, as on the official form.

    >>> short_figure(500, 1000), short_figure(3000, 1000), short_figure(-1_000_000, 1_000_000)
    ('0,5', '3', '−1')
    """
    return figure(value, unit, decimals_of([value], unit))


def multiplier_words(multiplier: int) -> str:
    """A multiplier as it is spoken of.

    >>> multiplier_words(1500), multiplier_words(1000)
    ('×1,5', '×1')
    """
    return "×" + figure(multiplier, ONE, decimals_of([multiplier], ONE, most=3))


def key_words(key: str) -> str:
    """The name of a tie key."""
    return {
        RATING: _("rating"),
        "extra": _("extra points"),
        "wins": _("wins"),
        "don_sheriff_wins": _("wins as don or sheriff"),
        "first_victim": _("shot on the first night"),
        "best_move": _("points of best moves"),
        "penalty": _("fewer penalties"),
        "qualifying": _("qualifying rating"),
        LOT: _("lot"),
    }[key]


def reckoning_words(regulation: Regulation) -> str:
    """How games make the rating, where it isn't their sum; empty where it is."""
    if regulation.reckoning == Reckoning.AVERAGE:
        return _("the sum divided by the games")
    if regulation.reckoning == Reckoning.BEST:
        return ngettext("the best %(count)d game", "the best %(count)d games", regulation.best_games or 1) % {
            "count": regulation.best_games
        }
    return ""


def decision_words(decision: Decision | None, most: int = MOST_PLACES) -> str:
    """What put a row above the next: the key, with both values where the table doesn't show them different."""
    if decision is None:
        return ""
    words, value, other = key_words(decision.key), decision.value, decision.next_value
    if decision.key == LOT:
        return words
    if decision.key == RATING:
        pair = _apart(value, other, most)
        return words if pair is None else _beside(words, *pair)
    if decision.key in IN_THOUSANDTHS:
        places = decimals_of([value, other], ONE, most=3)
        return _beside(words, figure(value, ONE, places), figure(other, ONE, places))
    return _beside(words, str(value), str(other))


def _beside(words: str, value: str, other: str) -> str:
    return f"{words} {value}\u00a0:\u00a0{other}"  # never broken between the two


def _apart(value: Exact, other: Exact, most: int) -> tuple[str, str] | None:
    """Two ratings that round to one figure, with as many decimals as tell them apart; None for others."""
    for places in range(most, 13):
        pair = figure(value, MILLION, places), figure(other, MILLION, places)
        if pair[0] != pair[1]:
            return pair if places > most else None
    return str(value), str(other)


def place_words(place: Place) -> str:
    """The place as a number, «3–5» where equal players share it, a dash for a player without one."""
    if place.number is None:
        return "—"
    return f"{place.number}–{place.last}" if place.is_shared else str(place.number)


def result_words(result: str, won: bool | None) -> str:
    """How a game ended for one of its players; `result` is a value of Result."""
    if result == Result.DRAW:
        return pgettext("player's result", "draw")
    if result == Result.ANNULLED:
        return pgettext("player's result", "annulled")
    if result == Result.REPLAY:
        return pgettext("player's result", "to be replayed")
    return pgettext("player's result", "win") if won else pgettext("player's result", "loss")
