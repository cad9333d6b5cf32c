"""Penalties outside a game are given and revoked here."""

from __future__ import annotations

from decimal import Decimal

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from protocols.exchange.lines import line_written
from protocols.models import Player, Tournament
from protocols.rules.points import thousandths
from protocols.services.errors import Invalid
from protocols.services.shape import plain_text

from .discipline_models import PenaltyKind, PlayerPenalty
from .team_models import CLAUSE_LENGTH, MOST_PENALTY, REASON_LENGTH
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
    reason, clause = plain_text(reason), line_written(clause)
    if kind not in PenaltyKind.values:
        raise Invalid(_("Choose what the penalty is."))
    if points is None and kind != PenaltyKind.YELLOW_CARD:
        raise Invalid(_("Write how many points are taken off; 0 takes nothing off."))
    try:
        exact = thousandths(-tournament.rules.warning if points is None else points)
    except ValueError:
        raise Invalid(_("Points have at most three decimals.")) from None
    if not 0 <= exact <= MOST_PENALTY:
        raise Invalid(_("A penalty takes off 0 points or more, and at most %(most)d.") % {"most": MOST_PENALTY // 1000})
    check_reason(reason, _("Write what the penalty is given for."))
    if len(clause) > CLAUSE_LENGTH:
        raise Invalid(_("The text is too long: at most %(most)d characters.") % {"most": CLAUSE_LENGTH})
    with transaction.atomic():
        hold_tournament(tournament)
        return PlayerPenalty.objects.create(
            tournament=tournament, player=player, kind=kind, points=exact, clause=clause, reason=reason,
            given_by=by, given_at=timezone.now(),
        )  # fmt: skip


def revoke_player_penalty(penalty: PlayerPenalty, *, reason: str, by: User) -> PlayerPenalty:
    """Takes a penalty back, with a reason, once; it stays on record. Raises Invalid."""
    reason = plain_text(reason)
    check_reason(reason, _("Write why the penalty is revoked."))
    with transaction.atomic():
        hold_tournament(penalty.tournament)
        penalty.refresh_from_db()
        if penalty.revoked_at is not None:
            raise Invalid(_("The penalty has been revoked already."))
        penalty.revoked_at, penalty.revoked_by, penalty.revoked_because = timezone.now(), by, reason
        penalty.save(update_fields=["revoked_at", "revoked_by", "revoked_because"])
    return penalty


def check_reason(reason: str, missing: str) -> None:
    """Raises Invalid where there is no reason, or one too long."""
    if not reason:
        raise Invalid(missing)
    if len(reason) > REASON_LENGTH:
        raise Invalid(_("The text is too long: at most %(most)d characters.") % {"most": REASON_LENGTH})
