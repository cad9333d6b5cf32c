"""A game, and who sits where in it."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from ..rules.regulation import Regulation
from .lines import LineField
from .regulations import own_rules
from .tournament import NICKNAME_LENGTH, Player, Stage, Tournament


class Status(models.TextChoices):
    """Where a game stands; the last three are signed, and of these the last two count for nobody (RULES §9)."""

    PREPARED = "prepared", _("prepared")
    RUNNING = "running", _("running")
    OVER = "over", _("over")
    SIGNED = "signed", _("signed")
    ANNULLED = "annulled", _("annulled")
    REPLAYED = "replayed", _("to be replayed")


def status_words(status: str) -> str:
    """The status in words; one that there is not, as it stands."""
    return str(dict(Status.choices).get(status, status))


OPEN = (Status.PREPARED, Status.RUNNING, Status.OVER)  # may be written to
CLOSED = (Status.SIGNED, Status.ANNULLED, Status.REPLAYED)  # a signed sheet is in force


class Game(models.Model):
    """One game. What happened in it stands in its entries; the columns here are its header and where it stands.

    `revision` is the number of entries written: the order of writing, the guard against double taps, the lock
    between two devices and the cursor of a second screen.
    """

    uuid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="games")
    stage = models.ForeignKey(Stage, models.PROTECT, related_name="games", verbose_name=_("stage"))
    number = models.PositiveSmallIntegerField(_("game number"), validators=[MinValueValidator(1)])
    table_number = models.PositiveSmallIntegerField(_("table number"), default=1, validators=[MinValueValidator(1)])
    round = models.PositiveSmallIntegerField(_("round"), null=True, blank=True)
    played_on = models.DateField(_("date"))
    regulation_version = models.ForeignKey(
        "protocols.RegulationVersion", models.PROTECT, null=True, blank=True, related_name="+",
        verbose_name=_("regulation"),
    )  # fmt: skip
    judge = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="judged_games",
        verbose_name=_("judge"),
    )  # fmt: skip
    judge_name = LineField(_("judge as printed"), max_length=80, blank=True)
    status = models.CharField(_("status"), max_length=10, choices=Status.choices, default=Status.PREPARED)
    results_only = models.BooleanField(_("results only"), default=False)
    from_paper = models.BooleanField(_("typed in from paper"), default=False)
    revision = models.PositiveIntegerField(default=0)
    ended_at = models.DateTimeField(_("ended at"), null=True, blank=True)
    protest = models.TextField(_("protest"), blank=True)
    sheet_in_force = models.ForeignKey(
        "SignedSheet", models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("sheet in force")
    )
    source = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("game")
        verbose_name_plural = _("games")
        ordering = ["stage", "number", "table_number"]
        constraints = [
            models.UniqueConstraint(
                fields=["stage", "number", "table_number"], name="game_number_is_one_of_its_table_and_stage"
            ),
            models.CheckConstraint(
                name="game_numbers_are_from_1",
                condition=models.Q(number__gte=1, table_number__gte=1, revision__gte=0),
            ),
            models.CheckConstraint(name="game_has_a_known_status", condition=models.Q(status__in=Status.values)),
            models.CheckConstraint(
                name="game_closed_by_a_sheet_in_force",
                condition=models.Q(status__in=CLOSED, sheet_in_force__isnull=False)
                | models.Q(status__in=OPEN, sheet_in_force__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number}/{self.table_number}"

    @property
    def is_closed(self) -> bool:
        """Whether a signed sheet is in force, so that nothing may be written (A 9.9)."""
        return self.status in CLOSED

    @property
    def rules(self) -> Regulation:
        """The regulation it is played under: the version it was set up with, or the tournament's preset."""
        return own_rules(self) or self.tournament.preset


class Seat(models.Model):
    """Who sits on a seat, with the nickname as it was written for this game."""

    game = models.ForeignKey(Game, models.PROTECT, related_name="seats")
    number = models.PositiveSmallIntegerField(_("seat"))
    player = models.ForeignKey(Player, models.PROTECT, related_name="seats", verbose_name=_("player"))
    nickname = models.CharField(_("nickname"), max_length=NICKNAME_LENGTH)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["game", "number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="seat_holds_one_player"),
            models.UniqueConstraint(fields=["game", "player"], name="seat_is_the_players_only_one"),
            models.CheckConstraint(name="seat_is_from_1_to_10", condition=models.Q(number__gte=1, number__lte=10)),
            models.CheckConstraint(name="seat_has_a_nickname", condition=~models.Q(nickname="")),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.nickname}"
