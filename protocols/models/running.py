"""What happens to a tournament while it runs: seats that changed hands or were freed, and its cancellation."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .lines import LineField
from .tournament import NICKNAME_LENGTH, Tournament


class SeatChange(models.Model):
    """Somebody plays no more from some game on, and perhaps somebody else instead; games before stay as they were.

    `gone` and `came` are nicknames of that day, `came` empty where the seats stay free. `seats` are the games by their
    numbers, each with the seat: `[["…uuid…", 4], …]`.
    """

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="seat_changes")
    gone = models.CharField(_("who plays no more"), max_length=NICKNAME_LENGTH)
    came = models.CharField(_("who plays instead"), max_length=NICKNAME_LENGTH, blank=True)
    reason = LineField(_("reason"), max_length=200)
    seats = models.JSONField(default=list)
    done_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("done by"))
    done_at = models.DateTimeField(_("done at"))

    class Meta:
        verbose_name = _("change of seats")
        verbose_name_plural = _("changes of seats")
        ordering = ["tournament", "done_at", "id"]
        constraints = [
            models.CheckConstraint(
                name="seat_change_says_who_and_why", condition=~models.Q(gone="") & ~models.Q(reason="")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.gone} → {self.came or '—'}"


class Cancellation(models.Model):
    """A tournament that is not played to its end, with the reason; what was signed stays."""

    tournament = models.OneToOneField(Tournament, models.PROTECT, related_name="cancellation")
    reason = LineField(_("reason"), max_length=200)
    done_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("done by"))
    done_at = models.DateTimeField(_("done at"))

    class Meta:
        verbose_name = _("cancellation of a tournament")
        verbose_name_plural = _("cancellations of tournaments")
        ordering = ["tournament"]
        constraints = [
            models.CheckConstraint(name="tournament_is_cancelled_with_a_reason", condition=~models.Q(reason="")),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}: {self.reason}"
