"""What calendars were told of a seating, so that each of them learns what has changed since."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from .tournament import Tournament


class FeedEvent(models.Model):
    """An event of a calendar feed as it was told last: the digest of what it said, and how often that has changed.

    `audience` is whose feed it is: «player:12», «judge:3», «everybody». It is no part of the tournament's archive: on
    another site everybody subscribes anew.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="feed_events")
    audience = models.CharField(max_length=30)
    uid = models.UUIDField()
    digest = models.CharField(max_length=64)
    sequence = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField()

    class Meta:
        verbose_name = _("event of a calendar")
        verbose_name_plural = _("events of calendars")
        ordering = ["tournament", "audience", "uid"]
        constraints = [models.UniqueConstraint(fields=["audience", "uid"], name="feed_event_is_told_once_to_each")]

    def __str__(self) -> str:
        return f"{self.audience} · {self.uid}"
