"""The time that runs at a table, as the judge paused or changed it."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from .game import Game


class GameClock(models.Model):
    """When the time of one entry is up, or what of it is left while it stands still.

    It is no part of the record: a time that nobody touched has no row and runs from the entry that began it. A row
    of an entry that is not the last timed one says nothing. The last writer wins.
    """

    game = models.OneToOneField(Game, models.CASCADE, primary_key=True, related_name="clock", verbose_name=_("game"))
    entry = models.UUIDField()  # whose time it is
    revision = models.PositiveIntegerField()  # of that entry: a later one's time replaces an earlier one's
    deadline = models.DateTimeField(null=True, blank=True)  # of a time that runs
    left = models.IntegerField(null=True, blank=True)  # ms, of one that stands still; below 0 once it is up
    changed_at = models.DateTimeField()  # when the judge touched it, by this server's clock

    class Meta:
        verbose_name = _("clock")
        verbose_name_plural = _("clocks")
        constraints = [
            models.CheckConstraint(
                name="clock_runs_or_stands_still",
                condition=models.Q(deadline__isnull=True, left__isnull=False)
                | models.Q(deadline__isnull=False, left__isnull=True),
            )
        ]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.left if self.deadline is None else self.deadline}"
