"""How a game moves from moment to moment, and what must be written before it may (RULES §2–§4)."""

from __future__ import annotations

from .entries import BestMove, Entry, Foul, Vote
from .refusal import Refusal
from .situations import (
    cancellation_of,
    conclude,
    is_over_for,
    opener_of,
    speaking_order,
    speaks_thirty_seconds,
    stalemate_of_move,
)
from .state import Day, GameState, Night
from .terms import AFTER, RESTART, SEATS, SETUP, Moment, Phase, Result
from .voting import candidates_of, current_ballot, vote_is_due


def refuse_moment(state: GameState, entry: Entry) -> Refusal | None:
    """Why there is no such moment in the game: an unknown phase of a day, a minute or a candidate not yet come to."""
    moment, now = entry.moment, state.moment
    if moment == SETUP or moment == Moment(0, Phase.NIGHT):
        return None
    if moment == AFTER and entry.after_end and not isinstance(entry, Foul | BestMove):
        return None
    if moment.day < 1 and moment.phase not in (Phase.SETUP, Phase.AFTER):
        return state.refusal("night_zero", "night")
    if moment.phase in (Phase.SETUP, Phase.AFTER) or not (
        moment.key <= now.key or (moment.step <= _last_step(state, entry) and moment.ballot in _ballots(state, moment))
    ):
        return state.refusal("no_such_moment", "day", moment=moment)
    return None


def _last_step(state: GameState, entry: Entry) -> int:
    """The last step of its phase that the entry may stand at."""
    moment, day = entry.moment, state.days.get(entry.moment.day)
    if moment.phase == Phase.VICTIM_WORDS:
        return 1
    if moment.phase == Phase.SPEECHES:
        return (len(day.speeches) if day else 0) + 1
    if day and moment.phase == Phase.PRE_REVOTE:
        return len(day.tied)
    if day and moment.phase == Phase.BALLOT:
        current = current_ballot(state, day)
        if current is None or isinstance(entry, Vote):  # a tally that is not next is refused as such
            return len(SEATS)
        return len(current[1].tallies) + 1
    if day and day.decision and moment.phase == Phase.LAST_WORDS:
        return len(day.decision.leavers)
    return 1 if moment.phase == Phase.BALLOT else 0


def _ballots(state: GameState, moment: Moment) -> tuple[int, ...]:
    """The ballot numbers that the moment may carry."""
    day = state.days.get(moment.day)
    if day and moment.phase in (Phase.PRE_REVOTE, Phase.BALLOT):
        current = current_ballot(state, day)
        return (current[0],) if current else ()
    return (RESTART * day.restarts,) if day and moment.phase == Phase.RAISE_ALL else (0,)


def refuse_move(state: GameState, target: Moment) -> Refusal | None:
    """Why the game may not move to that moment; None also for a moment it has reached."""
    now = state.moment
    if target.key <= now.key or target.phase in (Phase.SETUP, Phase.AFTER):
        return None
    if target.day == now.day:
        return _refuse_within_day(state, target)
    if target.day > now.day + 1:
        return state.refusal("day_skipped", "day", day=now.day + 1)
    if now.day > 0:
        refused = _refuse_end_of_day(state) or _refuse_end_of_night(state)
        if refused:
            return refused
    if target.phase == Phase.VICTIM_WORDS:
        night = state.nights.get(now.day)
        return None if night and night.victim else state.refusal("nobody_shot", "night", night=now.day)
    if target.phase == Phase.SPEECHES:
        return None
    if target.phase in (Phase.BALLOT, Phase.PRE_REVOTE, Phase.RAISE_ALL, Phase.LAST_WORDS):
        return why_no_vote(state, Day(target.day))
    return state.refusal("day_not_opened", "day", day=target.day)


def _refuse_within_day(state: GameState, target: Moment) -> Refusal | None:
    phase, day = target.phase, state.day
    if target.day == 0:
        return None if phase == Phase.NIGHT else state.refusal("night_zero", "night")
    if phase == Phase.VICTIM_WORDS:
        night = state.nights.get(target.day - 1)
        return None if night and night.victim else state.refusal("nobody_shot", "night", night=target.day - 1)
    if phase == Phase.SPEECHES:
        return None
    assert day is not None
    if phase in (Phase.PRE_REVOTE, Phase.BALLOT):
        current = current_ballot(state, day)
        if current is None:
            return why_no_vote(state, day)
        if target.ballot != current[0] or (phase == Phase.PRE_REVOTE and target.ballot == 0):
            return state.refusal("other_ballot", "voting", ballot=current[0] % RESTART + 1)
        return None
    if phase == Phase.RAISE_ALL:
        return None if day.raise_due else why_no_raise_question(state, day)
    if phase == Phase.LAST_WORDS:
        return None if day.decision and day.decision.leavers else state.refusal("nobody_voted_out", "voting")
    refused = _refuse_end_of_day(state)
    if refused or phase == Phase.NIGHT:
        return refused
    return _refuse_end_of_night(state)


def _refuse_end_of_day(state: GameState) -> Refusal | None:
    day = state.day
    if day is None or state.moment.is_night or not vote_is_due(state, day):
        return None
    if day.raise_due:
        return state.refusal("raise_due", "voting", seats=day.tied)
    current = current_ballot(state, day)
    waiting = [seat for seat in current[1].candidates if seat not in current[1].tallies] if current else []
    return state.refusal("vote_due", "voting", seats=tuple(waiting), ballot=current[0] % RESTART + 1 if current else 1)


def _refuse_end_of_night(state: GameState) -> Refusal | None:
    night = state.nights.get(state.moment.day)
    if night is None or night.shot is None:
        return state.refusal("shot_due", "night", night=state.moment.day)
    return None


def why_no_vote(state: GameState, day: Day) -> Refusal:
    """Why there is no vote to be taken now, where `current_ballot` finds none."""
    why = cancellation_of(state, day.number)
    if why is not None:
        return Refusal("vote_cancelled", why.clause, {"day": day.number, "seat": why.seat})
    if day.decision:
        return state.refusal("vote_decided", "voting", seats=day.decision.leavers)
    if day.raise_due:
        return state.refusal("raise_due", "voting", seats=day.tied)
    nominees = candidates_of(state, day)
    if not nominees:
        return state.refusal("no_nominees", "voting", day=day.number)
    return state.refusal("single_nominee", "voting", seat=nominees[0])


def why_no_raise_question(state: GameState, day: Day) -> Refusal:
    """Why the raise-all question is not asked now: there is no vote today, or no tie that leads to it."""
    if cancellation_of(state, day.number) is not None:
        return why_no_vote(state, day)
    return state.refusal("no_raise_question", "voting")


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
        _open_day(state, target.day)
    day = state.days.get(target.day)
    if day and target.phase >= Phase.SPEECHES and day.opener is None:
        day.opener = opener_of(state, day.number)  # before anybody leaves today
    if day and now.phase <= Phase.SPEECHES < target.phase and now.day == target.day:
        _end_speeches(state, day, revision)
    state.moment = target
    if target.is_night and target.day > 0 and target.day not in state.nights:
        state.nights[target.day] = Night(target.day, len(state.living))


def _open_day(state: GameState, number: int) -> None:
    if number == 0 or number in state.days:
        return
    day = state.days[number] = Day(number)
    cancelled = state.cancelled_days.get(number)
    if cancelled and not day.cancelled:
        day.cancelled = cancelled


def _close_day(state: GameState, day: Day, revision: int) -> None:
    if not day.decision and not day.cancelled and len(candidates_of(state, day)) == 1:
        state.tell("single_nominee", "voting", revision, seat=candidates_of(state, day)[0])


def stalemate_at_hand(state: GameState) -> tuple[Result, str] | None:
    """The stalemate that the game's next step would complete, if one would: the judge may declare it, too."""
    day = state.moment.day
    for target in (Moment(day, Phase.NIGHT), Moment(day + 1, Phase.SPEECHES)):
        if target.key > state.moment.key and refuse_move(state, target) is None:
            found = stalemate_of_move(state, target)
            if found:
                return found
    return None


def begin_speech(state: GameState, day: Day, seat: int, step: int, revision: int) -> None:
    """The seat's own minute begins; a third foul takes it, once (A 6.4)."""
    if day.speeches:  # whoever was passed over has had the minute
        order = speaking_order(state, day)
        for passed in order[: order.index(seat)] if seat in order else ():
            _use_silence(state, day, passed, revision)
    else:
        day.opener = seat
    day.speeches[step] = seat
    _use_silence(state, day, seat, revision)


def _end_speeches(state: GameState, day: Day, revision: int) -> None:
    """Minutes not written have passed; where none were, those of whoever came silent into the day."""
    began = Moment(day.number, Phase.SPEECHES).key
    for seat in speaking_order(state, day):
        since = state.seats[seat].silent_since
        if day.speeches or (since and since.key < began):
            _use_silence(state, day, seat, revision)


def _use_silence(state: GameState, day: Day, seat: int, revision: int) -> None:
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
