"""Files that contradict themselves, kept as they came until somebody has put them right outside."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .game import Game
from .lines import LineField
from .tournament import RegulationCode, Tournament
from .written_once import WrittenOnce, WrittenOnceManager


class Draft(WrittenOnce):
    """A game's file with the contradictions found in it; no game, and nothing that counts in standings.

    `raw` is the file, byte by byte. What was found stays as it was found, under the regulation of that day. A draft
    is open until it is discarded, with a reason, or a corrected file became `game`; it stays readable after that.
    """

    changeable: ClassVar = frozenset({"discarded_by", "discarded_at", "discard_reason", "game"})

    uuid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="drafts")
    name = LineField(_("file"), max_length=200)
    raw = models.BinaryField()
    sha256 = models.CharField(max_length=64)
    regulation = models.CharField(max_length=1, choices=RegulationCode.choices)
    contradictions = models.JSONField()  # exchange.stored
    taken_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    taken_at = models.DateTimeField()
    discarded_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    discarded_at = models.DateTimeField(null=True)
    discard_reason = models.CharField(max_length=500, blank=True)
    game = models.ForeignKey(Game, models.PROTECT, null=True, related_name="drafts")

    objects: ClassVar[WrittenOnceManager[Draft]] = WrittenOnceManager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("draft")
        verbose_name_plural = _("drafts")
        ordering = ["-taken_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "sha256"],
                condition=models.Q(discarded_at__isnull=True),
                name="draft_of_a_file_is_open_once",
            ),
            models.CheckConstraint(
                name="draft_discarded_by_somebody_for_a_reason",
                condition=models.Q(discarded_at__isnull=True, discarded_by__isnull=True, discard_reason="")
                | (models.Q(discarded_at__isnull=False, discarded_by__isnull=False) & ~models.Q(discard_reason="")),
            ),
            models.CheckConstraint(
                name="draft_is_not_both_discarded_and_settled",
                condition=models.Q(discarded_at__isnull=True) | models.Q(game__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_open(self) -> bool:
        """Whether it still waits for somebody."""
        return self.discarded_at is None and self.game_id is None
