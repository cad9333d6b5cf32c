"""A player across public tournaments: what the signed protocols say, and where each tournament's table has them.

Who replaced somebody is another player: the games of either stay under the name they were played under.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.db.models import F, Q, QuerySet

from protocols.models import Game, Player, SeatResult, Stage, Tournament

from .announced import hidden_games, veils
from .models import LotPlace, QualifyingRating
from .ratings import COUNTED, Line, Terms
from .selectors import alphabetical, multipliers_of
from .standings import Lots, Place, standings

FOULS = range(5)  # of one game: none to four
HITS = range(4)  # of one best move: none to three
SEATS = range(1, 11)


@dataclass(slots=True)
class Record:
    """Games and wins of one kind."""

    games: int = 0
    wins: int = 0

    def add(self, result: SeatResult) -> None:
        """Counts one game more."""
        self.games += 1
        self.wins += bool(result.won)


@dataclass(frozen=True, slots=True)
class Appearance:
    """A tournament of a player: the row of its table, of how many, and what was played."""

    tournament: Tournament
    place: Place | None  # None where no game of it counts
    players: int
    last_played: datetime.date


@dataclass(slots=True)
class Person:
    """A player, and everything that is counted of them."""

    player: Player
    total: Record = field(default_factory=Record)
    draws: int = 0
    by_role: dict[str, Record] = field(default_factory=dict)
    by_seat: dict[int, Record] = field(default_factory=lambda: {seat: Record() for seat in SEATS})
    hits: Counter[int] = field(default_factory=Counter)  # best moves by hits
    first_nights: int = 0
    fouls: Counter[int] = field(default_factory=Counter)  # games by fouls, of those whose fouls are written
    removed: int = 0
    appearances: tuple[Appearance, ...] = ()  # the latest first

    @property
    def games_with_fouls_written(self) -> int:
        """How many protocols tell of fouls: results alone don't."""
        return sum(self.fouls.values())

    @property
    def all_fouls(self) -> int:
        """The fouls of all of these games."""
        return sum(fouls * games for fouls, games in self.fouls.items())


def person_of(player: Player) -> Person | None:
    """What is known of the player by public tournaments; None where there is no game yet. Eight queries, or fewer.

    Of games that are not signed, or not announced yet, there is nothing in it.
    """
    veiled = veils()
    hidden = hidden_games(veiled)
    results = list(
        _public(SeatResult.objects.filter(player=player, in_force=True), hidden)
        .annotate(sheet_rows=F("sheet__data__sheet__rows"))
        .select_related("game")
        .defer("salt")
        .order_by("game__played_on", "pk")
    )
    if not results:
        return None
    person = Person(player)
    for result in results:
        _count(person, result)
    last = {result.tournament_id: result.game.played_on for result in results}
    person.appearances = tuple(_appearances(player.pk, last, hidden, set(last) - veiled.keys()))
    return person


def _public(results: QuerySet[SeatResult], hidden: Q | None) -> QuerySet[SeatResult]:
    """Those that everybody may see now, whoever asks."""
    results = results.filter(tournament__is_public=True)
    return results if hidden is None else results.exclude(game__in=Game.objects.filter(hidden).order_by().values("pk"))


def _count(person: Person, result: SeatResult) -> None:
    person.removed += result.removed
    row = result.sheet_rows[result.seat - 1] if result.sheet_rows else None  # type: ignore[attr-defined]
    if result.result not in COUNTED:
        return
    person.total.add(result)
    person.draws += result.won is None
    person.by_role.setdefault(result.role, Record()).add(result)
    person.by_seat[result.seat].add(result)
    if result.hits is not None:
        person.hits[result.hits] += 1
    person.first_nights += result.first_victim
    if row is not None:
        person.fouls[min(len(row.get("fouls") or ()), FOULS[-1])] += 1


def _appearances(
    player: int, last: Mapping[int, datetime.date], hidden: Q | None, announced: set[int]
) -> Iterable[Appearance]:
    """The player's row in the table of each of these tournaments, each by its own regulation: five queries or fewer."""
    tournaments = Tournament.objects.filter(pk__in=last).select_related("regulation_version")
    stages: dict[int, list[Stage]] = {}
    for stage in Stage.objects.filter(tournament__in=last).select_related("regulation_version").order_by("number"):
        stages.setdefault(stage.tournament_id, []).append(stage)
    lines: dict[int, list[Line]] = {}
    rows = _public(SeatResult.objects.filter(tournament__in=last, in_force=True), hidden).order_by()
    for tournament_id, *line in rows.values_list("tournament", *Line._fields):
        lines.setdefault(tournament_id, []).append(Line(*line))
    names = {
        pk: alphabetical(nickname)
        for pk, nickname in Player.objects.filter(pk__in={line.player_id for each in lines.values() for line in each})
        .order_by()
        .values_list("pk", "nickname")
    }
    lots, outside = _lots(announced), _qualifying(last)  # a lot could tell who is equal by hidden results
    for tournament in sorted(tournaments, key=lambda each: (last[each.pk], each.pk), reverse=True):
        own = stages.get(tournament.pk, [])
        terms = Terms(
            own={stage.pk: stage.rules for stage in own if stage.regulation_version_id is not None},
            groups={stage.pk: stage.group for stage in own if stage.group},
            qualifying=outside.get(tournament.pk, {}),
        )
        found = lots.get(tournament.pk, {})
        table = standings(
            lines.get(tournament.pk, []), tournament.rules, multipliers_of(own), terms=terms, names=names,
            lots=lambda found=found: found,  # type: ignore[misc]
        )  # fmt: skip
        ranked = sum(place.number is not None for place in table.places)
        yield Appearance(tournament, table.of(player), ranked, last[tournament.pk])


def _lots(tournaments: Iterable[int]) -> dict[int, Lots]:
    rows = LotPlace.objects.filter(lot__tournament__in=list(tournaments)).order_by("lot", "position")
    drawn: dict[tuple[int, int], list[int]] = {}
    for tournament, lot, player in rows.values_list("lot__tournament", "lot", "player"):
        drawn.setdefault((tournament, lot), []).append(player)
    found: dict[int, dict[frozenset[int], tuple[int, ...]]] = {}
    for (tournament, _lot), players in drawn.items():
        found.setdefault(tournament, {})[frozenset(players)] = tuple(players)
    return dict(found)


def _qualifying(tournaments: Iterable[int]) -> dict[int, dict[int, int]]:
    found: dict[int, dict[int, int]] = {}
    rows = QualifyingRating.objects.filter(Q(tournament__in=list(tournaments))).order_by()
    for tournament, player, rating in rows.values_list("tournament", "player", "rating"):
        found.setdefault(tournament, {})[player] = rating
    return found
