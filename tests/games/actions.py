"""What a case does, line by line, as entries. Each action is a sentence and a function that writes it at a table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from decimal import Decimal
from enum import StrEnum
from typing import cast

from protocols.rules import entries as e
from protocols.rules.points import thousandths
from protocols.rules.regulation import PRESETS, Regulation
from protocols.rules.state import Day
from protocols.rules.terms import (
    AFTER,
    RESTART,
    ROLE_OF_LETTER,
    SETUP,
    Moment,
    Penalty,
    Phase,
    Result,
    Role,
    RulingAbout,
    Team,
)
from protocols.rules.voting import current_ballot

from .script import Unreadable
from .table import Table

Entries = Iterator[e.Entry]
Action = Callable[..., Entries]
ACTIONS: list[tuple[re.Pattern[str], Action]] = []
CLAUSE = r"(6\.\d(?:\.\d)?)"
TEXT = r'"([^"]*)"'
SEATS = r"(-?\d+(?: -?\d+)*)"
KINDS = {"tied speech": "turn", "speech": "turn", "disqualification": "foul", "end": "game_over"}


def action(sentence: str) -> Callable[[Action], Action]:
    """Reads that sentence as this action."""

    def register(function: Action) -> Action:
        ACTIONS.append((re.compile(sentence), function))
        return function

    return register


def entries_of(text: str, table: Table) -> Entries:
    """The entries of one action, each made when the ones before it are written. Raises Unreadable."""
    placed = re.fullmatch(r"at ([^:]+): (.+)", text)
    if placed:
        moment = moment_of(placed[1])
        for entry in entries_of(placed[2], table):
            yield replace(entry, moment=moment)
        return
    for pattern, function in ACTIONS:
        found = pattern.fullmatch(text)
        if found:
            yield from function(table, *found.groups())
            return
    raise Unreadable(f"no action reads «{text}»")


MOMENTS = {
    "speech": Phase.SPEECHES, "tied": Phase.PRE_REVOTE, "vote": Phase.BALLOT, "raise": Phase.RAISE_ALL,
    "last words": Phase.LAST_WORDS, "morning": Phase.VICTIM_WORDS, "don": Phase.DON, "sheriff": Phase.SHERIFF,
    "best move": Phase.BEST_MOVE, "night": Phase.NIGHT,
}  # fmt: skip


def moment_of(text: str) -> Moment:
    """A moment in words: «day 2», «day 2 speech 3», «day 2 vote 1.2», «night 1 don», «before the game»."""
    if text == "before the game":
        return SETUP
    if text == "after the game":
        return AFTER
    found = re.fullmatch(r"(day|night) (-?\d+)(?: ([a-z ]+?))?(?: (?:(-?\d+)\.)?(-?\d+))?", text)
    if not found or (found[3] and found[3] not in MOMENTS):
        raise Unreadable(f"there is no moment «{text}»")
    usual = Phase.NIGHT if found[1] == "night" else Phase.SPEECHES
    phase = MOMENTS[found[3]] if found[3] else usual
    return Moment(int(found[2]), phase, int(found[4] or 0), int(found[5] or 0))


def numbers(text: str | None) -> tuple[int, ...]:
    """«1 3 5» as numbers."""
    return tuple(int(number) for number in (text or "").split())


def points(text: str) -> int:
    """«0.5» or «0,5» as thousandths."""
    return thousandths(Decimal(text.replace(",", ".")))


# ---------------------------------------------------------------- before the game


def regulation_of(text: str) -> Regulation | None:
    """The edition that the statement sets, if it does."""
    found = re.fullmatch(r"edition ([ABF])", text)
    return PRESETS[found[1]] if found else None


def option_of(text: str, regulation: Regulation) -> Regulation | None:
    """The regulation with the option that the statement sets, if it does: «option withdrawal off»."""
    found = re.fullmatch(r"option (\w+) (.+)", text)
    if not found:
        return None
    name, word = found.groups()
    if name not in {field.name for field in fields(Regulation)}:
        raise Unreadable(f"there is no option «{name}»")
    before = getattr(regulation, name)
    value: object
    if isinstance(before, bool):
        value = {"on": True, "off": False}[word]
    elif isinstance(before, StrEnum):
        value = type(before)(word)
    elif isinstance(before, int):
        value = int(word)
    elif isinstance(before, tuple):  # «3=0.4,2=0.25», a scale of the best move
        value = tuple((int(hits), Decimal(given)) for hits, given in (pair.split("=") for pair in word.split(",")))
    else:
        value = None if word == "none" else Decimal(word)
    return replace(regulation, **{name: value})  # type: ignore[arg-type]


@action(r"roles ([КЧШД ]+)")
def _roles(table: Table, letters: str) -> Entries:
    yield e.Roles(moment=SETUP, roles=tuple(ROLE_OF_LETTER[letter] for letter in letters.split()))


@action(r"chairs (\d+) and (\d+)")
def _chairs(table: Table, one: str, other: str) -> Entries:
    yield e.SeatCorrection(moment=SETUP, seat=int(one), target=int(other))


# ---------------------------------------------------------------- the day


@action(r"day (\d+)")
def _day(table: Table, number: str) -> Entries:
    moment = Moment(int(number), Phase.SPEECHES)
    if moment.key > table.state.moment.key or table.state.moment.day != moment.day:
        yield e.Turn(moment=moment)


@action(r"turn(?: (\d+))?")
def _turn(table: Table, seat: str | None) -> Entries:
    yield e.Turn(moment=table.state.moment, seat=int(seat) if seat else None)


@action(r"speech (-?\d+)")
def _speech(table: Table, seat: str) -> Entries:
    number = _day_to_speak(table)
    day = table.state.days.get(number) or Day(number)
    yield e.Turn(moment=Moment(number, Phase.SPEECHES, 0, len(day.speeches) + 1), seat=int(seat))


def _day_to_speak(table: Table) -> int:
    moment = table.state.moment
    return moment.day + 1 if moment.is_night else moment.day


@action(r"last words (\d+)")
def _last_words(table: Table, seat: str) -> Entries:
    state, number = table.state, int(seat)
    if state.moment.is_night:
        yield e.Turn(moment=Moment(state.moment.day + 1, Phase.VICTIM_WORDS, 0, 1), seat=number)
        return
    decision = state.days[state.moment.day].decision
    leavers = decision.leavers if decision else ()
    step = leavers.index(number) + 1 if number in leavers else 1
    yield e.Turn(moment=Moment(state.moment.day, Phase.LAST_WORDS, 0, step), seat=number)


@action(r"nominate ((?:\d+|\?)>-?\d+(?:, (?:\d+|\?)>-?\d+)*)")
def _nominate(table: Table, pairs: str) -> Entries:
    for pair in pairs.split(", "):
        by, target = pair.split(">")
        moment = table.state.moment
        if moment.phase != Phase.SPEECHES:
            moment = Moment(_day_to_speak(table), Phase.SPEECHES)
        yield e.Nomination(moment=moment, seat=None if by == "?" else int(by), target=int(target))


@action(r"withdraw (\d+)")
def _withdraw(table: Table, seat: str) -> Entries:
    moment = table.state.moment
    if moment.phase != Phase.SPEECHES:
        moment = Moment(_day_to_speak(table), Phase.SPEECHES)
    yield e.Withdrawal(moment=moment, seat=int(seat))


# ---------------------------------------------------------------- discipline


@action(rf"warn (\d+)(?: {CLAUSE})?")
def _warn(table: Table, seat: str, clause: str | None) -> Entries:
    yield e.Foul(moment=table.state.moment, seat=int(seat), penalty=Penalty.WARNING, clause=clause or "")


@action(rf"foul (-?\d+)(?: {CLAUSE})?(?: ×(\d))?")
def _foul(table: Table, seat: str, clause: str | None, times: str | None) -> Entries:
    for _ in range(int(times or 1)):
        yield e.Foul(moment=table.state.moment, seat=int(seat), clause=clause or "")


@action(rf"disqualify (\d+|nobody)(?: {CLAUSE})?( from the tournament)?(?: {TEXT})?")
def _disqualify(table: Table, seat: str, clause: str | None, out: str | None, text: str | None) -> Entries:
    yield e.Foul(
        moment=table.state.moment,
        seat=None if seat == "nobody" else int(seat),
        penalty=Penalty.DISQUALIFYING,
        clause=clause or "",
        from_tournament=out is not None,
        text=text or "",
    )


@action(rf"team defeat(?: (red|black))?(?: {CLAUSE})?(?: by (\d+))?")
def _team_defeat(table: Table, team: str | None, clause: str | None, seat: str | None) -> Entries:
    yield e.Foul(
        moment=table.state.moment,
        seat=int(seat) if seat else None,
        penalty=Penalty.TEAM_DEFEAT,
        clause=clause or "",
        team=Team(team) if team else None,
    )


@action(rf"clause of the (?:foul|warning|disqualification|team defeat)(?: of (\d+))? is {CLAUSE}")
def _clause(table: Table, seat: str | None, clause: str) -> Entries:
    foul = table.last("foul", int(seat) if seat else None)
    yield e.FoulClause(moment=AFTER, of=foul.revision, clause=clause)


@action(rf"clause of entry (\d+) is {CLAUSE}")
def _clause_of_entry(table: Table, revision: str, clause: str) -> Entries:
    yield e.FoulClause(moment=AFTER, of=int(revision), clause=clause)


# ---------------------------------------------------------------- the vote


@action(r"call (?:the )?(?:vote|revote)")
def _call(table: Table) -> Entries:
    number, _ = _ballot(table, 0)
    yield e.Turn(moment=Moment(table.state.moment.day, Phase.BALLOT, number))


@action(r"tied speech (\d+)")
def _tied_speech(table: Table, seat: str) -> Entries:
    number, candidates = _ballot(table, 1)
    step = candidates.index(int(seat)) + 1 if int(seat) in candidates else 1
    yield e.Turn(moment=Moment(table.state.moment.day, Phase.PRE_REVOTE, number, step), seat=int(seat))


@action(r"(vote|revote) (-?\d+=.+)")
def _vote(table: Table, which: str, tallies: str) -> Entries:
    for tally in tallies.split(", "):
        number, candidates = _ballot(table, 1 if which == "revote" else 0)
        if candidates and (number % RESTART > 0) != (which == "revote"):
            raise Unreadable(f"it is not the time of a {which}: ballot {number}")
        head, _, by = tally.partition(" by ")
        target, count = (int(part) for part in head.split("="))
        step = candidates.index(target) + 1 if target in candidates else 1
        moment = Moment(_day_to_vote(table), Phase.BALLOT, number, step)
        if not candidates and table.state.moment.phase == Phase.BALLOT:
            moment = table.state.moment
        voters = None if not by else () if by == "nobody" else numbers(by)
        yield e.Vote(moment=moment, target=target, count=count, voters=voters)


def _day_to_vote(table: Table) -> int:
    return max(1, table.state.moment.day)


def _ballot(table: Table, usual: int) -> tuple[int, tuple[int, ...]]:
    """The ballot under way, or the number it would have."""
    day = table.state.days.get(_day_to_vote(table))
    current = current_ballot(table.state, day) if day else None
    if current:
        return current[0], current[1].candidates
    return (RESTART * day.restarts if day else 0) + usual, ()


@action(r"raise (-?\d+)(?: of (\d+))?(?: by ([\d ]+))?")
def _raise(table: Table, count: str, living: str | None, by: str | None) -> Entries:
    if living and int(living) != len(table.state.living):
        raise Unreadable(f"{len(table.state.living)} are at the table, not {living}")
    yield e.RaiseAll(moment=_question(table), count=int(count), voters=numbers(by) if by else None)


@action(r"(raised|not raised|raise unanswered)(?: by (\d+))?")
def _raised(table: Table, word: str, count: str | None) -> Entries:
    raised = {"raised": True, "not raised": False}.get(word)
    yield e.RaiseAll(moment=_question(table), raised=raised, count=int(count) if count else None)


def _question(table: Table) -> Moment:
    number = _day_to_vote(table)
    day = table.state.days.get(number)
    return Moment(number, Phase.RAISE_ALL, RESTART * day.restarts if day else 0)


# ---------------------------------------------------------------- the night


@action(r"night (\d+)")
def _night(table: Table, number: str) -> Entries:
    if table.state.moment.key < Moment(int(number), Phase.NIGHT).key or int(number) != table.state.moment.day:
        yield e.Turn(moment=Moment(int(number), Phase.NIGHT))


@action(r"(?:shot (\d+)|miss)(?: by ((?:\d+>\d+ ?)+))?")
def _shot(table: Table, seat: str | None, pairs: str | None) -> Entries:
    shots = tuple(cast(tuple[int, int], tuple(int(part) for part in pair.split(">"))) for pair in (pairs or "").split())
    moment = Moment(table.state.moment.day, Phase.NIGHT)
    yield e.Shot(moment=moment, target=int(seat) if seat else None, shots=shots)


@action(r"first (?:victim (\d+)|night missed)")
def _shot_of_results(table: Table, seat: str | None) -> Entries:
    yield e.Shot(moment=Moment(1, Phase.NIGHT), target=int(seat) if seat else None)


@action(r"(don|sheriff) (\d+)")
def _check(table: Table, by: str, target: str) -> Entries:
    phase = Phase.DON if by == "don" else Phase.SHERIFF
    yield e.Check(moment=Moment(table.state.moment.day, phase), by=Role(by), target=int(target))


@action(rf"best {SEATS}")
def _best(table: Table, seats: str) -> Entries:
    yield e.BestMove(moment=_time_of_best_move(table), seats=numbers(seats))


@action(r"best hits (\d+)")
def _best_hits(table: Table, hits: str) -> Entries:
    yield e.BestMove(moment=_time_of_best_move(table), hits=int(hits))


def _time_of_best_move(table: Table) -> Moment:
    return max(Moment(1, Phase.BEST_MOVE), table.state.moment, key=lambda moment: moment.key)


# ---------------------------------------------------------------- the end and after it


@action(rf"extra (\d+) (-?[\d.,]+)(?: {TEXT})?")
def _extra(table: Table, seat: str, amount: str, text: str | None) -> Entries:
    yield e.ExtraPoints(moment=AFTER, seat=int(seat), points=points(amount), text=text or "")


@action(r"mark (\d+) (-?[\d.,]+)")
def _mark(table: Table, seat: str, amount: str) -> Entries:
    yield e.SpeechMark(moment=AFTER, seat=int(seat), points=points(amount))


@action(r"game over (red|black|draw|annulled|replay)(?: \(([^)]+)\))?(?:: (.+))?")
def _game_over(table: Table, result: str, clause: str | None, text: str | None) -> Entries:
    moment = SETUP if table.results_only else table.state.moment
    yield e.GameOver(moment=moment, result=Result(result), clause=clause or "", text=text or "")


RULINGS = {
    "vote held": RulingAbout.VOTE_HELD, "vote cancelled": RulingAbout.VOTE_CANCELLED, "stands": RulingAbout.STANDS,
    "result": RulingAbout.RESULT,
}  # fmt: skip


@action(r"ruling (vote held|vote cancelled|stands|result)(?: (red|black|draw|annulled|replay))?(?:: (.+))?")
def _ruling(table: Table, about: str, result: str | None, text: str | None) -> Entries:
    yield e.Ruling(
        moment=table.state.moment,
        about=RULINGS[about],
        text=text or "",
        result=Result(result) if result else None,
    )


@action(r"strike the last ([a-z ]+?)(?: (?:of|for) (\d+))?")
def _strike(table: Table, kind: str, seat: str | None) -> Entries:
    if kind == "entry":
        yield e.Strike(moment=table.state.moment, of=len(table.entries))
        return
    name = KINDS.get(kind, kind.replace(" ", "_"))
    yield e.Strike(moment=table.state.moment, of=table.last(name, int(seat) if seat else None).revision)


@action(r"strike entry (-?\d+)")
def _strike_entry(table: Table, revision: str) -> Entries:
    yield e.Strike(moment=table.state.moment, of=int(revision))
