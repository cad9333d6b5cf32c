"""Special situations: removals and the votes they cancel, silence, stalemates, the end (RULES §2, §3, §5; A 6–7)."""

from __future__ import annotations

from .entries import Foul
from .regulation import AfterLeaving, Stalemate
from .state import Cancellation, Day, Exit, GameState, Notice, Outcome
from .terms import HowLeft, Moment, Penalty, Phase, Result, Role, Team

# ---------------------------------------------------------------- leaving


def leave_together(state: GameState, seats: tuple[int, ...], how: HowLeft, rule: str, revision: int) -> None:
    """These players leave at once; the end of the game is checked once for all of them."""
    for seat in seats:
        state.seats[seat].left = Exit(how, state.moment, state.regulation.cite(rule), revision)
        state.exits.append((seat, state.moment))
    check_end(state, revision)


def remove(state: GameState, foul: Foul) -> None:
    """A removal: the player leaves without last words and a vote may be cancelled (A 6.5, 7.1, 7.2)."""
    assert foul.seat is not None
    seat = state.seats[foul.seat]
    by_fouls = foul.penalty == Penalty.FOUL
    how = HowLeft.FOULS if by_fouls else HowLeft.DISQUALIFIED
    rule = "fourth_foul" if by_fouls else "disqualifying"
    clause = state.regulation.cite(rule)
    if not by_fouls and foul.clause:
        clause = f"A {foul.clause}"
    seat.removed = Exit(how, state.moment, clause, foul.revision)
    seat.silence_due = False
    if foul.moment.key < state.moment.key:
        state.contradict("late_removal", "correction", foul.revision, seat=foul.seat, moment=foul.moment)
    had_left = seat.left is not None
    if state.results_only:
        return
    if is_over_for(state, foul.revision):
        state.tell("removed_after_end", rule, foul.revision, seat=foul.seat)
        return
    if had_left:
        state.tell("removed_departed", rule, foul.revision, seat=foul.seat)
        if state.regulation.removal_after_leaving == AfterLeaving.NOTHING:
            return
    else:
        seat.left = Exit(how, state.moment, clause, foul.revision)
        state.exits.append((foul.seat, state.moment))
        code = "removed_fouls" if by_fouls else "removed_disqualified"
        state.notices.append(Notice(code, clause, state.moment, foul.revision, {"seat": foul.seat}))
        check_end(state, foul.revision)
        if state.derived:
            return
    _cancel_a_vote(state, foul)


def _cancel_a_vote(state: GameState, foul: Foul) -> None:
    number, moment = state.moment.day, state.moment
    if moment.is_night:
        _cancel_next(state, number + 1, "no_vote_tomorrow", foul)
        return
    day = state.days[number]
    if day.decision:
        if state.regulation.removal_after_vote_cancels_next:
            _cancel_next(state, number + 1, "no_vote_after_decided", foul)
        return
    if cancellation_of(state, number) is not None:
        return  # a removal on a day already without a vote carries nothing over
    day.cancelled = Cancellation(foul.seat, state.regulation.cite("no_vote_today"), foul.revision)
    day.raise_due = False
    for ballot in day.ballots:
        ballot.void = True
    state.tell("vote_cancelled", "no_vote_today", foul.revision, seat=foul.seat, day=number)


def cancellation_of(state: GameState, number: int) -> Cancellation | None:
    """Why no vote is held on that day, or None where one is (A 7.1, 7.2)."""
    day = state.days.get(number)
    if day and (day.restored or day.cancelled):
        return day.cancelled
    return state.cancelled_days.get(number)


def _cancel_next(state: GameState, number: int, rule: str, foul: Foul) -> None:
    if number not in state.cancelled_days:
        state.cancelled_days[number] = Cancellation(foul.seat, state.regulation.cite(rule), foul.revision)
    state.tell("next_vote_cancelled", rule, foul.revision, seat=foul.seat, day=number)


# ---------------------------------------------------------------- fouls


def give(state: GameState, foul: Foul) -> None:
    """Writes a warning, a foul, a disqualifying foul or a team defeat; what follows waits in `pending`."""
    seat = state.seats[foul.seat] if foul.seat else None
    if seat and foul.from_tournament:
        seat.from_tournament = True
    if foul.penalty == Penalty.TEAM_DEFEAT:
        _defeat(state, foul)
        return
    assert seat is not None
    if foul.penalty == Penalty.WARNING:
        seat.warnings.append(foul)
    elif foul.penalty == Penalty.DISQUALIFYING:
        seat.disqualified = foul
        state.pending.append(("removal", foul))
    else:
        seat.fouls.append(foul)
        if len(seat.fouls) == 3:
            state.pending.append(("silence", foul))
        elif len(seat.fouls) == 4:
            state.pending.append(("removal", foul))


def settle(state: GameState, before: int | None = None) -> None:
    """Carries out what waits: at once in the ordinary course, at the moment it was noticed for a late entry.

    `before` is the revision of the entry about to be folded; consequences of entries written later than it were
    not known at the table when it was played.
    """
    waiting, state.pending = state.pending, []
    for what, foul in waiting:
        if before is not None and foul.revision > before:
            state.pending.append((what, foul))
        elif what == "removal":
            if not state.seats[foul.seat or 0].removed:
                remove(state, foul)
        else:
            _silence(state, foul)


def _silence(state: GameState, foul: Foul) -> None:
    """The next own minute is lost: this day's, or the next day's where this one has begun (A 6.4)."""
    assert foul.seat is not None
    seat = state.seats[foul.seat]
    if seat.left is None and len(seat.fouls) == 3:
        seat.silence_due = True
        state.tell("third_foul", "third_foul", foul.revision, seat=foul.seat)


def _defeat(state: GameState, foul: Foul) -> None:
    """The game ends at once and the named team loses (A 6.8)."""
    team = foul.team or (state.team_of(foul.seat) if foul.seat else None)
    assert team is not None
    if foul.seat:
        state.seats[foul.seat].team_defeat = foul
        if foul.clause == "6.8.3":  # A 7.4
            state.seats[foul.seat].from_tournament = True
            state.tell("from_tournament", "from_tournament", foul.revision, seat=foul.seat)
    result = Result.BLACK if team == Team.RED else Result.RED
    clause = f"A {foul.clause}" if foul.clause else state.regulation.cite("team_defeat")
    state.derived = Outcome(
        result, "team_defeat", clause, state.moment, foul.revision, foul.revision, foul.seat
    )  # fmt: skip


# ---------------------------------------------------------------- silence and speeches


def is_silenced(state: GameState, seat: int) -> bool:
    """Whether the player's minute now running, or the next one, is lost to a third foul (A 6.4)."""
    if state.seats[seat].silence_due:
        return not speaks_thirty_seconds(state)
    day = state.day
    return bool(day and seat in day.silent and current_speaker(state) == seat)


def speaks_thirty_seconds(state: GameState) -> bool:
    """Whether a silenced player has 30 seconds instead, with 3 or 4 at the table [option]."""
    return state.regulation.thirty_seconds_for_silenced and len(state.living) in (3, 4)


def current_speaker(state: GameState) -> int | None:
    """Whose own minute it is; None outside the speeches, or where speeches are not written."""
    day = state.day
    if day is None or state.moment.phase != Phase.SPEECHES:
        return None
    return day.speeches.get(state.moment.step)


def opener_of(state: GameState, number: int) -> int | None:
    """The seat that opens the speeches of that day (RULES §2), None where nobody is left."""
    day = state.days.get(number)
    if day and day.opener:
        return day.opener
    if number <= 1 or not state.regulation.opener_moves:
        return next_living(state, 0)
    before = opener_of(state, number - 1)
    return next_living(state, before or 0)


def next_living(state: GameState, seat: int) -> int | None:
    """The next seat after this one that is at the table; 10 wraps to 1."""
    for offset in range(1, 11):
        candidate = (seat + offset - 1) % 10 + 1
        if state.seats[candidate].left is None:
            return candidate
    return None


def speaking_order(state: GameState, day: Day) -> list[int]:
    """The living seats that have not had their minute today, in order of speech."""
    spoken = set(day.speeches.values())
    if day.speeches:
        start = day.speeches[max(day.speeches)]
        order = [(start + offset) % 10 + 1 for offset in range(10)]
    else:
        start = opener_of(state, day.number) or 1
        order = [(start + offset - 1) % 10 + 1 for offset in range(10)]
    opener = day.opener or opener_of(state, day.number) or 1
    if day.speeches:  # the round ends where it began
        order = order[: order.index(opener)] if order[0] != opener else []
    return [n for n in order if state.seats[n].left is None and n not in spoken]


# ---------------------------------------------------------------- the end


def check_end(state: GameState, revision: int) -> None:
    """No black left: red wins; blacks at least as many as reds: black wins. Waits while roles are unknown."""
    if state.derived or state.roles is None or state.results_only:
        return
    black, red = len(state.living_of(Team.BLACK)), len(state.living_of(Team.RED))
    if black == 0:
        result, reason = Result.RED, "no_black_left"
    elif black >= red:
        result, reason = Result.BLACK, "blacks_not_fewer"
    else:
        return
    conclude(state, result, reason, "end", revision)


def conclude(state: GameState, result: Result, reason: str, rule: str, revision: int) -> None:
    """The game is over by the rules."""
    known = max(revision, state.roles.revision if state.roles else 0)
    state.derived = Outcome(result, reason, state.regulation.cite(rule), state.moment, known, revision)


def _played_on(state: GameState, revision: int) -> bool:
    """Whether an entry was written before the end became known, so that it was played in good faith."""
    return state.derived is not None and 0 < revision < state.derived.revision


def is_over_for(state: GameState, revision: int) -> bool:
    """Whether the game is over for an entry of that revision (0: one not yet written)."""
    if state.declared is not None and (revision == 0 or revision > state.declared.revision):
        return True
    return state.derived is not None and not _played_on(state, revision)


def _exits_between(state: GameState, first: Moment, last: Moment) -> bool:
    return any(first.key <= moment.key < last.key for _, moment in state.exits)


def stalemate_of_move(state: GameState, target: Moment) -> tuple[Result, str] | None:
    """The stalemate that moving on to that moment would complete, if one would (A 7.3, Federation)."""
    if state.derived or state.results_only:
        return None
    rule, day = state.regulation.stalemate, state.moment.day
    if rule == Stalemate.THREE_DAYS_RED and target.day == day + 1 and day >= 3:
        start = Moment(day - 2, Phase.VICTIM_WORDS)
        if not _exits_between(state, start, Moment(day + 1)):
            return Result.RED, "three_days"
    if rule == Stalemate.THREE_NIGHTS_DRAW and day >= 4 and not state.moment.is_night:
        leaving = target.phase >= Phase.NIGHT or target.day > day
        if leaving and not _exits_between(state, Moment(day - 3, Phase.NIGHT), Moment(day, Phase.NIGHT)):
            return Result.DRAW, "three_nights"
    return None


def end_day_without_leaving(state: GameState, revision: int) -> None:
    """A decided vote in which nobody left may complete the Federation's draw at once."""
    found = stalemate_of_move(state, Moment(state.moment.day, Phase.NIGHT))
    if found and state.regulation.stalemate == Stalemate.THREE_NIGHTS_DRAW:
        conclude(state, found[0], found[1], "three_days", revision)


def check_misses(state: GameState, number: int, revision: int) -> None:
    """Exactly four at the table in three nights running, each missed: red wins (B-S3)."""
    if state.regulation.stalemate != Stalemate.THREE_MISSES_AT_FOUR_RED or state.derived or state.results_only:
        return
    nights = [state.nights.get(n) for n in (number - 2, number - 1, number)]
    if number >= 3 and all(night and night.missed and night.living == 4 for night in nights):
        conclude(state, Result.RED, "three_misses", "three_days", revision)


def roles_known_to(state: GameState, revision: int) -> bool:
    """Whether the roles were written before the entry of that revision (0: one not yet written)."""
    return state.roles is not None and (revision == 0 or state.roles.revision < revision)


def holder_was_alive(state: GameState, role: Role, night: int) -> bool:
    """Whether the don or the sheriff was at the table when that night began; True where roles are unknown."""
    seat = state.seat_of(role)
    if seat is None:
        return True
    left = state.seats[seat].left
    return left is None or left.moment.key >= Moment(night, Phase.NIGHT).key
