"""Penalties that the head judge gives a player outside a game: a yellow card, lateness (A 6.2, 6.3)."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from protocols.models import Player, Tournament
from protocols.models.written_once import WrittenOnceManager

from .penalty_models import MOST_PENALTY, Penalty, with_reasons


class PenaltyKind(models.TextChoices):
    """What a penalty outside a game is given for."""

    YELLOW_CARD = "yellow_card", _("yellow card")
    LATENESS = "lateness", _("lateness")
    CONDUCT = "conduct", _("conduct")
    OTHER = "other", _("another violation")


class PlayerPenalty(Penalty):
    """A penalty outside a game, taken off the player's rating; one of 0 points takes nothing off."""

    changeable: ClassVar = Penalty.changeable | {"player"}  # where two turn out to be one person
    objects = WrittenOnceManager["PlayerPenalty"]()

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="player_penalties")
    player = models.ForeignKey(Player, models.PROTECT, related_name="+", verbose_name=_("player"))
    kind = models.CharField(_("kind"), max_length=16, choices=PenaltyKind.choices)

    class Meta:
        verbose_name = _("penalty of a player")
        verbose_name_plural = _("penalties of players")
        ordering = ["tournament", "given_at", "id"]
        constraints = [
            models.CheckConstraint(name="player_penalty_is_bounded", condition=models.Q(points__lte=MOST_PENALTY)),
            models.CheckConstraint(
                name="player_penalty_kind_is_known", condition=models.Q(kind__in=[each.value for each in PenaltyKind])
            ),
            *with_reasons("player_penalty"),
        ]

    def __str__(self) -> str:
        return f"{self.player}: −{self.points}"
