"""Penalties outside a game, as a tournament's archive tells them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from protocols.models import Player, Tournament, nickname_key
from protocols.models.entries import instant_written
from protocols.services.errors import Invalid
from protocols.services.people import person_of_file, printed_name

from .discipline_models import PlayerPenalty
from .discipline_selectors import penalties_of


def players_in_penalties(tournament: Tournament) -> QuerySet[PlayerPenalty, Any]:
    """Whoever was given one."""
    return PlayerPenalty.objects.filter(tournament=tournament).values("player")


def penalties_told(tournament: Tournament) -> dict[str, Any]:
    """All of them, the revoked ones too, in the order of time; nothing where there are none."""
    told = sorted((_penalty(each) for each in penalties_of(tournament)), key=lambda each: (each["at"], repr(each)))
    return {"player_penalties": told} if told else {}


def _penalty(penalty: PlayerPenalty) -> dict[str, Any]:
    told: dict[str, Any] = {
        "player": penalty.player.nickname,
        "kind": penalty.kind,
        "points": penalty.points,
        "clause": penalty.clause,
        "reason": penalty.reason,
        "by": printed_name(penalty.given_by),
        "at": instant_written(penalty.given_at),
    }
    if penalty.revoked_at is not None and penalty.revoked_by is not None:
        told["revoked"] = {
            "by": printed_name(penalty.revoked_by),
            "at": instant_written(penalty.revoked_at),
            "reason": penalty.revoked_because,
        }
    return told


def write_penalties(tournament: Tournament, told: list[dict[str, Any]], players: Mapping[str, Player]) -> None:
    """Writes what the archive tells. Raises Invalid for a player who is not in it."""
    for each in told:
        player = players.get(nickname_key(each["player"]))
        if player is None:
            raise Invalid(_("A penalty names a player who is not in the archive."))
        revoked = each.get("revoked")
        PlayerPenalty.objects.create(
            tournament=tournament,
            player=player,
            kind=each["kind"],
            points=each["points"],
            clause=each["clause"],
            reason=each["reason"],
            given_by=person_of_file(each["by"]),
            given_at=datetime.fromisoformat(each["at"]),
            revoked_by=person_of_file(revoked["by"]) if revoked else None,
            revoked_at=datetime.fromisoformat(revoked["at"]) if revoked else None,
            revoked_because=revoked["reason"] if revoked else "",
        )
