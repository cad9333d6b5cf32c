"""What corrections would have changed of the cuts, for pages that know nothing of scoring."""

from __future__ import annotations

from django import template

from protocols.models import Tournament

from ..cut_selectors import cuts_of, has_cuts
from ..cut_table import Warned, warnings_of

register = template.Library()


@register.inclusion_tag("scoring/_cut_warnings.html")
def cut_warnings(tournament: Tournament, *, may_open: bool = False) -> dict[str, object]:
    """A warning for each cut that the results contradict; one query where no stage has a cut."""
    warned: list[Warned] = warnings_of(cuts_of(tournament)) if has_cuts(tournament) else []
    return {"warned": warned, "slug": tournament.slug, "may_open": may_open}
