"""Why an entry of the day may not be written: minutes, nominations, tallies, the raise-all question (RULES §2, §3)."""

from __future__ import annotations

from . import entries as e
from .moves import why_no_raise_question, why_no_vote
from .refusal import Refusal
from .situations import current_speaker, speaking_order
from .state import Ballot, Day, GameState
from .terms import RESTART, SEATS, Moment, Phase
from .voting import current_ballot, remaining, voted


def not_at_table(state: GameState, seat: int) -> Refusal | None:
    """Why a seat neither acts nor is acted on: there is none of that number, or the player has left (RULES §1)."""
    if seat not in SEATS:
        return state.refusal("no_such_seat", "table", seat=seat)
    left = state.seats[seat].left
    if left is None:
        return None
    moment = left.moment
    return state.refusal("has_left", "left", seat=seat, how=left.how, day=moment.day, night=moment.is_night)


def _day(state: GameState, moment: Moment) -> Day:
    return state.days.get(moment.day) or Day(moment.day, cancelled=state.cancelled_days.get(moment.day))


def refuse_turn(state: GameState, entry: e.Turn) -> Refusal | None:
    """Why the game doesn't move on so: it is there already, or these words are not that seat's, or not yet."""
    moment, seat = entry.moment, entry.seat
    if moment.key < state.moment.key or (moment.key == state.moment.key and _has_begun(state, moment)):
        return state.refusal("already_there", "day", moment=moment)
    if seat is None:
        spoken = moment.step and moment.phase in (Phase.SPEECHES, Phase.PRE_REVOTE, Phase.LAST_WORDS)
        return state.refusal("seat_needed", "table") if spoken else None
    day = _day(state, moment)
    if moment.phase == Phase.SPEECHES:
        return _refuse_speech(state, day, moment, seat)
    if moment.phase == Phase.PRE_REVOTE:
        if seat not in day.tied:
            return state.refusal("not_tied", "voting", seat=seat, seats=day.tied)
        return _refuse_words(state, day.tied, moment, seat)
    if moment.phase == Phase.VICTIM_WORDS:
        night = state.nights.get(moment.day - 1)
        if night is None or night.victim != seat:
            return state.refusal("not_the_victim", "night", seat=seat)
    if moment.phase == Phase.LAST_WORDS:
        leavers = day.decision.leavers if day.decision else ()
        if seat not in leavers:
            return state.refusal("not_voted_out", "voting", seat=seat)
        refused = _refuse_words(state, leavers, moment, seat)
        if refused:
            return refused
    if moment.phase in (Phase.VICTIM_WORDS, Phase.LAST_WORDS) and state.seats[seat].removed:
        return state.refusal("no_last_words", "fourth_foul", seat=seat)
    return None


def _has_begun(state: GameState, moment: Moment) -> bool:
    """Whether the words of the present moment are written; a foul in them may stand though their turn is struck."""
    day = state.days.get(moment.day)
    if day is None or not moment.step:
        return True
    match moment.phase:
        case Phase.SPEECHES:
            return moment.step in day.speeches
        case Phase.PRE_REVOTE:
            return (moment.ballot, moment.step) in day.pre_revote
        case Phase.LAST_WORDS:
            leavers = day.decision.leavers if day.decision else ()
            return moment.step > len(leavers) or leavers[moment.step - 1] in day.last_words
        case Phase.VICTIM_WORDS:
            return state.nights[moment.day - 1].victim_words
    return True


def _refuse_speech(state: GameState, day: Day, moment: Moment, seat: int) -> Refusal | None:
    gone = not_at_table(state, seat)
    if gone:
        return gone
    if seat in day.speeches.values():
        return state.refusal("has_spoken", "day", seat=seat)
    order = speaking_order(state, day)
    if seat not in order or moment.step != len(day.speeches) + 1:
        return state.refusal("not_next", "day", seat=seat, seats=tuple(order))
    return None


def _refuse_words(state: GameState, speakers: tuple[int, ...], moment: Moment, seat: int) -> Refusal | None:
    """The tied before a revote, and those raised together, speak in ballot order."""
    if moment.step == speakers.index(seat) + 1:
        return None
    return state.refusal("not_next", "voting", seat=seat, seats=speakers)


def refuse_nomination(state: GameState, entry: e.Nomination) -> Refusal | None:
    """Why not: only in one's own minute, one a day, a living seat not yet nominated that day (RULES §2)."""
    if entry.moment.phase != Phase.SPEECHES:
        return state.refusal("not_in_speeches", "nomination")
    gone = not_at_table(state, entry.target)
    if entry.seat is not None:
        gone = not_at_table(state, entry.seat) or gone
    if gone:
        return gone
    day = _day(state, entry.moment)
    if day.ballots:
        return state.refusal("vote_has_begun", "nomination")
    nominees = {target: by for by, target in day.nominations}
    if entry.seat is not None:
        refused = _own_minute(state, day, entry.moment, entry.seat)
        if refused:
            return refused
        mine = next((target for by, target in day.nominations if by == entry.seat), None)
        if mine is not None:
            return state.refusal("has_nominated", "nomination", seat=entry.seat, target=mine)
    if entry.target in nominees:
        free = tuple(seat for seat in state.living if seat not in nominees)
        return state.refusal(
            "already_nominated", "nomination", seat=entry.target, by=nominees[entry.target], seats=free
        )
    return None


def _own_minute(state: GameState, day: Day, moment: Moment, seat: int) -> Refusal | None:
    """Where speeches are written, a nomination belongs to its speaker's minute."""
    if not day.speeches:
        return None
    speaker = day.speeches.get(moment.step)
    if speaker == seat:
        return None
    return state.refusal("not_own_minute", "nomination", seat=seat, speaker=speaker or current_speaker(state))


def refuse_withdrawal(state: GameState, entry: e.Withdrawal) -> Refusal | None:
    """Why not: the regulation doesn't know it, or there is nothing to withdraw in this minute (RULES §2)."""
    if not state.regulation.withdrawal:
        return state.refusal("no_withdrawal", "nomination", seat=entry.seat)
    if entry.moment.phase != Phase.SPEECHES:
        return state.refusal("not_in_speeches", "nomination")
    gone = not_at_table(state, entry.seat)
    if gone:
        return gone
    day = _day(state, entry.moment)
    if day.ballots:
        return state.refusal("vote_has_begun", "nomination")
    if all(by != entry.seat for by, _ in day.nominations):
        return state.refusal("nothing_to_withdraw", "nomination", seat=entry.seat)
    return _own_minute(state, day, entry.moment, entry.seat)


def refuse_vote(state: GameState, entry: e.Vote) -> Refusal | None:
    """Why not: no vote today, another candidate or ballot is due, or the figures don't add up (RULES §3)."""
    moment = entry.moment
    if moment.phase != Phase.BALLOT:
        return state.refusal("not_in_ballot", "voting")
    day = _day(state, moment)
    current = current_ballot(state, day)
    if current is None:
        return why_no_vote(state, day)
    number, ballot = current
    if number != moment.ballot:
        return state.refusal("other_ballot", "voting", ballot=number % RESTART + 1)
    if entry.target not in ballot.candidates:
        return state.refusal("not_a_candidate", "voting", seat=entry.target, seats=ballot.candidates)
    if entry.target in ballot.tallies:
        return state.refusal("already_counted", "voting", seat=entry.target, votes=ballot.tallies[entry.target].count)
    waiting = [seat for seat in ballot.candidates if seat not in ballot.tallies]
    if entry.target != waiting[0] or moment.step != ballot.candidates.index(entry.target) + 1:
        return state.refusal("not_next_candidate", "voting", seat=entry.target, next=waiting[0])
    return _tally(state, ballot, entry, is_last=len(waiting) == 1)


def _tally(state: GameState, ballot: Ballot, entry: e.Vote, *, is_last: bool) -> Refusal | None:
    left = remaining(ballot)
    figures = {"seat": entry.target, "votes": entry.count, "left": left, "living": ballot.living}
    if entry.count < 0 or entry.count > left:
        return state.refusal("too_many_votes", "tallies", **figures)
    if is_last and entry.count != left:
        return state.refusal("votes_dont_sum", "tallies", **figures)
    for voter in entry.voters or ():
        if voter in voted(ballot):
            return state.refusal("has_voted", "voting", seat=voter)
    return _refuse_voters(state, entry.voters, entry.count, entry.target, or_fewer=is_last)


def _refuse_voters(
    state: GameState, voters: tuple[int, ...] | None, count: int, seat: int | None, *, or_fewer: bool
) -> Refusal | None:
    """Voters written by name are at the table, each once, and as many as the count; of the last tally, or fewer."""
    if voters is None:
        return None
    for voter in voters:
        gone = not_at_table(state, voter)
        if gone:
            return gone
    if len(set(voters)) != len(voters):
        return state.refusal("voter_twice", "voting", seat=seat)
    if len(voters) > count or (len(voters) < count and not or_fewer):
        return state.refusal("voters_dont_match", "tallies", seat=seat, votes=count, named=len(voters))
    return None


def refuse_raise_all(state: GameState, entry: e.RaiseAll) -> Refusal | None:
    """Why not: the question is not asked now, or the figures can't be (RULES §3)."""
    day = _day(state, entry.moment)
    asked = Moment(day.number, Phase.RAISE_ALL, RESTART * day.restarts)
    if not day.raise_due or entry.moment != asked:
        return why_no_raise_question(state, day)
    living = len(state.living)
    if entry.count is not None and not 0 <= entry.count <= living:
        return state.refusal("too_many_hands", "voting", count=entry.count, living=living)
    if entry.count is None and entry.raised is None:
        return state.refusal("raise_unanswered", "voting")
    if entry.count is not None and entry.raised is not None and entry.raised != (entry.count * 2 > living):
        return state.refusal("raise_disagrees", "voting", count=entry.count, living=living)
    if entry.count is None:
        return None
    return _refuse_voters(state, entry.voters, entry.count, None, or_fewer=False)
