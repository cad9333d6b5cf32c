"""A record told in the terms of mafiaratings: when each foul fell, and who was there to vote and to shoot."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from protocols.rules import entries as e
from protocols.rules.fold import new_game, standing, walk
from protocols.rules.regulation import Regulation
from protocols.rules.situations import settle
from protocols.rules.state import Day, GameState, SeatState
from protocols.rules.terms import HowLeft, Moment, Phase, Role, Team
from protocols.rules.voting import ballot_of

FileTime = dict[str, Any]
Timing = tuple[FileTime, bool]  # and whether it says just when that was


@dataclass(frozen=True)
class ToldFoul:
    """A foul, a removal or a team defeat at the file's time; `is_exact`: the file can say just when it fell."""

    foul: e.Foul
    time: FileTime
    is_exact: bool = True


@dataclass
class Account:
    """What a game's end no longer shows: the fouls in order of play, and who was at the table at each act."""

    state: GameState
    fouls: list[ToldFoul] = field(default_factory=list)
    voters: dict[tuple[int, int], list[int]] = field(default_factory=dict)  # (day, ballot of the moment) → seats
    raising: dict[int, tuple[int, ...] | None] = field(default_factory=dict)  # day → for raising all; None: unknown
    shooters: dict[int, list[int]] = field(default_factory=dict)  # night → blacks at the table
    checks: list[tuple[Role, int, int]] = field(default_factory=list)  # whose, night, seat
    late: set[int] = field(default_factory=set)  # revisions of fouls whose consequence was missed at the table

    @property
    def last_round(self) -> int:
        """The round in which the game stands."""
        return round_of(self.state.moment)

    def of(self, revision: int) -> ToldFoul | None:
        """The foul of that revision."""
        return next((told for told in self.fouls if told.foul.revision == revision), None)


def round_of(moment: Moment) -> int:
    """The file's round: round r is our night r and our day r + 1."""
    return moment.day if moment.is_night else moment.day - 1


def account_of(entries: Iterable[e.Entry], regulation: Regulation) -> Account:
    """The game once more, entry by entry."""
    state = new_game(regulation)
    account = Account(state)
    order = standing(entries)
    times = [_time_of(state, order[0])] if order else []  # each looked up before what the foul itself brings about
    for number, entry in enumerate(walk(order, state)):
        if not (state.set_aside and state.set_aside[-1][0] is entry):
            _take(account, entry, times[-1])
        _date_late(account)
        if number + 1 < len(order):
            times.append(_time_of(state, order[number + 1]))
    settle(state)
    _date_late(account)
    _date_after_the_end(account)
    return account


def _date_late(account: Account) -> None:
    """A removal or a defeat missed at the table is told at the time when it was carried out (RULES §5)."""
    state = account.state
    for number, told in enumerate(account.fouls):
        done = _carried_out(state, told.foul)
        if done is None or done[0].key <= told.foul.moment.key or told.foul.revision in account.late:
            continue
        moment, revision = done
        account.late.add(told.foul.revision)
        is_over = state.derived is not None and state.derived.by != revision
        account.fouls[number] = ToldFoul(told.foul, _timing(state, moment, is_over=is_over)[0], is_exact=False)


def _date_after_the_end(account: Account) -> None:
    """What was written once the game had ended without it is told at the end, though it is dated before (A 7.3)."""
    state, end = account.state, account.state.derived
    for number, told in enumerate(account.fouls):
        done = _carried_out(state, told.foul)
        if end and done and done[1] > end.revision and done[1] != end.by and told.time.get("time") != "end":
            account.fouls[number] = ToldFoul(told.foul, {"round": account.last_round, "time": "end"}, is_exact=False)


def _carried_out(state: GameState, foul: e.Foul) -> tuple[Moment, int] | None:
    """When the foul removed a player or ended the game, and the revision by which that was known."""
    end = state.derived
    if end and end.reason == "team_defeat" and end.by == foul.revision:
        return end.moment, end.by
    seat = state.seats[foul.seat] if foul.seat else None
    if seat and seat.removed and foul is _reason(seat):
        return seat.removed.moment, seat.removed.revision
    return None


def _reason(seat: SeatState) -> e.Foul | None:
    """The foul for which the player was removed."""
    return seat.disqualified if seat.removed and seat.removed.how == HowLeft.DISQUALIFIED else seat.fouls[-1]


def _take(account: Account, entry: e.Entry, time: Timing) -> None:
    state, moment = account.state, entry.moment
    match entry:
        case e.Foul():
            account.fouls.append(ToldFoul(entry, *time))
        case e.Vote():
            account.voters.setdefault((moment.day, moment.ballot), _before(state, entry))
        case e.RaiseAll():
            account.raising[moment.day] = _for_raising(entry, _before(state, entry))
        case e.Shot():
            victim = state.nights[moment.day].victim
            seats = {*state.living, victim} if victim else state.living
            account.shooters[moment.day] = sorted(s for s in seats if state.team_of(s) == Team.BLACK)
        case e.Check():
            account.checks.append((entry.by, moment.day, entry.target))
        case _:
            pass


def _for_raising(entry: e.RaiseAll, there: list[int]) -> tuple[int, ...] | None:
    """Who was for it, where it is written or follows from the count."""
    if entry.voters is not None or entry.count is None:
        return entry.voters
    return {0: (), len(there): tuple(there)}.get(entry.count)


def _before(state: GameState, entry: e.Entry) -> list[int]:
    """Who was at the table when that vote was counted, whom it led out included."""
    decision = state.days[entry.moment.day].decision
    leavers = decision.leavers if decision and decision.revision == entry.revision else ()
    return sorted({*state.living, *leavers})


# ---------------------------------------------------------------- when a foul fell


def _time_of(state: GameState, entry: e.Entry) -> Timing:
    """The file's time of a foul about to be written."""
    if not isinstance(entry, e.Foul):
        return {}, True
    is_over = state.derived is not None or state.declared is not None or entry.moment.phase == Phase.AFTER
    return _timing(state, entry.moment, is_over=is_over)


def _timing(state: GameState, moment: Moment, *, is_over: bool) -> Timing:
    """The file's name for that moment as the game stands, and whether it says the same."""
    if is_over:
        return {"round": round_of(state.moment), "time": "end"}, True
    if moment.day == 0:
        return {"round": 0, "time": "start" if moment.phase == Phase.SETUP else "arrangement"}, True
    if moment.phase.is_night:
        return _by_night(state, moment)
    if moment.phase == Phase.VICTIM_WORDS:
        return {"round": round_of(moment), "time": "night kill speaking"}, True
    return _by_day(state, state.days.get(moment.day) or Day(moment.day), moment)


def _by_night(state: GameState, moment: Moment) -> Timing:
    number = moment.day
    night = state.nights.get(number)
    if moment.phase == Phase.BEST_MOVE:  # the file's best move has no time: it comes between these two
        named = state.best_move is not None
        return {"round": number, "time": "night kill speaking" if named else "sheriff"}, not named
    if moment.phase == Phase.NIGHT:
        return {"round": number, "time": "shooting" if night and night.shot else "night start"}, True
    return {"round": number, "time": "don" if moment.phase == Phase.DON else "sheriff"}, True


def _by_day(state: GameState, day: Day, moment: Moment) -> Timing:
    round_, phase = round_of(moment), moment.phase
    if phase == Phase.SPEECHES:
        if not moment.step or not day.speeches:
            return {"round": round_, "time": "day start"}, moment.step == 0 and not day.nominations
        known = moment.step in day.speeches  # else the turn was struck out: the minute before it
        speaker = day.speeches[moment.step if known else max(day.speeches)]
        return {"round": round_, "time": "speaking", "speaker": speaker}, known
    if phase == Phase.LAST_WORDS or (phase != Phase.PRE_REVOTE and day.decision):
        return _after_the_vote(day, moment)
    if phase == Phase.RAISE_ALL:
        return {"round": round_, "time": "voting kill all"}, True
    if phase == Phase.PRE_REVOTE:
        return {**_voting(moment), **_speaker(day.tied, moment.step)}, True
    ballot = ballot_of(state, day, moment.ballot)
    if ballot is None or not ballot.is_complete:
        if moment.step and (ballot is None or (day.cancelled and not ballot.tallies)):
            return _voting(moment), False  # who was called up is not written: the vote was not held
        nominee = {"nominee": ballot.candidates[moment.step - 1]} if ballot and moment.step else {}
        return {**_voting(moment), **nominee}, True
    if day.raise_due:
        return {"round": round_, "time": "voting kill all"}, True
    return {**_voting(moment), "votingRound": moment.revote + 1, **_speaker(day.tied, 1)}, True


def _after_the_vote(day: Day, moment: Moment) -> Timing:
    leavers = day.decision.leavers if day.decision else ()
    if not leavers:  # nobody speaks: what comes next in the file is the night
        return {"round": round_of(moment) + 1, "time": "night start"}, False
    step = moment.step if moment.phase == Phase.LAST_WORDS else 1
    return {"round": round_of(moment), "time": "day kill speaking", **_speaker(leavers, max(step, 1))}, True


def _voting(moment: Moment) -> FileTime:
    return {"round": round_of(moment), "time": "voting", "votingRound": moment.revote}


def _speaker(seats: tuple[int, ...], step: int) -> FileTime:
    return {"speaker": seats[step - 1]} if 0 < step <= len(seats) else {}
