"""Where a game stands, and when it ended: the two things of a game's row that follow from its entries."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time, timedelta

from django.utils import timezone

from ..exchange.reading import YEARS
from ..models import Game, Status
from ..models.entries import Row
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


MORNING = time(6)  # hours typed before it belong to the night after the day of the game


def typed_time(text: str, game: Game) -> datetime:
    """The time that a judge typed: «21:40» on the day of the game, or a date and time. Raises ValueError.

    A game of the evening ends after midnight as «0:20»: hours before six are those of the next day.
    """
    try:
        clock = time.fromisoformat(text.strip().rjust(5, "0"))  # «9:05», too
    except ValueError:
        found = datetime.fromisoformat(text.strip())
    else:
        found = datetime.combine(game.played_on, clock)
        if clock < MORNING:
            found += timedelta(days=1)
    if found.year not in YEARS:
        raise ValueError(text)
    return found if timezone.is_aware(found) else timezone.make_aware(found)


def ended_at(game: Game, rows: Sequence[Row], values: Sequence[e.Entry], state: GameState) -> datetime | None:
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
    times = {row.revision: row.recorded_at for row in rows}
    if end.by not in times:
        return None
    mark = next(value for value in values if value.revision == end.by)
    struck = struck_revisions(values)
    before = [times[value.revision] for value in values if value.revision in struck and _same_mark(value, mark)]
    return min([times[end.by], *before])


def _same_mark(one: e.Entry, other: e.Entry) -> bool:
    """Whether both are the same mark of the protocol, perhaps with another seat or figure in it."""
    if type(one) is not type(other) or one.moment != other.moment:
        return False
    return not isinstance(one, e.Foul) or (isinstance(other, e.Foul) and one.seat == other.seat)
