"""A tournament's result as it is taken away: one value that every format is written from."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from protocols.hiding import OPEN, Veil
from protocols.models import SeatResult, Stage, Tournament

from .as_of import Scope, Until
from .discipline_words import FineRow, fines_of
from .nominations import Nomination, nominations
from .ratings import ONE, GameRating, Line, games_of_player
from .selectors import Progress, TournamentStandings, multipliers_of, progress_of, standings_of
from .team_selectors import TournamentTeams, teams_of


@dataclass(frozen=True, slots=True)
class PlayedSeat:
    """One seat of one signed game, and what it brought; `rating` is None where the game counts for nobody."""

    stage: Stage
    game: int
    table: int
    played_on: datetime.date
    seat: int
    removed: bool
    line: Line
    rating: GameRating | None
    hides_extra: bool = False  # the components of `EXTRA_COMPONENTS` are hidden, and stand here as 0

    def points(self, component: str) -> Fraction:
        """A component as it is on the sheet, before the multiplier: win, speech, extra, best_move or penalty."""
        return Fraction(getattr(self.line, component), ONE)


@dataclass(frozen=True, slots=True)
class Exported:
    """The standings, every seat in the order of play, and the nominations, all from the sheets in force."""

    found: TournamentStandings
    progress: Progress
    seats: tuple[PlayedSeat, ...]
    nominations: tuple[Nomination, ...]
    until: Until | None = None  # as of when; None: as of now
    said: str = ""  # what is hidden, from whom: to be read beside every table
    teams: TournamentTeams | None = None  # None where the tournament has none
    veil: Veil = OPEN  # what of this is hidden until it is announced
    fines: tuple[FineRow, ...] = ()  # penalties outside a game that take points off
    is_public: bool = True  # False: whoever runs the tournament sees more in it than the public

    @property
    def without_extra(self) -> frozenset[int]:
        """The players of whom no extra points are known: those of all their games are hidden."""
        known = {seat.line.player_id for seat in self.seats if not seat.hides_extra}
        return frozenset(seat.line.player_id for seat in self.seats) - known

    @property
    def has_compensation(self) -> bool:
        """Whether a regulation of the tournament has Ci."""
        rules = (self.found.tournament.rules, *self.found.terms.own.values())
        return any(each.compensation is not None for each in rules)

    @property
    def has_marks(self) -> bool:
        """Whether a regulation of the tournament has marks for speeches (B-T2)."""
        return any(each.has_marks for each in (self.found.tournament.rules, *self.found.terms.own.values()))

    @property
    def seats_by_player(self) -> dict[int, list[PlayedSeat]]:
        """The seats of every player, the players in the order of the standings."""
        by_player: dict[int, list[PlayedSeat]] = {place.player_id: [] for place in self.found.table.places}
        for seat in self.seats:
            if seat.line.player_id in by_player:
                by_player[seat.line.player_id].append(seat)
        return by_player


def exported(tournament: Tournament, until: Scope | None = None, said: str = "") -> Exported:
    """The result as it stands, or stood `until` then, in a fixed number of queries."""
    found = standings_of(tournament, until)
    seats = _seats_of(found, until)
    asked = until.moment if until is not None else None
    games: dict[int, list[GameRating | None]] = {}
    for seat in seats:
        games.setdefault(seat.line.player_id, []).append(seat.rating)
    ratings = (place.rating for place in found.table.places)
    progress, best = progress_of(tournament, until), nominations(ratings, games)
    veil = until.over_it if until is not None else OPEN
    is_public = until is None or not until.is_beyond_the_public
    return Exported(found, progress, seats, best, asked, said, teams_of(found), veil, tuple(fines_of(found)), is_public)


def _seats_of(found: TournamentStandings, until: Scope | None) -> tuple[PlayedSeat, ...]:
    """Every seat of the signed sheets in force, by stage, game, table and seat: one query."""
    stages = {stage.pk: stage for stage in found.stages}
    results = SeatResult.objects.filter(tournament=found.tournament, in_force=True)
    columns = [name if until is None else until.column(name, "game__") for name in Line._fields]
    veil = until.over_it if until is not None else OPEN
    rows: list[tuple[Any, ...]] = list(
        (results if until is None else results.filter(until.counted("game__")))
        .order_by("stage__number", "game__number", "game__table_number", "game", "seat")
        .values_list(
            *columns, "game__round", "game__number", "game__table_number", "game__played_on", "seat", "removed"
        )
    )
    count = len(Line._fields)
    lines = [Line._make(row[:count]) for row in rows]
    brought = _brought(found, lines)
    seats = []
    for line, rating, (played, *cells) in zip(lines, brought, (row[count:] for row in rows), strict=True):
        stage = stages[line.stage_id]
        game, table, played_on, seat, removed = cells
        is_hidden = veil.hides_extra and veil.covers_played(stage.number, game if played is None else played)
        seats.append(PlayedSeat(stage, game, table, played_on, seat, removed, line, rating, is_hidden))
    return tuple(seats)


def _brought(found: TournamentStandings, lines: Sequence[Line]) -> list[GameRating | None]:
    """What each of the lines brought, in their order."""
    by_player: dict[int, list[int]] = {}
    for index, line in enumerate(lines):
        by_player.setdefault(line.player_id, []).append(index)
    rules, multipliers = found.tournament.rules, multipliers_of(found.stages)
    brought: list[GameRating | None] = [None] * len(lines)
    for indexes in by_player.values():
        games = games_of_player([lines[index] for index in indexes], rules, multipliers, found.terms)
        for index, game in zip(indexes, games, strict=True):
            brought[index] = game
    return brought


def nicknames_of(nomination: Nomination, nicknames: Mapping[int, str]) -> tuple[str, ...]:
    """Who shares it, by nickname."""
    return tuple(nicknames[player] for player in nomination.players)
