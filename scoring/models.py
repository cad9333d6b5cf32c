"""What scoring stores: the lots drawn among equal players (A 8.5.4), and ratings from outside, a tie key (§7)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from protocols.models import Player, Tournament
from protocols.models.written_once import WrittenOnce, WrittenOnceManager

from .cut_models import Cut as Cut
from .cut_models import CutNotice as CutNotice
from .cut_models import CutPlace as CutPlace
from .cut_models import CutSize as CutSize
from .discipline_models import PlayerPenalty as PlayerPenalty
from .season_models import Season as Season
from .team_models import Team as Team
from .team_models import TeamMember as TeamMember
from .team_models import TeamPenalty as TeamPenalty


def tied_key(players: Iterable[int]) -> str:
    """The same for the same players, in whatever order they are named.

    >>> tied_key([12, 3]) == tied_key([3, 12]) != tied_key([3, 1, 2])
    True
    """
    return hashlib.sha256(",".join(map(str, sorted(players))).encode()).hexdigest()


class Lot(WrittenOnce):
    """A lot drawn once among the players who shared places; it holds as long as exactly these are tied.

    Only where two players turn out to be one is its key written anew, and the name of that place of it.
    """

    changeable: ClassVar = frozenset({"tied"})

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="lots")
    tied = models.CharField(max_length=64, editable=False)  # tied_key of the players
    first_place = models.PositiveSmallIntegerField(_("the first of the places"))
    drawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="lots_drawn", verbose_name=_("drawn by")
    )
    drawn_at = models.DateTimeField(_("drawn at"))

    objects = WrittenOnceManager["Lot"]()

    class Meta:
        verbose_name = _("lot")
        verbose_name_plural = _("lots")
        ordering = ["tournament", "first_place", "id"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "tied"], name="lot_is_drawn_once_among_the_same"),
            models.CheckConstraint(name="lot_is_for_a_place_from_1", condition=models.Q(first_place__gte=1)),
        ]

    def __str__(self) -> str:
        return f"{self.tournament} · {self.first_place}"


class LotPlace(WrittenOnce):
    """Where a lot put one of the players."""

    changeable: ClassVar = frozenset({"player"})

    lot = models.ForeignKey(Lot, models.PROTECT, related_name="places")
    position = models.PositiveSmallIntegerField(_("position"))
    player = models.ForeignKey(Player, models.PROTECT, related_name="lot_places", verbose_name=_("player"))

    objects = WrittenOnceManager["LotPlace"]()

    class Meta:
        verbose_name = _("place of a lot")
        verbose_name_plural = _("places of lots")
        ordering = ["lot", "position"]
        constraints = [
            models.UniqueConstraint(fields=["lot", "position"], name="lot_position_holds_one_player"),
            models.UniqueConstraint(fields=["lot", "player"], name="lot_names_a_player_once"),
            models.CheckConstraint(name="lot_position_is_from_1", condition=models.Q(position__gte=1)),
        ]

    def __str__(self) -> str:
        return f"{self.lot} · {self.position}"


class QualifyingRating(models.Model):
    """A player's rating from outside the tournament, in integer thousandths: a key between equal players (§7)."""

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="qualifying_ratings")
    player = models.ForeignKey(Player, models.PROTECT, related_name="+", verbose_name=_("player"))
    rating = models.BigIntegerField(_("qualifying rating"))
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("author"))
    written_at = models.DateTimeField(_("written at"))

    class Meta:
        verbose_name = _("qualifying rating")
        verbose_name_plural = _("qualifying ratings")
        ordering = ["tournament", "-rating", "id"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="qualifying_rating_is_one_of_its_player"),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.rating}"
