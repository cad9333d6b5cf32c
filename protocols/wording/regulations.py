"""What makes no sense in a regulation, in words."""

from __future__ import annotations

from decimal import Decimal

from django.utils.translation import gettext_lazy as _

from ..rules.regulation_sense import Flaw
from .terms import Words, points_words

FLAWS: Words = {
    "seconds": _("From %(least)s to %(most)s seconds."),
    "too_much": _("At most %(most)s points, one way or the other."),
    "too_fine": _("%(points)s is finer than a thousandth of a point."),
    "win_not_above_loss": _("A win is to bring more than a loss: %(win)s against %(loss)s."),
    "penalty_above_0": _("A penalty is 0 or below it, not %(points)s."),
    "amounts_twice": _("Name each amount once, and no 0."),
    "least_above_most": _("The least, %(least)s, is above the most, %(most)s."),
    "step_not_above_0": _("A step is above 0."),
    "not_in_steps": _("%(points)s can’t be reached in steps of %(step)s."),
    "players": _("From %(least)s to %(most)s."),
    "sum_below_amount": _("The sum %(sum)s leaves no room for any of the amounts."),
    "hits": _("Points are for 1, 2 or 3 blacks named."),
    "more_hits_less": _("More blacks named can’t bring less."),
    "marks_without_scale": _("Without marks for speeches the points can only come from the result."),
    "draw_needed": _("Three quiet nights and days are a draw here: a draw must be possible."),
    "best_needed": _("Write how many of the best games count."),
    "unknown_component": _("There is no such part of a rating: %(name)s."),
    "no_tie_key": _("At least one key must decide between equal players."),
    "unknown_tie_key": _("There is no such key: %(name)s."),
    "tie_key_twice": _("Each key can stand only once in the order."),
    "after_the_lot": _("Nothing can follow the lot: it decides every time."),
    "not_above_0": _("Must be above 0."),
    "share": _("A share is above 0 and at most 1."),
}


def flaw_words(flaw: Flaw) -> str:
    """Why this can't stand so."""
    said = {key: points_words(value) if isinstance(value, Decimal) else value for key, value in flaw.params.items()}
    return str(FLAWS[flaw.code]) % said
