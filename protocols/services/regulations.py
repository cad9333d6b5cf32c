"""A tournament's own regulation: written, changed into the next version, given to stages and to games.

A game keeps the regulation it began under. One that has no entry yet goes with its stage; an open one that has begun
is moved only by the organizer, who sees before what would change.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from ..exchange.lines import line_written
from ..models import OPEN, Game, RegulationVersion, SignedSheet, Stage, Tournament
from ..models.regulations import NAME_LENGTH, RegulationMove
from ..rules.differences import Difference, differences
from ..rules.fold import replay
from ..rules.regulation import Regulation
from ..rules.regulation_data import to_data
from ..rules.regulation_sense import Flaw, flaws_of
from ..selectors import Record, record_of
from .ending import ended_at, status_of
from .errors import Invalid


class Senseless(Exception):
    """The regulation contradicts itself; every flaw with the switch or number it stands at."""

    def __init__(self, flaws: Iterable[Flaw]) -> None:
        self.flaws = list(flaws)
        super().__init__(", ".join(f"{flaw.name}: {flaw.code}" for flaw in self.flaws))


def write_regulation(
    tournament: Tournament, regulation: Regulation, *, name: str, by: User, stage: Stage | None = None
) -> RegulationVersion:
    """Gives the tournament, or one of its stages, this regulation of its own.

    Where a game has begun under the version in use, or it is used elsewhere too, a new version is made; otherwise the
    new one takes its number. Games without an entry go along. Raises `Senseless`, or Invalid without a name.
    """
    flaws = flaws_of(regulation)
    if flaws:
        raise Senseless(flaws)
    name = line_written(name)
    if not 1 <= len(name) <= NAME_LENGTH:
        raise Invalid(_("The regulation needs a name of at most %(most)d characters.") % {"most": NAME_LENGTH})
    with transaction.atomic():
        target = _held(tournament, stage)
        now = target.regulation_version
        numbers = to_data(regulation)
        if now is not None and (now.name, now.code, now.numbers) == (name, regulation.code, numbers):
            return now
        others = RegulationVersion.objects.filter(tournament=tournament)
        number = (others.aggregate(last=Max("number"))["last"] or 0) + 1
        made = RegulationVersion(
            tournament=tournament, number=number, name=name, code=regulation.code, numbers=numbers, author=by,
            created_at=timezone.now(),
        )  # fmt: skip
        if now is not None and not _is_kept(now, target):
            RegulationVersion.objects.filter(pk=now.pk).update(number=number)
            made.number = now.number
            made.save(force_insert=True)
            Game.objects.filter(regulation_version=now).update(regulation_version=made)
            _point(target, made)
            now.delete()
        else:
            made.save(force_insert=True)
        _give(tournament, stage, target, made)
    return made


def choose_regulation(tournament: Tournament, version: RegulationVersion | None, *, stage: Stage | None = None) -> None:
    """Goes back to a version written before; None: the tournament to its preset, a stage to the tournament's.

    Games without an entry go along. Raises Invalid for a version of another tournament.
    """
    if version is not None and version.tournament_id != tournament.pk:
        raise Invalid(_("This regulation is another tournament’s."))
    with transaction.atomic():
        _give(tournament, stage, _held(tournament, stage), version)


def _held(tournament: Tournament, stage: Stage | None) -> Tournament | Stage:
    """Holds the tournament's row until the transaction ends; what is to get the regulation, as it is now."""
    held = Tournament.objects.select_for_update().get(pk=tournament.pk)
    return held if stage is None else Stage.objects.get(pk=stage.pk, tournament=held)


def _is_kept(version: RegulationVersion, target: Tournament | Stage) -> bool:
    """Whether anything but the target and games without an entry needs the version as it is."""
    if version.frozen_at is not None or Game.objects.filter(regulation_version=version, revision__gt=0).exists():
        return True
    if SignedSheet.objects.filter(regulation_version=version).exists():
        return True
    stages = Stage.objects.filter(regulation_version=version)
    if isinstance(target, Stage):
        return Tournament.objects.filter(regulation_version=version).exists() or stages.exclude(pk=target.pk).exists()
    return stages.exists()


def _give(
    tournament: Tournament, stage: Stage | None, target: Tournament | Stage, version: RegulationVersion | None
) -> None:
    _point(target, version)
    (stage or tournament).regulation_version = version
    due = version if stage is None or version is not None else tournament.regulation_version
    games = Game.objects.filter(tournament=tournament, revision=0, status__in=OPEN)
    games = games.filter(stage__regulation_version=None) if stage is None else games.filter(stage=stage)
    games.update(regulation_version=due)


def _point(target: Tournament | Stage, version: RegulationVersion | None) -> None:
    target.regulation_version = version
    target.save(update_fields=["regulation_version"])


def freeze(game: Game) -> None:
    """The game's regulation is signed under: it stays as it is."""
    if game.regulation_version_id is not None:
        unfrozen = RegulationVersion.objects.filter(pk=game.regulation_version_id, frozen_at=None)
        unfrozen.update(frozen_at=timezone.now())


# ---------------------------------------------------------------- open games


@dataclass(frozen=True, slots=True)
class Move:
    """An open game that began under another regulation than its stage has now, and what moving it would change."""

    record: Record
    due: RegulationVersion | None
    changes: tuple[Difference, ...]

    @property
    def game(self) -> Game:
        """Whose record it is."""
        return self.record.game


def moves_of(tournament: Tournament) -> list[Move]:
    """The open games that don't have the regulation of their stage, in the order of play; a replay for each."""
    games = Game.objects.filter(tournament=tournament, status__in=OPEN).select_related(
        "tournament__regulation_version", "stage__regulation_version", "regulation_version"
    )
    found = []
    for game in games.order_by("stage__number", "number", "table_number"):
        due = game.stage.regulation_version or game.tournament.regulation_version
        if due != game.regulation_version:
            found.append(_foreseen(game, due))
    return found


def _foreseen(game: Game, due: RegulationVersion | None) -> Move:
    record = record_of(game)
    rules = due.rules if due else game.tournament.preset
    return Move(record, due, differences(record.state, replay(record.values, rules, results_only=game.results_only)))


def moved(tournament: Tournament) -> list[RegulationMove]:
    """The games that were given another regulation while they were open, the last first; one query."""
    rows = RegulationMove.objects.filter(game__tournament=tournament).select_related("game__stage", "moved_by")
    return list(rows.order_by("-moved_at", "-pk"))


def told(version: RegulationVersion | None, tournament: Tournament) -> str:
    """A version by its name and number, as the log of moves keeps it; the preset by its code."""
    return f"{version.name}, {version.number}" if version else tournament.regulation


def move_game(game: Game, *, by: User) -> Game:
    """Gives an open game the regulation that its stage has now, and logs it. Raises Invalid for a signed one."""
    with transaction.atomic():
        held = Game.objects.select_for_update().get(pk=game.pk)
        if held.status not in OPEN:
            raise Invalid(_("The protocol is signed: it keeps the regulation it was signed under."))
        was = told(held.regulation_version, held.tournament)
        held.regulation_version = held.stage.regulation_version or held.tournament.regulation_version
        became = told(held.regulation_version, held.tournament)
        RegulationMove.objects.create(game=held, was=was, became=became, moved_by=by, moved_at=timezone.now())
        record = record_of(held)
        held.status = status_of(record.state)
        held.ended_at = ended_at(held, record.rows, record.values, record.state)
        held.save(update_fields=["regulation_version", "status", "ended_at"])
    return held
