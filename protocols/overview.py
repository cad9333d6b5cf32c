"""Every table of a tournament at a glance, for the head judge and the organizer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count

from . import access, selectors
from .duties import inner_state, tone_of
from .models import Game, Status, Tournament
from .rules.outcome import Problem
from .selectors import Record
from .services.readiness import cautions_of, problems_of
from .wording import caution_words, moment_words, problem_words

UNDER_WAY = (Status.RUNNING, Status.OVER)


@dataclass(frozen=True)
class TableLine:
    """One game: where it stands, how far it has come, and what needs somebody's attention."""

    game: Game
    state: str
    tone: str
    reached: str
    problems: tuple[str, ...]
    cautions: tuple[str, ...]  # what looks wrong and keeps from nothing
    seated: int
    is_hidden: bool  # the viewer plays at this table and must not look


@dataclass(frozen=True)
class Overview:
    """The games of a tournament by what they wait for."""

    waiting: tuple[TableLine, ...]  # over and not signed, or with something to settle
    running: tuple[TableLine, ...]
    prepared: tuple[TableLine, ...]
    closed: tuple[TableLine, ...]

    @property
    def total(self) -> int:
        """How many games there are."""
        return len(self.waiting) + len(self.running) + len(self.prepared) + len(self.closed)

    @property
    def tables(self) -> list[int]:
        """The numbers of the tables that games are at."""
        lines = (*self.waiting, *self.running, *self.prepared, *self.closed)
        return sorted({line.game.table_number for line in lines})


def overview_of(tournament: Tournament, viewer: access.Viewer) -> Overview:
    """All games that this person may know of; entries are read for those under way alone: three queries in all."""
    games = list(selectors.visible_games_of(tournament, viewer).annotate(seated=Count("seats", distinct=True)))
    looked_at = [game for game in games if game.status in UNDER_WAY and access.sees_roles(viewer, game)]
    records = selectors.records_of(looked_at)
    waiting, running, prepared, closed = [], [], [], []
    for game in games:
        line = _line(game, records.get(game.pk), games, viewer)
        if game.is_closed:
            closed.append(line)
        elif game.status == Status.OVER or line.problems:
            waiting.append(line)
        elif game.status == Status.RUNNING:
            running.append(line)
        else:
            prepared.append(line)
    return Overview(tuple(waiting), tuple(running), tuple(prepared), tuple(closed))


def _line(game: Game, record: Record | None, games: Sequence[Game], viewer: access.Viewer) -> TableLine:
    reached = ""
    cautions: list[Problem] = []
    found: list[Problem] = []
    names: dict[int, str] = {}
    if record is not None:
        names = record.names
        found, cautions = problems_of(record), cautions_of(record, beside=games)
        if game.status != Status.OVER:
            reached = moment_words(record.state.moment)
            # Of a game that goes on only what will not mend itself.
            found = [problem for problem in found if problem.code not in ("not_over", "roles_unknown", "seats_empty")]
    return TableLine(
        game=game,
        state=inner_state(game.status),
        tone=tone_of(game.status),
        reached=reached,
        problems=tuple(problem_words(problem, names) for problem in found),
        cautions=tuple(caution_words(caution, names) for caution in cautions),
        seated=game.seated,  # type: ignore[attr-defined]
        is_hidden=access.standing_at(viewer, game).plays and game.status in (Status.PREPARED, Status.RUNNING),
    )
