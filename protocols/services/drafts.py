"""Drafts: a file that contradicts itself is kept as it came, and becomes a game only once it is put right outside."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, date, datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ..exchange import formats, mafiaratings
from ..exchange.lines import line_written
from ..exchange.mafiaratings import GameLog
from ..exchange.playback import played
from ..exchange.reading import Breach, Contradictory, Unreadable, parse
from ..exchange.stored import from_json, to_json
from ..models import Draft, Tournament
from .errors import Invalid
from .importing import Imported, Target, import_file, import_user, regulation_for
from .prepare import create_tournament
from .shape import plain_text


@transaction.atomic
def take_draft(raw: bytes, *, name: str, tournament: Tournament, by: User) -> Draft:
    """Keeps the file, byte by byte, with every contradiction found in it; the same file is an open draft once.

    Raises `Unreadable` for what is no such file, and `Invalid` for a file that may be taken in as a game, and for
    club evenings and our own records, which are never drafts.
    """
    log = _log(raw)
    digest = hashlib.sha256(raw).hexdigest()
    known = Draft.objects.filter(tournament=tournament, sha256=digest, discarded_at=None).first()
    if known is not None:
        return known
    try:
        played(log, tournament.rules)
    except Contradictory as error:
        return Draft.objects.create(
            tournament=tournament,
            name=line_written(name)[:200],
            raw=raw,
            sha256=digest,
            regulation=tournament.regulation,
            contradictions=[to_json(breach) for breach in error.breaches],
            taken_by=by,
            taken_at=timezone.now(),
        )
    raise Invalid(_("The file contradicts nothing: it can be taken in as a game."))


@transaction.atomic
def take_draft_for(raw: bytes, *, name: str, target: Target, by: User | None = None) -> Draft:
    """The same into the tournament that the target names, made where there is none. Raises as `take_draft`."""
    log = _log(raw)
    by = by or import_user()
    slug = target.tournament or mafiaratings.FORMAT
    tournament = Tournament.objects.filter(slug=slug).first()
    regulation = regulation_for(tournament, target, log)
    if tournament is None:
        tournament = create_tournament(
            title=_("Games from mafiaratings"), slug=slug, regulation=regulation.code, by=by, starts_on=_day(log)
        )
    return take_draft(raw, name=name, tournament=tournament, by=by)


@transaction.atomic
def discard(draft: Draft, *, by: User, reason: str) -> None:
    """Puts the draft aside for a reason; it stays readable. Raises `Invalid`."""
    held = _held(draft)
    reason = plain_text(reason)
    if not reason:
        raise Invalid(_("A draft is discarded for a reason."))
    held.discarded_by, held.discarded_at, held.discard_reason = by, timezone.now(), reason[:500]
    held.save(update_fields=["discarded_by", "discarded_at", "discard_reason"])


@transaction.atomic
def correct(draft: Draft, raw: bytes, *, name: str, stage: str, by: User) -> Imported:
    """Takes the game in from a file put right outside; the draft points to the game and stays as it was.

    Raises as `import_file` does, and `Invalid` for a file of several games.
    """
    held = _held(draft)
    taken = import_file(raw, name=name, target=Target(tournament=held.tournament.slug, stage=stage), by=by)
    if len(taken.games) != 1:
        raise Invalid(_("The corrected file holds one game."))
    held.game = taken.games[0]
    held.save(update_fields=["game"])
    return taken


def breaches_of(draft: Draft) -> list[Breach]:
    """The contradictions as they were found when the file came."""
    return [from_json(found) for found in draft.contradictions]


def log_of(draft: Draft) -> GameLog:
    """What the file says."""
    return mafiaratings.read(parse(bytes(draft.raw)))


def names_in(log: GameLog) -> Mapping[int, str]:
    """Seat → nickname, as the file has them."""
    return dict(enumerate(log.nicknames, 1))


def _log(raw: bytes) -> GameLog:
    log = formats.read(raw)
    if not isinstance(log, GameLog):
        raise Invalid(_("Only a game of mafiaratings is taken in as a draft; this file has to be put right first."))
    if log.started is None and log.ended is None:
        raise Unreadable("missing", path="startTime")
    return log


def _day(log: GameLog) -> date:
    return timezone.localtime(datetime.fromtimestamp(log.started or log.ended or 0, UTC)).date()


def _held(draft: Draft) -> Draft:
    """The draft, locked. Raises `Invalid` for one that is closed."""
    held = Draft.objects.select_for_update().get(pk=draft.pk)
    if not held.is_open:
        raise Invalid(_("This draft is closed already."))
    return held
