"""Seatings: asked for in a request, drawn by one nice process apart from it, stopped, thrown away.

As with documents, the drawer holds a lock on a file as long as it lives, and whoever looks at an unfinished seating
that nobody draws starts the drawer again. The state of a run is its row.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ..models import Participant, SeatingKind, SeatingRun, SeatingState, Stage
from ..seating.advice import faults_of
from ..seating.draw import CannotSeat, Seating
from ..seating.rotation import seated
from ..seating.terms import SEATS, Request, shuffled
from .documents import start_apart
from .errors import Invalid
from .seating_people import limits_among, removed_players

ATTEMPTS = 3  # a seating on which so many drawers died is given up
MOST_SECONDS = 600
MOST_SEED = 999_999
MOST_GAMES = 60  # of each player


def ask_for(
    stage: Stage,
    participants: Sequence[Participant],
    *,
    games: int,
    tables: int,
    by: User,
    seed: int,
    seconds: int = 10,
    mates: int | None = None,
) -> SeatingRun:
    """Begins to draw a seating of these participants; one at a time for a stage.

    `games` of each player, `tables` at once at most, `mates`: how often two of one team meet at most. Raises CannotSeat
    with all that counting finds against it; Invalid for somebody who has withdrawn, and while another one is drawn.
    """
    _refuse(stage, participants)
    limits = limits_among(stage.tournament, participants, mates)
    run = SeatingRun(
        stage=stage, players=[each.player_id for each in participants], games=games, tables=tables, limits=limits,
        seed=seed, seconds=seconds, asked_by=by, asked_at=timezone.now(),
    )  # fmt: skip
    faults = faults_of(run.request)
    if faults:
        raise CannotSeat(faults)
    if not (1 <= seconds <= MOST_SECONDS and 0 <= seed <= MOST_SEED and games <= MOST_GAMES):
        raise Invalid(_("The seconds, the seed or the games are out of range."))
    try:
        with transaction.atomic():
            run.save()
    except IntegrityError:
        raise Invalid(
            _("A seating of “%(stage)s” is being drawn already: wait for it, or stop it.") % {"stage": stage.name}
        ) from None
    see_to(run)
    return run


def ask_for_rotation(
    stage: Stage, participants: Sequence[Participant], *, games: int, kind: SeatingKind, by: User, seed: int
) -> SeatingRun:
    """The seats of one table of ten, or of several, in several games, had as evenly as possible: by lot, or by place.

    Each table keeps its ten. By place the order is the one given: whoever is first has seat 1 in the first game, and
    the tables are filled there and back. It is drawn at once. Raises CannotSeat and Invalid.
    """
    _refuse(stage, participants)
    tables, over = divmod(len(participants), SEATS)
    faults = faults_of(Request(len(participants), games, max(1, tables)))
    if faults or over:
        raise CannotSeat(faults)
    if not (0 <= seed <= MOST_SEED and games <= MOST_GAMES):
        raise Invalid(_("The seconds, the seed or the games are out of range."))
    order = list(range(len(participants)))
    if kind == SeatingKind.LOT:
        order = shuffled(order, Random(seed).random)  # noqa: S311 – to be repeated
    now = timezone.now()
    return SeatingRun.objects.create(
        stage=stage, kind=kind, players=[each.player_id for each in participants], games=games, tables=tables,
        seed=seed, seconds=0, state=SeatingState.DONE, asked_by=by, asked_at=now, finished_at=now,
        plan=seated(order, games, by_place=kind == SeatingKind.PLACE),
    )  # fmt: skip


def _refuse(stage: Stage, participants: Sequence[Participant]) -> None:
    messages, seen, removed = [], set[int](), removed_players(stage.tournament)
    for each in participants:
        words = {"nickname": each.player.nickname}
        if each.tournament_id != stage.tournament_id:
            messages.append(_("%(nickname)s does not take part in this tournament.") % words)
        elif not each.takes_part:
            messages.append(_("%(nickname)s has withdrawn and can’t be seated.") % words)
        elif each.player_id in removed:
            messages.append(_("%(nickname)s is removed from the tournament and can’t be seated (A 7.4).") % words)
        if each.player_id in seen:
            messages.append(_("%(nickname)s stands in the list twice; a player takes part once.") % words)
        seen.add(each.player_id)
    if messages:
        raise Invalid(*messages)


def stop(run: SeatingRun) -> None:
    """Ends the search at the best so far, within a second; one that waits is drawn with no search at all."""
    SeatingRun.objects.filter(pk=run.pk, state__in=SeatingRun.UNFINISHED).update(stop_asked=True)


def discard(run: SeatingRun) -> None:
    """Throws a seating away, whether it is drawn or not. Raises Invalid for one in use."""
    gone, _of = SeatingRun.objects.filter(pk=run.pk).exclude(state=SeatingState.USED).delete()
    if not gone:
        raise Invalid(_("This seating is in use; it stays as the record of its lot."))


def see_to(run: SeatingRun) -> None:
    """Starts a drawer if the seating is unfinished and nobody is at work."""
    if not run.is_unfinished:
        return
    with at_work() as is_free:
        pass
    if is_free and not _was_started_just_now():
        transaction.on_commit(start_drawer)


# ---------------------------------------------------------------- the drawer


@contextmanager
def at_work() -> Iterator[bool]:
    """Holds the drawer's lock; gives False, and holds nothing, where another process has it."""
    with _lock_file().open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True


def start_drawer() -> None:
    """Starts `manage.py draw_seatings`, which draws whatever waits."""
    os.utime(_lock_file())
    start_apart("draw_seatings")


def next_to_draw() -> SeatingRun | None:
    """The seating that has waited longest, now being drawn; for the drawer alone, who holds the lock.

    One found running was left by a drawer that died, and begins anew; after three such deaths it is given up.
    """
    for run in SeatingRun.objects.filter(state__in=SeatingRun.UNFINISHED):
        if run.attempts < ATTEMPTS:
            _set(run, state=SeatingState.RUNNING, attempts=run.attempts + 1, spent=0.0, phase="")
            return run
        give_up(run)
    return None


def report(run: SeatingRun, *, phase: str, value: float, spent: float) -> bool:
    """Says how far the search is; False where it is to end: stopped, or thrown away."""
    _set(run, phase=phase, value=value, spent=spent)
    return not SeatingRun.objects.filter(pk=run.pk, stop_asked=True).exists() and run.state == SeatingState.RUNNING


def finish(run: SeatingRun, seating: Seating, spent: float) -> None:
    """The seating is drawn."""
    plan = [[list(game) for game in tables] for tables in seating.plan.rounds]
    steps = {str(phase): count for phase, count in seating.steps.items()}
    _set(run, state=SeatingState.DONE, plan=plan, steps=steps, spent=spent, finished_at=timezone.now())


def give_up(run: SeatingRun) -> None:
    """It could not be drawn."""
    _set(run, state=SeatingState.FAILED, finished_at=timezone.now())


def _set(run: SeatingRun, **values: Any) -> None:
    """Writes to the row; where it was thrown away meanwhile, the run is no longer running."""
    for name, value in values.items():
        setattr(run, name, value)
    if not SeatingRun.objects.filter(pk=run.pk, state__in=SeatingRun.UNFINISHED).update(**values):
        run.state = SeatingState.FAILED


def _lock_file() -> Path:
    path = Path(settings.MEDIA_ROOT) / "seatings" / "drawer.lock"
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch()
        os.utime(path, (0, 0))
    return path


def _was_started_just_now() -> bool:
    """Whether a drawer may be on its way to the lock: it takes a moment to start."""
    return timezone.now().timestamp() - _lock_file().stat().st_mtime < 5
