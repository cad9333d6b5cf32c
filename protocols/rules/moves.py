"""How a game moves from moment to moment, and what must be written before it may (RULES §2–§4)."""

from __future__ import annotations

from .refusal import Refusal
from .situations import (
    cancellation_of,
    conclude,
    is_over_for,
    opener_of,
    speaks_thirty_seconds,
    stalemate_of_move,
)
from .state import Day, GameState, Night
from .terms import Moment, Phase
from .voting import candidates_of, current_ballot, nominees_suffice, vote_is_due


def refuse_move(state: GameState, target: Moment) -> Refusal | None:
    """Why the game may not move to that moment; None also for a moment it has reached."""
    now = state.moment
    if target.key <= now.key or target.phase in (Phase.SETUP, Phase.AFTER):
        return None
    if target.day == now.day:
        return _refuse_within_day(state, target)
    if target.day > now.day + 1:
        return _no(state, "day_skipped", "day", day=now.day + 1)
    if now.day > 0:
        refused = _refuse_end_of_day(state) or _refuse_end_of_night(state)
        if refused:
            return refused
    if target.phase == Phase.VICTIM_WORDS:
        night = state.nights.get(now.day)
        return None if night and night.victim else _no(state, "nobody_shot", "night", night=now.day)
    if target.phase == Phase.SPEECHES:
        return None
    if target.phase in (Phase.BALLOT, Phase.PRE_REVOTE, Phase.RAISE_ALL, Phase.LAST_WORDS):
        return _no_vote(state, Day(target.day))
    return _no(state, "day_not_opened", "day", day=target.day)


def _refuse_within_day(state: GameState, target: Moment) -> Refusal | None:
    phase, day = target.phase, state.day
    if target.day == 0:
        return None if phase == Phase.NIGHT else _no(state, "night_zero", "night")
    if phase == Phase.VICTIM_WORDS:
        night = state.nights.get(target.day - 1)
        return None if night and night.victim else _no(state, "nobody_shot", "night", night=target.day - 1)
    if phase == Phase.SPEECHES:
        return None
    assert day is not None
    if phase in (Phase.PRE_REVOTE, Phase.BALLOT):
        current = current_ballot(state, day)
        if current is None:
            return _no_vote(state, day)
        if target.ballot != current[0]:
            return _no(state, "other_ballot", "voting", ballot=current[0] + 1)
        return None
    if phase == Phase.RAISE_ALL:
        return None if day.raise_due else _no(state, "no_raise_question", "voting")
    if phase == Phase.LAST_WORDS:
        return None if day.decision and day.decision.leavers else _no(state, "nobody_voted_out", "voting")
    refused = _refuse_end_of_day(state)
    if refused or phase == Phase.NIGHT:
        return refused
    refused = _refuse_end_of_night(state)
    if refused:
        return refused
    return None


def _refuse_end_of_day(state: GameState) -> Refusal | None:
    day = state.day
    if day is None or state.moment.is_night or not vote_is_due(state, day):
        return None
    if day.raise_due:
        return _no(state, "raise_due", "voting", seats=day.tied)
    current = current_ballot(state, day)
    waiting = [seat for seat in current[1].candidates if seat not in current[1].tallies] if current else []
    return _no(state, "vote_due", "voting", seats=tuple(waiting), ballot=current[0] + 1 if current else 1)


def _refuse_end_of_night(state: GameState) -> Refusal | None:
    night = state.nights.get(state.moment.day)
    if night is None or night.shot is None:
        return _no(state, "shot_due", "night", night=state.moment.day)
    return None


def _no_vote(state: GameState, day: Day) -> Refusal:
    """Why there is no vote to be taken now."""
    why = cancellation_of(state, day.number)
    if why is not None:
        return Refusal("vote_cancelled", why.clause, {"day": day.number, "seat": why.seat})
    if day.decision:
        return _no(state, "vote_decided", "voting", seats=day.decision.leavers)
    if day.raise_due:
        return _no(state, "raise_due", "voting", seats=day.tied)
    if not candidates_of(state, day):
        return _no(state, "no_nominees", "voting", day=day.number)
    if not nominees_suffice(state, day):
        return _no(state, "single_nominee", "voting", seat=candidates_of(state, day)[0])
    return _no(state, "no_vote_now", "voting", day=day.number)


def _no(state: GameState, code: str, rule: str, **params: object) -> Refusal:
    return Refusal(code, state.regulation.cite(rule), params)


def advance(state: GameState, target: Moment, revision: int) -> None:
    """Moves the game to that moment; a stalemate completed by the move ends the game where it stood."""
    now = state.moment
    if target.key <= now.key or target.phase in (Phase.SETUP, Phase.AFTER):
        return
    found = stalemate_of_move(state, target)
    if found and not is_over_for(state, revision):
        conclude(state, found[0], found[1], "three_days", revision)
        return
    leaves_day = now.day > 0 and not now.is_night and (target.is_night or target.day > now.day)
    if leaves_day:
        _close_day(state, state.days[now.day], revision)
    if target.day > now.day or now.phase == Phase.SETUP:
        _open_day(state, target.day, revision)
    state.moment = target
    if target.is_night and target.day > 0 and target.day not in state.nights:
        state.nights[target.day] = Night(target.day, len(state.living))


def _open_day(state: GameState, number: int, revision: int) -> None:
    if number == 0 or number in state.days:
        return
    day = state.days[number] = Day(number)
    cancelled = state.cancelled_days.get(number)
    if cancelled and not day.cancelled:
        day.cancelled = cancelled


def _close_day(state: GameState, day: Day, revision: int) -> None:
    if day.opener is None:
        day.opener = opener_of(state, day.number)
    if not day.decision and not day.cancelled and len(candidates_of(state, day)) == 1:
        state.tell("single_nominee", "voting", revision, seat=candidates_of(state, day)[0])


def begin_speech(state: GameState, day: Day, seat: int, step: int, revision: int) -> None:
    """The seat's own minute begins; a third foul takes it, once (A 6.4)."""
    if not day.speeches:
        day.opener = seat
    day.speeches[step] = seat
    player = state.seats[seat]
    if not player.silence_due:
        return
    player.silence_due = False
    if speaks_thirty_seconds(state):
        day.short.append(seat)
        state.tell("thirty_seconds", "thirty_seconds", revision, seat=seat)
    else:
        day.silent.append(seat)
        state.tell("silent_minute", "third_foul", revision, seat=seat)
