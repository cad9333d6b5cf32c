"""What giving and revoking a penalty have in common, whoever it is given to."""

from __future__ import annotations

from decimal import Decimal
from typing import TypeVar

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from protocols.exchange.lines import line_written
from protocols.rules.points import thousandths
from protocols.services.errors import Invalid
from protocols.services.shape import plain_text

from .penalty_models import CLAUSE_LENGTH, REASON_LENGTH, Penalty

OfPenalty = TypeVar("OfPenalty", bound=Penalty)


def exact_points(points: Decimal) -> int:
    """The points in thousandths. Raises Invalid where there is a finer part."""
    try:
        return thousandths(points)
    except ValueError:
        raise Invalid(_("Points have at most three decimals.")) from None


def said_of_penalty(reason: str, clause: str) -> tuple[str, str]:
    """Reason and clause as they are stored. Raises Invalid."""
    return reason_of(reason, _("Write what the penalty is given for.")), _bounded(line_written(clause), CLAUSE_LENGTH)


def reason_of(reason: str, missing: str) -> str:
    """The reason as it is stored. Raises Invalid where there is none (`missing`), or one too long."""
    reason = plain_text(reason)
    if not reason:
        raise Invalid(missing)
    return _bounded(reason, REASON_LENGTH)


def _bounded(text: str, most: int) -> str:
    if len(text) > most:
        raise Invalid(_("The text is too long: at most %(most)d characters.") % {"most": most})
    return text


def revoke_penalty(penalty: OfPenalty, *, reason: str, by: User) -> OfPenalty:
    """Takes a penalty back, with a reason, once; it stays on record. Raises Invalid."""
    reason = reason_of(reason, _("Write why the penalty is revoked."))
    with transaction.atomic():
        held = type(penalty)._default_manager.select_for_update().get(pk=penalty.pk)  # of two people one is the first
        if held.revoked_at is not None:
            raise Invalid(_("The penalty has been revoked already."))
        penalty.revoked_at, penalty.revoked_by, penalty.revoked_because = timezone.now(), by, reason
        penalty.save(update_fields=["revoked_at", "revoked_by", "revoked_because"])
    return penalty
