"""Those who ask to take part, on the registration page; nothing of them is public before the organizer accepts."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from .lines import LineField
from .tournament import NICKNAME_LENGTH, Player, Tournament


class ApplicationState(models.TextChoices):
    """What the organizer has said."""

    WAITING = "waiting", _("waits for the organizer")
    ACCEPTED = "accepted", pgettext_lazy("application", "accepted")
    REFUSED = "refused", pgettext_lazy("application", "refused")


class Application(models.Model):
    """Somebody asks to take part. `uuid` is the address at which whoever sent it sees the answer, and nobody else.

    It is no part of the tournament's archive: who was accepted is among the participants.
    """

    uuid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="applications")
    nickname = LineField(_("nickname"), max_length=NICKNAME_LENGTH)
    name = LineField(_("name"), max_length=120)
    city = LineField(_("city"), max_length=60, blank=True)
    team = LineField(_("team"), max_length=60, blank=True)
    applied_at = models.DateTimeField(_("applied at"))  # and agreed that this is kept
    state = models.CharField(max_length=8, choices=ApplicationState.choices, default=ApplicationState.WAITING)
    player = models.ForeignKey(Player, models.PROTECT, null=True, related_name="+", verbose_name=_("player"))
    answered_at = models.DateTimeField(_("answered at"), null=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", verbose_name=_("answered by")
    )
    answer = LineField(_("reason"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("application")
        verbose_name_plural = _("applications")
        ordering = ["applied_at", "pk"]
        constraints = [
            models.CheckConstraint(
                name="application_is_in_a_known_state", condition=models.Q(state__in=ApplicationState.values)
            ),
            models.CheckConstraint(name="application_has_a_nickname", condition=~models.Q(nickname="")),
            models.CheckConstraint(
                name="application_is_answered_by_somebody",
                condition=models.Q(state="waiting", answered_at=None, answered_by=None, player=None)
                | (~models.Q(state="waiting") & models.Q(answered_at__isnull=False, answered_by__isnull=False)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}: {self.nickname}"
