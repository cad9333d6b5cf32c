"""Why a shot, a check or a best move may not be written (RULES §4, A 8.3)."""

from __future__ import annotations

from . import entries as e
from .points import best_move_victim
from .refusal import Refusal
from .refusals_by_day import not_at_table
from .situations import holder_was_alive, roles_known_to
from .state import GameState
from .terms import SEATS, Phase, Role, Team


def refuse_shot(state: GameState, entry: e.Shot) -> Refusal | None:
    """Why not: it is not the night's time, a second shot, or the shots written by name say another (RULES §4)."""
    number = entry.moment.day
    if entry.moment.phase != Phase.NIGHT or number < 1:
        return state.refusal("not_at_night", "night")
    if entry.target is not None and entry.target not in SEATS:
        return state.refusal("no_such_seat", "table", seat=entry.target)
    night = state.nights.get(number)
    if night and night.shot:
        return state.refusal("already_shot", "night", night=number, seat=night.shot.target)
    if not entry.shots:
        return None
    blacks = state.living_of(Team.BLACK) if roles_known_to(state, entry.revision) else None
    shooters = [shooter for shooter, _ in entry.shots]
    if len(set(shooters)) != len(shooters):
        return state.refusal("shooter_twice", "night")
    for shooter in shooters:
        gone = not_at_table(state, shooter)
        if gone:
            return gone
        if blacks is not None and shooter not in blacks:
            return state.refusal("not_black", "night", seat=shooter)
    named = {target for _, target in entry.shots}
    unknown = next((target for target in named if target not in SEATS), None)
    if unknown is not None:
        return state.refusal("no_such_seat", "table", seat=unknown)
    all_shot = blacks is None or len(shooters) == len(blacks)
    agreed = named.pop() if len(named) == 1 and all_shot else None
    if entry.target != agreed and not (agreed and state.seats[agreed].left and entry.target is None):
        return state.refusal("shots_disagree", "night", seat=entry.target, agreed=agreed)
    return None


def refuse_check(state: GameState, entry: e.Check) -> Refusal | None:
    """Why not: one a night each, by a don or a sheriff who was alive when the night began (RULES §4)."""
    number = entry.moment.day
    phase = Phase.DON if entry.by == Role.DON else Phase.SHERIFF
    if entry.by not in (Role.DON, Role.SHERIFF) or entry.moment.phase != phase or number < 1:
        return state.refusal("not_check_time", "night")
    if entry.target not in SEATS:
        return state.refusal("no_such_seat", "table", seat=entry.target)
    night = state.nights.get(number)
    done = (night.don_check if entry.by == Role.DON else night.sheriff_check) if night else None
    if done:
        return state.refusal("already_checked", "night", seat=done, by=entry.by)
    if roles_known_to(state, entry.revision) and not holder_was_alive(state, entry.by, number):
        return state.refusal("checker_has_left", "night", by=entry.by, seat=state.seat_of(entry.by))
    return None


def refuse_best_move(state: GameState, entry: e.BestMove) -> Refusal | None:
    """Why not: only the player shot on night 1, or first after a miss, three different seats, not the own (A 8.3)."""
    if state.best_move is not None:
        return state.refusal("best_move_named", "best_move", seats=state.best_move.seats)
    night = state.nights.get(1)
    if night is None or night.shot is None:
        return state.refusal("best_move_early", "best_move")
    victim = best_move_victim(state)
    if victim is None and state.regulation.best_move_after_miss:
        return state.refusal("best_move_waits", "best_move")
    if victim is None:
        return state.refusal("best_move_miss", "best_move_dash")
    if state.seats[victim].removed:
        return state.refusal("best_move_removed", "best_move", seat=victim)
    day_one = state.days.get(1)
    raised = len(day_one.decision.leavers) if day_one and day_one.decision else 0
    if state.regulation.best_move_void_after_raise and raised >= 2:
        return state.refusal("best_move_void", "best_move_void", seat=victim, count=raised)
    if state.results_only and entry.hits is not None and not entry.seats:
        ok = 0 <= entry.hits <= 3
        return None if ok else state.refusal("best_move_three", "best_move", seat=victim)
    if len(entry.seats) != 3 or any(seat not in SEATS for seat in entry.seats):
        return state.refusal("best_move_three", "best_move", seat=victim)
    if len(set(entry.seats)) != 3:
        return state.refusal("best_move_repeated", "best_move", seat=victim, seats=entry.seats)
    if victim in entry.seats:
        return state.refusal("best_move_own", "best_move", seat=victim)
    return None
