"""A tournament rehearsed: a copy of it, or one made up, whose games are played at random through the services.

It is a tournament of its own, not public, and says in its title what it is. Nothing of the one it copies changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from random import Random
from uuid import uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from protocols.models import (
    Game,
    Member,
    MemberRole,
    Player,
    RegulationVersion,
    Stage,
    Status,
    Tournament,
    nickname_key,
)
from protocols.rehearsal.play import Table
from protocols.rules import entries as e
from protocols.rules.terms import SEATS
from protocols.seating.draw import draw, for_steps
from protocols.seating.terms import Request
from protocols.services.errors import Invalid
from protocols.services.people import person_of_file
from protocols.services.prepare import add_stage, appoint, create_game, create_tournament, new_players, seat_players
from protocols.services.record import record
from protocols.services.regulation_files import version_as_told, versions_told
from protocols.services.regulations import choose_regulation
from protocols.services.sign import seal

from .cut_models import CutSize
from .cut_selectors import cuts_of
from .cut_services import draw_cut_lot, set_cut_size, take_cut

STEPS = (400, 400)  # of the two searches of a seating: good enough to try things on
FINAL_GAMES = 3
FINAL_MULTIPLIER = Decimal("1.5")  # A 8.6


@dataclass(frozen=True, slots=True)
class Written:
    """An entry has been written; `tables` is how many games are played at once."""

    game: Game
    entry: e.Entry
    tables: int


@dataclass(frozen=True, slots=True)
class RoundOver:
    """A round has been played; `unsigned` of its games wait for their signature."""

    stage: Stage
    number: int
    games: tuple[Game, ...]
    unsigned: tuple[Game, ...]


@dataclass(frozen=True, slots=True)
class CutTaken:
    """These came into the stage, best first; `lots` were drawn for it."""

    stage: Stage
    nicknames: tuple[str, ...]
    lots: int


Event = Written | RoundOver | CutTaken


def judge_of_rehearsals() -> User:
    """Who judges where nobody plays: nobody can log in as them."""
    return person_of_file(_("Rehearsal"))


def is_rehearsal(tournament: Tournament) -> bool:
    """Whether nobody plays in it: whoever judges rehearsals organizes it."""
    judge = judge_of_rehearsals()
    return Member.objects.filter(tournament=tournament, user=judge, role=MemberRole.ORGANIZER).exists()


@transaction.atomic
def copy_of(tournament: Tournament) -> Tournament:
    """A rehearsal of that tournament: its people, stages, cuts, regulations and seated games, and nothing played.

    Raises Invalid where it has no game with ten players seated.
    """
    games = [game for game in _games(tournament) if len(game.seats.all()) == len(SEATS)]
    if not games:
        raise Invalid(_("“%(title)s” has no game with ten players: seat them first.") % {"title": tournament.title})
    made = _made(tournament.title, f"{tournament.slug}-rehearsal", tournament.regulation)
    made.city, made.starts_on, made.time_zone = tournament.city, tournament.starts_on, tournament.time_zone
    made.save(update_fields=["city", "starts_on", "time_zone"])
    for member in Member.objects.filter(tournament=tournament).select_related("user"):
        appoint(made, member.user, member.role)
    versions = {told["number"]: version_as_told(made, told) for told in versions_told(tournament)}

    def own(version: RegulationVersion | None) -> RegulationVersion | None:
        return versions[version.number] if version else None

    choose_regulation(made, own(tournament.regulation_version))
    stages = {}
    sizes = dict(CutSize.objects.filter(stage__tournament=tournament).values_list("stage", "size"))
    for stage in Stage.objects.filter(tournament=tournament).select_related("regulation_version").order_by("number"):
        stages[stage.pk] = copy = add_stage(
            made, name=stage.name, number=stage.number, multiplier=stage.multiplier, is_final=stage.is_final,
            group=stage.group,
        )  # fmt: skip
        if stage.regulation_version is not None:
            choose_regulation(made, own(stage.regulation_version), stage=copy)
        if stage.pk in sizes:
            set_cut_size(copy, sizes[stage.pk])
    judge = judge_of_rehearsals()
    for game in games:
        stage = stages[game.stage_id]
        stage.refresh_from_db()
        copy_game = create_game(
            stage, played_on=game.played_on, judge=judge, number=game.number, table_number=game.table_number,
            round=game.round,
        )  # fmt: skip
        _seat(copy_game, {seat.number: seat.player for seat in game.seats.all()})
    return made


@transaction.atomic
def made_up(players: int, games: int, tables: int, *, seed: int, finals: int = 10) -> Tournament:
    """A rehearsal of so many players with so many games each, and a final of ten unless `finals` is 0.

    Raises CannotSeat where nobody could be seated so.
    """
    plan = draw(Request(players, games, tables), Random(seed).random, for_steps(*STEPS)).plan  # noqa: S311
    made = _made("", "rehearsal", "F")
    stage = add_stage(made, name=_("Qualifying"))
    names = [_("Player %(number)d") % {"number": number} for number in range(1, players + 1)]
    found = new_players(names)
    people = [found[nickname_key(name)] for name in names]
    judge = judge_of_rehearsals()
    for number, round_ in enumerate(plan.rounds, 1):
        for table, seats in enumerate(round_, 1):
            game = create_game(
                stage, played_on=made.starts_on, judge=judge, number=number, table_number=table, round=number
            )
            _seat(game, {seat: people[player] for seat, player in enumerate(seats, 1)})
    if finals:
        final = add_stage(made, name=_("Final"), is_final=True, multiplier=FINAL_MULTIPLIER)
        set_cut_size(final, finals)
    return made


def _made(title: str, slug: str, regulation: str) -> Tournament:
    free, number = slug[:50], 1
    while Tournament.objects.filter(slug=free).exists():
        number += 1
        free = f"{slug[:50]}-{number}"
    name = _("Rehearsal: %(title)s") % {"title": title} if title else _("Rehearsal")
    return create_tournament(
        title=name[:120], slug=free, starts_on=timezone.localdate(), regulation=regulation, by=judge_of_rehearsals(),
        is_public=False,
    )  # fmt: skip


def _seat(game: Game, players: dict[int, Player]) -> None:
    seat_players(game, {seat: player.nickname for seat, player in players.items()})


# ---------------------------------------------------------------- playing


def perform(tournament: Tournament, *, seed: int, unsigned: int = 0) -> Iterator[Event]:
    """Plays every game that has not begun, round by round, the tables of a round at once, each entry as it comes.

    Signs them but for the last `unsigned` of each stage. Takes the cut into a stage that has one, drawing the lots
    that are due, and seats its games by place where it has none.
    """
    chance = Random(seed)  # noqa: S311 – to be repeated
    judge = judge_of_rehearsals()
    for stage in Stage.objects.filter(tournament=tournament).order_by("number"):
        yield from _come_in(stage, judge)
        games = [game for game in _games(tournament) if game.stage_id == stage.pk and _can_begin(game)]
        waiting = {game.pk for game in games[len(games) - unsigned :]} if unsigned else set()
        for number, group in groupby(games, key=lambda game: game.number):
            tables = list(group)
            yield from _play(tables, chance, judge)
            for game in tables:
                if game.pk not in waiting:
                    seal(game, revision=game.revision, by=judge)
            yield RoundOver(stage, number, tuple(tables), tuple(game for game in tables if game.pk in waiting))


def _games(tournament: Tournament) -> Sequence[Game]:
    games = Game.objects.filter(tournament=tournament).select_related("stage", "tournament", "regulation_version")
    return list(games.prefetch_related("seats__player").order_by("stage__number", "number", "table_number"))


def _can_begin(game: Game) -> bool:
    return game.status == Status.PREPARED and game.revision == 0 and len(game.seats.all()) == len(SEATS)


def _play(games: Sequence[Game], chance: Random, judge: User) -> Iterator[Written]:
    running = [(game, Table(chance.randrange(2**31), game.rules).play()) for game in games]
    while running:
        for game, entries in list(running):
            entry = next(entries, None)
            if entry is None:
                running.remove((game, entries))
                continue
            answer = record(entry, game=game, revision=game.revision, by=judge, uuid=uuid4())
            if not answer.is_written:
                raise AssertionError(f"{game}: {entry} {answer.refusal}")
            game.refresh_from_db()
            yield Written(game, entry, len(games))


def _come_in(stage: Stage, judge: User) -> Iterator[CutTaken]:
    """Takes the cut into the stage, and seats it where it has no games."""
    found = cuts_of(stage.tournament).of(stage.number)
    if found is None or found.size is None or found.taken is not None:
        return
    lots = 0
    while found.passing is not None and found.passing.tied:
        draw_cut_lot(stage, found.passing.tied_players, by=judge)
        lots += 1
        again = cuts_of(stage.tournament).of(stage.number)
        assert again is not None
        found = again
    cut = take_cut(stage, seen=found.fingerprint, confirmed=True, by=judge)
    places = list(cut.places.select_related("player").order_by("place", "pk"))
    yield CutTaken(stage, tuple(place.nickname for place in places), lots)
    players = [place.player for place in places]
    if len(players) != len(SEATS) or Game.objects.filter(stage=stage).exists():
        return
    stage.refresh_from_db()
    for number in range(FINAL_GAMES):
        turned = players[number:] + players[:number]
        game = create_game(stage, played_on=stage.tournament.starts_on, judge=judge, number=number + 1)
        _seat(game, dict(enumerate(turned, 1)))
