"""Penalties outside a game as pages, papers and files tell them."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .discipline import DEFEAT, EXPULSION, REMOVAL, WARNING, Act, PlayersRecord
from .discipline_models import PenaltyKind, PlayerPenalty
from .discipline_selectors import penalties_of
from .ratings import ONE
from .selectors import TournamentStandings
from .wording import short_figure


@dataclass(frozen=True, slots=True)
class FineRow:
    """A penalty in force that takes points off."""

    nickname: str
    kind: str
    kind_words: str
    thousandths: int
    clause: str
    reason: str

    @property
    def said(self) -> str:
        """What it took off and what for."""
        words = f"{short_figure(-self.thousandths, ONE)}: {self.kind_words}, {self.reason}"
        return f"{words} ({self.clause})" if self.clause else words

    @property
    def words(self) -> str:
        """The same as a sentence of its own."""
        return _("Outside a game: %(said)s") % {"said": self.said}


def fine_row(penalty: PlayerPenalty, nickname: str) -> FineRow:
    """The penalty in words."""
    words = str(PenaltyKind(penalty.kind).label)
    return FineRow(nickname, penalty.kind, words, penalty.points, penalty.clause, penalty.reason)


def fines_of(found: TournamentStandings, player: int | None = None) -> list[FineRow]:
    """What was given outside games to whoever stands in the table, or to this player; one query where anything was."""
    fined = found.terms.penalties
    if not fined or (player is not None and player not in fined):
        return []
    return [
        fine_row(each, found.nicknames[each.player_id])
        for each in penalties_of(found.tournament, player)
        if each.revoked_at is None and each.points and each.player_id in found.nicknames
    ]


def kind_words(kind: str) -> str:
    """What was given at a table."""
    return {
        WARNING: _("warning"),
        REMOVAL: _("removal from the table"),
        DEFEAT: _("defeat of the team"),
        EXPULSION: _("removal from the tournament"),
    }[kind]


def act_row(act: Act) -> dict[str, str]:
    """What was given in a game, and what it took off."""
    points = short_figure(act.points, ONE) if act.points else ""
    return {"kind": kind_words(act.kind), "points": points, "clause": act.clause, "text": act.text}


def penalty_row(penalty: PlayerPenalty) -> dict[str, str]:
    """A penalty outside a game, and what it takes off."""
    points = short_figure(-penalty.points, ONE) if penalty.points else ""
    return {"kind": str(PenaltyKind(penalty.kind).label), "points": points}


def counts_words(record: PlayersRecord) -> list[str]:
    """How much of each there is to the player's name."""
    found = record.counts
    words = [
        (record.warnings, ngettext("%(n)d warning or card", "%(n)d warnings and cards", record.warnings)),
        (found[REMOVAL], ngettext("%(n)d removal", "%(n)d removals", found[REMOVAL])),
        (found[DEFEAT], ngettext("%(n)d defeat of the team", "%(n)d defeats of the team", found[DEFEAT])),
        (found["foul"], ngettext("%(n)d foul in all", "%(n)d fouls in all", found["foul"])),
    ]
    said = [text % {"n": n} for n, text in words if n]
    return [*said, *([_("removed from the tournament")] if found[EXPULSION] else [])]
