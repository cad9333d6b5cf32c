"""The vote: who is on the ballot, what a tally decides, and when the question «подъём» is asked (RULES §3)."""

from __future__ import annotations

from .entries import RaiseAll, Vote
from .regulation import Regulation
from .situations import cancellation_of, end_day_without_leaving, leave_together
from .state import Ballot, Day, Decision, GameState, Raise, Tally
from .terms import RESTART, HowLeft


def candidates_of(state: GameState, day: Day) -> tuple[int, ...]:
    """The nominees still at the table, in the order of their nomination."""
    return tuple(target for _, target in day.nominations if state.seats[target].left is None)


def vote_is_held(state: GameState, number: int) -> bool:
    """Whether there is a vote on this day: not after a removal that day or the night before (A 7.1, 7.2)."""
    return cancellation_of(state, number) is None


def nominees_suffice(state: GameState, day: Day) -> bool:
    """Whether there is somebody to vote on: on day 1 a single nominee is not voted on [option]."""
    nominees = len(candidates_of(state, day))
    if day.number == 1 and state.regulation.single_nominee_day_one:
        return nominees >= 2
    return nominees >= 1


def vote_is_due(state: GameState, day: Day) -> bool:
    """Whether the day can't end before a vote is decided."""
    if day.decision or not vote_is_held(state, day.number):
        return False
    return nominees_suffice(state, day)


def ballot_of(state: GameState, day: Day, number: int) -> Ballot | None:
    """The ballot of that number as far as it was taken, or the one that comes next; None where there is none.

    Numbers are those of moments: 0 the first, 1 and up the revotes, 10 and up after a ruling began the vote anew.
    """
    index = number - RESTART * day.restarts
    if 0 <= index < len(day.ballots):
        return day.ballots[index]
    if index != len(day.ballots) or day.decision or day.raise_due:
        return None
    if index == 0:
        candidates = candidates_of(state, day) if nominees_suffice(state, day) else ()
    else:
        candidates = day.tied if day.ballots[-1].is_complete else ()
    return Ballot(candidates, len(state.living)) if candidates else None


def current_ballot(state: GameState, day: Day) -> tuple[int, Ballot] | None:
    """The ballot being taken or next to be taken, with its number; None once the vote is over."""
    if day.decision or day.raise_due or not vote_is_held(state, day.number):
        return None
    number = RESTART * day.restarts + len(day.ballots)
    if day.ballots and not day.ballots[-1].is_complete:
        number -= 1
    ballot = ballot_of(state, day, number)
    return (number, ballot) if ballot else None


def remaining(ballot: Ballot) -> int:
    """Votes of the living not yet counted in this ballot."""
    return ballot.living - ballot.given


def voted(ballot: Ballot) -> set[int]:
    """The seats whose vote in this ballot is written by name."""
    return {voter for tally in ballot.tallies.values() for voter in tally.voters or ()}


def needed_to_raise(living: int) -> int:
    """How many must be for it: strictly more than half of the living."""
    return living // 2 + 1


def count_vote(state: GameState, day: Day, vote: Vote) -> None:
    """Writes a tally; the last one of a ballot decides it or brings the revote or the raise-all question."""
    ballot = ballot_of(state, day, vote.moment.ballot)
    assert ballot is not None
    if not ballot.tallies:
        day.ballots.append(ballot)
    voters = vote.voters
    if voters is not None and len(ballot.tallies) == len(ballot.candidates) - 1 and len(voters) < vote.count:
        silent = [seat for seat in state.living if seat not in voted(ballot) and seat not in voters]
        if len(silent) == vote.count - len(voters):
            voters = tuple(sorted((*voters, *silent)))
    ballot.tallies[vote.target] = Tally(vote.count, voters, vote.revision)
    if ballot.is_complete:
        _decide(state, day, ballot, vote.revision)


def _decide(state: GameState, day: Day, ballot: Ballot, revision: int) -> None:
    leaders = ballot.leaders
    if len(leaders) == 1:
        day.decision = Decision(leaders, state.regulation.cite("voting"), revision)
        state.tell("voted_out", "voting", revision, seat=leaders[0], votes=ballot.tallies[leaders[0]].count)
        leave_together(state, leaders, HowLeft.VOTED, "voting", revision)
        if not state.derived:
            end_day_without_leaving(state, revision)
        return
    day.tied = leaders
    if len(day.ballots) == 1 or len(leaders) < len(ballot.candidates):
        state.tell("revote", "voting", revision, seats=leaders, seconds=state.regulation.tied_seconds)
        return
    rule = _no_raise_rule(state.regulation, len(leaders), ballot.living)
    if rule:
        day.decision = Decision((), state.regulation.cite(rule), revision)
        state.tell("tied_night", rule, revision, seats=leaders)
        end_day_without_leaving(state, revision)
    else:
        day.raise_due = True
        state.tell(
            "raise_question", "voting", revision, seats=leaders,
            needed=needed_to_raise(ballot.living), living=ballot.living,
        )  # fmt: skip


def _no_raise_rule(regulation: Regulation, tied: int, living: int) -> str | None:
    """The rule by which a second full tie means night without the raise-all question, if one does."""
    if living in (3, 4) and tied in (2, 3) and regulation.no_raise_at_four:
        return "no_raise"  # A 7.6
    if tied == living:
        return "voting"
    if (tied, living) == (3, 9) and not regulation.raise_three_of_nine:
        return "voting"
    return None


def count_raise(state: GameState, day: Day, entry: RaiseAll) -> None:
    """Answers the raise-all question: strictly more than half of the living raise all the tied."""
    living = len(state.living)
    raised = entry.count * 2 > living if entry.count is not None else bool(entry.raised)
    day.raise_all = Raise(day.tied, entry.count, living, raised, entry.revision)
    day.raise_due = False
    leavers = day.tied if raised else ()
    day.decision = Decision(leavers, state.regulation.cite("voting"), entry.revision)
    if raised:
        state.tell("raised", "raised", entry.revision, seats=leavers, seconds=state.regulation.raised_seconds)
        leave_together(state, leavers, HowLeft.RAISED, "voting", entry.revision)
    else:
        state.tell("not_raised", "voting", entry.revision, seats=day.tied)
    if not state.derived:
        end_day_without_leaving(state, entry.revision)
