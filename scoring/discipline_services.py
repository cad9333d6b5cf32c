"""Penalties outside a game are given and revoked here."""

from __future__ import annotations

from decimal import Decimal

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from protocols.models import Player, Tournament
from protocols.services.errors import Invalid

from .discipline_models import PenaltyKind, PlayerPenalty
from .penalty_models import MOST_PENALTY
from .penalty_services import exact_points, said_of_penalty
from .team_services import hold_tournament


def players_in(tournament: Tournament) -> list[Player]:
    """Whoever takes part in the tournament or has a seat in it, by nickname; one query."""
    rows = Player.objects.filter(
        Q(pk__in=tournament.participants.values("player")) | Q(seats__game__tournament=tournament)
    )
    return list(rows.order_by("nickname_key").distinct())


def give_player_penalty(
    tournament: Tournament,
    player: Player,
    *,
    kind: str,
    points: Decimal | None,
    reason: str,
    by: User,
    clause: str = "",
) -> PlayerPenalty:
    """Takes so many points, from 0, off the player's rating, from now on, once. Raises Invalid.

    Without `points` a yellow card takes off what the regulation says of a warning.
    """
    reason, clause = said_of_penalty(reason, clause)
    if kind not in PenaltyKind.values:
        raise Invalid(_("Choose what the penalty is."))
    if points is None and kind != PenaltyKind.YELLOW_CARD:
        raise Invalid(_("Write how many points are taken off; 0 takes nothing off."))
    exact = exact_points(-tournament.rules.warning if points is None else points)
    if not 0 <= exact <= MOST_PENALTY:
        raise Invalid(_("A penalty takes off 0 points or more, and at most %(most)d.") % {"most": MOST_PENALTY // 1000})
    with transaction.atomic():
        hold_tournament(tournament)
        return PlayerPenalty.objects.create(
            tournament=tournament, player=player, kind=kind, points=exact, clause=clause, reason=reason,
            given_by=by, given_at=timezone.now(),
        )  # fmt: skip
