"""Protests and decisions in words: for the protocol's box, for pages and for the decision's document."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from .models import Protest, ProtestDecision, SignedSheet
from .rules.points import points_of_thousandths
from .rules.sheet import Sheet
from .wording import points_words, result_words, seat_words
from .wording.terms import numbers_words

LONGEST_IN_BOX = 600  # characters of one protest on the form; the page of the game has all of it


def decision_of(protest: Protest) -> ProtestDecision | None:
    """Its decision, announced or not; no query where it was fetched with the protest."""
    return getattr(protest, "decision", None)


def announced_decision_of(protest: Protest) -> ProtestDecision | None:
    """Its decision, once everybody may know it."""
    found = decision_of(protest)
    return found if found is not None and found.is_announced else None


def protester_words(protest: Protest) -> str:
    """Who protests: «№7 Жук»."""
    return seat_words(protest.seat, {protest.seat: protest.player.nickname})


def decision_words(decision: ProtestDecision) -> str:
    """What was decided, in a few words: «результат изменён: победа чёрных»."""
    words = str(decision.get_kind_display())
    return f"{words}: {result_words(decision.result)}" if decision.result else words


def component_words(component: str) -> str:
    """The component of a seat's points."""
    names = {"speech": _("mark for speeches"), "best_move": _("best move"), "penalty": _("penalty")}
    return names.get(component, _("extra points"))


def points_lines(decision: ProtestDecision) -> list[str]:
    """The points that the decision sets, a line each: «№7 Жук: доп. баллы 1»."""
    rows = {row.seat: row.nickname for row in decision.sheet_before.sheet.rows}
    return [
        f"{seat_words(told['seat'], rows)}: {component_words(told['component'])} "
        + (numbers_words(told["seats"]) if told.get("seats") else _thousandths(told["thousandths"]))
        for told in decision.points
    ]


def _thousandths(value: int) -> str:
    return points_words(points_of_thousandths(value))


def in_box(protest: Protest) -> str:
    """The protest as it is printed in the protocol's box, with its decision once that is announced."""
    text = " ".join(protest.text.split())
    if len(text) > LONGEST_IN_BOX:
        text = _("%(beginning)s… [the whole text is on the game’s page]") % {
            "beginning": text[:LONGEST_IN_BOX].rstrip()
        }
    clause = f" ({protest.clause})" if protest.clause else ""
    words = f"{protester_words(protest)}, {date_format(localtime(protest.made_at), 'H:i')}{clause}: {text}"
    decision = announced_decision_of(protest)
    if decision is None:
        return words
    return _("%(protest)s — Decision: %(decision)s (%(clause)s)") % {
        "protest": words, "decision": decision_words(decision), "clause": decision.clause,
    }  # fmt: skip


def with_protests(sheet: Sheet, protests: Iterable[Protest], signed: SignedSheet | None = None) -> Sheet:
    """The sheet with the protests in its box, as it is shown and printed; what is sealed stays as it was signed.

    On a superseded sheet stand those that were made while it was in force.
    """
    until = signed.superseded_at if signed is not None else None
    lines = [in_box(each) for each in protests if until is None or each.filed_at < until]
    return replace(sheet, protest="\n".join(part for part in (sheet.protest, *lines) if part)) if lines else sheet
