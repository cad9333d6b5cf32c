"""Where a game stands, and when it ended: the two things of a game's row that follow from its entries."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, time

from django.utils import timezone

from ..models import Entry, Game, Status
from ..rules import entries as e
from ..rules.fold import struck_revisions
from ..rules.outcome import outcome
from ..rules.state import GameState
from ..rules.terms import Phase


def status_of(state: GameState) -> Status:
    """Prepared until the game begins, over from its end; roles may be written before (RULES §9)."""
    if outcome(state) is not None:
        return Status.OVER
    return Status.PREPARED if state.moment.phase == Phase.SETUP else Status.RUNNING


def typed_time(text: str, game: Game) -> datetime:
    """The time that a judge typed: «21:40» on the day of the game, or a date and time. Raises ValueError."""
    try:
        clock = time.fromisoformat(text.strip())
    except ValueError:
        found = datetime.fromisoformat(text.strip())
    else:
        found = datetime.combine(game.played_on, clock)
    return found if timezone.is_aware(found) else timezone.make_aware(found)


def ended_at(game: Game, rows: Iterable[Entry], state: GameState) -> datetime | None:
    """When the game ended: as typed, otherwise when the entry that ended it was first written (A 8.7.1).

    A correction doesn't restart the time for protests: a game that was over and still is keeps its time, and an
    entry written anew after a strike has the time of the one struck.
    """
    end = outcome(state)
    if end is None:
        return None
    if state.declared is not None and state.declared.time:
        return typed_time(state.declared.time, game)
    if game.ended_at is not None:
        return game.ended_at
    written = {row.revision: row for row in rows}
    cause = written.get(end.by)
    if cause is None:
        return None
    values = {revision: row.value() for revision, row in written.items()}
    struck = struck_revisions(values.values())
    mark = values[end.by]
    times = [written[n].recorded_at for n, value in values.items() if n in struck and _same_mark(value, mark)]
    return min([cause.recorded_at, *times])


def _same_mark(one: e.Entry, other: e.Entry) -> bool:
    """Whether both are the same mark of the protocol, perhaps with another seat or figure in it."""
    if type(one) is not type(other) or one.moment != other.moment:
        return False
    return not isinstance(one, e.Foul) or (isinstance(other, e.Foul) and one.seat == other.seat)
