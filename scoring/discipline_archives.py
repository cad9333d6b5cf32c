"""Penalties outside a game, as a tournament's archive tells them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from protocols.models import Player, Tournament, nickname_key
from protocols.services.errors import Invalid

from .discipline_models import PlayerPenalty
from .discipline_selectors import penalties_of
from .penalty_archives import penalty_fields, penalty_told


def players_in_penalties(tournament: Tournament) -> QuerySet[PlayerPenalty, Any]:
    """Whoever was given one."""
    return PlayerPenalty.objects.filter(tournament=tournament).values("player")


def penalties_told(tournament: Tournament) -> dict[str, Any]:
    """All of them, the revoked ones too, in the order of time; nothing where there are none."""
    told = sorted((_penalty(each) for each in penalties_of(tournament)), key=lambda each: (each["at"], repr(each)))
    return {"player_penalties": told} if told else {}


def _penalty(penalty: PlayerPenalty) -> dict[str, Any]:
    return {"player": penalty.player.nickname, "kind": penalty.kind, **penalty_told(penalty)}


def write_penalties(tournament: Tournament, told: list[dict[str, Any]], players: Mapping[str, Player]) -> None:
    """Writes what the archive tells. Raises Invalid for a player who is not in it."""
    for each in told:
        player = players.get(nickname_key(each["player"]))
        if player is None:
            raise Invalid(_("A penalty names a player who is not in the archive."))
        PlayerPenalty.objects.create(tournament=tournament, player=player, kind=each["kind"], **penalty_fields(each))
