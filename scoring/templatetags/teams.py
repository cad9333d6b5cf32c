"""Teams on pages that know nothing of scoring."""

from __future__ import annotations

from django import template

from protocols.models import Game, Tournament
from protocols.regulation_text import sentence_of

from ..team_selectors import has_teams, mates_at, together_of

register = template.Library()


@register.inclusion_tag("scoring/_team_link.html")
def team_link(tournament: Tournament) -> dict[str, object]:
    """The way to the team standings, where the tournament has teams; one query."""
    return {"has_teams": has_teams(tournament), "slug": tournament.slug}


@register.inclusion_tag("scoring/_team_mates.html")
def team_mates_together(tournament: Tournament) -> dict[str, object]:
    """A warning of games not over yet at which members of one team sit; one query where there are none."""
    return {"together": [each for each in together_of(tournament) if not each.game.is_closed]}


@register.inclusion_tag("scoring/_mates_at_table.html")
def team_mates_at(game: Game) -> dict[str, object]:
    """A warning where members of one team sit at this table, with the regulation's rule for teams; one query."""
    mates = mates_at(game)
    rule = sentence_of(game.tournament.rules, "teams", "sum") if mates else None
    return {"mates": list(mates.items()), "rule": rule, "slug": game.tournament.slug}
