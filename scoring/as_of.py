"""Standings as of any round: the moments of a tournament that its table can be looked at, and what counted then."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from django.db.models import Q
from django.db.models.expressions import Combinable
from django.utils.translation import gettext as _

from protocols.hiding import OPEN, Veil
from protocols.models import CLOSED, Game, Tournament


class Scope(Protocol):
    """What of a tournament counts: what had been played by a moment (`Until`), or what somebody may see (`Seen`)."""

    @property
    def moment(self) -> Until | None:
        """As of when; None: as of now, or of the last round that may be seen."""

    @property
    def is_now(self) -> bool:
        """Whether it is everything as it stands now."""

    def counted(self, prefix: str = "") -> Q:
        """The games that count; `prefix` leads to the game: «game__»."""

    @property
    def over_it(self) -> Veil:
        """What is hidden of just this until it is announced; `OPEN` where everything of it is seen."""

    @property
    def is_beyond_the_public(self) -> bool:
        """Whether it has in it what is hidden from the public."""

    @property
    def knows_no_extra(self) -> bool:
        """Whether the extra points of every game that counts are hidden."""

    def withheld(self, prefix: str = "") -> Q:
        """The games that would count if nothing were hidden."""

    def column(self, name: str, prefix: str = "") -> str | Combinable:
        """A column of the results."""

    def knows_lot(self, drawn_at: datetime) -> bool:
        """Whether a lot of that time is known."""

    def knows_cut(self, stage_number: int) -> bool:
        """Whether the cut that was taken into that stage is known."""


@dataclass(frozen=True, slots=True)
class Until:
    """The end of a round of a stage, or, where the games of the stage have no rounds, of a game."""

    stage_number: int
    stage_name: str
    number: int
    is_round: bool

    @property
    def key(self) -> str:
        """As it stands in an address: «2.5»."""
        return f"{self.stage_number}.{self.number}"

    @property
    def words(self) -> str:
        """As it is spoken of."""
        words = _("%(stage)s, after round %(number)d") if self.is_round else _("%(stage)s, after game %(number)d")
        return words % {"stage": self.stage_name, "number": self.number}

    def counted(self, prefix: str = "") -> Q:
        """What had been played then; `prefix` leads to the game: «game__»."""
        what = "round" if self.is_round else "number"
        within = {f"{prefix}stage__number": self.stage_number, f"{prefix}{what}__lte": self.number}
        return Q(**{f"{prefix}stage__number__lt": self.stage_number}) | Q(**within)

    @property
    def moment(self) -> Until:
        """Itself."""
        return self

    @property
    def is_now(self) -> bool:
        """It is the past."""
        return False

    @property
    def over_it(self) -> Veil:
        """Nothing."""
        return OPEN

    @property
    def is_beyond_the_public(self) -> bool:
        """It speaks of nobody."""
        return False

    @property
    def knows_no_extra(self) -> bool:
        """It knows all."""
        return False

    def withheld(self, prefix: str = "") -> Q:
        """No game."""
        return Q(pk__in=())

    def column(self, name: str, prefix: str = "") -> str | Combinable:
        """As it is stored."""
        return name

    def knows_lot(self, drawn_at: datetime) -> bool:
        """Every lot."""
        return True

    def knows_cut(self, stage_number: int) -> bool:
        """Every cut."""
        return True


def moments_of(tournament: Tournament) -> tuple[Until, ...]:
    """Every round, or game, of which a protocol is signed, in the order of play; one query."""
    rows = Game.objects.filter(tournament=tournament, status__in=CLOSED).order_by()
    found: dict[tuple[int, str], set[tuple[int | None, int]]] = {}
    for stage, name, played, number in rows.values_list("stage__number", "stage__name", "round", "number").distinct():
        found.setdefault((stage, name), set()).add((played, number))
    moments = []
    for (stage, name), games in sorted(found.items()):
        rounds = {played for played, _number in games}
        is_round = None not in rounds
        numbers = rounds if is_round else {number for _played, number in games}
        moments += [Until(stage, name, number, is_round) for number in sorted(n for n in numbers if n is not None)]
    return tuple(moments)


def moment(moments: tuple[Until, ...], key: str) -> Until | None:
    """The moment of that key; None for an empty one. Raises KeyError for one that is not among the moments."""
    if not key:
        return None
    for each in moments:
        if each.key == key:
            return each
    raise KeyError(key)
