"""What scoring stores of cuts: how many come into a stage, who came, and what corrections would have changed (§7)."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from protocols.models import NICKNAME_LENGTH, Player, Stage
from protocols.models.written_once import WrittenOnce, WrittenOnceManager

MOST_PLACES = 1000  # players that a stage takes


class CutSize(models.Model):
    """How many players come into a stage from the stages before it."""

    stage = models.OneToOneField(Stage, models.CASCADE, related_name="cut_size")
    size = models.PositiveSmallIntegerField(
        _("how many come in"), validators=[MinValueValidator(1), MaxValueValidator(MOST_PLACES)]
    )

    class Meta:
        verbose_name = _("size of a cut")
        verbose_name_plural = _("sizes of cuts")
        ordering = ["stage"]
        constraints = [
            models.CheckConstraint(name="cut_size_is_from_1", condition=models.Q(size__gte=1, size__lte=MOST_PLACES)),
        ]

    def __str__(self) -> str:
        return f"{self.stage}: {self.size}"


class Cut(WrittenOnce):
    """A cut as the organizer took it: a later correction changes nothing of it (§7).

    `fingerprint` seals what it was computed from. It can be taken back, with a reason, before the stage begins.
    """

    changeable: ClassVar = frozenset({"withdrawn_at", "withdrawn_by", "withdrawn_because"})
    objects = WrittenOnceManager["Cut"]()

    stage = models.ForeignKey(Stage, models.PROTECT, related_name="cuts", verbose_name=_("stage"))
    size = models.PositiveSmallIntegerField(_("how many come in"))
    fingerprint = models.CharField(max_length=64)
    unsigned = models.PositiveSmallIntegerField(_("games not signed"), default=0)  # before the cut, at that moment
    protests = models.PositiveSmallIntegerField(_("open protests"), default=0)
    taken_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="cuts_taken", verbose_name=_("taken by")
    )
    taken_at = models.DateTimeField(_("taken at"))
    withdrawn_at = models.DateTimeField(_("taken back at"), null=True)
    withdrawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", verbose_name=_("taken back by")
    )
    withdrawn_because = models.TextField(_("reason of taking it back"), blank=True)

    class Meta:
        verbose_name = _("cut")
        verbose_name_plural = _("cuts")
        ordering = ["stage", "taken_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["stage"], condition=models.Q(withdrawn_at__isnull=True), name="cut_in_force_is_one"
            ),
            models.CheckConstraint(name="cut_lets_somebody_in", condition=models.Q(size__gte=1)),
            models.CheckConstraint(
                name="cut_is_taken_back_with_a_reason",
                condition=models.Q(withdrawn_at__isnull=True, withdrawn_because="", withdrawn_by__isnull=True)
                | (models.Q(withdrawn_at__isnull=False, withdrawn_by__isnull=False) & ~models.Q(withdrawn_because="")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage} · {self.size}"


class CutPlace(WrittenOnce):
    """Somebody who passed a cut: the place, the nickname of that day and the exact rating passed with."""

    changeable: ClassVar = frozenset({"player"})  # where two players turn out to be one

    cut = models.ForeignKey(Cut, models.PROTECT, related_name="places")
    place = models.PositiveSmallIntegerField(_("place"))  # from 1; equal players on the safe side share one
    player = models.ForeignKey(Player, models.PROTECT, related_name="cut_places", verbose_name=_("player"))
    nickname = models.CharField(_("nickname"), max_length=NICKNAME_LENGTH)
    rating = models.CharField(max_length=80)  # millionths of a point: an integer, or a fraction «22500000/7»

    objects = WrittenOnceManager["CutPlace"]()

    class Meta:
        verbose_name = _("place of a cut")
        verbose_name_plural = _("places of cuts")
        ordering = ["cut", "place", "id"]
        constraints = [
            models.UniqueConstraint(fields=["cut", "player"], name="cut_names_a_player_once"),
            models.CheckConstraint(name="cut_place_is_from_1", condition=models.Q(place__gte=1)),
        ]

    def __str__(self) -> str:
        return f"{self.place}. {self.nickname}"


class CutNotice(WrittenOnce):
    """A line of the log: since then the results say something else than the cut; all three empty: the same again."""

    cut = models.ForeignKey(Cut, models.PROTECT, related_name="notices")
    noticed_at = models.DateTimeField(_("noticed at"))
    comes = models.JSONField(default=list, blank=True)  # nicknames, from the top of the table
    goes = models.JSONField(default=list, blank=True)
    tied = models.JSONField(default=list, blank=True)

    objects = WrittenOnceManager["CutNotice"]()

    class Meta:
        verbose_name = _("notice of a cut")
        verbose_name_plural = _("notices of cuts")
        ordering = ["cut", "noticed_at", "id"]

    def __str__(self) -> str:
        return f"{self.cut} · {self.noticed_at}"
