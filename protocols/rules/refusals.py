"""Why an entry may not be written at its moment: one check per kind, each naming its clause."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from . import entries as e
from .moves import refuse_moment, refuse_move
from .points import refuse_extra, refuse_mark
from .refusal import Refusal
from .refusals_by_day import refuse_nomination, refuse_raise_all, refuse_turn, refuse_vote, refuse_withdrawal
from .refusals_by_night import refuse_best_move, refuse_check, refuse_shot
from .refusals_of_record import (
    refuse_foul,
    refuse_foul_clause,
    refuse_game_over,
    refuse_roles,
    refuse_ruling,
    refuse_seat_correction,
    refuse_strike_of,
)
from .situations import is_over_for, stalemate_of_move
from .state import GameState

RESULTS_ONLY_KINDS = (
    e.Roles, e.SeatCorrection, e.Foul, e.FoulClause, e.Shot, e.BestMove, e.ExtraPoints, e.SpeechMark, e.GameOver,
    e.Ruling, e.Strike,
)  # fmt: skip


def refuse(state: GameState, entry: e.Entry) -> Refusal | None:
    """Why the entry may not be written at its own moment, with its clause; None where it may."""
    return _refuse_here(state, entry) or _CHECKS[type(entry)](state, entry)


def refuse_each(state: GameState, entries: Sequence[e.Entry]) -> list[Refusal | None]:
    """The same of one or more entries of one kind, moment and revision: what these decide is looked at once."""
    refused, check = _refuse_here(state, entries[0]), _CHECKS[type(entries[0])]
    return [refused or check(state, entry) for entry in entries]


def _refuse_here(state: GameState, entry: e.Entry) -> Refusal | None:
    if state.results_only:
        return None if isinstance(entry, RESULTS_ONLY_KINDS) else state.refusal("results_only", "table")
    return _refuse_play(state, entry)


def _refuse_play(state: GameState, entry: e.Entry) -> Refusal | None:
    if is_over_for(state, entry.revision):
        return None if entry.after_end else state.refusal("game_over", "after_end")
    refused = refuse_move(state, entry.moment) or refuse_moment(state, entry)
    if refused:
        return refused
    if not isinstance(entry, e.Turn) and not entry.after_end and stalemate_of_move(state, entry.moment):
        return state.refusal("stalemate_due", "three_days")
    return None


_Check = Callable[[GameState, e.Entry], Refusal | None]
_CHECKS: dict[type[e.Entry], _Check] = {
    kind: cast(_Check, check)
    for kind, check in (
        (e.Turn, refuse_turn), (e.Foul, refuse_foul), (e.FoulClause, refuse_foul_clause),
        (e.Nomination, refuse_nomination), (e.Withdrawal, refuse_withdrawal), (e.Vote, refuse_vote),
        (e.RaiseAll, refuse_raise_all), (e.Shot, refuse_shot), (e.Check, refuse_check),
        (e.BestMove, refuse_best_move), (e.ExtraPoints, refuse_extra), (e.SpeechMark, refuse_mark),
        (e.Roles, refuse_roles), (e.SeatCorrection, refuse_seat_correction), (e.GameOver, refuse_game_over),
        (e.Ruling, refuse_ruling), (e.Strike, refuse_strike_of),
    )
}  # fmt: skip
