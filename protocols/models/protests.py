"""Protests against games, what the appeals commission says of them, and their decisions (RULES §8; A 8.7)."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .game import Game
from .lines import LineField
from .sheets import SignedSheet
from .tournament import Player
from .written_once import WrittenOnce, WrittenOnceManager


class FiledHow(models.TextChoices):
    """By whose hand a protest came into the record."""

    JUDGE = "judge", _("written by the judge")
    CODE = "code", _("by the player, with the code of the table")
    LOGIN = "login", _("by the player, logged in")


class DecisionKind(models.TextChoices):
    """What may be decided; the values are those of `rules.protests.DecisionKind`."""

    DISMISSED = "dismissed", _("the protest is dismissed")
    RESULT_CHANGED = "result_changed", _("the result is changed")
    POINTS_CHANGED = "points_changed", _("points are changed")
    ANNULLED = "annulled", _("the game is annulled")
    REPLAY = "replay", _("the game is to be replayed")


class Protest(WrittenOnce):
    """A player's protest against a game, as it was made (A 8.7.1); nothing of it is changed, but that two players
    who turn out to be one become one.

    `made_at` is when the player made it, which the time for protests is compared with; `filed_at` when it came here.
    `admitted_because` is the head judge's reason to take a late one. A player protests once against a game.
    """

    changeable: ClassVar = frozenset({"player"})

    uuid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    game = models.ForeignKey(Game, models.PROTECT, related_name="protests")
    number = models.PositiveSmallIntegerField(_("number"))  # among those of the game, from 1
    seat = models.PositiveSmallIntegerField(_("seat"))  # where the player sat, chair corrections applied
    player = models.ForeignKey(Player, models.PROTECT, related_name="protests", verbose_name=_("player"))
    text = models.TextField(_("protest"))
    clause = LineField(_("clause"), max_length=40, blank=True)
    links = models.JSONField(_("links"), default=list)  # addresses, http or https
    how = models.CharField(max_length=5, choices=FiledHow.choices)
    made_at = models.DateTimeField(_("made at"))
    filed_at = models.DateTimeField(_("filed at"))
    filed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", verbose_name=_("filed by")
    )
    admitted_because = models.TextField(_("admitted because"), blank=True)
    admitted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", verbose_name=_("admitted by")
    )

    objects = WrittenOnceManager["Protest"]()

    class Meta:
        verbose_name = _("protest")
        verbose_name_plural = _("protests")
        ordering = ["game", "number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="protest_number_is_one_of_its_game"),
            models.UniqueConstraint(fields=["game", "player"], name="protest_is_made_once_by_a_player"),
            models.CheckConstraint(name="protest_seat_is_from_1_to_10", condition=models.Q(seat__gte=1, seat__lte=10)),
            models.CheckConstraint(name="protest_number_is_from_1", condition=models.Q(number__gte=1)),
            models.CheckConstraint(name="protest_says_something", condition=~models.Q(text="")),
            models.CheckConstraint(
                name="protest_is_filed_by_somebody",
                condition=models.Q(how="code", filed_by__isnull=True)
                | models.Q(how__in=["judge", "login"], filed_by__isnull=False),
            ),
            models.CheckConstraint(
                name="protest_is_admitted_with_a_reason",
                condition=models.Q(admitted_by__isnull=True, admitted_because="")
                | (models.Q(admitted_by__isnull=False) & ~models.Q(admitted_because="")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} · {self.number}"


class ProtestVote(WrittenOnce):
    """What a member of the appeals commission would decide; the last one of each member holds (A 8.7.2)."""

    protest = models.ForeignKey(Protest, models.PROTECT, related_name="votes")
    member = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("member"))
    kind = models.CharField(_("decision"), max_length=14, choices=DecisionKind.choices)
    text = models.TextField(_("reasons"), blank=True)
    voted_at = models.DateTimeField(_("voted at"))

    objects = WrittenOnceManager["ProtestVote"]()

    class Meta:
        verbose_name = _("vote on a protest")
        verbose_name_plural = _("votes on protests")
        ordering = ["protest", "id"]
        constraints = [
            models.CheckConstraint(
                name="protest_vote_is_of_a_known_kind", condition=models.Q(kind__in=DecisionKind.values)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.protest}: {self.kind}"


class ProtestDecision(WrittenOnce):
    """The one decision on a protest, final from when it is given; it takes effect when it is announced (A 8.7.4).

    `revision` and `sheet_before` are what was decided on; `sheet_after` is the sheet that it made, if it changed
    anything. `points` are objects {"seat", "component", "thousandths"}; `votes` the commission's as they were then,
    {"name", "kind"}. Of one game only one decision at a time waits to be announced.
    """

    changeable: ClassVar = frozenset({"announced_at", "announced_by", "sheet_after"})

    uuid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    protest = models.OneToOneField(Protest, models.PROTECT, related_name="decision")
    game = models.ForeignKey(Game, models.PROTECT, related_name="decisions")
    kind = models.CharField(_("decision"), max_length=14, choices=DecisionKind.choices)
    clause = LineField(_("clause"), max_length=40)
    reasons = models.TextField(_("reasons"))
    result = models.CharField(_("result"), max_length=8, blank=True)
    points = models.JSONField(default=list)
    votes = models.JSONField(default=list)
    revision = models.PositiveIntegerField()
    sheet_before = models.ForeignKey(SignedSheet, models.PROTECT, related_name="+")
    sheet_after = models.ForeignKey(SignedSheet, models.PROTECT, null=True, related_name="+")
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("decided by")
    )
    decided_at = models.DateTimeField(_("decided at"))
    announced_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", verbose_name=_("announced by")
    )
    announced_at = models.DateTimeField(_("announced at"), null=True)

    objects = WrittenOnceManager["ProtestDecision"]()

    class Meta:
        verbose_name = _("decision on a protest")
        verbose_name_plural = _("decisions on protests")
        ordering = ["game", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["game"], condition=models.Q(announced_at__isnull=True), name="decision_waits_alone_in_its_game"
            ),
            models.CheckConstraint(
                name="decision_is_of_a_known_kind", condition=models.Q(kind__in=DecisionKind.values)
            ),
            models.CheckConstraint(
                name="decision_has_reasons_and_a_clause", condition=~models.Q(reasons="") & ~models.Q(clause="")
            ),
            models.CheckConstraint(
                name="decision_names_the_result_it_sets",
                condition=models.Q(kind="result_changed", result__in=["red", "black", "draw"])
                | (~models.Q(kind="result_changed") & models.Q(result="")),
            ),
            models.CheckConstraint(
                name="decision_is_announced_by_somebody",
                condition=models.Q(announced_at__isnull=True, announced_by__isnull=True, sheet_after__isnull=True)
                | models.Q(announced_at__isnull=False, announced_by__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.protest}: {self.kind}"

    @property
    def is_announced(self) -> bool:
        """Whether everybody may read it."""
        return self.announced_at is not None


class CorrectionRequest(WrittenOnce):
    """The table's judge asks the head judge to reopen a signed protocol; answered by reopening it, or with a no."""

    changeable: ClassVar = frozenset({"answered_at", "answered_by", "answer"})

    game = models.ForeignKey(Game, models.PROTECT, related_name="correction_requests")
    text = models.TextField(_("what is to be corrected"))
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(_("asked at"))
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    answered_at = models.DateTimeField(_("answered at"), null=True)
    answer = models.TextField(_("answer"), blank=True)

    objects = WrittenOnceManager["CorrectionRequest"]()

    class Meta:
        verbose_name = _("correction asked for")
        verbose_name_plural = _("corrections asked for")
        ordering = ["game", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["game"], condition=models.Q(answered_at__isnull=True), name="correction_is_asked_for_once"
            ),
            models.CheckConstraint(name="correction_says_what", condition=~models.Q(text="")),
            models.CheckConstraint(
                name="correction_is_answered_by_somebody",
                condition=models.Q(answered_at__isnull=True, answered_by__isnull=True)
                | models.Q(answered_at__isnull=False, answered_by__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game}: {self.text[:40]}"
