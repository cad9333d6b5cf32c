"""Who takes part in a tournament, who must not meet, its rounds, and the seatings drawn for them."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from ..seating.terms import Limit, Plan, Request
from .game import Game
from .lines import LineField
from .tournament import Player, Stage, Tournament

MOST_PARTICIPANTS = 400
MOST_MEETINGS = 99


class ParticipantState(models.TextChoices):
    """Whether somebody takes part; who has withdrawn keeps the games played and is seated no more."""

    REGISTERED = "registered", _("takes part")
    WITHDRAWN = "withdrawn", _("withdrawn")


class Participant(models.Model):
    """Somebody who takes part in a tournament. `number` is the draw's; `city` and `team` are words of the roster.

    Those of one `team`, whatever the case of its letters, may be kept apart when a seating is drawn.
    """

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="participants")
    player = models.ForeignKey(Player, models.PROTECT, related_name="participations", verbose_name=_("player"))
    state = models.CharField(
        _("takes part"), max_length=10, choices=ParticipantState.choices, default=ParticipantState.REGISTERED
    )
    number = models.PositiveSmallIntegerField(
        _("number of the draw"), null=True, blank=True, validators=[MinValueValidator(1)]
    )
    city = LineField(_("city"), max_length=60, blank=True)
    team = LineField(_("team"), max_length=60, blank=True)
    registered_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("participant")
        verbose_name_plural = _("participants")
        ordering = ["tournament", models.F("number").asc(nulls_last=True), "player__nickname_key"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="participant_takes_part_once"),
            models.UniqueConstraint(fields=["tournament", "number"], name="participant_has_a_number_alone"),
            models.CheckConstraint(
                name="participant_is_in_a_known_state", condition=models.Q(state__in=ParticipantState.values)
            ),
            models.CheckConstraint(
                name="participant_number_is_from_1", condition=models.Q(number__isnull=True) | models.Q(number__gte=1)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}: {self.player}"

    @property
    def takes_part(self) -> bool:
        """Whether a seating may seat this participant."""
        return self.state == ParticipantState.REGISTERED


class KeptApart(models.Model):
    """Two players who meet at most `most` times in each seating of the tournament. `first` has the smaller key."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="kept_apart")
    first = models.ForeignKey(Player, models.PROTECT, related_name="+", verbose_name=_("player"))
    second = models.ForeignKey(Player, models.PROTECT, related_name="+", verbose_name=_("player"))
    most = models.PositiveSmallIntegerField(_("meet at most"), default=0, validators=[MaxValueValidator(MOST_MEETINGS)])

    class Meta:
        verbose_name = _("pair kept apart")
        verbose_name_plural = _("pairs kept apart")
        ordering = ["tournament", "first__nickname_key", "second__nickname_key"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "first", "second"], name="pair_is_kept_apart_once"),
            models.CheckConstraint(
                name="pair_is_of_two_players_in_order", condition=models.Q(first__lt=models.F("second"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.first} – {self.second}: {self.most}"


class Conflict(models.Model):
    """A judge who does not judge at the table of a player, such as a relative's."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="conflicts")
    judge = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("judge"))
    player = models.ForeignKey(Player, models.PROTECT, related_name="+", verbose_name=_("player"))

    class Meta:
        verbose_name = _("conflict of a judge")
        verbose_name_plural = _("conflicts of judges")
        ordering = ["tournament", "judge", "player__nickname_key"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "judge", "player"], name="conflict_is_named_once"),
        ]

    def __str__(self) -> str:
        return f"{self.judge} – {self.player}"


class SeatingKind(models.TextChoices):
    """How a seating comes about."""

    SEARCH = "search", _("drawn by search")
    LOT = "lot", _("seats by lot, rotated")
    PLACE = "place", _("seats by place, rotated")


class SeatingState(models.TextChoices):
    """Where a seating stands."""

    WAITING = "waiting", _("waits for its turn")
    RUNNING = "running", _("being drawn")
    DONE = "done", _("drawn")
    FAILED = "failed", _("could not be drawn")
    USED = "used", _("in use")


class SeatingRun(models.Model):
    """A seating: what was asked for, how far the search is, and what it found.

    `players` are keys in the order in which the plan numbers them from 0, `limits` lists of such numbers with how
    often two of them may meet at most, `plan` rounds of tables of ten such numbers by seat. The same players, limits,
    seed and `steps` give the same plan. An unused one may be thrown away; one in use stays as the record of its lot.
    """

    UNFINISHED: ClassVar = (SeatingState.WAITING, SeatingState.RUNNING)

    uuid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    stage = models.ForeignKey(Stage, models.PROTECT, related_name="seating_runs")
    kind = models.CharField(max_length=6, choices=SeatingKind.choices, default=SeatingKind.SEARCH)
    players = models.JSONField()
    games = models.PositiveSmallIntegerField()  # of each player
    tables = models.PositiveSmallIntegerField()  # at once, at most
    limits = models.JSONField(default=list)  # [[numbers], most]
    seed = models.PositiveIntegerField()
    seconds = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=7, choices=SeatingState.choices, default=SeatingState.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    stop_asked = models.BooleanField(default=False)
    phase = models.CharField(max_length=10, blank=True)  # of the search, while it runs
    spent = models.FloatField(default=0)  # seconds of the search so far
    value = models.FloatField(null=True)  # the best spread of meetings so far
    steps = models.JSONField(null=True)  # of the two searches, when done
    plan = models.JSONField(null=True)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    asked_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    used_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    used_at = models.DateTimeField(null=True)
    first_round = models.PositiveSmallIntegerField(null=True)  # of the stage, where it is in use

    class Meta:
        verbose_name = _("seating")
        verbose_name_plural = _("seatings")
        ordering = ["asked_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["stage"], condition=models.Q(state__in=("waiting", "running")), name="seating_is_drawn_alone"
            ),
            models.CheckConstraint(
                name="seating_is_in_a_known_state", condition=models.Q(state__in=SeatingState.values)
            ),
            models.CheckConstraint(name="seating_is_of_a_known_kind", condition=models.Q(kind__in=SeatingKind.values)),
            models.CheckConstraint(
                name="seating_in_use_has_a_plan",
                condition=~models.Q(state="used")
                | models.Q(plan__isnull=False, used_at__isnull=False, used_by__isnull=False, first_round__gte=1),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage} · {len(self.players)} × {self.games}"

    @property
    def is_unfinished(self) -> bool:
        """Whether it is still to be drawn."""
        return self.state in self.UNFINISHED

    @property
    def request(self) -> Request:
        """What is asked of the search."""
        limits = tuple(Limit(tuple(players), most) for players, most in self.limits)
        return Request(len(self.players), self.games, self.tables, limits)

    @property
    def found(self) -> Plan | None:
        """What the search found."""
        if self.plan is None:
            return None
        rounds = tuple(tuple(tuple(table) for table in tables) for tables in self.plan)
        return Plan(len(self.players), rounds)


class Round(models.Model):
    """A round of a stage: its number, when it starts, at how many tables; cancelled with a reason.

    Its games are those of the stage whose `round` is its number, see `games`.
    """

    stage = models.ForeignKey(Stage, models.PROTECT, related_name="rounds")
    number = models.PositiveSmallIntegerField(_("round"), validators=[MinValueValidator(1)])
    starts_at = models.DateTimeField(_("starts at"), null=True, blank=True)
    tables = models.PositiveSmallIntegerField(_("tables"), default=1)
    seating = models.ForeignKey(SeatingRun, models.PROTECT, null=True, blank=True, related_name="rounds")
    cancelled_at = models.DateTimeField(_("cancelled at"), null=True, blank=True)
    cancelled_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    cancelled_because = LineField(_("reason"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering = ["stage", "number"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="round_number_is_one_of_its_stage"),
            models.CheckConstraint(name="round_number_is_from_1", condition=models.Q(number__gte=1)),
            models.CheckConstraint(
                name="round_is_cancelled_with_a_reason",
                condition=models.Q(cancelled_at__isnull=True, cancelled_by__isnull=True, cancelled_because="")
                | (models.Q(cancelled_at__isnull=False, cancelled_by__isnull=False) & ~models.Q(cancelled_because="")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage} · {self.number}"

    @property
    def is_cancelled(self) -> bool:
        """Whether it will not be played."""
        return self.cancelled_at is not None

    @property
    def games(self) -> models.QuerySet[Game]:
        """Its games, by table."""
        return Game.objects.filter(stage=self.stage_id, round=self.number).order_by("table_number", "number")
