"""Rounds that are hidden from the public until they are announced: seasons and players' pages leave their games out.

They do so for whoever asks, and whatever of the rounds is hidden: a season shows everybody the same.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Q

from protocols.hiding import Veil, veils_of


def veils() -> dict[int, Veil]:
    """What is hidden now, by tournament; one query."""
    return veils_of()


def hidden_games(of: Mapping[int, Veil] | None = None) -> Q | None:
    """The games of hidden rounds; None where there are none. One query where `of` is not given."""
    found: Q | None = None
    for tournament, veil in (veils() if of is None else of).items():
        hidden = Q(tournament=tournament) & veil.covered()
        found = hidden if found is None else found | hidden
    return found
