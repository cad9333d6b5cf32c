"""The register of discipline on pages that know nothing of scoring."""

from __future__ import annotations

from django import template

from protocols.models import Game

from ..discipline import EXPULSION, records_at
from ..discipline_words import counts_words

register = template.Library()


@register.inclusion_tag("scoring/_discipline_at_table.html")
def discipline_at(game: Game) -> dict[str, object]:
    """What the judge of the next table should know of whoever sits there: warnings, cards, removals; two queries."""
    rows = [
        (seat, record.nickname, counts_words(record), bool(record.counts[EXPULSION]))
        for seat, record in records_at(game)
    ]
    return {"rows": rows}
