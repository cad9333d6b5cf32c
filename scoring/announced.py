"""Rounds that are hidden from the public until they are announced: seasons and players' pages leave their games out.

They do so for whoever asks, and whatever of the rounds is hidden: a season shows everybody the same.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Q


def veils() -> dict[int, object]:
    """What is hidden now, by tournament; nothing is."""
    return {}


def hidden_games(of: Mapping[int, object] | None = None) -> Q | None:
    """The games of hidden rounds; None where there are none."""
    return None
