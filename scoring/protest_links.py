"""The decisions on protests that the standings lead to: those that are announced, of games that may be seen."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from protocols.models import ProtestDecision, Tournament
from protocols.protest_words import decision_words

from .release import Seen


@dataclass(frozen=True, slots=True)
class ShownDecision:
    """A decision in a line: of which game, what was decided, and where it stands."""

    uuid: UUID  # of the game
    number: int  # of the protest
    stage: str
    game: int
    table: int
    words: str
    clause: str


def decisions_shown(tournament: Tournament, seen: Seen) -> list[ShownDecision]:
    """The announced decisions in the order of play, without those of games that are hidden; one query."""
    found = ProtestDecision.objects.filter(
        seen.counted("game__"), game__tournament=tournament, announced_at__isnull=False
    ).select_related("protest", "game__stage")
    rows = found.order_by("game__stage__number", "game__number", "game__table_number", "protest__number")
    return [
        ShownDecision(
            each.game.uuid, each.protest.number, each.game.stage.name, each.game.number, each.game.table_number,
            decision_words(each), each.clause,
        )
        for each in rows
    ]  # fmt: skip
