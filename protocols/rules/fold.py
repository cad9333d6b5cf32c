"""The fold: from the entries to the state. `step` is total, `refuse` says why an entry may not be written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from . import entries as e
from .moves import advance, begin_speech, stalemate_at_hand
from .refusal import Refusal
from .refusals import refuse
from .regulation import Regulation
from .situations import (
    check_misses,
    conclude,
    foul_of,
    give,
    holder_was_alive,
    is_over_for,
    leave_together,
    name_clause,
    overtake,
    settle,
)
from .state import Cancellation, Day, GameState, Night
from .terms import HowLeft, Penalty, Phase, Role, RulingAbout, Team
from .voting import count_raise, count_vote


def new_game(regulation: Regulation, *, results_only: bool = False) -> GameState:
    """The state before the first entry."""
    return GameState(regulation, results_only)


def standing(entries: Iterable[e.Entry]) -> list[e.Entry]:
    """The entries not struck out, strikes left aside, in the order of play; a struck strike strikes nothing."""
    written = sorted(entries, key=lambda entry: entry.revision)
    struck = struck_revisions(written)
    kept = [entry for entry in written if not isinstance(entry, e.Strike) and entry.revision not in struck]
    return sorted(kept, key=lambda entry: entry.order)


def struck_revisions(entries: Iterable[e.Entry]) -> dict[int, int]:
    """Revisions struck out → revision of the standing strike; with a foul goes the clause added to it later."""
    struck: dict[int, int] = {}
    clauses: list[e.FoulClause] = []
    for entry in sorted(entries, key=lambda entry: -entry.revision):
        if isinstance(entry, e.Strike):
            if entry.revision not in struck and 0 < entry.of < entry.revision:
                struck.setdefault(entry.of, entry.revision)
        elif isinstance(entry, e.FoulClause):
            clauses.append(entry)
    for clause in clauses:
        if clause.of in struck:
            struck.setdefault(clause.revision, struck[clause.of])
    return struck


def replay(entries: Iterable[e.Entry], regulation: Regulation, *, results_only: bool = False) -> GameState:
    """The state after all entries, whatever order they were written in."""
    state = new_game(regulation, results_only=results_only)
    written = list(entries)
    for _ in walk(written, state):
        pass
    state.revision = max((entry.revision for entry in written), default=0)
    return state


def walk(entries: Iterable[e.Entry], state: GameState) -> Iterator[e.Entry]:
    """Folds the standing entries into `state` in the order of play, and stops after each: a game, entry by entry.

    What follows from an entry is carried out before the stop. What was not known yet when the entry was written is
    not known to the state either (RULES §5).
    """
    order = standing(entries)
    first = float("inf")
    unplayed = [first]  # from each entry on, and after the last: the first written of what is still to be played
    for entry in reversed(order):
        if not isinstance(entry, TIMELESS):
            first = min(first, entry.revision or float("inf"))
        unplayed.append(first)
    for entry in order:
        unplayed.pop()
        _fold(state, entry)
        if state.pending:
            settle(state, before=unplayed[-1])
        yield entry


def step(state: GameState, entry: e.Entry) -> GameState:
    """The state after one more entry; one that the rules don't allow is set aside with its refusal.

    The entry is taken at its moment on top of `state`: for an entry of an earlier moment, or a strike, replay.
    """
    after = state.copy()
    _fold(after, entry)
    settle(after)
    after.revision = max(after.revision, entry.revision)
    return after


def refusal_of(state: GameState, revision: int) -> Refusal | None:
    """Why the entry of that revision may not be written: the fold set it aside, or took it only because it stood."""
    return next((why for item, why in (*state.set_aside, *state.out_of_turn) if item.revision == revision), None)


def _fold(state: GameState, entry: e.Entry) -> None:
    refusal = refuse(state, entry)
    if refusal is not None:
        if not _is_only_out_of_turn(state, entry, refusal):
            state.set_aside.append((entry, refusal))
            return
        state.out_of_turn.append((entry, refusal))
    _note_play_after_end(state, entry)
    if not isinstance(entry, TIMELESS) and not state.results_only and not is_over_for(state, entry.revision):
        over_before = state.derived is not None
        advance(state, entry.moment, entry.revision)
        if state.derived is not None and not over_before and not entry.after_end:
            return  # a move that completed a stalemate
    if state.pending:
        overtake(state, entry)
    _apply(state, entry)


def _is_only_out_of_turn(state: GameState, entry: e.Entry, refusal: Refusal) -> bool:
    """Whether nothing speaks against these words but the order of speaking: what was said was said (RULES §2)."""
    if not isinstance(entry, e.Turn) or refusal.code not in ("not_next", "has_spoken"):
        return False
    return entry.seat is not None and not state.seats[entry.seat].removed


TIMELESS = (e.Roles, e.SeatCorrection, e.ExtraPoints, e.SpeechMark, e.FoulClause, e.Strike)


_PLAY = (e.Nomination, e.Vote, e.RaiseAll, e.Shot)


def _note_play_after_end(state: GameState, entry: e.Entry) -> None:
    """Play that went on after an end not known at the table stands, and is put before the judge (RULES §5)."""
    if state.derived is not None and isinstance(entry, _PLAY):
        state.contradict(
            "played_on",
            "end",
            state.derived.revision,
            result=state.derived.result,
            moment=state.derived.moment,
        )


def _apply(state: GameState, entry: e.Entry) -> None:
    match entry:
        case e.Turn():
            _turn(state, entry)
        case e.Nomination():
            _day(state, entry).nominations.append((entry.seat, entry.target))
        case e.Withdrawal():
            day = _day(state, entry)
            day.nominations = [(by, target) for by, target in day.nominations if by != entry.seat]
        case e.Vote():
            count_vote(state, _day(state, entry), entry)
        case e.RaiseAll():
            count_raise(state, _day(state, entry), entry)
        case e.Shot():
            _shot(state, entry)
        case e.Check():
            night = state.nights[entry.moment.day]
            if entry.by == Role.DON:
                night.don_check = entry.target
            else:
                night.sheriff_check = entry.target
            if not holder_was_alive(state, entry.by, entry.moment.day):  # the roles came later
                state.contradict("checker_had_left", "night", _known(state, entry), by=entry.by)
        case e.Foul():
            give(state, entry)
        case e.FoulClause():
            foul = foul_of(state, entry.of)
            assert foul is not None
            name_clause(state, foul, entry.clause)
        case e.Roles():
            before = [role.team for role in state.roles.roles] if state.roles else None
            if before != [role.team for role in entry.roles]:
                state.teams_since = entry.revision
            state.roles = entry
            for seat, role in zip(state.seats.values(), entry.roles, strict=True):
                seat.role = role
        case e.SeatCorrection():
            chairs = state.chairs
            chairs[entry.seat], chairs[entry.target] = chairs[entry.target], chairs[entry.seat]
        case e.BestMove():
            state.best_move = entry
        case e.ExtraPoints():
            state.extra_points[entry.seat] = entry
        case e.SpeechMark():
            state.speech_marks[entry.seat] = entry.points
        case e.GameOver():
            found = None if is_over_for(state, entry.revision) else stalemate_at_hand(state)
            if found and found[0] == entry.result:
                conclude(state, *found, "three_days", entry.revision)
            state.declared = entry
        case e.Ruling():
            _ruling(state, entry)


def _day(state: GameState, entry: e.Entry) -> Day:
    return state.days[entry.moment.day]


def _turn(state: GameState, entry: e.Turn) -> None:
    moment, seat = entry.moment, entry.seat
    day = state.days.get(moment.day)
    if day is None or seat is None:
        return
    if moment.phase == Phase.SPEECHES:
        begin_speech(state, day, seat, moment.step, entry.revision)
    elif moment.phase == Phase.PRE_REVOTE:
        day.pre_revote[(moment.ballot, moment.step)] = seat
        if len(state.seats[seat].fouls) == 3:
            state.tell("revote_speech", "revote_speech", entry.revision, seat=seat)
    elif moment.phase == Phase.LAST_WORDS:
        day.last_words.append(seat)
    elif moment.phase == Phase.VICTIM_WORDS:
        state.nights[moment.day - 1].victim_words = True


def _shot(state: GameState, entry: e.Shot) -> None:
    number = entry.moment.day
    night = state.nights.setdefault(number, Night(number, len(state.living)))
    night.shot = entry
    target = entry.target
    if entry.shots and state.roles_known:  # the roles may have come later
        shooters, blacks = {by for by, _ in entry.shots}, set(state.living_of(Team.BLACK))
        if shooters - blacks:
            seats = tuple(sorted(shooters - blacks))
            state.contradict("shooters_not_black", "night", _known(state, entry), night=number, seats=seats)
        elif target is not None and blacks - shooters:
            seats = tuple(sorted(blacks - shooters))
            state.contradict("shots_missing", "night", _known(state, entry), night=number, seats=seats)
    if target is None or state.seats[target].left is not None:
        state.tell("missed", "night", entry.revision, night=number, seat=target)
        check_misses(state, number, entry.revision)
        return
    night.victim = target
    state.tell("shot", "night", entry.revision, seat=target, night=number)
    leave_together(state, (target,), HowLeft.SHOT, "night", entry.revision)


def _known(state: GameState, entry: e.Entry) -> int:
    """The revision from which the entry and the roles were both known."""
    return max(entry.revision, state.roles.revision if state.roles else 0)


def _ruling(state: GameState, entry: e.Ruling) -> None:
    state.rulings.append(entry)
    day = state.days.get(entry.moment.day)
    if day is None:
        return
    if entry.about == RulingAbout.VOTE_HELD:
        day.restored, day.cancelled = True, None
        if state.moment.phase in (Phase.PRE_REVOTE, Phase.BALLOT, Phase.RAISE_ALL):
            day.restarts += 1
        day.void_ballots += day.ballots
        day.ballots, day.tied, day.raise_due = [], (), False
        state.tell("vote_restored", "correction", entry.revision, day=day.number, text=entry.text)
    elif entry.about == RulingAbout.VOTE_CANCELLED:
        day.cancelled = Cancellation(None, state.regulation.cite("correction"), entry.revision)
        day.raise_due = False
        for ballot in day.ballots:
            ballot.void = True
        state.tell("vote_cancelled_by_ruling", "correction", entry.revision, day=day.number, text=entry.text)


def refuse_strike(entries: Iterable[e.Entry], strike: e.Strike, regulation: Regulation) -> Refusal | None:
    """Why an entry may not be struck out: there is no such entry, or it is struck already (RULES §5)."""
    written = list(entries)
    found = next((entry for entry in written if entry.revision == strike.of), None)
    if found is None:
        return Refusal("nothing_to_strike", regulation.cite("correction"), {"revision": strike.of})
    if strike.of in struck_revisions(written):
        return Refusal("already_struck", regulation.cite("correction"), {"revision": strike.of})
    return None


@dataclass(frozen=True, slots=True)
class Preview:
    """What writing an entry would do: the state before and after, and the entries that would no longer stand."""

    before: GameState
    after: GameState
    refusal: Refusal | None
    fallen: tuple[tuple[e.Entry, Refusal], ...]


def preview(
    entries: Iterable[e.Entry],
    entry: e.Entry,
    regulation: Regulation,
    *,
    results_only: bool = False,
    before: GameState | None = None,
) -> Preview:
    """The difference of two replays: what follows from writing `entry` at its moment, however late (RULES §5).

    `entry` has no revision yet; it is numbered after the last one. `before` is the state that follows from
    `entries`, where the caller has it already.
    """
    written = list(entries)
    before = before or replay(written, regulation, results_only=results_only)
    new = replace(entry, revision=before.revision + 1)
    given = before.seats[new.seat].fouls if isinstance(new, e.Foul) and new.seat in before.seats else []
    if isinstance(new, e.Foul) and new.penalty == Penalty.FOUL and len(given) >= 4:
        # Dated earlier it would make the fourth the fifth.
        return Preview(before, before, before.refusal("fifth_foul", "fourth_foul", seat=new.seat), ())
    if isinstance(new, e.Strike):
        refused = refuse_strike(written, new, regulation)
        if refused:
            return Preview(before, before, refused, ())
    after = replay([*written, new], regulation, results_only=results_only)
    refusal = refusal_of(after, new.revision)
    already = {item.revision for item, _ in before.set_aside}
    fallen = tuple((item, why) for item, why in after.set_aside if item.revision not in {*already, new.revision})
    return Preview(before, after, refusal, fallen)
