"""Players, tournaments, who serves in them, and their stages."""

from __future__ import annotations

import secrets
import unicodedata
from datetime import datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ..exchange.lines import line_written
from ..rules.regulation import PRESETS, Regulation
from .lines import LineField
from .regulations import own_rules

NICKNAME_LENGTH = 40  # characters; the official form has room for as many
KEY_LENGTH = 160  # characters; there are signs that stand for eighteen letters


def nickname_written(nickname: str) -> str:
    """The nickname as it is stored: a line as any other.

    >>> nickname_written("  Ёлка \\t 7 ")
    'Ёлка 7'
    """
    return line_written(nickname)


def nickname_key(nickname: str) -> str:
    """What makes two nicknames the same: letters without case, wide and narrow forms alike; Ё is not Е.

    >>> nickname_key("ЁЖ") == nickname_key("ёж"), nickname_key("Ёж") == nickname_key("Еж")
    (True, False)
    """
    written = nickname_written(nickname)
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", written).casefold())
    return folded if len(folded) <= KEY_LENGTH else written.casefold()


def _salt() -> str:
    return secrets.token_hex(16)


class Player(models.Model):
    """A person who plays, known by the nickname.

    Signed records hold a digest of `salt` and nickname, so that erasing both later breaks no proof.
    """

    nickname = models.CharField(_("nickname"), max_length=NICKNAME_LENGTH)
    nickname_key = models.CharField(max_length=KEY_LENGTH, unique=True, editable=False)
    name = LineField(_("name"), max_length=120, blank=True)
    city = LineField(_("city"), max_length=60, blank=True)
    salt = models.CharField(max_length=32, default=_salt, editable=False)
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="player", verbose_name=_("login")
    )
    # Who it turned out to be; such a player has no games any more, and whoever writes the nickname means the other.
    merged_into = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("is the same as")
    )

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        ordering = ["nickname_key"]
        constraints = [
            models.CheckConstraint(name="player_has_a_nickname", condition=~models.Q(nickname="")),
            models.CheckConstraint(name="player_has_a_key", condition=~models.Q(nickname_key="")),
        ]

    def __str__(self) -> str:
        return self.nickname

    def save(self, *args: object, **kwargs: object) -> None:
        """Saves the player with the key that follows from the nickname."""
        self.nickname = nickname_written(self.nickname)
        self.nickname_key = nickname_key(self.nickname)
        super().save(*args, **kwargs)  # type: ignore[arg-type]


class RegulationCode(models.TextChoices):
    """The regulations that a tournament may be played under."""

    A = "A", _("Edition A")
    B = "B", _("Edition B")
    FEDERATION = "F", _("Federation")


class Tournament(models.Model):
    """A tournament, played under a preset or under a regulation of its own; its stages may differ."""

    title = LineField(_("title"), max_length=120)
    slug = models.SlugField(_("address"), max_length=60, unique=True)
    city = LineField(_("city"), max_length=60, blank=True)
    starts_on = models.DateField(_("first day"))
    regulation = models.CharField(_("regulation"), max_length=1, choices=RegulationCode.choices)  # the preset
    regulation_version = models.ForeignKey(
        "protocols.RegulationVersion", models.PROTECT, null=True, blank=True, related_name="+",
        verbose_name=_("own regulation"),
    )  # fmt: skip
    is_public = models.BooleanField(_("open to everybody"), default=True)
    time_zone = models.CharField(_("time zone"), max_length=40, blank=True)  # a name of the IANA; none: the site's own
    registration_closes_at = models.DateTimeField(_("registration closes at"), null=True, blank=True)  # none: off
    registration_closed_at = models.DateTimeField(_("registration closed at"), null=True, blank=True)  # before that
    places = models.PositiveSmallIntegerField(_("places"), null=True, blank=True, validators=[MinValueValidator(1)])
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        ordering = ["-starts_on", "-id"]
        constraints = [
            models.CheckConstraint(name="tournament_has_a_title", condition=~models.Q(title="")),
            models.CheckConstraint(
                name="tournament_has_a_known_regulation",
                condition=models.Q(regulation__in=RegulationCode.values),
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def rules(self) -> Regulation:
        """The regulation of its standings, and of the games that will be set up; each game keeps its own."""
        return own_rules(self) or self.preset

    @property
    def preset(self) -> Regulation:
        """The regulation that it began with."""
        return PRESETS[self.regulation]

    @property
    def registration_ended_at(self) -> datetime | None:
        """When its registration closes or has been closed; None where there is none."""
        return self.registration_closed_at or self.registration_closes_at

    @property
    def takes_applications(self) -> bool:
        """Whether its registration is open at this moment."""
        ends_at = self.registration_ended_at
        return ends_at is not None and timezone.now() < ends_at

    @property
    def zone(self) -> ZoneInfo:
        """The time zone in which its hours are told, whatever the server's."""
        return ZoneInfo(self.time_zone or settings.TIME_ZONE)


class MemberRole(models.TextChoices):
    """How a person serves in a tournament."""

    ORGANIZER = "organizer", _("organizer")
    HEAD_JUDGE = "head_judge", _("head judge")
    JUDGE = "judge", _("judge")
    COMMISSION = "commission", _("member of the appeals commission")


class Member(models.Model):
    """A person with a login who serves in a tournament."""

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="members")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="memberships")
    role = models.CharField(_("serves as"), max_length=12, choices=MemberRole.choices)

    class Meta:
        verbose_name = _("member")
        verbose_name_plural = _("members")
        ordering = ["tournament", "role", "id"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "user", "role"], name="member_serves_once_in_a_role"),
            models.CheckConstraint(name="member_has_a_known_role", condition=models.Q(role__in=MemberRole.values)),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.get_role_display()}"


class Stage(models.Model):
    """A stage of a tournament; its multiplier is 1.5 at the final table (A 8.6).

    Stages with the same `group` are one where the games of a stage are counted: for Ci (RULES §6). Without a
    regulation of its own a stage has the tournament's.
    """

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="stages")
    name = LineField(_("name"), max_length=60)
    number = models.PositiveSmallIntegerField(_("number"), validators=[MinValueValidator(1)])
    multiplier = models.DecimalField(_("multiplier"), max_digits=6, decimal_places=3, default=Decimal(1))
    is_final = models.BooleanField(_("final"), default=False)
    group = LineField(_("counted together with"), max_length=60, blank=True)
    seating_is_public = models.BooleanField(_("its seating is open to everybody"), default=False)
    regulation_version = models.ForeignKey(
        "protocols.RegulationVersion", models.PROTECT, null=True, blank=True, related_name="+",
        verbose_name=_("own regulation"),
    )  # fmt: skip

    class Meta:
        verbose_name = _("stage")
        verbose_name_plural = _("stages")
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="stage_number_is_one_of_its_tournament"),
            models.CheckConstraint(name="stage_number_is_from_1", condition=models.Q(number__gte=1)),
            models.CheckConstraint(name="stage_has_a_name", condition=~models.Q(name="")),
            models.CheckConstraint(name="stage_multiplier_is_above_0", condition=models.Q(multiplier__gt=0)),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def rules(self) -> Regulation:
        """Its own regulation, or the tournament's."""
        return own_rules(self) or self.tournament.rules
