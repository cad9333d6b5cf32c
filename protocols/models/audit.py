"""What was written on the site: by whom, when, from where, with the values before and after."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from .tournament import Tournament
from .written_once import WrittenOnce, WrittenOnceManager

ADDRESS_LENGTH, AGENT_LENGTH, PATH_LENGTH = 45, 60, 200


class AuditWhat(models.TextChoices):
    """What was done to the rows of a table."""

    ADDED = "added", pgettext_lazy("audit", "added")
    CHANGED = "changed", pgettext_lazy("audit", "changed")
    REMOVED = "removed", pgettext_lazy("audit", "removed")


class AuditRow(WrittenOnce):
    """One statement that wrote something while a form was answered; it is written in the same transaction.

    Entries of a game's record have no such row: the record says itself who wrote them and when.
    """

    objects = WrittenOnceManager["AuditRow"]()

    at = models.DateTimeField(_("at"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", verbose_name=_("by whom")
    )
    address = models.CharField(_("address"), max_length=ADDRESS_LENGTH, blank=True)
    agent = models.CharField(_("browser"), max_length=AGENT_LENGTH, blank=True)
    view = models.CharField(max_length=40)  # the name of the address that was written to
    path = models.CharField(max_length=PATH_LENGTH)
    tournament = models.ForeignKey(Tournament, models.PROTECT, null=True, related_name="+")
    game = models.UUIDField(null=True)
    table = models.CharField(max_length=63)
    what = models.CharField(max_length=8, choices=AuditWhat.choices)
    rows = models.JSONField(default=list)  # each {"key", "before", "after"}: the columns that differ
    words = models.TextField(blank=True)  # what a search looks through, in lower case

    class Meta:
        verbose_name = _("line of the audit log")
        verbose_name_plural = _("lines of the audit log")
        ordering = ["-at", "-id"]
        indexes = [models.Index(fields=["tournament", "-at"], name="audit_by_tournament")]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.table}"
