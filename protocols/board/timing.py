"""Whose time runs, how long it is and since when: from the record, so that a reload shows the same."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from ..models import Game, GameClock
from ..models.entries import Row
from ..rules import entries as e
from ..rules.agenda import Step
from ..rules.outcome import is_over
from ..rules.state import GameState
from ..rules.terms import Phase
from ..selectors import Record
from ..services.record import batched


@dataclass(frozen=True, slots=True)
class Timer:
    """A time that runs or stands still. Times are milliseconds since 1970 by the server's clock.

    `entry` is the number of the entry that began it, `tap` of the tap that wrote it, which may have written others. It
    is up at `deadline`, or `left` ms remain while it stands still; `changed` is when the judge last touched it, 0 for
    never. `now` is the server's now.
    """

    entry: str
    seconds: int
    deadline: int | None
    left: int | None
    changed: int
    now: int
    tap: str = ""  # the number that the device gave to the tap that wrote it

    @property
    def words(self) -> str:
        """What a page without a script shows: what was left when it was drawn."""
        left = self.left if self.left is not None else (self.deadline or 0) - self.now
        seconds = max(0, -(-left // 1000))
        return f"{seconds // 60}:{seconds % 60:02d}"


def milliseconds(at: datetime) -> int:
    """The time as milliseconds since 1970."""
    return round(at.timestamp() * 1000)


def timer_of(record: Record, step: Step) -> Timer | None:
    """The time of the minute, speech or check now running; None where nothing is timed."""
    seconds = _seconds(record.state, step)
    if not seconds:
        return None
    row = _beginning(record, step)
    if row is None:
        return None
    now = milliseconds(timezone.now())
    tap = str(_tap_of(record, row))
    clock = _stored(record.game)
    if clock is not None and clock.entry == row.uuid:
        deadline = milliseconds(clock.deadline) if clock.deadline else None
        return Timer(str(row.uuid), seconds, deadline, clock.left, milliseconds(clock.changed_at), now, tap)
    return Timer(str(row.uuid), seconds, milliseconds(row.recorded_at) + seconds * 1000, None, 0, now, tap)


def clock_of(game: Game) -> dict[str, Any] | None:
    """The clock as screens ask for it; None where nobody has touched it."""
    clock = _stored(game)
    return clock_told(clock.entry, clock.deadline, clock.left, clock.changed_at) if clock else None


def clock_told(
    entry: UUID | None, deadline: datetime | None, left: int | None, changed_at: datetime | None
) -> dict[str, Any] | None:
    """The columns of a clock as screens are told them; None where there is none."""
    if entry is None or changed_at is None:
        return None
    return {
        "entry": str(entry),
        "deadline": milliseconds(deadline) if deadline else None,
        "left": left,
        "changed": milliseconds(changed_at),
    }


def _stored(game: Game) -> GameClock | None:
    """The row of the game's clock; no query where it was fetched with the game."""
    try:
        return game.clock
    except GameClock.DoesNotExist:
        return None


def _seconds(state: GameState, step: Step) -> int:
    if is_over(state):
        return 0
    moment, rules = state.moment, state.regulation
    day = state.days.get(moment.day)
    match moment.phase:
        case Phase.SPEECHES if day and moment.step in day.speeches:
            speaker = day.speeches[moment.step]
            if speaker in day.silent:
                return 0
            return rules.short_speech_seconds if speaker in day.short else rules.speech_seconds
        case Phase.PRE_REVOTE:
            return rules.tied_seconds
        case Phase.VICTIM_WORDS:
            return rules.last_words_seconds
        case Phase.LAST_WORDS if day and day.decision:
            return rules.last_words_seconds if len(day.decision.leavers) == 1 else rules.raised_seconds
        case Phase.NIGHT if moment.day == 0:
            return rules.night_seconds
    return step.seconds if step.code in ("don", "sheriff") else 0


def _beginning(record: Record, step: Step) -> Row | None:
    """The entry from which the time runs."""
    struck = record.struck
    for row, value in zip(reversed(record.rows), reversed(record.values), strict=True):
        if value.revision in struck or isinstance(value, e.Strike):
            continue
        checks = step.code in ("don", "sheriff") and isinstance(value, e.Shot | e.Check)
        if checks or (isinstance(value, e.Turn) and value.moment == record.state.moment):
            return row
    return None


def _tap_of(record: Record, row: Row) -> UUID:
    """The number of the tap that wrote the entry: its own, or that of the first of those written together."""
    at = record.rows.index(row)  # a screen for the hall has not all of them
    earlier = [(before, record.rows[at - before].uuid) for before in (1, 2) if before <= at]
    return next((first for before, first in earlier if batched(first, before) == row.uuid), row.uuid)


def clock_words(record: Record) -> str:
    """When the last entry was written, for the place that says that all is saved."""
    if not record.rows:
        return _("nothing written yet")
    return timezone.localtime(record.rows[-1].recorded_at).strftime("%H:%M:%S")
