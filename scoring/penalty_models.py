"""What every penalty of the tournament is, a player's and a team's: points taken off, by whom, when and why."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from protocols.models.lines import LineField
from protocols.models.written_once import WrittenOnce

CLAUSE_LENGTH = 40
REASON_LENGTH = 500
MOST_PENALTY = 1_000_000  # thousandths of a point


class Penalty(WrittenOnce):
    """Points taken off. It can be revoked, once, with a reason; it stays on record."""

    changeable: ClassVar = frozenset({"revoked_at", "revoked_by", "revoked_because"})

    points = models.PositiveIntegerField(_("points"))  # thousandths, taken off
    clause = LineField(_("clause"), max_length=CLAUSE_LENGTH, blank=True)
    reason = models.TextField(_("reason"))
    given_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("given by"))
    given_at = models.DateTimeField(_("given at"))
    revoked_at = models.DateTimeField(_("revoked at"), null=True)
    revoked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", verbose_name=_("revoked by")
    )
    revoked_because = models.TextField(_("reason of revoking it"), blank=True)

    class Meta:
        abstract = True


def with_reasons(kind: str) -> list[models.CheckConstraint]:
    """That a penalty of this kind has a reason, and another one where it is revoked."""
    return [
        models.CheckConstraint(name=f"{kind}_has_a_reason", condition=~models.Q(reason="")),
        models.CheckConstraint(
            name=f"{kind}_is_revoked_with_a_reason",
            condition=models.Q(revoked_at__isnull=True, revoked_because="", revoked_by__isnull=True)
            | (models.Q(revoked_at__isnull=False, revoked_by__isnull=False) & ~models.Q(revoked_because="")),
        ),
    ]
