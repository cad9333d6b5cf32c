"""Whose time runs, how long it is and since when: from the record, so that a reload shows the same."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext as _

from ..rules import entries as e
from ..rules.agenda import Step
from ..rules.fold import struck_revisions
from ..rules.outcome import is_over
from ..rules.state import GameState
from ..rules.terms import Phase
from ..selectors import Record


@dataclass(frozen=True, slots=True)
class Timer:
    """A time that runs: its length in seconds, its beginning and the server's now in milliseconds since 1970."""

    key: str
    seconds: int
    started: int
    now: int

    @property
    def words(self) -> str:
        """What a page without a script shows: the length."""
        return f"{self.seconds // 60}:{self.seconds % 60:02d}"


def timer_of(record: Record, step: Step) -> Timer | None:
    """The time of the minute, speech or check now running; None where nothing is timed."""
    state = record.state
    seconds = _seconds(state, step)
    if not seconds:
        return None
    row = _beginning(record, step)
    if row is None:
        return None
    now = round(timezone.now().timestamp() * 1000)
    return Timer(f"{record.game.uuid}.{row[0]}", seconds, round(row[1] * 1000), now)


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
            return 30 if speaker in day.short else rules.speech_seconds
        case Phase.PRE_REVOTE:
            return rules.tied_seconds
        case Phase.VICTIM_WORDS:
            return rules.last_words_seconds
        case Phase.LAST_WORDS if day and day.decision:
            return rules.last_words_seconds if len(day.decision.leavers) == 1 else rules.raised_seconds
        case Phase.NIGHT if moment.day == 0:
            return rules.night_seconds
    return step.seconds if step.code in ("don", "sheriff") else 0


def _beginning(record: Record, step: Step) -> tuple[int, float] | None:
    """Revision and time, in seconds since 1970, of the entry from which the time runs."""
    struck = struck_revisions(record.values)
    for row, value in zip(reversed(record.rows), reversed(record.values), strict=True):
        if value.revision in struck or isinstance(value, e.Strike):
            continue
        checks = step.code in ("don", "sheriff") and isinstance(value, e.Shot | e.Check)
        if checks or (isinstance(value, e.Turn) and value.moment == record.state.moment):
            return value.revision, row.recorded_at.timestamp()
    return None


def clock_words(record: Record) -> str:
    """When the last entry was written, for the place that says that all is saved."""
    if not record.rows:
        return _("nothing written yet")
    return timezone.localtime(record.rows[-1].recorded_at).strftime("%H:%M:%S")
