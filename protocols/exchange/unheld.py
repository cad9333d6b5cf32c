"""What a record holds and a mafiaratings file doesn't: to be told to whoever takes the file away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from protocols.rules import entries as e
from protocols.rules.fold import struck_revisions
from protocols.rules.outcome import outcome
from protocols.rules.state import Day
from protocols.rules.terms import HowLeft, Penalty, Role

from .ratings_writer import LEAVING, WINNER_NAMES, Source, shots_unknown, votes_unknown
from .telling import Account, ToldFoul


@dataclass(frozen=True, slots=True)
class Unheld:
    """Something of the game that is not in the file: `code` names the words, `params` what they need.

    Seats are under `seat` or `seats`, points in thousandths, ballots counted from 0.
    """

    code: str
    params: Mapping[str, object] = field(default_factory=dict)


def unheld_of(source: Source, account: Account) -> list[Unheld]:
    """Everything of this game that the file leaves out, in the order of play, then what stands beside it."""
    found = [*_play(account), *_fouls(source, account), *_beside_play(source, account)]
    if source.facts is None:
        found.append(Unheld("ids"))
        if source.ended is None:
            found.append(Unheld("times"))
    return found


# ---------------------------------------------------------------- play


def _play(account: Account) -> Iterator[Unheld]:
    for day in account.state.days.values():
        yield from _of_day(account, day)
    unknown = shots_unknown(account)
    if unknown:
        yield Unheld("shots_unknown", {"nights": tuple(unknown)})
    seen: set[tuple[Role, int]] = set()
    for by, night, seat in account.checks:
        if (by, seat) in seen:
            yield Unheld("check_again", {"by": by, "night": night, "seat": seat})
        seen.add((by, seat))


def _of_day(account: Account, day: Day) -> Iterator[Unheld]:
    unnamed = tuple(target for by, target in day.nominations if by is None)
    if unnamed:
        yield Unheld("nominator_unknown", {"day": day.number, "seats": unnamed})
    if day.void_ballots or (day.decision is None and day.ballots):
        yield Unheld("void_ballots", {"day": day.number})
    for index in votes_unknown(account, day):
        tallies = tuple((seat, tally.count) for seat, tally in day.ballots[index].tallies.items())
        yield Unheld("voters_unknown", {"day": day.number, "ballot": index, "tallies": tallies})
    answer = day.raise_all
    if answer and answer.count is not None and account.raising.get(day.number) is None:
        yield Unheld("raise_count", {"day": day.number, "count": answer.count, "living": answer.living})


# ---------------------------------------------------------------- fouls


def _fouls(source: Source, account: Account) -> Iterator[Unheld]:
    for told in account.fouls:
        foul = told.foul
        if foul.penalty == Penalty.WARNING:
            yield Unheld("warning", {"seat": foul.seat, "moment": foul.moment})
        elif foul.penalty == Penalty.DISQUALIFYING:
            yield from _disqualifying(account, foul)
        elif foul.penalty == Penalty.TEAM_DEFEAT:
            yield from _defeat(account, foul)
        if foul.from_tournament:
            yield Unheld("from_tournament", {"seat": foul.seat})
        if not told.is_exact:
            yield Unheld("foul_moment", {"seat": foul.seat, "moment": foul.moment})
    clauses = _seats(told for told in account.fouls if account.state.clause_of(told.foul) and _is_foul(told.foul))
    if clauses:
        yield Unheld("foul_clauses", {"seats": clauses})
    texts = _seats(told for told in account.fouls if told.foul.text)
    if texts:
        yield Unheld("foul_texts", {"seats": texts})


def _is_foul(foul: e.Foul) -> bool:
    return foul.penalty == Penalty.FOUL


def _seats(fouls: Iterator[ToldFoul]) -> tuple[int, ...]:
    return tuple(sorted({told.foul.seat for told in fouls if told.foul.seat}))


def _disqualifying(account: Account, foul: e.Foul) -> Iterator[Unheld]:
    left = account.state.seats[foul.seat].left if foul.seat else None
    clause = account.state.clause_of(foul)
    if left and left.how in (HowLeft.VOTED, HowLeft.RAISED, HowLeft.SHOT):
        yield Unheld("removal_of_departed", {"seat": foul.seat, "clause": clause})
    elif clause and clause != LEAVING:
        yield Unheld("removal_clause", {"seat": foul.seat, "clause": clause})


def _defeat(account: Account, foul: e.Foul) -> Iterator[Unheld]:
    end, clause = account.state.derived, account.state.clause_of(foul)
    ended_by_it = end is not None and end.reason == "team_defeat" and end.by == foul.revision
    if foul.seat is None or not ended_by_it or account.state.seats[foul.seat].left:
        yield Unheld("defeat", {"seat": foul.seat, "team": foul.team, "clause": clause})
    elif clause:
        yield Unheld("removal_clause", {"seat": foul.seat, "clause": clause})


# ---------------------------------------------------------------- beside the play


def _beside_play(source: Source, account: Account) -> Iterator[Unheld]:
    state = account.state
    struck = struck_revisions(source.entries)
    kept = [entry for entry in source.entries if entry.revision not in struck]
    gone = [entry for entry in source.entries if entry.revision in struck and not isinstance(entry, e.Strike)]
    for seat, extra in sorted(state.extra_points.items()):
        if extra.points:
            yield Unheld("extra", {"seat": seat, "points": extra.points, "text": extra.text})
    marks = tuple((seat, points) for seat, points in sorted(state.speech_marks.items()) if points)
    if marks:
        yield Unheld("speech_marks", {"marks": marks})
    for ruling in state.rulings:
        yield Unheld("ruling", {"text": ruling.text, "moment": ruling.moment})
    if state.declared and (state.declared.text or state.declared.clause):
        yield Unheld("declared", {"text": state.declared.text, "clause": state.declared.clause})
    end = outcome(state)
    if end and end.result not in WINNER_NAMES:
        yield Unheld("no_winner", {"result": end.result})
    withdrawn = sum(isinstance(entry, e.Withdrawal) for entry in kept)
    if withdrawn:
        yield Unheld("withdrawals", {"count": withdrawn})
    if any(isinstance(entry, e.SeatCorrection) for entry in kept):
        yield Unheld("chairs")
    if gone:
        yield Unheld("struck", {"count": len(gone)})
    if state.set_aside:
        yield Unheld("set_aside", {"count": len(state.set_aside)})
    nameless = tuple(seat for seat in state.seats if not source.nicknames.get(seat))
    if nameless:
        yield Unheld("nameless", {"seats": nameless})
