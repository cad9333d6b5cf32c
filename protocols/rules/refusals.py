"""Why an entry may not be written at its moment: one check per kind, each naming its clause."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from . import entries as e
from .articles import clause_exists
from .moves import refuse_move
from .points import refuse_extra, refuse_mark
from .refusal import Refusal
from .situations import (
    cancellation_of,
    current_speaker,
    holder_was_alive,
    is_over_for,
    roles_known_to,
    speaking_order,
    stalemate_of_move,
)
from .state import Ballot, Day, GameState
from .terms import ROLE_COUNTS, SEATS, Moment, Penalty, Phase, Result, Role, RulingAbout, Team
from .voting import ballot_of, current_ballot, remaining, voted

RESULTS_ONLY_KINDS = (
    e.Roles, e.SeatCorrection, e.Foul, e.FoulClause, e.Shot, e.BestMove, e.ExtraPoints, e.SpeechMark, e.GameOver,
    e.Ruling, e.Strike,
)  # fmt: skip


def refuse(state: GameState, entry: e.Entry) -> Refusal | None:
    """Why the entry may not be written at its own moment, with its clause; None where it may."""
    if state.results_only:
        if not isinstance(entry, RESULTS_ONLY_KINDS):
            return _no(state, "results_only", "table")
    else:
        refused = _refuse_play(state, entry)
        if refused:
            return refused
    return _CHECKS[type(entry)](state, entry)


def _refuse_play(state: GameState, entry: e.Entry) -> Refusal | None:
    over = is_over_for(state, entry.revision)
    if over and not entry.after_end:
        return _no(state, "game_over", "after_end")
    if not over:
        refused = refuse_move(state, entry.moment)
        if refused:
            return refused
        if not isinstance(entry, e.Turn) and entry.moment.key > state.moment.key:
            found = stalemate_of_move(state, entry.moment)
            if found and not entry.after_end:
                return _no(state, "stalemate_due", "three_days")
    return None


def _no(state: GameState, code: str, rule: str, **params: object) -> Refusal:
    return Refusal(code, state.regulation.cite(rule), params)


def _not_at_table(state: GameState, seat: int) -> Refusal | None:
    if seat not in SEATS:
        return _no(state, "no_such_seat", "table", seat=seat)
    left = state.seats[seat].left
    if left is None:
        return None
    params: dict[str, object] = {
        "seat": seat,
        "how": left.how,
        "day": left.moment.day,
        "night": left.moment.is_night,
    }
    return Refusal("has_left", state.regulation.cite("left"), params)


def _day(state: GameState, moment: Moment) -> Day:
    return state.days.get(moment.day) or Day(moment.day, cancelled=state.cancelled_days.get(moment.day))


# ---------------------------------------------------------------- the day


def _turn(state: GameState, entry: e.Turn) -> Refusal | None:
    moment, seat = entry.moment, entry.seat
    if moment.key <= state.moment.key:
        return _no(state, "already_there", "day", moment=moment)
    if moment.phase == Phase.SPEECHES and seat is not None:
        gone = _not_at_table(state, seat)
        if gone:
            return gone
        day = _day(state, moment)
        if seat in day.speeches.values():
            return _no(state, "has_spoken", "day", seat=seat)
        order = speaking_order(state, day)
        if seat not in order:
            return _no(state, "not_next", "day", seat=seat, seats=tuple(order))
        if moment.step != len(day.speeches) + 1:
            return _no(state, "not_next", "day", seat=seat, seats=tuple(order))
    elif moment.phase == Phase.PRE_REVOTE and seat is not None:
        if seat not in _day(state, moment).tied:
            return _no(state, "not_tied", "voting", seat=seat, seats=_day(state, moment).tied)
    elif moment.phase == Phase.VICTIM_WORDS and seat is not None:
        night = state.nights.get(moment.day - 1)
        if night is None or night.victim != seat:
            return _no(state, "not_the_victim", "night", seat=seat)
    elif moment.phase == Phase.LAST_WORDS and seat is not None:
        decision = _day(state, moment).decision
        if decision is None or seat not in decision.leavers:
            return _no(state, "not_voted_out", "voting", seat=seat)
    return None


def _nomination(state: GameState, entry: e.Nomination) -> Refusal | None:
    if entry.moment.phase != Phase.SPEECHES:
        return _no(state, "not_in_speeches", "nomination")
    gone = _not_at_table(state, entry.target)
    if entry.seat is not None:
        gone = _not_at_table(state, entry.seat) or gone
    if gone:
        return gone
    day = _day(state, entry.moment)
    if day.ballots:
        return _no(state, "vote_has_begun", "nomination")
    nominees = {target: by for by, target in day.nominations}
    if entry.seat is not None:
        refused = _own_minute(state, day, entry.moment, entry.seat)
        if refused:
            return refused
        mine = next((target for by, target in day.nominations if by == entry.seat), None)
        if mine is not None:
            return _no(state, "has_nominated", "nomination", seat=entry.seat, target=mine)
    if entry.target in nominees:
        free = tuple(seat for seat in state.living if seat not in nominees)
        return _no(state, "already_nominated", "nomination", seat=entry.target, by=nominees[entry.target], seats=free)
    return None


def _own_minute(state: GameState, day: Day, moment: Moment, seat: int) -> Refusal | None:
    """Where speeches are written, a nomination belongs to its speaker's minute."""
    if not day.speeches:
        return None
    speaker = day.speeches.get(moment.step)
    if speaker == seat:
        return None
    return _no(state, "not_own_minute", "nomination", seat=seat, speaker=speaker or current_speaker(state))


def _withdrawal(state: GameState, entry: e.Withdrawal) -> Refusal | None:
    if not state.regulation.withdrawal:
        return _no(state, "no_withdrawal", "nomination", seat=entry.seat)
    if entry.moment.phase != Phase.SPEECHES:
        return _no(state, "not_in_speeches", "nomination")
    gone = _not_at_table(state, entry.seat)
    if gone:
        return gone
    day = _day(state, entry.moment)
    if day.ballots:
        return _no(state, "vote_has_begun", "nomination")
    if all(by != entry.seat for by, _ in day.nominations):
        return _no(state, "nothing_to_withdraw", "nomination", seat=entry.seat)
    return _own_minute(state, day, entry.moment, entry.seat)


def _vote(state: GameState, entry: e.Vote) -> Refusal | None:
    moment = entry.moment
    if moment.phase != Phase.BALLOT:
        return _no(state, "not_in_ballot", "voting")
    day = _day(state, moment)
    why = cancellation_of(state, day.number)
    if why is not None:
        return Refusal("vote_cancelled", why.clause, {"day": day.number, "seat": why.seat})
    current = current_ballot(state, day)
    number, ballot = current if current else (moment.ballot, ballot_of(state, day, moment.ballot))
    if ballot is None or ballot.is_complete:
        return _no(state, "vote_decided", "voting", seats=day.decision.leavers if day.decision else ())
    if number != moment.ballot:
        return _no(state, "other_ballot", "voting", ballot=number + 1)
    if entry.target not in ballot.candidates:
        return _no(state, "not_a_candidate", "voting", seat=entry.target, seats=ballot.candidates)
    if entry.target in ballot.tallies:
        return _no(state, "already_counted", "voting", seat=entry.target, votes=ballot.tallies[entry.target].count)
    waiting = [seat for seat in ballot.candidates if seat not in ballot.tallies]
    if entry.target != waiting[0] or moment.step != ballot.candidates.index(entry.target) + 1:
        return _no(state, "not_next_candidate", "voting", seat=entry.target, next=waiting[0])
    return _tally(state, ballot, entry, is_last=len(waiting) == 1)


def _tally(state: GameState, ballot: Ballot, entry: e.Vote, *, is_last: bool) -> Refusal | None:
    left = remaining(ballot)
    figures = {"seat": entry.target, "votes": entry.count, "left": left, "living": ballot.living}
    if entry.count < 0 or entry.count > left:
        return _no(state, "too_many_votes", "tallies", **figures)
    if is_last and entry.count != left:
        return _no(state, "votes_dont_sum", "tallies", **figures)
    if entry.voters is None:
        return None
    for voter in entry.voters:
        gone = _not_at_table(state, voter)
        if gone:
            return gone
        if voter in voted(ballot):
            return _no(state, "has_voted", "voting", seat=voter)
    if len(set(entry.voters)) != len(entry.voters):
        return _no(state, "voter_twice", "voting", seat=entry.target)
    if len(entry.voters) > entry.count or (len(entry.voters) < entry.count and not is_last):
        return _no(
            state,
            "voters_dont_match",
            "tallies",
            seat=entry.target,
            votes=entry.count,
            named=len(entry.voters),
        )
    return None


def _raise_all(state: GameState, entry: e.RaiseAll) -> Refusal | None:
    if entry.moment.phase != Phase.RAISE_ALL or not _day(state, entry.moment).raise_due:
        return _no(state, "no_raise_question", "voting")
    living = len(state.living)
    if entry.count is not None and not 0 <= entry.count <= living:
        return _no(state, "too_many_hands", "voting", count=entry.count, living=living)
    if entry.count is None and entry.raised is None:
        return _no(state, "raise_unanswered", "voting")
    if entry.count is not None and entry.raised is not None and entry.raised != (entry.count * 2 > living):
        return _no(state, "raise_disagrees", "voting", count=entry.count, living=living)
    return None


# ---------------------------------------------------------------- the night


def _shot(state: GameState, entry: e.Shot) -> Refusal | None:
    number = entry.moment.day
    if entry.moment.phase != Phase.NIGHT or number < 1:
        return _no(state, "not_at_night", "night")
    if entry.target is not None and entry.target not in SEATS:
        return _no(state, "no_such_seat", "table", seat=entry.target)
    night = state.nights.get(number)
    if night and night.shot:
        return _no(state, "already_shot", "night", night=number, seat=night.shot.target)
    if not entry.shots:
        return None
    blacks = state.living_of(Team.BLACK) if roles_known_to(state, entry.revision) else None
    shooters = [shooter for shooter, _ in entry.shots]
    if len(set(shooters)) != len(shooters):
        return _no(state, "shooter_twice", "night")
    for shooter in shooters:
        gone = _not_at_table(state, shooter)
        if gone:
            return gone
        if blacks is not None and shooter not in blacks:
            return _no(state, "not_black", "night", seat=shooter)
    named = {target for _, target in entry.shots}
    all_shot = blacks is None or len(shooters) == len(blacks)
    agreed = named.pop() if len(named) == 1 and all_shot else None
    if entry.target != agreed and not (agreed and state.seats[agreed].left and entry.target is None):
        return _no(state, "shots_disagree", "night", seat=entry.target, agreed=agreed)
    return None


def _check(state: GameState, entry: e.Check) -> Refusal | None:
    number = entry.moment.day
    phase = Phase.DON if entry.by == Role.DON else Phase.SHERIFF
    if entry.by not in (Role.DON, Role.SHERIFF) or entry.moment.phase != phase or number < 1:
        return _no(state, "not_check_time", "night")
    if entry.target not in SEATS:
        return _no(state, "no_such_seat", "table", seat=entry.target)
    night = state.nights.get(number)
    done = (night.don_check if entry.by == Role.DON else night.sheriff_check) if night else None
    if done:
        return _no(state, "already_checked", "night", seat=done, by=entry.by)
    if roles_known_to(state, entry.revision) and not holder_was_alive(state, entry.by, number):
        return _no(state, "checker_has_left", "night", by=entry.by, seat=state.seat_of(entry.by))
    return None


def _best_move(state: GameState, entry: e.BestMove) -> Refusal | None:
    if state.best_move is not None:
        return _no(state, "best_move_named", "best_move", seats=state.best_move.seats)
    night = state.nights.get(1)
    if night is None or night.shot is None:
        return _no(state, "best_move_early", "best_move")
    if night.victim is None:
        return _no(state, "best_move_miss", "best_move_dash")
    victim = night.victim
    removed = state.seats[victim].removed
    if removed:
        return _no(state, "best_move_removed", "best_move", seat=victim)
    day_one = state.days.get(1)
    raised = len(day_one.decision.leavers) if day_one and day_one.decision else 0
    if state.regulation.best_move_void_after_raise and raised >= 2:
        return _no(state, "best_move_void", "best_move_void", seat=victim, count=raised)
    if state.results_only and entry.hits is not None and not entry.seats:
        ok = 0 <= entry.hits <= 3
        return None if ok else _no(state, "best_move_three", "best_move", seat=victim)
    if len(entry.seats) != 3 or any(seat not in SEATS for seat in entry.seats):
        return _no(state, "best_move_three", "best_move", seat=victim)
    if len(set(entry.seats)) != 3:
        return _no(state, "best_move_repeated", "best_move", seat=victim, seats=entry.seats)
    if victim in entry.seats:
        return _no(state, "best_move_own", "best_move", seat=victim)
    return None


# ---------------------------------------------------------------- discipline


def _foul(state: GameState, entry: e.Foul) -> Refusal | None:
    if entry.clause and entry.clause not in state.regulation.clauses_of(entry.penalty):
        return _no(state, "wrong_clause", entry.penalty.value, clause=entry.clause)
    if entry.clause and not clause_exists(entry.clause):
        return _no(state, "wrong_clause", entry.penalty.value, clause=entry.clause)
    if entry.seat is not None and entry.seat not in SEATS:
        return _no(state, "no_such_seat", "table", seat=entry.seat)
    if entry.penalty == Penalty.TEAM_DEFEAT:
        return _team_defeat(state, entry)
    if entry.seat is None:
        return _no(state, "seat_needed", "table")
    seat = state.seats[entry.seat]
    if entry.penalty == Penalty.FOUL:
        if len(seat.fouls) >= 4:
            return _no(state, "fifth_foul", "fourth_foul", seat=entry.seat)
        if seat.disqualified or seat.removed:
            return _no(state, "already_removed", "disqualifying", seat=entry.seat)
    elif entry.penalty == Penalty.DISQUALIFYING and (seat.disqualified or seat.removed):
        return _no(state, "already_removed", "disqualifying", seat=entry.seat)
    return None


def _team_defeat(state: GameState, entry: e.Foul) -> Refusal | None:
    if is_over_for(state, entry.revision) or state.derived:
        return _no(state, "game_over", "after_end")
    if entry.clause == "6.8.4" and entry.seat is not None:
        return _no(state, "hint_has_no_seat", "team_defeat", seat=entry.seat)
    own = state.team_of(entry.seat) if entry.seat and roles_known_to(state, entry.revision) else None
    if entry.team is None and own is None:
        return _no(state, "team_needed", "team_defeat", seat=entry.seat)
    if entry.team and own and entry.team != own:
        return _no(state, "other_team", "team_defeat", seat=entry.seat, team=own)
    return None


def _foul_clause(state: GameState, entry: e.FoulClause) -> Refusal | None:
    for seat in state.seats.values():
        marks = [*seat.fouls, *seat.warnings, *(m for m in (seat.disqualified, seat.team_defeat) if m)]
        for foul in marks:
            if foul.revision == entry.of:
                allowed = state.regulation.clauses_of(foul.penalty)
                return None if entry.clause in allowed else _no(state, "wrong_clause", "foul", clause=entry.clause)
    return _no(state, "no_such_foul", "foul", revision=entry.of)


# ---------------------------------------------------------------- before and after


def _roles(state: GameState, entry: e.Roles) -> Refusal | None:
    counts = {role: entry.roles.count(role) for role in Role}
    if len(entry.roles) != 10 or counts != ROLE_COUNTS:
        return _no(state, "role_counts", "roles", **{str(role): count for role, count in counts.items()})
    return None


def _seat_correction(state: GameState, entry: e.SeatCorrection) -> Refusal | None:
    if entry.seat not in SEATS or entry.target not in SEATS or entry.seat == entry.target:
        return _no(state, "two_seats_needed", "table")
    return None


def _extra_points(state: GameState, entry: e.ExtraPoints) -> Refusal | None:
    return refuse_extra(state, entry)


def _speech_mark(state: GameState, entry: e.SpeechMark) -> Refusal | None:
    return refuse_mark(state, entry)


def _game_over(state: GameState, entry: e.GameOver) -> Refusal | None:
    if state.declared is not None:
        return _no(state, "already_declared", "result", result=state.declared.result)
    if not entry.result.counts:
        return None if entry.text.strip() else _no(state, "reason_needed", "result")
    if entry.result == Result.DRAW and not state.regulation.has_draw:
        return _no(state, "no_draw", "result")
    if state.results_only or not state.roles_known:
        return None
    if entry.revision and state.roles and entry.revision < state.roles.revision:
        return None  # declared before the roles came; the disagreement is put before the judge
    if state.derived is None:
        red, black = len(state.living_of(Team.RED)), len(state.living_of(Team.BLACK))
        return _no(state, "not_over", "end", red=red, black=black)
    if state.derived.result != entry.result:
        return _no(state, "other_winner", "result", result=state.derived.result)
    return None


def _ruling(state: GameState, entry: e.Ruling) -> Refusal | None:
    if not entry.text.strip():
        return _no(state, "reason_needed", "correction")
    if entry.about == RulingAbout.RESULT:
        return None if entry.result else _no(state, "result_needed", "result")
    if entry.about in (RulingAbout.VOTE_HELD, RulingAbout.VOTE_CANCELLED):
        if is_over_for(state, entry.revision):
            return _no(state, "game_over", "after_end")
        day = state.days.get(entry.moment.day)
        if day is None or entry.moment.is_night:
            return _no(state, "not_by_day", "voting")
        cancelled = cancellation_of(state, day.number) is not None
        if entry.about == RulingAbout.VOTE_HELD and not cancelled:
            return _no(state, "vote_not_cancelled", "voting", day=day.number)
        if entry.about == RulingAbout.VOTE_CANCELLED and (cancelled or day.decision):
            return _no(state, "vote_not_open", "voting", day=day.number)
    return None


def _strike(state: GameState, entry: e.Strike) -> Refusal | None:
    if entry.of < 1 or (entry.revision and entry.of >= entry.revision):
        return _no(state, "nothing_to_strike", "correction", revision=entry.of)
    return None


_Check = Callable[[GameState, e.Entry], Refusal | None]
_CHECKS: dict[type[e.Entry], _Check] = {
    kind: cast(_Check, check)
    for kind, check in (
        (e.Turn, _turn), (e.Foul, _foul), (e.FoulClause, _foul_clause), (e.Nomination, _nomination),
        (e.Withdrawal, _withdrawal), (e.Vote, _vote), (e.RaiseAll, _raise_all), (e.Shot, _shot),
        (e.Check, _check), (e.BestMove, _best_move), (e.ExtraPoints, _extra_points),
        (e.SpeechMark, _speech_mark), (e.Roles, _roles), (e.SeatCorrection, _seat_correction),
        (e.GameOver, _game_over), (e.Ruling, _ruling), (e.Strike, _strike),
    )
}  # fmt: skip
