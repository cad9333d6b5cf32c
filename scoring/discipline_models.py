"""Penalties that the head judge gives a player outside a game: a yellow card, lateness (A 6.2, 6.3)."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from protocols.models import Player, Tournament
from protocols.models.lines import LineField
from protocols.models.written_once import WrittenOnce, WrittenOnceManager

from .team_models import CLAUSE_LENGTH, MOST_PENALTY


class PenaltyKind(models.TextChoices):
    """What a penalty outside a game is given for."""

    YELLOW_CARD = "yellow_card", _("yellow card")
    LATENESS = "lateness", _("lateness")
    CONDUCT = "conduct", _("conduct")
    OTHER = "other", _("another violation")


class PlayerPenalty(WrittenOnce):
    """A penalty outside a game: by whom, when and why. It can be revoked, with a reason; it stays on record."""

    # The player changes where two turn out to be one person.
    changeable: ClassVar = frozenset({"player", "revoked_at", "revoked_by", "revoked_because"})
    objects = WrittenOnceManager["PlayerPenalty"]()

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="player_penalties")
    player = models.ForeignKey(Player, models.PROTECT, related_name="+", verbose_name=_("player"))
    kind = models.CharField(_("kind"), max_length=16, choices=PenaltyKind.choices)
    points = models.PositiveIntegerField(_("points"))  # thousandths, taken off the rating; 0 takes nothing off
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
        verbose_name = _("penalty of a player")
        verbose_name_plural = _("penalties of players")
        ordering = ["tournament", "given_at", "id"]
        constraints = [
            models.CheckConstraint(name="player_penalty_is_bounded", condition=models.Q(points__lte=MOST_PENALTY)),
            models.CheckConstraint(
                name="player_penalty_kind_is_known", condition=models.Q(kind__in=[each.value for each in PenaltyKind])
            ),
            models.CheckConstraint(name="player_penalty_has_a_reason", condition=~models.Q(reason="")),
            models.CheckConstraint(
                name="player_penalty_is_revoked_with_a_reason",
                condition=models.Q(revoked_at__isnull=True, revoked_because="", revoked_by__isnull=True)
                | (models.Q(revoked_at__isnull=False, revoked_by__isnull=False) & ~models.Q(revoked_because="")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: −{self.points}"
