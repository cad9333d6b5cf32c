"""Penalties outside a game as they are read."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TypeVar

from django.db import connection
from django.db.models import QuerySet, TextField
from django.db.models.expressions import RawSQL

from protocols.models import Stage, Tournament

from .discipline_models import PlayerPenalty

Rows = TypeVar("Rows", bound=QuerySet[Stage])

# With the stages, so that the standings ask nothing more; the points of a tournament are added up here.
_TAKEN_OFF = """
    (SELECT {} FROM scoring_playerpenalty
    WHERE tournament_id = protocols_stage.tournament_id AND revoked_at IS NULL AND points > 0)
"""
_PAIRS = {
    "sqlite": "json_group_array(json_array(player_id, points))",
    "postgresql": "CAST(json_agg(json_build_array(player_id, points)) AS text)",
}


def with_penalties(stages: QuerySet[Stage]) -> QuerySet[Stage]:
    """The stages, each with what the penalties in force of its tournament take off."""
    given = RawSQL(_TAKEN_OFF.format(_PAIRS[connection.vendor]), [], TextField())  # noqa: S611
    return stages.annotate(penalties_given=given)


def taken_off(tournament: Tournament, stages: Iterable[Stage]) -> dict[int, int]:
    """Thousandths by player that the penalties in force take off; no query where the stages came with them."""
    for stage in stages:
        if "penalties_given" in stage.__dict__:
            return _added(json.loads(stage.__dict__["penalties_given"] or "[]"))
    rows = PlayerPenalty.objects.filter(tournament=tournament, revoked_at=None, points__gt=0).order_by()
    return _added(rows.values_list("player", "points"))


def _added(pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
    found: dict[int, int] = {}
    for player, points in pairs:
        found[player] = found.get(player, 0) + points
    return found


def penalties_of(tournament: Tournament, player: int | None = None) -> list[PlayerPenalty]:
    """Every penalty of the tournament, or of one player, revoked ones too, in the order of time; one query."""
    rows = PlayerPenalty.objects.filter(tournament=tournament).select_related("player", "given_by", "revoked_by")
    return list((rows if player is None else rows.filter(player=player)).order_by("given_at", "pk"))
