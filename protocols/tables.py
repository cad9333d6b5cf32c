"""The board of all tables: who sits where now, how far each game has come, what is signed and what is protested."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import BooleanField, ExpressionWrapper, Prefetch
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from . import access, selectors
from .duties import inner_state, tone_of
from .models import Game, Round, Seat, SeatResult, Stage, Status, Tournament
from .protest_selectors import is_contested
from .rules.outcome import outcome
from .rules.terms import SEATS
from .selectors import Record
from .wording import moment_words
from .wording.terms import numbers_words, result_words

UNDER_WAY = (Status.RUNNING, Status.OVER)


@dataclass(frozen=True, slots=True)
class Tile:
    """One table of a round: `free` are seats without a player, `written_at` is when its last entry was written."""

    game: Game
    state: str
    tone: str
    result: str
    free: str
    nicknames: tuple[tuple[int, str], ...]
    written_at: datetime | None
    is_contested: bool
    is_hidden: bool  # the viewer plays at this table and must not look

    @property
    def written_ms(self) -> int:
        """The same moment in ms since 1970, for the script that counts from it; 0 without one."""
        return round(self.written_at.timestamp() * 1000) if self.written_at else 0


@dataclass(frozen=True, slots=True)
class Shown:
    """A round as the board shows it; `starts_at` is by the clock of the tournament."""

    stage: Stage
    number: int
    starts_at: datetime | None
    cancelled_because: str
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """What the board is drawn of, and the mark that is the same while nothing of it changes."""

    tournament: Tournament
    viewer: access.Viewer
    games: list[Game]
    rounds: dict[tuple[int, int], Round]
    mark: str


def round_of(game: Game) -> int:
    """The number of the game's round; a game without one is in that of its own number."""
    return game.round or game.number


def seen_by(tournament: Tournament, viewer: access.Viewer, *, all_rounds: bool = False) -> Seen:
    """The games that the board shows now, and its mark; three queries.

    Without `all_rounds` those of each stage's round at hand, whatever is under way, and what is protested.
    """
    known = selectors.visible_games_of(tournament, viewer).annotate(
        contested=ExpressionWrapper(is_contested(), BooleanField())
    )
    seats = Prefetch("seats", Seat.objects.order_by("number"))
    games: list[Game] = list(known.prefetch_related(seats))
    rounds = {
        (each.stage_id, each.number): each for each in Round.objects.filter(stage__tournament=tournament).order_by("pk")
    }
    shown: list[Game] = games if all_rounds else at_hand(games, rounds)
    facts = [_facts(game) for game in shown]
    planned = [
        (*key, each.starts_at, each.cancelled_because) for key, each in sorted(rounds.items(), key=lambda item: item[0])
    ]
    told = repr((facts, planned, all_rounds, getattr(viewer, "pk", None), get_language()))
    return Seen(tournament, viewer, shown, rounds, hashlib.sha256(told.encode()).hexdigest()[:20])


def _facts(game: Game) -> tuple[object, ...]:
    return (
        game.pk, game.revision, game.status, game.sheet_in_force_id, game.judge_name, game.stage.name, game.number,
        game.table_number, game.round, game.__dict__["contested"],
        [(seat.number, seat.nickname) for seat in game.seats.all()],
    )  # fmt: skip


def at_hand(games: Sequence[Game], rounds: dict[tuple[int, int], Round]) -> list[Game]:
    """The round that is played now or next, of the first stage that has one, and what else wants an eye."""

    def is_cancelled(game: Game) -> bool:
        found = rounds.get((game.stage_id, round_of(game)))
        return found is not None and found.is_cancelled

    open_games = [game for game in games if not game.is_closed and not is_cancelled(game)]
    current = min(((game.stage.number, round_of(game)) for game in open_games), default=None)
    if current is None:
        current = max(((game.stage.number, round_of(game)) for game in games), default=None)
    return [
        game
        for game in games
        if (game.stage.number, round_of(game)) == current or game.status in UNDER_WAY or game.__dict__["contested"]
    ]


def board_of(seen: Seen) -> list[Shown]:
    """The rounds with their tables in the order of play; entries are read for the games under way: three queries."""
    looked_at = [game for game in seen.games if game.status in UNDER_WAY and access.sees_roles(seen.viewer, game)]
    records = selectors.records_of(looked_at)
    closed = [game.pk for game in seen.games if game.is_closed]
    rows = SeatResult.objects.filter(game__in=closed, in_force=True).order_by().values_list("game", "result")
    results = dict(rows.distinct())
    found: dict[tuple[int, int, int], list[Game]] = {}
    for game in seen.games:
        found.setdefault((game.stage.number, round_of(game), game.stage_id), []).append(game)
    shown = []
    for (_stage, number, stage_id), games in sorted(found.items()):
        row = seen.rounds.get((stage_id, number))
        tiles = [_tile(game, records.get(game.pk), results.get(game.pk, ""), seen.viewer) for game in by_table(games)]
        start = row.starts_at.astimezone(seen.tournament.zone) if row is not None and row.starts_at else None
        shown.append(Shown(games[0].stage, number, start, row.cancelled_because if row else "", tuple(tiles)))
    return shown


def by_table(games: Iterable[Game]) -> list[Game]:
    """In the order of tables."""
    return sorted(games, key=lambda game: (game.table_number, game.number))


def _tile(game: Game, record: Record | None, result: str, viewer: access.Viewer) -> Tile:
    state, told, written_at = inner_state(game.status), "", None
    if record is not None:
        written_at = record.rows[-1].recorded_at if record.rows else None
        if game.status == Status.OVER:
            end = outcome(record.state)
            state, told = pgettext("game", "finished, to be signed"), result_words(end.result) if end else ""
        else:
            state = moment_words(record.state.moment)
    elif game.is_closed and result:
        told = result_words(result)
    people = tuple((seat.number, seat.nickname) for seat in game.seats.all())
    free = [seat for seat in SEATS if seat not in dict(people)]
    return Tile(
        game=game,
        state=state,
        tone=tone_of(game.status),
        result=told,
        free=_("Free seats: %(seats)s") % {"seats": numbers_words(free)} if free and not game.is_closed else "",
        nicknames=people,
        written_at=written_at,
        is_contested=bool(game.__dict__["contested"]),
        is_hidden=access.standing_at(viewer, game).plays and game.status in (Status.PREPARED, Status.RUNNING),
    )
