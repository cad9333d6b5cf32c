"""Standings as they are read: a fixed few queries, whatever the number of games."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import cast

from django.db import connections
from django.db.models import BigIntegerField, Count, Q

from protocols.models import CLOSED, OPEN, Game, Player, SeatResult, Stage, Status, Tournament
from protocols.models.prepared import Prepared
from protocols.protest_selectors import has_decision, is_contested
from protocols.rules.points import thousandths

from .as_of import Scope
from .discipline_selectors import taken_off, with_penalties
from .models import LotPlace, QualifyingRating
from .ratings import GameRating, Line, Terms, games_of_player
from .standings import Standings, standings

STEP = 32  # players


@dataclass(frozen=True, slots=True)
class DrawnLot:
    """A lot as it was drawn."""

    players: tuple[int, ...]  # in the order drawn
    drawn_by: str
    drawn_at: datetime
    pk: int


@dataclass(frozen=True, slots=True)
class TournamentStandings:
    """The standings of a tournament, with what a page says beside them."""

    tournament: Tournament
    table: Standings
    nicknames: dict[int, str]
    stages: tuple[Stage, ...]
    lots: dict[frozenset[int], DrawnLot]  # those that hold
    terms: Terms = field(default_factory=Terms)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a tournament is."""

    signed: int  # games that count
    open: int  # games not signed yet: while there are any, the standings are preliminary
    protests: int = 0  # signed games with a protest that nobody has decided: the same
    hidden: int = 0  # signed games that are hidden from whoever asks until they are announced: they don't count
    hides_extra: bool = False  # whether games count without extra points, which are hidden likewise
    is_veiled: bool = False  # whether anything is hidden, signed or not: the same
    decided: int = 0  # games with a decision on a protest that is announced

    @property
    def is_preliminary(self) -> bool:
        """Whether a result may still come or change."""
        return bool(self.open or self.protests or self.hidden or self.is_veiled)


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game of a player: what it brought, None where it counts for nobody, and where its protocol is."""

    game: Game
    result: SeatResult
    rating: GameRating | None
    hides_extra: bool = False  # what it brought is without extra points, which are hidden


_stages_of = Prepared(
    lambda pk: (
        with_penalties(Stage.objects.filter(tournament=pk)).select_related("regulation_version").order_by("number")
    ),
    (BigIntegerField(), 1_000_001),
)

_lines_of = Prepared(
    lambda pk: SeatResult.objects.filter(tournament=pk, in_force=True).order_by().values_list(*Line._fields),
    (BigIntegerField(), 1_000_001),
)

_lots_of = Prepared(
    lambda pk: (
        LotPlace.objects.filter(lot__tournament=pk)
        .order_by("lot", "position")
        .values_list("lot", "player", "lot__drawn_by__username", "lot__drawn_by__last_name", "lot__drawn_at")
    ),
    (BigIntegerField(), 1_000_001),
)


@cache
def _nicknames_of(places: int) -> Prepared:
    return Prepared(
        lambda *players: Player.objects.filter(pk__in=players).order_by().values_list("pk", "nickname"),
        *((BigIntegerField(), 1_000_001 + place) for place in range(places)),
    )


def nicknames_of(players: Collection[int]) -> dict[int, str]:
    """The nicknames by player, one query.

    Made for a number of players that ends in a whole step, so that few such queries are ever made: the last player
    is named again in the places left over.
    """
    if not players:
        return {}
    asked = list(players)
    asked += asked[-1:] * (-len(asked) % STEP)
    return dict(_nicknames_of(len(asked))(*asked))


def multipliers_of(stages: Iterable[Stage]) -> dict[int, int]:
    """The multipliers in thousandths, by stage."""
    return {stage.pk: thousandths(stage.multiplier) for stage in stages}


def terms_of(tournament: Tournament, stages: Iterable[Stage], *, with_fines: bool = True) -> Terms:
    """What the stages differ in, the ratings from outside, and what penalties outside a game take off.

    One query for the ratings where the regulation asks them, and one for the penalties, unless the stages came with
    them or `with_fines` is off.
    """
    stages = list(stages)
    outside: dict[int, int] = {}
    if "qualifying" in tournament.rules.tie_keys:
        rows = QualifyingRating.objects.filter(tournament=tournament).order_by()
        outside = dict(rows.values_list("player", "rating"))
    return Terms(
        own={stage.pk: stage.rules for stage in stages if stage.regulation_version_id is not None},
        groups={stage.pk: stage.group for stage in stages if stage.group},
        qualifying=outside,
        penalties=taken_off(tournament, stages) if with_fines else {},
    )


def lines_of(tournament: Tournament, until: Scope | None = None) -> Sequence[Line]:
    """Every seat of the signed sheets in force, one query; integers only, so that no sum is ever a float.

    `until`: only of what had been played then.
    """
    # Past the ORM's converters: on SQLite, making a bool of each 0 and 1 takes as long as fetching the rows.
    if until is None:
        return cast("Sequence[Line]", _lines_of.as_stored(tournament.pk))  # plain tuples in the order of a Line
    rows = SeatResult.objects.filter(until.counted("game__"), tournament=tournament, in_force=True)
    rows = rows.order_by().values_list(*(until.column(name, "game__") for name in Line._fields))
    with connections[rows.db].cursor() as cursor:
        cursor.execute(*rows.query.sql_with_params())
        return cast("Sequence[Line]", cursor.fetchall())


def lots_of(tournament: Tournament, until: Scope | None = None) -> dict[frozenset[int], DrawnLot]:
    """Every lot drawn in the tournament that may be seen, by the players it was drawn among."""
    drawn: dict[int, list[int]] = {}
    facts: dict[int, tuple[str, datetime]] = {}
    for lot, player, username, surname, at in _lots_of(tournament.pk):
        if until is not None and not until.knows_lot(at):
            continue
        drawn.setdefault(lot, []).append(player)
        facts[lot] = (surname or username, at)
    return {frozenset(order): DrawnLot(tuple(order), *facts[lot], lot) for lot, order in drawn.items()}


def alphabetical(nickname: str) -> str:
    """What nicknames are listed by: letters without case, ё right after е.

    >>> sorted(["Жук", "Ёлка", "Енот", "астра"], key=alphabetical)
    ['астра', 'Енот', 'Ёлка', 'Жук']
    """
    return nickname.casefold().replace("ё", "е\uffff")


def standings_of(tournament: Tournament, until: Scope | None = None) -> TournamentStandings:
    """The standings from the signed games: three queries, and one for the lots where players are tied.

    `until`: from what had been played then, as its protocols stand today.
    """
    stages: tuple[Stage, ...] = tuple(_stages_of(tournament.pk))
    terms = terms_of(tournament, stages)
    lines = lines_of(tournament, until)
    players = {line[0] for line in lines}
    nicknames = nicknames_of(players)
    lots: dict[frozenset[int], DrawnLot] = {}

    def drawn() -> dict[frozenset[int], tuple[int, ...]]:
        lots.update(lots_of(tournament, until))
        return {tied: lot.players for tied, lot in lots.items()}

    names = {pk: alphabetical(nickname) for pk, nickname in nicknames.items()}
    table = standings(lines, tournament.rules, multipliers_of(stages), terms=terms, names=names, lots=drawn)
    return TournamentStandings(
        tournament=tournament,
        table=table,
        nicknames=nicknames,
        stages=stages,
        lots={tied: lot for tied, lot in lots.items() if holds(table, lot.players)},
        terms=terms,
    )


UNDECIDED = is_contested()
"""Signed games with a protest whose decision is not given, or not announced yet; tournaments and seasons ask here."""


def progress_of(tournament: Tournament, until: Scope | None = None) -> Progress:
    """How far the tournament is, or was by then, as far as `until` sees it; one query."""
    games = Game.objects.filter(tournament=tournament)
    asked = {
        "signed": Q(status=Status.SIGNED),
        "open": Q(status__in=OPEN),
        "protests": UNDECIDED,
        "decided": has_decision(),
    }
    if until is None:
        return Progress(**games.aggregate(**{name: Count("pk", filter=which) for name, which in asked.items()}))
    counted, veil = until.counted(), until.over_it
    asked = {name: which & counted for name, which in asked.items()}
    if veil.hides_table:
        asked["hidden"] = Q(status__in=CLOSED) & until.withheld()
    found = games.aggregate(**{name: Count("pk", filter=which) for name, which in asked.items()})
    return Progress(**found, hides_extra=veil.hides_extra, is_veiled=not veil.is_open)


def holds(table: Standings, players: Sequence[int]) -> bool:
    """Whether a lot decides the order of these players as the standings are."""
    rows = [place for place in table.places if place.player_id in set(players)]
    return tuple(place.player_id for place in rows) == tuple(players) and all(
        place.decision is not None and place.decision.key == "lot" for place in rows[:-1]
    )


def games_played(tournament: Tournament, player_id: int, until: Scope | None = None) -> list[PlayedGame]:
    """A player's signed games in the order of the tournament, with what each brought: one query beside the stages.

    `until`: of those that count there, without what it hides.
    """
    rows = SeatResult.objects.filter(tournament=tournament, player=player_id, in_force=True)
    if until is not None:
        rows = rows.filter(until.counted("game__"))
    results = list(
        rows.select_related("game", "sheet__regulation_version", "stage__regulation_version").order_by(
            "stage__number", "game__number", "game__table_number"
        )
    )
    hidden = () if until is None else [name for name in Line._fields if until.column(name, "game__") != name]
    if until is not None and hidden:
        shown = {pk: cells for pk, *cells in rows.values_list("pk", *(until.column(name, "game__") for name in hidden))}
        for result in results:
            for name, value in zip(hidden, shown[result.pk], strict=True):
                setattr(result, name, value)
    lines = [Line(*(getattr(result, name) for name in Line._fields)) for result in results]
    stages = {result.stage for result in results}
    terms = terms_of(tournament, stages, with_fines=False)
    brought = games_of_player(lines, tournament.rules, multipliers_of(stages), terms)
    veil = None if until is None or not hidden else until.over_it
    return [
        PlayedGame(result.game, result, rating, veil is not None and veil.covers_played(*_played_in(result)))
        for result, rating in zip(results, brought, strict=True)
    ]


def _played_in(result: SeatResult) -> tuple[int, int]:
    """The stage and the round of a result; of a stage without rounds the game."""
    game = result.game
    return result.stage.number, game.number if game.round is None else game.round
