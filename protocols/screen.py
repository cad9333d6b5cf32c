"""What the hall's screen shows of a table: no more than the hall has seen and heard, until the protocol is signed.

Before that the state is folded from the public entries alone, in which no role stands; so nothing that follows from
roles can be on the screen, whatever a template asks for. The victim of a night appears when the morning has begun.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from .board.rows import Row, rows_of
from .board.timing import Timer, timer_of
from .board.votes import VoteBlock, votes_of
from .models import Game, Status
from .replaying import public_entries
from .rules import entries as e
from .rules.agenda import next_steps
from .rules.fold import replay
from .rules.state import GameState
from .rules.terms import Moment, Phase
from .selectors import Record, live_record_of, record_of
from .wording import moment_words, result_words


@dataclass(frozen=True, slots=True)
class Screen:
    """One table as everybody may see it."""

    title: str
    where: str
    rows: tuple[Row, ...]
    vote: VoteBlock | None  # of today, or the last one
    timer: Timer | None
    speaker: Row | None
    result: str = ""  # once the protocol is signed
    is_over: bool = False
    has_roles: bool = False

    @property
    def length(self) -> str:
        """The whole of the time that runs: what a page without a script shows, the same whenever it is drawn."""
        seconds = self.timer.seconds if self.timer else 0
        return f"{seconds // 60}:{seconds % 60:02d}"


def screen_of(game: Game, *, hides_result: bool = False) -> Screen:
    """The table's screen now; `hides_result`: as before the signature, also after it."""
    if game.is_closed and not hides_result:
        return _closed(game)
    record = public_record(live_record_of(game), hides_last_shot=game.status == Status.RUNNING)
    is_over = game.status not in (Status.PREPARED, Status.RUNNING)
    rows = _rows(record, roles=False, is_over=is_over)
    speaker = next((row for row in rows if row.speaking), None)
    where = _("The game is over") if is_over else where_words(record.state.moment)
    timer = None if is_over else _timer(record)
    return Screen(_title(game), where, rows, _vote(record), timer, speaker, is_over=is_over)


def public_record(record: Record, *, hides_last_shot: bool) -> Record:
    """The record as the hall knows it: a state of its own without roles; the shot of a night that goes on kept back."""
    fallen = {entry.revision for entry, _refusal in record.state.set_aside}
    shown = public_entries(record.values, fallen)
    if hides_last_shot:
        night = _night_going_on(record.state)
        shown = [entry for entry in shown if not (isinstance(entry, e.Shot) and entry.moment.day == night)]
    shown.sort(key=lambda entry: entry.revision)
    rows = {row.revision: row for row in record.rows}
    state = replay(shown, record.game.rules, results_only=record.game.results_only)
    return Record(record.game, [rows[entry.revision] for entry in shown], shown, state)


def _night_going_on(state: GameState) -> int | None:
    """The night whose end is not announced yet; a best move is named by a victim whom everybody knows."""
    moment = state.moment
    return moment.day if moment.is_night and moment.phase < Phase.BEST_MOVE else None


def where_words(moment: Moment) -> str:
    """The part of the game, at night without its steps: who is awake is the table's own."""
    if moment.is_night and moment.day and moment.phase < Phase.BEST_MOVE:
        return _("Night %(day)s") % {"day": moment.day}
    return moment_words(moment)


def _timer(record: Record) -> Timer | None:
    """The time that runs by day, or in night 0."""
    if record.state.moment.is_night and record.state.moment.day:
        return None
    return timer_of(record, next_steps(record.state)[0])


def _rows(record: Record, *, roles: bool, is_over: bool) -> tuple[Row, ...]:
    rows: Sequence[Row] = rows_of(record.state, record.names, roles=roles, writes=False)
    if is_over:
        return tuple(replace(row, speaking=False, silent="", ballot=0, nominates=0) for row in rows)
    return tuple(rows)


def _vote(record: Record) -> VoteBlock | None:
    found = votes_of(record.state, record.names)
    return found[0] if found else None


def _title(game: Game) -> str:
    return _("Table %(table)s · Game %(game)s") % {"table": game.table_number, "game": game.number}


def _closed(game: Game) -> Screen:
    """A signed game: its result and roles are everybody's."""
    record = record_of(game)
    signed = game.sheet_in_force
    result = signed.sheet.result if signed else ""
    rows = _rows(record, roles=record.state.roles_known, is_over=True)
    return Screen(
        _title(game), _("The game is over"), rows, _vote(record), None, None,
        result_words(result) if result else "", is_over=True, has_roles=record.state.roles_known,
    )  # fmt: skip
