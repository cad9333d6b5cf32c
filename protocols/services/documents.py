"""Documents that take long: asked for in a request, made by one nice process apart from it.

The maker holds a lock on a file as long as it lives, so there is one at a time, and a killed one frees it. Whoever
looks at an unfinished document that nobody makes starts the maker again.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from .. import access
from ..hiding import OPEN, Veil
from ..models import Stage, Status, Tournament
from ..models.documents import Document, DocumentState
from ..models.entries import canonical_json, sha256
from ..protest_selectors import protests_filed
from ..selectors import sheets_in_force_of, visible_games_of
from .errors import Invalid

ATTEMPTS = 3  # a document on which so many makers died is given up
KEPT = timedelta(days=1)  # how long a document stays after a newer one of the same stage is ready
KEPT_HALF_FILLED = timedelta(hours=1)  # the same for forms with roles of games under way
SAME_TAP = timedelta(seconds=30)  # within which a second tap means the first one's document
NICENESS = 10


def ask_for(tournament: Tournament, stage: Stage | None = None) -> Document:
    """The document of all signed protocols of the stage, or of the tournament; begun if there is none with these.

    Raises Invalid where nothing is signed.
    """
    found = asked_for(tournament, stage)
    see_to(found)
    return found


def asked_for(tournament: Tournament, stage: Stage | None = None, veil: Veil = OPEN) -> Document:
    """The same without hidden rounds, nobody set to work on it yet; it waits where it failed, or its file is gone."""
    found_sheets = sheets_in_force_of(tournament, stage).exclude(veil.covered("game__"))
    sheets = [(sheet.pk, sheet.sha256) for sheet in found_sheets]
    if not sheets:
        raise Invalid(_("No protocol is signed here yet."))
    protests = protests_filed(tournament)
    content = sha256(canonical_json([tournament.pk, stage.pk if stage else None, *sheets, *protests]))
    keys = [key for key, _sha in sheets]
    new = {"tournament": tournament, "stage": stage, "sheets": keys, "asked_at": timezone.now()}
    found, _is_new = Document.objects.get_or_create(content=content, defaults=new)
    is_lost = found.state == DocumentState.DONE and not found.path.exists()
    if found.state == DocumentState.FAILED or is_lost:
        _set(found, state=DocumentState.WAITING, done=0, attempts=0, asked_at=timezone.now(), finished_at=None)
    return found


def ask_for_running(tournament: Tournament, reader: User) -> Document:
    """The half-filled forms of all games that are not signed yet, as they are when they are drawn.

    Of the games begun only those whose roles this person may know: whoever plays at a table gets none of it. Raises
    Invalid where there is no such game.
    """
    begun = visible_games_of(tournament, reader).filter(status__in=(Status.RUNNING, Status.OVER))
    games = [game.pk for game in begun if access.sees_roles(reader, game)]
    if not games:
        raise Invalid(_("No game is under way here."))
    now = timezone.now()
    mine = Document.objects.filter(tournament=tournament, reader=reader, state__in=Document.UNFINISHED)
    found = mine.filter(asked_at__gt=now - SAME_TAP).last()
    if found is None or found.games != games:
        content = sha256(canonical_json([tournament.pk, reader.pk, now.isoformat()]))
        found = Document.objects.create(
            tournament=tournament, reader=reader, sheets=[], games=games, content=content, asked_at=now
        )
    see_to(found)
    return found


def see_to(document: Document) -> None:
    """Starts a maker if the document is unfinished and nobody is at work."""
    if not document.is_unfinished:
        return
    with at_work() as is_free:
        pass
    if is_free and not _was_started_just_now():
        transaction.on_commit(start_maker)


# ---------------------------------------------------------------- the maker


@contextmanager
def at_work() -> Iterator[bool]:
    """Holds the maker's lock; gives False, and holds nothing, where another process has it."""
    with _lock_file().open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True


def start_maker() -> None:
    """Starts `manage.py make_document`, which makes whatever waits."""
    os.utime(_lock_file())
    start_apart("make_document")


def start_apart(*command: str) -> None:
    """Starts that command of `manage.py` as a nice process of its own, which outlives the request."""
    nice = ["nice", "-n", str(NICENESS), sys.executable, str(settings.BASE_DIR / "manage.py"), *command]
    subprocess.Popen(
        nice, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True, env=_environment()
    )  # fmt: skip


def next_to_make() -> Document | None:
    """The document that has waited longest, now being made; for the maker alone, who holds the lock.

    One found running was left by a maker that died; after three such deaths it is given up.
    """
    for document in Document.objects.filter(state__in=Document.UNFINISHED).select_related("tournament", "stage"):
        if document.attempts < ATTEMPTS:
            _set(document, state=DocumentState.RUNNING, done=0, attempts=document.attempts + 1)
            return document
        give_up(document)
    return None


def report(document: Document, done: int) -> None:
    """Says how many sheets are drawn."""
    _set(document, done=done)


def finish(document: Document) -> None:
    """The file is there; older documents of the same kind go once nobody can be waiting for them."""
    now = timezone.now()
    _set(document, state=DocumentState.DONE, done=document.total, finished_at=now)
    gone = now - (KEPT_HALF_FILLED if document.reader_id else KEPT)
    older = Document.objects.filter(
        tournament=document.tournament_id, stage=document.stage_id, reader=document.reader_id, finished_at__lt=gone
    ).exclude(pk=document.pk)
    for each in older:
        each.path.unlink(missing_ok=True)
        each.delete()


def give_up(document: Document) -> None:
    """It could not be made; asking for it begins it again."""
    _set(document, state=DocumentState.FAILED, finished_at=timezone.now())


def _set(document: Document, **values: Any) -> None:
    for name, value in values.items():
        setattr(document, name, value)
    document.save(update_fields=list(values))


def _lock_file() -> Path:
    path = Path(settings.MEDIA_ROOT) / "documents" / "maker.lock"
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch()
        os.utime(path, (0, 0))
    return path


def _was_started_just_now() -> bool:
    """Whether a maker may be on its way to the lock: it takes a moment to start."""
    return timezone.now().timestamp() - _lock_file().stat().st_mtime < 5


def _environment() -> dict[str, str]:
    """The maker's: the same settings, folder and database as of this process."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        address = f"sqlite:///{database['NAME']}"
    else:
        login = f"{quote(database['USER'])}:{quote(database['PASSWORD'])}" if database["USER"] else ""
        place = f"{quote(database['HOST'], safe='')}:{database['PORT']}".rstrip(":")
        address = f"postgres://{login}@{place}/{quote(database['NAME'])}"
    folders = {"VAR_DIR": str(settings.VAR_DIR), "DATABASE_URL": address}
    return {**os.environ, **folders}
