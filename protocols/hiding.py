"""What is hidden of a tournament until it is announced: read here, by the pages of games and by the standings alike.

  table   of the rounds hidden nobody but who runs the tournament sees a result: no table, no protocol
  extra   the protocols and the table are seen without extra points, best moves' points and marks for speeches

Who sits where, and whether a game is signed, is never hidden. What each person sees is for `access.veil_for` to say.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.db.models import Q

from .models import Game, Hidden, Hiding, Tournament
from .rules import entries as e
from .rules.regulation import Regulation
from .rules.sheet import Sheet

EXTRA_COMPONENTS = ("speech", "extra", "best_move")
"""The components of a game's points that `extra` hides."""


@dataclass(frozen=True, slots=True)
class Veil:
    """What is hidden, and from which round of which stage on; `OPEN` hides nothing."""

    what: Hidden = Hidden.NOTHING
    stage_number: int = 0
    stage_name: str = ""
    number: int = 0  # of the round, or of the game where the stage has no rounds

    @property
    def is_open(self) -> bool:
        """Whether nothing is hidden."""
        return self.what == Hidden.NOTHING

    @property
    def hides_table(self) -> bool:
        """Whether the results of the hidden rounds are not seen at all."""
        return self.what == Hidden.TABLE

    @property
    def hides_extra(self) -> bool:
        """Whether they are seen without extra points."""
        return self.what == Hidden.EXTRA

    def covers(self, game: Game) -> bool:
        """Whether the game is of a hidden round."""
        return self.covers_played(game.stage.number, game.number if game.round is None else game.round)

    def covers_played(self, stage_number: int, played: int) -> bool:
        """Whether that round of that stage is hidden; `played` is a game where the stage has no rounds."""
        return not self.is_open and (stage_number, played) >= (self.stage_number, self.number)

    def covered(self, prefix: str = "") -> Q:
        """The games of the hidden rounds; `prefix` leads to the game: «game__»."""
        if self.is_open:
            return Q(pk__in=())
        numbered = Q(**{f"{prefix}round__gte": self.number})
        numbered |= Q(**{f"{prefix}round__isnull": True, f"{prefix}number__gte": self.number})
        within = Q(**{f"{prefix}stage__number": self.stage_number}) & numbered
        return Q(**{f"{prefix}stage__number__gt": self.stage_number}) | within

    def hides_protocol(self, game: Game) -> bool:
        """Whether the game's protocol is not seen at all."""
        return self.hides_table and self.covers(game)

    def hides_extra_of(self, game: Game) -> bool:
        """Whether the game's protocol is seen without extra points."""
        return self.hides_extra and self.covers(game)


OPEN = Veil()


def veil_of(tournament: Tournament) -> Veil:
    """What is hidden of the tournament from the public now; one query."""
    last = Hiding.objects.filter(tournament=tournament).select_related("stage").order_by("-pk").first()
    return OPEN if last is None else veil_by(last)


def veil_by(hiding: Hiding) -> Veil:
    """What this act hides."""
    if hiding.stage is None or hiding.number is None:
        return OPEN
    return Veil(Hidden(hiding.what), hiding.stage.number, hiding.stage.name, hiding.number)


def veils_of() -> dict[int, Veil]:
    """What is hidden of each tournament, by its key, where something is; one query."""
    acts = Hiding.objects.select_related("stage").order_by("pk")
    found = {act.tournament_id: veil_by(act) for act in acts}
    return {key: veil for key, veil in found.items() if not veil.is_open}


def without_extra(sheet: Sheet, rules: Regulation) -> Sheet:
    """The sheet as the public sees it while extra points are hidden: the column empty, nothing explained overleaf."""
    marked = rules.has_marks and rules.speech_in_points
    rows = tuple(replace(row, extra_points=None, points=None if marked else row.points) for row in sheet.rows)
    return replace(sheet, rows=rows, remarks=tuple(remark for remark in sheet.remarks if remark.kind != "extra"))


def entries_without_extra(entries: Iterable[e.Entry]) -> list[e.Entry]:
    """The entries without extra points and marks, and without what was struck of these."""
    entries = list(entries)
    hidden = {each.revision for each in entries if isinstance(each, e.ExtraPoints | e.SpeechMark)}
    gone = hidden | {each.revision for each in entries if isinstance(each, e.Strike) and each.of in hidden}
    return [each for each in entries if each.revision not in gone]
