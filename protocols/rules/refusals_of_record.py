"""Why a penalty, roles, the end or a ruling may not be written (RULES §1, §2, §5; A 6, 9.4, 9.7)."""

from __future__ import annotations

from . import entries as e
from .moves import stalemate_at_hand
from .refusal import Refusal
from .situations import cancellation_of, foul_of, is_over_for, roles_known_to
from .state import GameState, SeatState
from .terms import ROLE_COUNTS, SEATS, Penalty, Result, Role, RulingAbout, Team


def refuse_foul(state: GameState, entry: e.Foul) -> Refusal | None:
    """Why not: the clause is not one for this penalty, or the player is out of reach of it (A 6.3–6.8)."""
    if entry.clause and entry.clause not in state.regulation.clauses_of(entry.penalty):
        return state.refusal("wrong_clause", entry.penalty.value, clause=entry.clause)
    if entry.seat is not None and entry.seat not in SEATS:
        return state.refusal("no_such_seat", "table", seat=entry.seat)
    if entry.penalty == Penalty.TEAM_DEFEAT:
        return _team_defeat(state, entry)
    if entry.seat is None:
        return state.refusal("seat_needed", "table")
    seat = state.seats[entry.seat]
    if entry.penalty == Penalty.FOUL:
        if len(seat.fouls) >= 4:
            return state.refusal("fifth_foul", "fourth_foul", seat=entry.seat)
        if _is_known_to_be_removed(seat, entry):
            return state.refusal("already_removed", "disqualifying", seat=entry.seat)
    elif entry.penalty == Penalty.DISQUALIFYING and _is_known_to_be_removed(seat, entry):
        return state.refusal("already_removed", "disqualifying", seat=entry.seat)
    return None


def _is_known_to_be_removed(seat: SeatState, entry: e.Foul) -> bool:
    """Whether the player is removed already; what was given before the removal was written was given (RULES §5)."""
    if seat.removed is not None or seat.disqualified is None:
        return seat.removed is not None
    return not 0 < entry.revision < seat.disqualified.revision


def _team_defeat(state: GameState, entry: e.Foul) -> Refusal | None:
    if is_over_for(state, entry.revision):
        return state.refusal("game_over", "after_end")
    if entry.clause == "6.8.4" and entry.seat is not None:
        return state.refusal("hint_has_no_seat", "team_defeat", seat=entry.seat)
    own = state.team_of(entry.seat) if entry.seat else None
    if entry.team is None and own is None:
        return state.refusal("team_needed", "team_defeat", seat=entry.seat)
    if entry.team and own and entry.team != own and roles_known_to(state, entry.revision):
        return state.refusal("other_team", "team_defeat", seat=entry.seat, team=own)
    return None


def refuse_foul_clause(state: GameState, entry: e.FoulClause) -> Refusal | None:
    """Why not: there is no such foul, or the clause is not one for it."""
    foul = foul_of(state, entry.of)
    if foul is None:
        return state.refusal("no_such_foul", "foul", revision=entry.of)
    if entry.clause not in state.regulation.clauses_of(foul.penalty):
        return state.refusal("wrong_clause", foul.penalty.value, clause=entry.clause)
    if entry.clause == "6.8.4" and foul.seat is not None:
        return state.refusal("hint_has_no_seat", "team_defeat", seat=foul.seat)
    return None


# ---------------------------------------------------------------- roles, points, the end


def refuse_roles(state: GameState, entry: e.Roles) -> Refusal | None:
    """Why not: a table holds six К, two Ч, one Ш and one Д (A 9.4.1)."""
    counts = {role: entry.roles.count(role) for role in Role}
    if len(entry.roles) != 10 or counts != ROLE_COUNTS:
        return state.refusal("role_counts", "roles", **{str(role): count for role, count in counts.items()})
    return None


def refuse_seat_correction(state: GameState, entry: e.SeatCorrection) -> Refusal | None:
    """Why not: two different seats are needed (RULES §1)."""
    if entry.seat not in SEATS or entry.target not in SEATS or entry.seat == entry.target:
        return state.refusal("two_seats_needed", "table")
    return None


def refuse_game_over(state: GameState, entry: e.GameOver) -> Refusal | None:
    """Why not: with roles known the winner is derived, never typed against the record (RULES §5)."""
    if state.declared is not None:
        return state.refusal("already_declared", "result", result=state.declared.result)
    if not entry.result.counts:
        return None if entry.text.strip() else state.refusal("reason_needed", "result")
    if entry.result == Result.DRAW and not state.regulation.has_draw:
        return state.refusal("no_draw", "result")
    if state.results_only or not state.roles_known:
        return None
    if entry.revision and state.roles and entry.revision < state.roles.revision:
        return None  # declared before the roles came; the disagreement is put before the judge
    at_hand = None if state.derived else stalemate_at_hand(state)
    derived = state.derived.result if state.derived else at_hand[0] if at_hand else None
    if derived is None:
        red, black = len(state.living_of(Team.RED)), len(state.living_of(Team.BLACK))
        return state.refusal("not_over", "end", red=red, black=black)
    if derived != entry.result:
        return state.refusal("other_winner", "result", result=derived)
    return None


def refuse_ruling(state: GameState, entry: e.Ruling) -> Refusal | None:
    """Why not: it has no reason, or there is nothing of the kind to rule on (RULES §3, §5)."""
    if not entry.text.strip():
        return state.refusal("reason_needed", "correction")
    if entry.about == RulingAbout.RESULT:
        if entry.result is None:
            return state.refusal("result_needed", "result")
        if entry.result == Result.DRAW and not state.regulation.has_draw:
            return state.refusal("no_draw", "result")
    if entry.about in (RulingAbout.VOTE_HELD, RulingAbout.VOTE_CANCELLED):
        if is_over_for(state, entry.revision):
            return state.refusal("game_over", "after_end")
        day = state.days.get(entry.moment.day)
        if day is None or entry.moment.is_night:
            return state.refusal("not_by_day", "voting")
        cancelled = cancellation_of(state, day.number) is not None
        if entry.about == RulingAbout.VOTE_HELD and not cancelled:
            return state.refusal("vote_not_cancelled", "voting", day=day.number)
        if entry.about == RulingAbout.VOTE_CANCELLED and (cancelled or day.decision):
            return state.refusal("vote_not_open", "voting", day=day.number)
    return None


def refuse_strike_of(state: GameState, entry: e.Strike) -> Refusal | None:
    """Why not: a strike names an entry written before it (RULES §5)."""
    if entry.of < 1 or (entry.revision and entry.of >= entry.revision):
        return state.refusal("nothing_to_strike", "correction", revision=entry.of)
    return None
