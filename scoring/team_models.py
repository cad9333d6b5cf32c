"""What scoring stores of teams: who plays for which in a tournament, and what is taken off a team's sum."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from protocols.exchange.lines import line_written
from protocols.models import Player, Tournament, nickname_key
from protocols.models.lines import LineField
from protocols.models.written_once import WrittenOnce, WrittenOnceManager

from .penalty_models import MOST_PENALTY, Penalty, with_reasons

TEAM_NAME_LENGTH = 60  # characters
TEAM_KEY_LENGTH = 240  # a letter may fold into three
CITY_LENGTH = 60


class Team(models.Model):
    """A team of a tournament; no other of the tournament has its name, whatever the case of the letters."""

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="teams")
    name = LineField(_("team’s name"), max_length=TEAM_NAME_LENGTH)
    name_key = models.CharField(max_length=TEAM_KEY_LENGTH, editable=False)
    city = LineField(_("city"), max_length=CITY_LENGTH, blank=True)

    class Meta:
        verbose_name = _("team")
        verbose_name_plural = _("teams")
        ordering = ["tournament", "name_key"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "name_key"], name="team_name_is_one_of_its_tournament"),
            models.CheckConstraint(name="team_has_a_name", condition=~models.Q(name="") & ~models.Q(name_key="")),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: object, **kwargs: object) -> None:
        """Saves the team with the key that follows from the name."""
        self.name = line_written(self.name)
        self.name_key = nickname_key(self.name)
        super().save(*args, **kwargs)  # type: ignore[arg-type]


class TeamMember(models.Model):
    """Somebody who plays for a team: of the teams of one tournament, for one."""

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="+")  # the team's
    team = models.ForeignKey(Team, models.CASCADE, related_name="members", verbose_name=_("team"))
    player = models.ForeignKey(Player, models.PROTECT, related_name="team_memberships", verbose_name=_("player"))
    is_captain = models.BooleanField(_("captain"), default=False)
    is_replacement = models.BooleanField(_("replacement"), default=False)

    class Meta:
        verbose_name = _("member of a team")
        verbose_name_plural = _("members of teams")
        ordering = ["team", "id"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="player_is_in_one_team_of_a_tournament"),
            models.UniqueConstraint(
                fields=["team"], condition=models.Q(is_captain=True), name="team_has_one_captain_at_most"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.team}: {self.player}"


class TeamChange(WrittenOnce):
    """A change of a team’s line-up, by whom and when. It stays where the team is removed."""

    changeable: ClassVar = frozenset({"team"})  # which is empty once the team is removed
    objects = WrittenOnceManager["TeamChange"]()

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="team_changes")
    team = models.ForeignKey(Team, models.SET_NULL, null=True, related_name="changes", verbose_name=_("team"))
    name = LineField(_("team’s name"), max_length=TEAM_NAME_LENGTH)  # as it was then
    change = models.JSONField(_("change"))  # as team_log.change_of tells it: by nicknames
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("changed by"))
    at = models.DateTimeField(_("changed at"))

    class Meta:
        verbose_name = _("change of a team")
        verbose_name_plural = _("changes of teams")
        ordering = ["tournament", "at", "id"]

    def __str__(self) -> str:
        return f"{self.name}: {self.at:%Y-%m-%d %H:%M}"


class TeamPenalty(Penalty):
    """A penalty taken off a team's sum."""

    objects = WrittenOnceManager["TeamPenalty"]()

    team = models.ForeignKey(Team, models.PROTECT, related_name="penalties", verbose_name=_("team"))

    class Meta:
        verbose_name = _("penalty of a team")
        verbose_name_plural = _("penalties of teams")
        ordering = ["team", "given_at", "id"]
        constraints = [
            models.CheckConstraint(
                name="team_penalty_takes_something_off", condition=models.Q(points__gte=1, points__lte=MOST_PENALTY)
            ),
            *with_reasons("team_penalty"),
        ]

    def __str__(self) -> str:
        return f"{self.team}: −{self.points}"
