"""What a correction brings about: two states of one game told apart, before and after it (RULES §5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from .outcome import open_contradictions, outcome
from .points import SeatPoints, best_move_victim, points_of
from .situations import cancellation_of
from .state import Ballot, Cancellation, Day, GameState, Outcome
from .terms import SEATS

# What the entry itself writes, in sight of whoever writes it; everything else follows from it.
_OWN_TRACE = ("fouls", "nominees", "check", "best_move")


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is otherwise after a correction, as a code with what it was and what it becomes.

    Codes: leaves, comes_back, leaves_otherwise, removed, not_removed, silence, no_silence, fouls, nominees,
    vote_cancelled, vote_held, ballot, ballot_gone, decision, shot, check, best_move, best_move_passes,
    falls, stands_again, contradiction, settled, end, no_end, other_end, points. `clause` is that of the rule, where
    one fired.
    """

    code: str
    clause: str = ""
    params: Mapping[str, object] = field(default_factory=dict)

    @property
    def follows(self) -> bool:
        """Whether it is a consequence, and not what the entry itself says."""
        return self.code not in _OWN_TRACE


def differences(before: GameState, after: GameState) -> tuple[Difference, ...]:
    """Everything that a judge must know before a correction is written, the gravest first.

    Who comes back and who leaves, what becomes of votes and nights, what no longer stands, the end, the points.
    """
    return (
        *_the_end(before, after),
        *_at_the_table(before, after),
        *_votes(before, after),
        *_nights(before, after),
        *_standing(before, after),
        *_contradictions(before, after),
        *_points(before, after),
    )


def _the_end(before: GameState, after: GameState) -> Iterator[Difference]:
    was, now = outcome(before), outcome(after)
    if now is None:
        if was is not None:
            yield Difference("no_end", "", {"was": was})
    elif was is None:
        yield Difference("end", "", {"now": now})  # its words carry the clause
    elif _told(was) != _told(now):
        yield Difference("other_end", "", {"was": was, "now": now})


def _told(end: Outcome) -> tuple[object, ...]:
    return (end.result, end.reason, end.clause, end.moment, end.text)


def _at_the_table(before: GameState, after: GameState) -> Iterator[Difference]:
    for seat in SEATS:
        was, now = before.seats[seat], after.seats[seat]
        if was.left and not now.left:
            yield Difference("comes_back", "", {"seat": seat, "was": was.left})
        elif now.left and not was.left:
            yield Difference("leaves", now.left.clause, {"seat": seat, "now": now.left})
        elif was.left and now.left and (was.left.how, was.left.moment) != (now.left.how, now.left.moment):
            params = {"seat": seat, "was": was.left, "now": now.left}
            yield Difference("leaves_otherwise", now.left.clause, params)
        if now.removed and not was.removed and not (now.left and not was.left):
            yield Difference("removed", now.removed.clause, {"seat": seat})
        elif was.removed and not now.removed and now.left:
            yield Difference("not_removed", was.removed.clause, {"seat": seat})
        if not now.left and was.silence_due != now.silence_due:
            yield Difference("silence" if now.silence_due else "no_silence", _silent(after), {"seat": seat})
        if len(was.fouls) != len(now.fouls):
            yield Difference("fouls", "", {"seat": seat, "was": len(was.fouls), "now": len(now.fouls)})


def _silent(state: GameState) -> str:
    return state.regulation.cite("third_foul")


def _votes(before: GameState, after: GameState) -> Iterator[Difference]:
    for number in sorted({*before.days, *after.days, *before.cancelled_days, *after.cancelled_days}):
        was, now = before.days.get(number) or Day(number), after.days.get(number) or Day(number)
        nominees = [[target for _, target in day.nominations] for day in (was, now)]
        if nominees[0] != nominees[1]:
            params: dict[str, object] = {"day": number, "was": tuple(nominees[0]), "now": tuple(nominees[1])}
            yield Difference("nominees", "", params)
        yield from _cancelled(number, cancellation_of(before, number), cancellation_of(after, number))
        for index in range(max(len(was.ballots), len(now.ballots))):
            yield from _ballot(number, index, _at(was.ballots, index), _at(now.ballots, index))
        if _leavers(was) != _leavers(now):
            decision = now.decision or was.decision
            params = {"day": number, "was": _leavers(was), "now": _leavers(now)}
            yield Difference("decision", decision.clause if decision else "", params)


def _cancelled(number: int, was: Cancellation | None, now: Cancellation | None) -> Iterator[Difference]:
    if now and not was:
        yield Difference("vote_cancelled", now.clause, {"day": number, "seat": now.seat})
    elif was and not now:
        yield Difference("vote_held", was.clause, {"day": number})


def _ballot(number: int, index: int, was: Ballot | None, now: Ballot | None) -> Iterator[Difference]:
    counted = [
        {seat: tally.count for seat, tally in ballot.tallies.items()} if ballot and not ballot.void else {}
        for ballot in (was, now)
    ]
    if counted[0] == counted[1]:
        return
    params: dict[str, object] = {"day": number, "ballot": index + 1}
    if counted[1]:
        yield Difference("ballot", "", {**params, "was": counted[0], "now": counted[1]})
    else:
        yield Difference("ballot_gone", "", {**params, "was": counted[0]})


def _at(ballots: list[Ballot], index: int) -> Ballot | None:
    return ballots[index] if index < len(ballots) else None


def _leavers(day: Day) -> tuple[int, ...] | None:
    return day.decision.leavers if day.decision else None


def _nights(before: GameState, after: GameState) -> Iterator[Difference]:
    for number in sorted({*before.nights, *after.nights}):
        was, now = before.nights.get(number), after.nights.get(number)
        shots = [(night is not None and night.shot is not None, night and night.victim) for night in (was, now)]
        if shots[0] != shots[1]:
            params: dict[str, object] = {"night": number, "shot": shots[1][0], "seat": shots[1][1]}
            yield Difference("shot", "", params)
        for by, name in (("don", "don_check"), ("sheriff", "sheriff_check")):
            checked = getattr(now, name, None)
            if getattr(was, name, None) != checked:
                yield Difference("check", "", {"night": number, "by": by, "seat": checked})
    moves = [state.best_move.seats if state.best_move else () for state in (before, after)]
    if moves[0] != moves[1]:
        yield Difference("best_move", "", {"seats": moves[1]})
    elif moves[1] and best_move_victim(before) != (victim := best_move_victim(after)):
        yield Difference("best_move_passes", "", {"seats": moves[1], "seat": victim})


def _standing(before: GameState, after: GameState) -> Iterator[Difference]:
    fell = {entry.revision: entry for entry, _ in before.set_aside}
    falls = {entry.revision for entry, _ in after.set_aside}
    for entry, why in after.set_aside:
        if entry.revision not in fell:
            yield Difference("falls", "", {"entry": entry, "why": why})
    for revision, entry in fell.items():
        if revision not in falls:
            yield Difference("stands_again", "", {"entry": entry})


def _contradictions(before: GameState, after: GameState) -> Iterator[Difference]:
    was, now = open_contradictions(before), open_contradictions(after)
    told = [[(found.code, dict(found.params)) for found in state] for state in (was, now)]
    for found in now:
        if (found.code, dict(found.params)) not in told[0]:
            yield Difference("contradiction", "", {"contradiction": found})
    for found in was:
        if (found.code, dict(found.params)) not in told[1]:
            yield Difference("settled", "", {"contradiction": found})


def _points(before: GameState, after: GameState) -> Iterator[Difference]:
    was, now = points_of(before) or {}, points_of(after) or {}
    for seat in SEATS:
        if was and now and _sums(was[seat]) != _sums(now[seat]):
            yield Difference("points", "", {"seat": seat, "was": was[seat], "now": now[seat]})


def _sums(points: SeatPoints) -> tuple[object, ...]:
    return (points.points, points.extra_points)
