"""That two players turned out to be one: who said so, when, and what it moved."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .tournament import Player
from .written_once import WrittenOnce, WrittenOnceManager


class PlayerMerge(WrittenOnce):
    """A merge: everything of `gone` went to `kept`. `moved` counts it by the address of each tournament."""

    gone = models.OneToOneField(Player, models.PROTECT, related_name="+", verbose_name=_("player"))
    kept = models.ForeignKey(Player, models.PROTECT, related_name="+", verbose_name=_("is the same as"))
    moved = models.JSONField(default=list)
    merged_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("merged by")
    )
    merged_at = models.DateTimeField(_("merged at"))

    objects = WrittenOnceManager["PlayerMerge"]()

    class Meta:
        verbose_name = _("merge of players")
        verbose_name_plural = _("merges of players")
        ordering = ["merged_at", "pk"]
        constraints = [
            models.CheckConstraint(name="merge_is_of_two_players", condition=~models.Q(gone=models.F("kept"))),
        ]

    def __str__(self) -> str:
        return f"{self.gone} → {self.kept}"
