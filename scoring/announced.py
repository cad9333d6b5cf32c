"""Rounds that are hidden from the public until they are announced: seasons and players' pages leave their games out.

They do so for whoever asks, and whatever of the rounds is hidden: a season shows everybody the same.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Q

from protocols.hiding import Veil, veil_by
from protocols.models import Hiding


def veils() -> dict[int, Veil]:
    """What is hidden now, by tournament, of all tournaments of which something is; one query."""
    acts = Hiding.objects.select_related("stage").order_by("pk")
    last = {act.tournament_id: veil_by(act) for act in acts}
    return {tournament: veil for tournament, veil in last.items() if not veil.is_open}


def hidden_games(of: Mapping[int, Veil] | None = None) -> Q | None:
    """The games of hidden rounds; None where there are none. One query, unless the veils are given."""
    found: Q | None = None
    for tournament, veil in (veils() if of is None else of).items():
        games = Q(tournament=tournament) & veil.covered()
        found = games if found is None else found | games
    return found
