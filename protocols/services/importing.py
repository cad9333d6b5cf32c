"""Games from files: of other programs, written through the same services as a judge's own, and our own records.

A file is taken whole or not at all. What its record can't hold — ids, times, the program's own codes — is kept in
the game's `source`, without nicknames, so that erasing a person's name needs no look into it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from uuid import uuid5

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ..exchange import evenings, formats, mafiaratings
from ..exchange.forms import forms_of
from ..exchange.game_file import GameFile
from ..exchange.playback import played
from ..exchange.reading import Unreadable
from ..models import Game, RegulationCode, Stage, Tournament
from ..rules import entries as e
from ..rules.regulation import PRESETS, Regulation
from .errors import Invalid, Refused
from .placing import place_for
from .prepare import add_stage, create_game, create_tournament, seat_players
from .record import record_batch
from .sign import seal
from .taking import known_game, take

UNKNOWN_JUDGE = "—"  # the file doesn't name the judge
USER = "import"

File = mafiaratings.GameLog | evenings.Evening


@dataclass(frozen=True)
class Target:
    """Where the games go: the tournament's address, the stage's name, the regulation; empty: as the file suggests."""

    tournament: str = ""
    stage: str = ""
    regulation: str = ""
    judge: User | None = None


@dataclass(frozen=True)
class Imported:
    """The games of a file; `was_known`: they stood in the tournament before, and nothing was written."""

    tournament: Tournament
    games: list[Game]
    was_known: bool = False


@dataclass(frozen=True)
class _Draft:
    """A game of the file, ready to be written."""

    nicknames: Sequence[str]
    entries: list[e.Entry]
    played_on: date
    source: dict[str, Any]
    judge_name: str
    ended_at: datetime | None = None
    results_only: bool = False


@dataclass(frozen=True)
class _Contents:
    """The games of a file, and what a tournament and a stage made for them would be called."""

    tournament: str
    stage: str
    drafts: list[_Draft]


def import_user() -> User:
    """Who has written what commands import: a user that nobody can log in as."""
    user, is_new = User.objects.get_or_create(
        username=USER, defaults={"is_active": False, "first_name": _("Import from files")}
    )
    if is_new:
        user.set_unusable_password()
        user.save()
    return user


def import_file(raw: bytes, *, name: str, target: Target, by: User | None = None, sign: bool = False) -> Imported:
    """Writes the games of a file, all or none; a file that the tournament has already is left as it is.

    `name` is kept with the games; without `by` the user «import» writes. Raises `Unreadable`, `Contradictory`,
    `Invalid`, and `NotReady` where a game that should be signed can't be; nothing is written then.
    """
    log = formats.read(raw)
    if isinstance(log, GameFile):
        return _take(log, target, by, sign=sign)
    digest = hashlib.sha256(raw).hexdigest()
    with transaction.atomic():
        by = by or import_user()
        tournament = Tournament.objects.filter(slug=target.tournament or _slug_of(log)).first()
        regulation = regulation_for(tournament, target, log)
        contents = _contents(log, regulation, {"file": name, "sha256": digest})
        if tournament is None:
            tournament = create_tournament(
                title=contents.tournament, slug=target.tournament or _slug_of(log), regulation=regulation.code, by=by,
                starts_on=min(draft.played_on for draft in contents.drafts),
            )  # fmt: skip
        known = list(Game.objects.filter(tournament=tournament, source__sha256=digest))
        if known:
            return Imported(tournament, known, was_known=True)
        stage = _stage(tournament, target.stage or contents.stage)
        games = [_write(stage, draft, target.judge, by, sign=sign) for draft in contents.drafts]
    return Imported(tournament, games)


@transaction.atomic
def _take(file: GameFile, target: Target, by: User | None, *, sign: bool) -> Imported:
    """A record of ours keeps all it says; of the target it takes the place, and the judge of a game still open."""
    known = known_game(file)
    if known is not None:
        if target.tournament not in ("", known.tournament.slug):
            raise Invalid(_("This game is here already, in another tournament."))
        return Imported(known.tournament, [known], was_known=True)
    by = by or import_user()
    stage = place_for(file, by=by, tournament=target.tournament, stage=target.stage)
    game = take(file, stage=stage, judge=target.judge)
    if sign and not game.is_closed:
        seal(game, revision=game.revision, by=by)
    return Imported(stage.tournament, [game])


def _slug_of(log: File) -> str:
    return f"evening-{_first_day(log)}" if isinstance(log, evenings.Evening) else mafiaratings.FORMAT


def _first_day(evening: evenings.Evening) -> date:
    return min(game.played_on for game in evening.games)


def regulation_for(tournament: Tournament | None, target: Target, log: File) -> Regulation:
    """The tournament's own regulation; of a new one what was asked, or what such files are played under."""
    if tournament is None:
        usual = RegulationCode.A if isinstance(log, evenings.Evening) else RegulationCode.FEDERATION
        return PRESETS[target.regulation or usual]
    if target.regulation not in ("", tournament.regulation):
        words = {"tournament": tournament.title, "regulation": tournament.get_regulation_display()}
        raise Invalid(_("“%(tournament)s” is played under another regulation: %(regulation)s.") % words)
    return tournament.rules


# ---------------------------------------------------------------- what the file holds


def _contents(log: File, regulation: Regulation, source: dict[str, Any]) -> _Contents:
    if isinstance(log, evenings.Evening):
        return _evening(log, regulation, {"format": evenings.FORMAT, **source})
    return _game(log, regulation, {"format": mafiaratings.FORMAT, **source})


def _game(log: mafiaratings.GameLog, regulation: Regulation, source: dict[str, Any]) -> _Contents:
    seen = played(log, regulation)
    day = _instant(log.started) or _instant(log.ended)
    if day is None:
        raise Unreadable("missing", path="startTime")
    draft = _Draft(
        nicknames=log.nicknames,
        entries=seen.entries,
        played_on=timezone.localtime(day).date(),
        source={**source, "facts": seen.facts, "forms": forms_of(log, seen, regulation)},
        judge_name=UNKNOWN_JUDGE,
        ended_at=_instant(log.ended),
    )
    return _Contents(_("Games from mafiaratings"), _("Games"), [draft])


def _instant(seconds: int | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _evening(evening: evenings.Evening, regulation: Regulation, source: dict[str, Any]) -> _Contents:
    title = _("Evening of %(date)s") % {"date": _first_day(evening).isoformat()}
    records = evenings.entries_of(evening, regulation)
    drafts = [
        _Draft(
            nicknames=game.nicknames,
            entries=entries,
            played_on=game.played_on,
            source={**source, "event": evening.title, "facts": game.facts},
            judge_name=game.judge or UNKNOWN_JUDGE,
            results_only=True,
        )
        for game, entries in zip(evening.games, records, strict=True)
    ]
    return _Contents(title, title, drafts)


# ---------------------------------------------------------------- writing


def _stage(tournament: Tournament, name: str) -> Stage:
    found = Stage.objects.filter(tournament=tournament, name=name).first()
    return found or add_stage(tournament, name=name)


def _write(stage: Stage, draft: _Draft, judge: User | None, by: User, *, sign: bool) -> Game:
    game = create_game(
        stage, played_on=draft.played_on, judge=judge, judge_name="" if judge else draft.judge_name,
        results_only=draft.results_only, source=draft.source, ended_at=draft.ended_at,
    )  # fmt: skip
    seat_players(game, draft.nicknames, confirm_new=True)
    answer = record_batch(draft.entries, game=game, revision=0, by=by, uuid=uuid5(game.uuid, "import"))
    if answer.refusal is not None:
        raise Refused(answer.refusal)
    assert answer.is_written, answer.kind
    if sign:
        seal(game, revision=game.revision, by=by)
    return game
