"""Who sits where and when, as the rounds stand now: for pages, paper and calendars alike.

Nothing of roles and results is in it. Hours are told by the clock of the tournament, whatever the server's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from uuid import UUID

from django.db.models import Prefetch
from django.http import Http404

from . import access
from .models import Game, Round, Seat, Stage, Status, Tournament

SEATS = range(1, 11)


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat of a table, and who sits on it."""

    number: int
    player_id: int
    nickname: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a round: its game, its judge as printed, and who sits there."""

    uuid: UUID
    number: int
    judge_id: int | None
    judge: str
    chairs: tuple[Chair, ...]
    has_begun: bool

    def seat_of(self, player_id: int) -> int | None:
        """The seat of this player; None where they sit elsewhere."""
        return next((chair.number for chair in self.chairs if chair.player_id == player_id), None)

    @property
    def nicknames(self) -> list[tuple[int, str]]:
        """The ten seats, each with its nickname; empty where nobody sits."""
        found = {chair.number: chair.nickname for chair in self.chairs}
        return [(seat, found.get(seat, "")) for seat in SEATS]


@dataclass(frozen=True, slots=True)
class RoundTold:
    """A round with its tables; `starts_at` is by the clock of the tournament."""

    stage: Stage
    number: int
    starts_at: datetime | None
    cancelled_because: str  # empty: it is played
    tables: tuple[Table, ...]

    @property
    def is_cancelled(self) -> bool:
        """Whether it will not be played."""
        return bool(self.cancelled_because)

    @property
    def is_published(self) -> bool:
        """Whether everybody may read who sits where in it."""
        return self.stage.seating_is_public

    @property
    def is_to_come(self) -> bool:
        """Whether a table of it has not begun yet."""
        return not self.is_cancelled and any(not table.has_begun for table in self.tables)

    @property
    def key(self) -> str:
        """The stage and the round, as «2.5»."""
        return f"{self.stage.number}.{self.number}"


@dataclass(frozen=True, slots=True)
class Turn:
    """A round of one person: the table and, for a player, the seat; no table in a round that is sat out."""

    round: RoundTold
    table: Table | None
    seat: int | None = None


@dataclass(frozen=True)
class Schedule:
    """The rounds of a tournament that somebody may read, in the order of play."""

    tournament: Tournament
    stages: tuple[Stage, ...]
    rounds: tuple[RoundTold, ...]

    @property
    def is_draft(self) -> bool:
        """Whether a part of it is not open to everybody yet."""
        return any(not stage.seating_is_public for stage in self.stages)

    @cached_property
    def nicknames(self) -> dict[int, str]:
        """Whoever sits somewhere, by the player's key: the nickname as it was written last."""
        return {
            chair.player_id: chair.nickname for round in self.rounds for table in round.tables for chair in table.chairs
        }

    @cached_property
    def judges(self) -> dict[int, str]:
        """Whoever judges somewhere, by the login's key: the name as it is printed."""
        tables = (table for round in self.rounds for table in round.tables)
        return {table.judge_id: table.judge for table in tables if table.judge_id is not None}

    @property
    def next_round(self) -> RoundTold | None:
        """The first round of which a table has not begun; None where all have."""
        return next((round for round in self.rounds if round.is_to_come), None)

    def of_stage(self, number: int) -> Schedule:
        """The same of one stage. Raises Http404 where it is not in the schedule."""
        stages = tuple(stage for stage in self.stages if stage.number == number)
        if not stages:
            raise Http404
        return Schedule(self.tournament, stages, tuple(round for round in self.rounds if round.stage in stages))

    def of_round(self, stage: int, number: int) -> Schedule:
        """The same of one round. Raises Http404 where it is not in the schedule."""
        found = self.of_stage(stage)
        rounds = tuple(round for round in found.rounds if round.number == number)
        if not rounds:
            raise Http404
        return Schedule(self.tournament, found.stages, rounds)

    def of_player(self, player_id: int) -> list[Turn]:
        """The player's rounds, those sat out among them; of a stage in which they have no seat, none."""
        turns = [Turn(round, *_place(round, player_id)) for round in self.rounds if round.tables]
        played = {turn.round.stage.number for turn in turns if turn.table is not None}
        return [turn for turn in turns if turn.round.stage.number in played]

    def of_judge(self, user_id: int) -> list[Turn]:
        """The tables that this person judges."""
        return [
            Turn(round, table) for round in self.rounds for table in round.tables if table.judge_id == user_id
        ]  # fmt: skip

    def turns_of_players(self) -> dict[int, list[Turn]]:
        """The rounds of every player, by the player's key, in the order of nicknames."""
        return {key: self.of_player(key) for key in sorted(self.nicknames, key=lambda key: self.nicknames[key].lower())}

    def turns_of_judges(self) -> dict[int, list[Turn]]:
        """The tables of every judge, by the login's key, in the order of names."""
        return {key: self.of_judge(key) for key in sorted(self.judges, key=lambda key: self.judges[key].lower())}


def _place(round: RoundTold, player_id: int) -> tuple[Table | None, int | None]:
    for table in round.tables:
        seat = table.seat_of(player_id)
        if seat is not None:
            return table, seat
    return None, None


def schedule_for(user: access.Viewer, slug: str) -> Schedule:
    """The schedule that this person may read: all of it for whoever oversees the tournament, otherwise what is open
    to everybody. Raises Http404 where that is no stage at all.
    """
    tournament = access.tournament_for(user, slug)
    found = schedule_of(tournament, is_public=not access.standing_in(user, tournament).oversees)
    if not found.stages:
        raise Http404
    return found


def schedule_of(tournament: Tournament, *, is_public: bool) -> Schedule:
    """The schedule as everybody reads it, or, for who runs the tournament, whole: four queries at most."""
    stages = tournament.stages.order_by("number")
    found = tuple(stages.filter(seating_is_public=True) if is_public else stages)
    if not found:
        return Schedule(tournament, (), ())
    keys = [stage.pk for stage in found]
    rounds = {(each.stage_id, each.number): each for each in Round.objects.filter(stage__in=keys)}
    games: dict[tuple[int, int], list[Table]] = {}
    seats = Prefetch("seats", Seat.objects.order_by("number"))
    for game in Game.objects.filter(stage__in=keys).order_by("table_number", "number").prefetch_related(seats):
        games.setdefault((game.stage_id, game.round or game.number), []).append(_table(game))
    told = []
    for stage in found:
        numbers = sorted(number for key, number in {*rounds, *games} if key == stage.pk)
        told += [_round(tournament, stage, n, rounds.get((stage.pk, n)), games.get((stage.pk, n), ())) for n in numbers]
    return Schedule(tournament, found, tuple(told))


def _table(game: Game) -> Table:
    chairs = tuple(Chair(seat.number, seat.player_id, seat.nickname) for seat in game.seats.all())
    has_begun = game.status != Status.PREPARED or game.revision > 0
    return Table(game.uuid, game.table_number, game.judge_id, game.judge_name, chairs, has_begun)


def _round(
    tournament: Tournament, stage: Stage, number: int, round: Round | None, tables: Iterable[Table]
) -> RoundTold:
    """A round, made by somebody or told by its games alone."""
    if round is None:
        return RoundTold(stage, number, None, "", tuple(tables))
    starts_at = round.starts_at.astimezone(tournament.zone) if round.starts_at else None
    return RoundTold(stage, number, starts_at, round.cancelled_because if round.is_cancelled else "", tuple(tables))
