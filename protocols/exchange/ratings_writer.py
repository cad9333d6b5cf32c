"""A record as a mafiaratings file: what `mafiaratings` and `playback` read, written.

A player's and a club's ids are mafiaratings' own: they are there only where the game came from such a file. `features`
says, in that program's letters, what the file holds: without «v» the votes are not all known by name, without «h» the
shots of a night are not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from protocols.rules import entries as e
from protocols.rules.outcome import outcome
from protocols.rules.points import best_move_victim
from protocols.rules.regulation import Regulation
from protocols.rules.state import Ballot, Day, GameState
from protocols.rules.terms import RESTART, SEATS, HowLeft, Result, Role

from .mafiaratings import ROLES, WINNERS
from .telling import Account, account_of, round_of

ROLE_NAMES: dict[Role, str] = {role: name for name, role in ROLES.items() if role != Role.RED}  # a red one has none
WINNER_NAMES: dict[Result, str] = {result: name for name, result in WINNERS.items()}
LEAVING = "6.7.1"  # the clause of leaving the table, which the file calls giving up

Fields = dict[str, Any]


class Unwritable(Exception):
    """The game can't stand in such a file. Codes: results_only, not_over, roles_unknown."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Source:
    """A game's record, and what is known beside it; times are unix seconds.

    `facts` and `forms` are those kept at the import of such a file; without `facts` the game was not imported.
    """

    entries: Sequence[e.Entry]
    regulation: Regulation
    nicknames: Mapping[int, str]  # of whoever sits there
    started: int | None = None
    ended: int | None = None
    facts: Fields | None = None
    forms: Mapping[str, Mapping[str, Fields]] = field(default_factory=dict)


def written(source: Source, state: GameState) -> Fields:
    """The file's JSON. Raises `Unwritable`."""
    account = account_of_game(source, state)
    facts = dict(source.facts or {})
    rest = facts.pop("players", {})
    data = {**facts, **_times(source), **_winner(state)}
    if source.facts is None:
        data["features"] = _features(account)
    data["players"] = [
        {**_rest(rest, account, seat), **_as_written(source, seat, fields)}
        for seat, fields in players_of(source, account).items()
    ]
    return data


def account_of_game(source: Source, state: GameState) -> Account:
    """The game's account, for a game that can stand in such a file. Raises `Unwritable`."""
    if state.results_only:
        raise Unwritable("results_only")
    if outcome(state) is None:
        raise Unwritable("not_over")
    if not state.roles_known:
        raise Unwritable("roles_unknown")
    return account_of(source.entries, source.regulation)


def players_of(source: Source, account: Account) -> dict[int, Fields]:
    """Each seat's fields that follow from the record."""
    return {seat: _player(source, account, seat) for seat in SEATS}


# ---------------------------------------------------------------- the game


def _times(source: Source) -> Fields:
    """Beginning and end: the file's own, but for an end that was corrected since."""
    if source.facts is None:
        found = {"startTime": source.started, "endTime": source.ended}
        return {name: time for name, time in found.items() if time is not None}
    was = source.facts.get("endTime")
    return {"endTime": source.ended} if was is not None and source.ended not in (None, was) else {}


def _winner(state: GameState) -> Fields:
    end = outcome(state)
    return {"winner": WINNER_NAMES[end.result]} if end and end.result in WINNER_NAMES else {}


def _features(account: Account) -> str:
    state = account.state
    has = dict.fromkeys("gsdutclwr", True)
    has["h"] = not shots_unknown(account)
    has["v"] = not any(votes_unknown(account, day) for day in state.days.values())
    has["k"] = has["v"] and any(answers is not None for answers in account.raising.values())
    has["n"] = all(by is not None for day in state.days.values() for by, _ in day.nominations)
    return "".join(letter for letter in "gsdutclhvknwr" if has[letter])


# ---------------------------------------------------------------- a player


def _rest(rest: Mapping[str, Fields], account: Account, seat: int) -> Fields:
    """What the record can't hold, as the file had it; a person's id goes with the person into another chair."""
    kept = {name: item for name, item in rest.get(str(seat), {}).items() if name != "id"}
    owner = rest.get(str(account.state.chairs[seat]), {})
    return {"id": owner["id"], **kept} if "id" in owner else kept


def _as_written(source: Source, seat: int, fields: Fields) -> Fields:
    """The fields, written the way the file wrote them where they still say the same (see `forms`)."""
    found = dict(fields)
    for name, form in source.forms.get(str(seat), {}).items():
        if ("ours" in form) == (name in fields) and form.get("ours") == fields.get(name):
            found.pop(name, None)
            if "file" in form:
                found[name] = form["file"]
    return found


def _player(source: Source, account: Account, seat: int) -> Fields:
    state = account.state
    fouls = [told.time for told in account.fouls if told.foul in state.seats[seat].fouls]
    move = state.best_move
    victim = best_move_victim(state)
    fields: dict[str, Any] = {
        "name": source.nicknames.get(seat),
        "role": ROLE_NAMES.get(state.seats[seat].role or Role.RED),
        "death": _death(account, seat),
        "warnings": fouls or None,
        "don": _checked(account, Role.DON, seat),
        "sheriff": _checked(account, Role.SHERIFF, seat),
        "legacy": list(move.seats) if move and move.seats and seat == victim else None,
        "nominating": _nominating(state, seat) or None,
        "voting": _voting(account, seat) or None,
        "shooting": _shooting(account, seat) or None,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _checked(account: Account, by: Role, seat: int) -> int | None:
    """The night of that role's first check of the seat; the file has room for one."""
    return next((night for role, night, target in account.checks if (role, target) == (by, seat)), None)


def _death(account: Account, seat: int) -> Fields | None:
    player = account.state.seats[seat]
    left = player.left
    if left and left.how in (HowLeft.VOTED, HowLeft.RAISED):
        return {"round": round_of(left.moment), "type": "day"}
    if left and left.how == HowLeft.SHOT:
        return {"round": left.moment.day, "type": "night"}
    removed = left or player.removed
    if removed:
        foul = player.fouls[-1] if removed.how == HowLeft.FOULS else player.disqualified
        kind = "warnings" if removed.how == HowLeft.FOULS else "kickOut"
        if foul and account.state.clause_of(foul) == LEAVING:
            kind = "giveUp"
        told = account.of(foul.revision) if foul else None
        round_ = round_of(left.moment) if left else account.last_round
        return {"round": round_, "type": kind, **({"time": told.time} if told else {})}
    end = account.state.derived
    defeat = account.of(end.by) if end and end.reason == "team_defeat" and end.seat == seat else None
    return {"round": account.last_round, "type": "teamKickOut", "time": defeat.time} if defeat else None


def _nominating(state: GameState, seat: int) -> list[int | None]:
    """By round, whom the seat nominated."""
    found: list[int | None] = []
    for number in sorted(state.days):
        target = next((target for by, target in state.days[number].nominations if by == seat), None)
        if target is not None:
            found += [None] * (number - 1 - len(found))
            found.append(target)
    return found


# ---------------------------------------------------------------- votes


def _voting(account: Account, seat: int) -> list[Any]:
    """By round, whom the seat voted for: null, a seat, or a list of ballots with the answer on raising all.

    A day on which nobody is voted on because one alone was nominated stands there as null.
    """
    found: list[Any] = []
    for number, day in sorted(account.state.days.items()):
        if day.decision is None:
            votes, there = None, _saw_no_vote(account.state, day, seat)
        else:
            there = seat in _at_ballot(account, day, 0)
            votes = _votes(account, day, seat) if there else None
        if there:
            found += [None] * (number - 1 - len(found))
            found.append(votes)
    return found


def _saw_no_vote(state: GameState, day: Day, seat: int) -> bool:
    """Whether the seat was at the table when day 1 went by without a vote, one player alone being nominated."""
    passed = day.number == 1 and day.number in state.nights and day.cancelled is None and len(day.nominations) == 1
    left = state.seats[seat].left
    return passed and (left is None or left.moment.day >= day.number)


def _votes(account: Account, day: Day, seat: int) -> Any:
    by_ballot = [voters_of(account, day, index) for index in range(len(day.ballots))]
    votes: list[Any] = [
        next((target for target, voters in tallies.items() if voters and seat in voters), None) for tallies in by_ballot
    ]
    answers = account.raising.get(day.number) if day.raise_all else None
    if len(votes) == 1:
        return votes[0]
    return [*votes, seat in answers] if answers is not None else votes


def _at_ballot(account: Account, day: Day, index: int) -> list[int]:
    return account.voters.get((day.number, RESTART * day.restarts + index), [])


def voters_of(account: Account, day: Day, index: int) -> dict[int, tuple[int, ...] | None]:
    """Candidate → who voted so, where it is written or follows; None where it does not."""
    ballot, there = day.ballots[index], _at_ballot(account, day, index)
    known = {target: _named(ballot, target) for target in ballot.candidates}
    open_ = [target for target, voters in known.items() if voters is None]
    if len(open_) == 1:  # all the others' voters are known, and everybody at the table has one vote
        others = {seat for voters in known.values() for seat in voters or ()}
        known[open_[0]] = tuple(seat for seat in there if seat not in others)
    return known


def _named(ballot: Ballot, target: int) -> tuple[int, ...] | None:
    tally = ballot.tallies.get(target)
    if tally is None:
        return None
    return () if tally.count == 0 else tally.voters if tally.voters and len(tally.voters) == tally.count else None


def votes_unknown(account: Account, day: Day) -> list[int]:
    """The ballots of a decided vote, by index, of which only the figures are known."""
    if day.decision is None:
        return []
    return [n for n in range(len(day.ballots)) if None in voters_of(account, day, n).values()]


# ---------------------------------------------------------------- shots


def _shooting(account: Account, seat: int) -> list[int | None]:
    """By night from the first, whom the seat shot; null for a night in which it is not known."""
    found: list[int | None] = []
    for number, shooters in sorted(account.shooters.items()):
        if seat in shooters:
            found += [None] * (number - 1 - len(found))
            found.append(shots_of(account, number).get(seat))
    return found


def shots_of(account: Account, number: int) -> dict[int, int]:
    """Shooter → seat, as written; what hit, or went to an empty chair, was aimed at by all blacks alike (RULES §4)."""
    shot = account.state.nights[number].shot
    if shot is None:
        return {}
    if shot.shots or shot.target is None:
        return dict(shot.shots)
    return dict.fromkeys(account.shooters[number], shot.target)


def shots_unknown(account: Account) -> list[int]:
    """The nights of whose shots not all are known."""
    return [n for n, shooters in sorted(account.shooters.items()) if set(shots_of(account, n)) != set(shooters)]
