"""What must hold in every vote of a finished record, counted once more from its entries (RULES §3; A 7.1–7.7)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from . import entries as e
from .course import REMOVALS, Course
from .outcome import Problem
from .terms import RESTART, HowLeft, Phase, RulingAbout

Tally = tuple[int, e.Vote]  # with its place


@dataclass(slots=True)
class _Ballot:
    """One ballot as the entries tell it."""

    day: int
    number: int
    candidates: tuple[int, ...]
    living: int
    tallies: list[Tally] = field(default_factory=list)

    @property
    def counts(self) -> dict[int, int]:
        """Candidate → votes, of those who have a tally."""
        return {vote.target: vote.count for _, vote in self.tallies if vote.target in self.candidates}

    @property
    def given(self) -> int:
        """All votes written, also those for nobody on the ballot."""
        return sum(vote.count for _, vote in self.tallies)

    @property
    def is_complete(self) -> bool:
        """Whether every candidate has a tally."""
        return set(self.counts) == set(self.candidates)

    @property
    def leaders(self) -> tuple[int, ...]:
        """The candidates with most votes, in ballot order; none where a tally is missing."""
        counts = self.counts
        return tuple(seat for seat in self.candidates if self.is_complete and counts[seat] == max(counts.values()))

    @property
    def facts(self) -> dict[str, object]:
        """The day and the ballot, counted from 1, for the words."""
        return {"day": self.day, "ballot": self.number % RESTART + 1}


def breaches_of_votes(course: Course) -> Iterator[Problem]:
    """Every rule of the vote that the record breaks, day by day."""
    votes, questions = course.days_of(e.Vote), course.days_of(e.RaiseAll)
    for day in sorted({*votes, *questions, *course.state.days}):
        yield from _day(course, day, votes.get(day, []), questions.get(day, []))


def _day(course: Course, day: int, votes: list[Tally], questions: list[tuple[int, e.RaiseAll]]) -> Iterator[Problem]:
    held = [tally for tally in votes if _cancelled(course, day, tally[0]) is None]
    asked = [question for question in questions if _cancelled(course, day, question[0]) is None]
    beyond = [(place, entry) for place, entry in (*votes, *questions) if (place, entry) not in (*held, *asked)]
    if beyond:
        seat, rule = _cancelled(course, day, beyond[0][0]) or (None, "correction")
        entries = [entry for _, entry in beyond]
        yield course.breach("counted_though_cancelled", rule, *entries, day=day, seat=seat)
    single = _single_nominee(course, day, held)
    if single is not None:
        yield course.breach("single_nominee_counted", "voting", *(vote for _, vote in held), day=day, seat=single)
        return
    ballots = _ballots(course, day, held)
    for ballot in ballots:
        yield from _candidates(course, ballot)
        yield from _sums(course, ballot)
        yield from _voters(course, ballot)
    for place, question in asked:
        yield from _hands(course, place, question)
    yield from _leavers(course, day, ballots, [question for _, question in asked])


# ---------------------------------------------------------------- is there a vote at all


def _cancelled(course: Course, day: int, place: int) -> tuple[int | None, str] | None:
    """Why an entry at that place is one of a vote not held: the seat removed (None: a ruling), and the rule."""
    found: list[tuple[int, tuple[int | None, str] | None]] = []
    for seat, player in course.state.seats.items():
        if player.left is not None and player.left.how in REMOVALS:
            rule = _cancelling_rule(course, day, seat)
            if rule is not None:
                found.append((course.left[seat], (seat, rule)))
    for at, ruling in course.of(e.Ruling):
        if ruling.moment.day == day and ruling.revision not in course.aside:
            if ruling.about == RulingAbout.VOTE_CANCELLED:
                found.append((at, (None, "correction")))
            elif ruling.about == RulingAbout.VOTE_HELD:
                found.append((at, None))
    before = [item for item in found if item[0] < place]
    return max(before, key=lambda item: item[0])[1] if before else None


def _cancelling_rule(course: Course, day: int, seat: int) -> str | None:
    """The rule by which the removal of that player cancels the vote of that day, if one does (A 7.1, 7.2)."""
    left = course.state.seats[seat].left
    assert left is not None
    if left.moment.is_night:
        return "no_vote_tomorrow" if left.moment.day == day - 1 else None
    if left.moment.day == day:
        return None if _was_decided(course, day, course.left[seat]) else "no_vote_today"
    if left.moment.day == day - 1 and course.rules.removal_after_vote_cancels_next:
        return "no_vote_after_decided" if _was_decided(course, day - 1, course.left[seat]) else None
    return None


def _was_decided(course: Course, day: int, place: int) -> bool:
    found = course.state.days.get(day)
    decision = found.decision if found else None
    return decision is not None and course.places.get(decision.revision, place + 1) <= place


def _single_nominee(course: Course, day: int, held: list[Tally]) -> int | None:
    """The only nominee of day 1, where votes for that one were counted all the same [option] (RULES §3)."""
    if day != 1 or not held or not course.rules.single_nominee_day_one:
        return None
    nominees = _nominees(course, day, held[0][0])
    return nominees[0] if len(nominees) == 1 else None


# ---------------------------------------------------------------- who is on the ballot, and who has voted


def _nominees(course: Course, day: int, place: int) -> tuple[int, ...]:
    """Who was nominated and at the table when the ballot at that place began, in the order of nomination."""
    named: list[e.Nomination] = []
    for entry in course.order[:place]:
        if entry.moment.day != day or entry.revision in course.aside:
            continue
        if isinstance(entry, e.Nomination):
            named.append(entry)
        elif isinstance(entry, e.Withdrawal):
            named = [earlier for earlier in named if earlier.seat != entry.seat]
    return tuple(entry.target for entry in named if not course.had_left(entry.target, place))


def _ballots(course: Course, day: int, held: list[Tally]) -> list[_Ballot]:
    """The ballots of the day; the candidates of a revote are the leaders of the ballot before it."""
    ballots: list[_Ballot] = []
    for place, vote in held:
        number = vote.moment.ballot
        before = ballots[-1] if ballots else None
        if before is None or before.number != number:
            if number % RESTART and before is not None and before.number == number - 1:
                candidates = before.leaders
            else:
                candidates = () if number % RESTART else _nominees(course, day, place)
            before = _Ballot(day, number, candidates, len(course.living(place)))
            ballots.append(before)
        before.tallies.append((place, vote))
    return ballots


def _candidates(course: Course, ballot: _Ballot) -> Iterator[Problem]:
    """Votes go to the nominated only, in a revote to the leaders only (RULES §3)."""
    code = "revote_for_other" if ballot.number % RESTART else "vote_for_other"
    for _, vote in ballot.tallies:
        if vote.target not in ballot.candidates:
            yield course.breach(
                code, "voting", vote, **ballot.facts, seat=vote.target, votes=vote.count, seats=ballot.candidates
            )


def _sums(course: Course, ballot: _Ballot) -> Iterator[Problem]:
    """The tallies of a ballot sum to the living; a revote in which all tie needs a divisor of them (RULES §3)."""
    candidates, last = ballot.candidates, ballot.tallies[-1][1]
    seen: set[int] = set()
    for _, vote in ballot.tallies:
        if vote.target in seen:
            yield course.breach("tallied_twice", "tallies", vote, **ballot.facts, seat=vote.target)
            return
        seen.add(vote.target)
    if not candidates or not seen <= set(candidates):
        return  # what is wrong there is said already
    figures = {**ballot.facts, "given": ballot.given, "living": ballot.living, "seats": candidates}
    is_tie = ballot.is_complete and len(candidates) > 1 and ballot.leaders == candidates
    if is_tie and ballot.number % RESTART and ballot.living % len(candidates):
        votes = ballot.counts[candidates[0]]
        yield course.breach("tie_without_divisor", "voting", last, **figures, votes=votes, tied=len(candidates))
    elif ballot.given > ballot.living or (ballot.given < ballot.living and _is_closed(course, ballot)):
        yield course.breach("tallies_and_living", "tallies", last, **figures)


def _is_closed(course: Course, ballot: _Ballot) -> bool:
    """Whether nothing is to come to the ballot: it has every tally, or the game went on without the others."""
    if ballot.is_complete:
        return True
    after = course.order[ballot.tallies[-1][0] + 1 :]
    place = len(course.order)
    if _cancelled(course, ballot.day, place) is not None or any(
        isinstance(entry, e.Ruling) and entry.moment.day == ballot.day for entry in after
    ):
        return False
    went_on = (e.Turn, e.Nomination, e.Vote, e.RaiseAll, e.Shot, e.Check)
    end = (ballot.day, Phase.PRE_REVOTE, ballot.number)
    return any(isinstance(entry, went_on) and entry.moment.key[:3] > end for entry in after)


def _voters(course: Course, ballot: _Ballot) -> Iterator[Problem]:
    """Each player votes once, and as many are named as votes are counted; the last tally may name fewer (RULES §3)."""
    voted: set[int] = set()
    for ordinal, (_, vote) in enumerate(ballot.tallies, 1):
        if vote.voters is None:
            continue
        twice = [seat for at, seat in enumerate(vote.voters) if seat in voted or seat in vote.voters[:at]]
        for seat in dict.fromkeys(twice):
            yield course.breach("votes_twice", "voting", vote, **ballot.facts, seat=seat)
        named, is_last = len(vote.voters), ordinal == len(ballot.candidates)
        if not twice and (named > vote.count or (named < vote.count and not is_last)):
            figures = {"seat": vote.target, "votes": vote.count, "named": named}
            yield course.breach("voters_and_tally", "tallies", vote, **ballot.facts, **figures)
        voted |= set(vote.voters)


def _hands(course: Course, place: int, question: e.RaiseAll) -> Iterator[Problem]:
    """At most the living are for raising all; who is for it is counted once (RULES §3)."""
    living, day = len(course.living(place)), question.moment.day
    voters = question.voters or ()
    if question.count is not None and question.count > living:
        yield course.breach("hands_and_living", "voting", question, day=day, count=question.count, living=living)
    twice = [seat for at, seat in enumerate(voters) if seat in voters[:at]]
    for seat in dict.fromkeys(twice):
        yield course.breach("hand_twice", "voting", question, day=day, seat=seat)
    if not twice and voters and question.count is not None and len(voters) != question.count:
        yield course.breach("hands_and_named", "voting", question, day=day, count=question.count, named=len(voters))


# ---------------------------------------------------------------- who leaves


def _leavers(course: Course, day: int, ballots: list[_Ballot], asked: list[e.RaiseAll]) -> Iterator[Problem]:
    """Who leaves is the single leader of the last ballot, or all those raised (RULES §3)."""
    last = ballots[-1] if ballots else None
    leaders = last.leaders if last else ()
    due: tuple[int, ...] = leaders if len(leaders) == 1 else ()
    for question in asked:
        living = len(course.living(course.places[question.revision]))
        carried = question.raised if question.count is None else question.count * 2 > living
        if question.count is not None and question.raised is not None and question.raised != carried:
            figures = {"count": question.count, "living": living, "seats": leaders}
            code = "raised_by_too_few" if question.raised else "not_raised_by_half"
            yield course.breach(code, "voting", question, day=day, **figures)
        due = leaders if carried and len(leaders) > 1 else due
    left = {
        seat
        for seat, player in course.state.seats.items()
        if player.left and player.left.how in (HowLeft.VOTED, HowLeft.RAISED) and player.left.moment.day == day
    }
    for place, turn in course.of(e.Turn):
        are_words = turn.moment.day == day and turn.moment.phase == Phase.LAST_WORDS
        if are_words and turn.seat and turn.seat not in due and not course.had_left(turn.seat, place):
            yield course.breach("words_of_other", "voting", turn, day=day, seat=turn.seat, seats=due)
    if any(tally[1].revision in course.aside for ballot in ballots for tally in ballot.tallies):
        return
    if left != set(due) and not any(question.revision in course.aside for question in asked):
        yield course.breach("left_by_no_vote", "voting", day=day, seats=due, leavers=tuple(sorted(left)))
