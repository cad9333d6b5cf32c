"""Seasons: a period, the tournaments and club evenings that count in it, and the figures of its rating."""

from __future__ import annotations

import datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from protocols.models import Tournament
from protocols.models.lines import LineField
from protocols.rules.regulation import Reckoning

from .season_ratings import SEASON_KEYS, Counted, SeasonRules

MOST_COUNTED = 999  # tournaments or games that a season may ask for


class CountedChoice(models.TextChoices):
    """What a season adds up, in words."""

    TOURNAMENTS = Counted.TOURNAMENTS.value, _("the rating of each tournament, as its regulation gives it")
    GAMES = Counted.GAMES.value, _("points of games, under the multiplier of their stage")
    PLAIN_GAMES = Counted.PLAIN_GAMES.value, _("points of games, without multipliers")


class ReckoningChoice(models.TextChoices):
    """How what is added up makes the rating, in words."""

    SUM = Reckoning.SUM.value, _("their sum")
    AVERAGE = Reckoning.AVERAGE.value, _("their average")
    BEST = Reckoning.BEST.value, _("the sum of the best")


def default_keys() -> list[str]:
    return ["wins", "extra"]


def site_zone() -> str:
    """The time zone of the site: what a season begins with."""
    return settings.TIME_ZONE


class Season(models.Model):
    """A season. A game counts on the date of its protocol, both days of the period included.

    Only public tournaments count: whoever reads a season may read everything it is made of.
    """

    title = LineField(_("title"), max_length=120)
    slug = models.SlugField(_("address"), max_length=60, unique=True)
    starts_on = models.DateField(_("first day"))
    ends_on = models.DateField(_("last day"))
    time_zone = models.CharField(_("time zone"), max_length=60, default=site_zone)  # in which it is today
    takes_all = models.BooleanField(_("all public tournaments and evenings of the period"), default=False)
    counted = models.CharField(
        _("what is added up"), max_length=12, choices=CountedChoice.choices, default=Counted.TOURNAMENTS.value
    )
    reckoning = models.CharField(_("how"), max_length=8, choices=ReckoningChoice.choices, default=Reckoning.SUM.value)
    best = models.PositiveSmallIntegerField(
        _("how many of the best"), default=1, validators=[MinValueValidator(1), MaxValueValidator(MOST_COUNTED)]
    )
    least_games = models.PositiveSmallIntegerField(
        _("minimum of games"), default=0, validators=[MaxValueValidator(MOST_COUNTED)]
    )
    tie_keys = models.JSONField(_("what decides at equal ratings"), default=default_keys)
    is_public = models.BooleanField(_("open to everybody"), default=True)
    owners = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="seasons", verbose_name=_("organizers"))
    tournaments = models.ManyToManyField(Tournament, related_name="seasons", blank=True, verbose_name=_("tournaments"))
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        ordering = ["-starts_on", "-id"]
        constraints = [
            models.CheckConstraint(name="season_has_a_title", condition=~models.Q(title="")),
            models.CheckConstraint(
                name="season_ends_after_it_begins", condition=models.Q(ends_on__gte=models.F("starts_on"))
            ),
            models.CheckConstraint(
                name="season_adds_up_what_is_known", condition=models.Q(counted__in=CountedChoice.values)
            ),
            models.CheckConstraint(
                name="season_reckons_as_is_known", condition=models.Q(reckoning__in=ReckoningChoice.values)
            ),
            models.CheckConstraint(
                name="season_counts_one_or_more", condition=models.Q(best__gte=1, best__lte=MOST_COUNTED)
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def rules(self) -> SeasonRules:
        """The figures of its rating."""
        return SeasonRules(
            counted=Counted(self.counted),
            reckoning=Reckoning(self.reckoning),
            best=self.best,
            least_games=self.least_games,
            tie_keys=tuple(key for key in self.tie_keys if key in SEASON_KEYS),
        )

    @property
    def today(self) -> datetime.date:
        """The date that it is now where the season is played."""
        return timezone.now().astimezone(ZoneInfo(self.time_zone)).date()

    @property
    def is_over(self) -> bool:
        """Whether its last day has passed."""
        return self.today > self.ends_on
