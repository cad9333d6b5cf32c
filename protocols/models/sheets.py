"""Signed sheets, and what each brings to the standings."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from ..rules.regulation import PRESETS, Regulation
from ..rules.sheet import Sheet, from_data
from ..rules.terms import Result, Role
from .game import Game
from .regulations import own_rules
from .tournament import Player, RegulationCode, Stage, Tournament
from .written_once import WrittenOnce, WrittenOnceManager


class SignedSheet(WrittenOnce):
    """A sheet that a judge has signed: a document, never changed; a reopening only says when it ceased to hold.

    `data` holds the sheet under "sheet", the signature under "signature" and the salted digests of the ten
    players' nicknames under "players". `sha256` seals all of it, with digests in the place of nicknames.
    `record_hash` seals the record it was made from: the hash of its last entry, and the digests.
    """

    changeable: ClassVar = frozenset({"superseded_at", "reopen_reason", "reopened_by"})
    objects = WrittenOnceManager["SignedSheet"]()

    game = models.ForeignKey(Game, models.PROTECT, related_name="sheets")
    number = models.PositiveSmallIntegerField(_("number"))
    revision = models.PositiveIntegerField()
    data = models.JSONField()
    sha256 = models.CharField(max_length=64)
    record_hash = models.CharField(max_length=64)
    rules_version = models.CharField(max_length=20)
    regulation = models.CharField(max_length=1, choices=RegulationCode.choices)  # the preset, or what it began with
    regulation_version = models.ForeignKey("protocols.RegulationVersion", models.PROTECT, null=True, related_name="+")
    signed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="signed_sheets", verbose_name=_("signed by")
    )
    signed_at = models.DateTimeField(_("signed at"))
    superseded_at = models.DateTimeField(_("superseded at"), null=True)
    reopened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", verbose_name=_("reopened by")
    )
    reopen_reason = models.TextField(_("reason of reopening"), blank=True)

    class Meta:
        verbose_name = _("signed sheet")
        verbose_name_plural = _("signed sheets")
        ordering = ["game", "number"]
        indexes = [models.Index(fields=["sha256"], name="sheet_by_seal")]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="sheet_number_is_one_of_its_game"),
            models.UniqueConstraint(
                fields=["game"], condition=models.Q(superseded_at__isnull=True), name="sheet_in_force_is_one"
            ),
            models.CheckConstraint(name="sheet_number_is_from_1", condition=models.Q(number__gte=1)),
            models.CheckConstraint(
                name="sheet_is_superseded_with_a_reason",
                condition=models.Q(superseded_at__isnull=True, reopen_reason="", reopened_by__isnull=True)
                | (models.Q(superseded_at__isnull=False, reopened_by__isnull=False) & ~models.Q(reopen_reason="")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} · {self.number}"

    @property
    def sheet(self) -> Sheet:
        """The sheet as a value."""
        return from_data(cast(dict[str, Any], self.data)["sheet"])

    @property
    def rules(self) -> Regulation:
        """The regulation it was signed under."""
        return own_rules(self) or PRESETS[self.regulation]


class SeatResult(models.Model):
    """What a signed sheet brings one player, in integer thousandths of a point.

    The columns of game, tournament and stage repeat those of the sheet, so that a rating is one query over
    integers. Only rows `in_force` whose `result` is red, black or draw count.
    """

    sheet = models.ForeignKey(SignedSheet, models.PROTECT, related_name="results")
    game = models.ForeignKey(Game, models.PROTECT, related_name="results")
    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="results")
    stage = models.ForeignKey(Stage, models.PROTECT, related_name="results")
    player = models.ForeignKey(Player, models.PROTECT, related_name="results")
    seat = models.PositiveSmallIntegerField(_("seat"))
    role = models.CharField(max_length=8, blank=True)
    result = models.CharField(max_length=8)
    won = models.BooleanField(null=True)
    win = models.IntegerField(default=0)
    penalty = models.IntegerField(default=0)
    speech = models.IntegerField(default=0)
    extra = models.IntegerField(default=0)
    best_move = models.IntegerField(default=0)
    hits = models.PositiveSmallIntegerField(null=True)
    first_victim = models.BooleanField(default=False)
    removed = models.BooleanField(default=False)
    from_tournament = models.BooleanField(default=False)
    in_force = models.BooleanField(default=True)
    # Of the digest on a sheet that came in a file; NULL: the player's own, "": the file didn't tell.
    salt = models.CharField(max_length=32, null=True)  # noqa: DJ001

    class Meta:
        verbose_name = _("result of a seat")
        verbose_name_plural = _("results of seats")
        ordering = ["sheet", "seat"]
        indexes = [
            models.Index(fields=["tournament", "in_force"], name="result_by_tournament"),
            models.Index(fields=["stage"], condition=models.Q(from_tournament=True), name="result_of_the_removed"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["sheet", "seat"], name="result_is_one_of_its_seat"),
            models.UniqueConstraint(fields=["sheet", "player"], name="result_is_one_of_its_player"),
            models.UniqueConstraint(
                fields=["game", "seat"], condition=models.Q(in_force=True), name="result_in_force_is_one"
            ),
            models.CheckConstraint(name="result_seat_is_from_1_to_10", condition=models.Q(seat__gte=1, seat__lte=10)),
            models.CheckConstraint(
                name="result_is_a_known_one", condition=models.Q(result__in=[r.value for r in Result])
            ),
            models.CheckConstraint(
                name="result_role_is_known_where_it_counts",
                condition=models.Q(role__in=[r.value for r in Role])
                | models.Q(role="", result__in=[Result.ANNULLED.value, Result.REPLAY.value]),
            ),
            models.CheckConstraint(
                name="result_won_or_lost_where_a_team_won",
                condition=models.Q(won__isnull=False, result__in=[Result.RED.value, Result.BLACK.value])
                | models.Q(
                    won__isnull=True, result__in=[Result.DRAW.value, Result.ANNULLED.value, Result.REPLAY.value]
                ),
            ),
            models.CheckConstraint(
                name="result_hits_are_up_to_3", condition=models.Q(hits__isnull=True) | models.Q(hits__lte=3)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sheet} · {self.seat}"

    @property
    def digest_salt(self) -> str:
        """The salt of the nickname's digest on its sheet; empty where the sheet came in a file without it."""
        return self.player.salt if self.salt is None else self.salt
