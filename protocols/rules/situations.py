"""Special situations: removals and the votes they cancel, silence, stalemates, the end (RULES §2, §3, §5; A 6–7)."""

from __future__ import annotations

from dataclasses import replace

from .entries import Check, Entry, Foul, Nomination, RaiseAll, Shot, Turn, Vote
from .regulation import AfterLeaving, Stalemate
from .state import Cancellation, Day, Exit, GameState, Notice, Outcome, Pending, SeatState
from .terms import HowLeft, Moment, Penalty, Phase, Result, Role, RulingAbout, Team

# ---------------------------------------------------------------- leaving


def leave_together(state: GameState, seats: tuple[int, ...], how: HowLeft, rule: str, revision: int) -> None:
    """These players leave at once; the end of the game is checked once for all of them."""
    for seat in seats:
        state.seats[seat].left = Exit(how, state.moment, state.regulation.cite(rule), revision)
        state.exits.append((seat, state.moment))
    check_end(state, revision)


def remove(state: GameState, item: Pending) -> None:
    """A removal: the player leaves without last words and a vote may be cancelled (A 6.5, 7.1, 7.2)."""
    foul, known = item.foul, item.known
    assert foul.seat is not None
    seat = state.seats[foul.seat]
    by_fouls = foul.penalty == Penalty.FOUL
    how = HowLeft.FOULS if by_fouls else HowLeft.DISQUALIFIED
    rule = "fourth_foul" if by_fouls else "disqualifying"
    clause = state.regulation.cite(rule) if by_fouls or not foul.clause else f"A {foul.clause}"
    seat.removed = Exit(how, state.moment, clause, known)
    seat.silence_due = False
    if state.results_only:
        return
    if item.overtaken or _other_part(foul.moment, state.moment):
        state.contradict("late_removal", "correction", known, seat=foul.seat, moment=foul.moment)
    if is_over_for(state, known):
        state.tell("removed_after_end", rule, known, seat=foul.seat)
        return
    if seat.left is not None:
        state.tell("removed_departed", rule, known, seat=foul.seat)
        if state.regulation.removal_after_leaving == AfterLeaving.NOTHING:
            return
    else:
        seat.left = Exit(how, state.moment, clause, known)
        state.exits.append((foul.seat, state.moment))
        code = "removed_fouls" if by_fouls else "removed_disqualified"
        state.notices.append(Notice(code, clause, state.moment, known, {"seat": foul.seat}))
        check_end(state, known)
    _cancel_a_vote(state, foul.seat, known)


def _other_part(then: Moment, now: Moment) -> bool:
    """Whether the game had gone on to another day or night since."""
    return then.key < now.key and (then.day, then.is_night) != (now.day, now.is_night)


def _cancel_a_vote(state: GameState, seat: int, revision: int) -> None:
    number, moment = state.moment.day, state.moment
    over = is_over_for(state, revision)  # by this removal: today's tallies are void, and there is no tomorrow
    if moment.is_night:
        if not over:
            _cancel_next(state, number + 1, "no_vote_tomorrow", seat, revision)
        return
    day = state.days[number]
    if day.decision:
        if state.regulation.removal_after_vote_cancels_next and not over:
            _cancel_next(state, number + 1, "no_vote_after_decided", seat, revision)
        return
    if cancellation_of(state, number) is not None:
        return  # a removal on a day already without a vote carries nothing over
    day.cancelled = Cancellation(seat, state.regulation.cite("no_vote_today"), revision)
    day.raise_due = False
    for ballot in day.ballots:
        ballot.void = True
    state.tell("vote_cancelled", "no_vote_today", revision, seat=seat, day=number)


def cancellation_of(state: GameState, number: int) -> Cancellation | None:
    """Why no vote is held on that day, or None where one is (A 7.1, 7.2)."""
    day = state.days.get(number)
    if day and (day.restored or day.cancelled):
        return day.cancelled
    return state.cancelled_days.get(number)


def _cancel_next(state: GameState, number: int, rule: str, seat: int, revision: int) -> None:
    if number not in state.cancelled_days:  # two removals cancel one vote
        state.cancelled_days[number] = Cancellation(seat, state.regulation.cite(rule), revision)
        state.tell("next_vote_cancelled", rule, revision, seat=seat, day=number)


# ---------------------------------------------------------------- fouls


def give(state: GameState, foul: Foul) -> None:
    """Writes a warning, a foul, a disqualifying foul or a team defeat; what follows waits in `pending`."""
    seat = state.seats[foul.seat] if foul.seat else None
    if seat and foul.penalty == Penalty.TEAM_DEFEAT:
        seat.team_defeat = foul
    if seat and (foul.from_tournament or has_peeked(state, seat)):
        remove_from_tournament(state, seat, foul.revision)
    if foul.penalty == Penalty.TEAM_DEFEAT:
        state.defeats.append(foul)
        state.pending.append(Pending("defeat", foul, foul.revision))
        return
    assert seat is not None
    if foul.penalty == Penalty.WARNING:
        seat.warnings.append(foul)
    elif foul.penalty == Penalty.DISQUALIFYING:
        seat.disqualified = foul
        state.pending.append(Pending("removal", foul, foul.revision))
    else:
        seat.fouls.append(foul)
        what = {3: "silence", 4: "removal"}.get(len(seat.fouls))
        if what:  # a foul written late may have made this one the third or the fourth
            state.pending.append(Pending(what, foul, max(given.revision for given in seat.fouls)))


def foul_of(state: GameState, revision: int) -> Foul | None:
    """The warning, foul or defeat written as that entry."""
    for seat in state.seats.values():
        for foul in (*seat.fouls, *seat.warnings, seat.disqualified):
            if foul and foul.revision == revision:
                return foul
    return next((foul for foul in state.defeats if foul.revision == revision), None)


def remove_from_tournament(state: GameState, seat: SeatState, revision: int) -> None:
    """The player is removed from the tournament (A 7.4; the head judge for any violation, A 6.3)."""
    if not seat.from_tournament:
        seat.from_tournament = True
        state.tell("from_tournament", rule_of_tournament_removal(state, seat), revision, seat=seat.seat)


def rule_of_tournament_removal(state: GameState, seat: SeatState) -> str:
    """The rule by which the player is out of the tournament: peeking (A 7.4), or the head judge's word (A 6.3)."""
    return "from_tournament" if has_peeked(state, seat) else "by_head_judge"


def has_peeked(state: GameState, seat: SeatState) -> bool:
    """Whether the team was defeated for this player's deliberate peeking or other ways outside the game (A 6.8.3)."""
    return seat.team_defeat is not None and state.clause_of(seat.team_defeat) == "6.8.3"


def name_clause(state: GameState, foul: Foul, clause: str) -> None:
    """A foul's clause is known only now; what cites it cites it from now on."""
    state.clauses[foul.revision] = clause
    seat = state.seats[foul.seat] if foul.seat else None
    if seat and foul is seat.disqualified:
        seat.removed = seat.removed and replace(seat.removed, clause=f"A {clause}")
        if seat.left and seat.left.how == HowLeft.DISQUALIFIED:
            seat.left = replace(seat.left, clause=f"A {clause}")
    if foul.penalty == Penalty.TEAM_DEFEAT:
        if state.derived and state.derived.by == foul.revision:
            state.derived = replace(state.derived, clause=f"A {clause}")
        if seat and clause == "6.8.3":
            remove_from_tournament(state, seat, foul.revision)


def settle(state: GameState, before: float = float("inf")) -> None:
    """Carries out what waits: at once in the ordinary course, at the moment it was noticed for a late entry.

    `before` is the first revision of what is still to be played: what follows only from entries written later was
    not known at the table when that was played.
    """
    waiting, state.pending = sorted(state.pending, key=lambda item: item.known), []
    for item in waiting:
        if item.known > before:
            state.pending.append(item)
        elif item.what == "silence":
            _silence(state, item)
        elif item.what == "defeat":
            _defeat(state, item)
        elif not state.seats[item.foul.seat or 0].removed:
            remove(state, item)


def overtake(state: GameState, entry: Entry) -> None:
    """Play goes on before what waits is known: a vote, a shot, a check, an act of the seat itself."""
    seat = getattr(entry, "seat", None) if isinstance(entry, Turn | Nomination) else None
    for index, item in enumerate(state.pending):
        if isinstance(entry, Vote | RaiseAll | Shot | Check) or (seat is not None and seat == item.foul.seat):
            state.pending[index] = replace(item, overtaken=True)


def _silence(state: GameState, item: Pending) -> None:
    """The next own minute is lost: this day's, or the next day's where this one has begun (A 6.4)."""
    assert item.foul.seat is not None
    seat = state.seats[item.foul.seat]
    if seat.left is None and len(seat.fouls) == 3 and not is_over_for(state, item.known):
        seat.silence_due, seat.silent_since = True, state.moment
        state.tell("third_foul", "third_foul", item.known, seat=seat.seat)


def _defeat(state: GameState, item: Pending) -> None:
    """The game ends at once and the named team loses (A 6.8)."""
    foul = item.foul
    own = state.team_of(foul.seat) if foul.seat else None
    team = foul.team or own
    assert team is not None
    known = max(item.known, state.roles.revision if state.roles else 0)
    if own and own != team:  # the roles came later
        state.contradict("defeat_of_other_team", "team_defeat", known, seat=foul.seat, team=own)
    if state.derived is not None or is_over_for(state, item.known):
        state.contradict("defeat_after_end", "team_defeat", known, seat=foul.seat, team=team)
        return
    result = Result.BLACK if team == Team.RED else Result.RED
    clause = f"A {foul.clause}" if foul.clause else state.regulation.cite("team_defeat")
    state.derived = Outcome(result, "team_defeat", clause, state.moment, item.known, item.known, foul.seat)


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
    known = max(revision, state.teams_since if rule == "end" else 0)  # a stalemate asks for no roles
    state.derived = Outcome(result, reason, state.regulation.cite(rule), state.moment, known, revision)


def _played_on(state: GameState, revision: int) -> bool:
    """Whether an entry was written before the end became known, so that it was played in good faith."""
    return state.derived is not None and 0 < revision < state.derived.revision


def is_over_for(state: GameState, revision: int) -> bool:
    """Whether the game is over for an entry of that revision (0: one not yet written)."""
    if state.declared is not None and (revision == 0 or revision > state.declared.revision):
        return True
    if any(r.about == RulingAbout.RESULT and (revision == 0 or revision > r.revision) for r in state.rulings):
        return True
    return state.derived is not None and not _played_on(state, revision)


def _exits_between(state: GameState, first: Moment, last: Moment) -> bool:
    return any(first.key <= moment.key < last.key for _, moment in state.exits)


def stalemate_of_move(state: GameState, target: Moment) -> tuple[Result, str] | None:
    """The stalemate that moving on to that moment would complete, if one would (A 7.3, Federation)."""
    if state.derived or state.results_only or target.key <= state.moment.key:
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
    still_four = len(state.living) == 4  # nobody was removed in this night
    if still_four and all(night and night.missed and night.living == 4 for night in nights):
        conclude(state, Result.RED, "three_misses", "three_days", revision)


def roles_known_to(state: GameState, revision: int) -> bool:
    """Whether the roles were written before the entry of that revision (0: one not yet written)."""
    return state.roles is not None and (revision == 0 or state.roles.revision < revision)


def holder_was_alive(state: GameState, role: Role, night: int) -> bool:
    """Whether the don or the sheriff was at the table when that night began and has not been removed in it.

    Who was shot in it still checks (RULES §4). True where roles are unknown.
    """
    number = state.seat_of(role)
    if number is None:
        return True
    seat = state.seats[number]
    if seat.removed and seat.removed.moment.day == night and seat.removed.moment.is_night:
        return False
    return seat.left is None or seat.left.moment.key >= Moment(night, Phase.NIGHT).key


def answer_of(state: GameState, by: Role, target: int) -> bool | None:
    """The answer to a check: the don asks for the sheriff, the sheriff for a black; None where roles are unknown."""
    role = state.seats[target].role
    if role is None:
        return None
    return role == Role.SHERIFF if by == Role.DON else role.team == Team.BLACK
