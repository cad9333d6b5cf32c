"""What a case expects, as sentences: each reads the state and says what it finds where that differs."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal

from protocols.rules.agenda import Step, next_steps
from protocols.rules.outcome import Problem, open_contradictions, outcome, problems
from protocols.rules.refusal import Refusal
from protocols.rules.refusals import refuse
from protocols.rules.situations import answer_of, cancellation_of, is_silenced
from protocols.rules.terms import SEATS, HowLeft, Role
from protocols.rules.voting import current_ballot, remaining

from .actions import entries_of, numbers
from .protests import is_about_protest, write_protest
from .script import Unreadable
from .table import Table

Expectation = Callable[..., None]
EXPECTATIONS: list[tuple[re.Pattern[str], Expectation]] = []
CLAUSE = r"(?: \(([^)]+)\))?"


class Differs(AssertionError):
    """The game stands otherwise than the case says."""


def expects(sentence: str) -> Callable[[Expectation], Expectation]:
    """Reads that sentence as this expectation."""

    def register(function: Expectation) -> Expectation:
        EXPECTATIONS.append((re.compile(sentence), function))
        return function

    return register


def check(text: str, table: Table) -> None:
    """Holds the sentence against the table. Raises Differs or Unreadable."""
    for pattern, function in EXPECTATIONS:
        found = pattern.fullmatch(text)
        if found:
            function(table, *found.groups())
            return
    raise Unreadable(f"no expectation reads «{text}»")


def same(found: object, expected: object, what: str = "it") -> None:
    """Raises Differs unless both are equal."""
    if found != expected:
        raise Differs(f"{what} is {found!r}, not {expected!r}")


def code_of(words: str) -> str:
    """A code as it stands in the core, from its words: «vote cancelled»."""
    return words.strip().replace(" ", "_")


# ---------------------------------------------------------------- who is at the table


@expects(r"left ((?:\d+ ?)+?)(?: (voted|raised|shot|fouls|disqualified))?" + CLAUSE)
def _left(table: Table, seats: str, how: str | None, clause: str | None) -> None:
    for seat in numbers(seats):
        left = table.state.seats[seat].left
        if left is None:
            raise Differs(f"{seat} is at the table")
        if how:
            same(left.how, HowLeft(how), f"how {seat} left")
        if clause:
            same(left.clause, clause, "the clause")


@expects(r"(\d+(?: \d+)*) at the table|(\d+) living|nobody left")
def _at_the_table(table: Table, seats: str | None, count: str | None) -> None:
    if count:
        same(len(table.state.living), int(count), "the number of the living")
    else:
        same(table.state.living, list(numbers(seats)) if seats else list(SEATS), "who is at the table")


@expects(r"(not )?removed (\d+)(?: in (day|night) (\d+))?" + CLAUSE)
def _removed(table: Table, no: str | None, seat: str, part: str | None, number: str | None, clause: str | None) -> None:
    removed = table.state.seats[int(seat)].removed
    same(removed is not None, no is None, f"that {seat} is removed")
    if removed and part:
        same((removed.moment.is_night, removed.moment.day), (part == "night", int(number or 0)), "when")
    if removed and clause:
        same(removed.clause, clause, "the clause")


@expects(r"(not )?out of the tournament (\d+)")
def _out(table: Table, no: str | None, seat: str) -> None:
    same(table.state.seats[int(seat)].from_tournament, no is None, "out of the tournament")


@expects(r"fouls (\d+)=(\d)(?: \(([\d., ?]+)\))?|warnings (\d+)=(\d)")
def _fouls(table: Table, seat: str | None, count: str, clauses: str | None, warned: str | None, times: str) -> None:
    if seat is None:
        same(len(table.state.seats[int(warned or 0)].warnings), int(times), "the number of warnings")
        return
    fouls = table.state.seats[int(seat)].fouls
    same(len(fouls), int(count), "the number of fouls")
    if clauses:
        same(", ".join(table.state.clause_of(foul) or "?" for foul in fouls), clauses, "their clauses")


@expects(r"(not )?silenced (\d+)")
def _silenced(table: Table, no: str | None, seat: str) -> None:
    same(is_silenced(table.state, int(seat)), no is None, f"that {seat} is silenced")


@expects(r"chair (\d+)=(\d+)")
def _chair(table: Table, seat: str, original: str) -> None:
    same(table.state.chairs[int(seat)], int(original), "whose name stands there")


# ---------------------------------------------------------------- what may be written


@expects(r"refuse (.+?)(?: as ([a-z ]+?))?(?: \{([^}]+)\})?" + CLAUSE)
def _refuse(table: Table, text: str, code: str | None, figures: str | None, clause: str | None) -> None:
    refusal = tried(table, text)
    if refusal is None:
        raise Differs("it is allowed")
    if code:
        same(refusal.code, code_of(code), "the refusal")
    if clause:
        same(refusal.clause, clause, "the clause")
    for figure in figures.split(", ") if figures else ():
        name, _, value = figure.partition("=")
        same(plain(refusal.params.get(name)), value, name)


@expects(r"allow (.+)")
def _allow(table: Table, text: str) -> None:
    refusal = tried(table, text)
    if refusal is not None:
        raise Differs(f"it is refused: {refusal.code} ({refusal.clause})")


def tried(table: Table, text: str) -> Refusal | None:
    """Why the last entry of that action may not be written; the ones before it must be."""
    other = table.copy()
    if is_about_protest(text):
        return write_protest(text, other)
    if text.startswith("now "):  # as a control on the board asks, whatever the moment
        (entry,) = entries_of(text.removeprefix("now "), other)
        refusal = refuse(other.state, entry)
        table.seen |= {refusal.code} if refusal else set()
        return refusal
    refusal = None
    for entry in entries_of(text, other):
        if refusal is not None:
            raise Differs(f"it is refused before its end: {refusal.code}")
        refusal = other.write(entry)
    return refusal


def plain(value: object) -> str:
    """A parameter of a refusal, a notice or a problem as a case writes it."""
    if isinstance(value, tuple | list):
        return " ".join(plain(item) for item in value)
    if isinstance(value, Decimal):
        return format(value.normalize(), "f")
    return str(value)


@expects(r"next ([a-z_ ]+?)(?: (\d+))?( silent| 30 seconds| 60 seconds)?(?: (?:left|needs) (\d+))?( filled in)?")
def _next(table: Table, *parts: str | None) -> None:
    _is_step(next_steps(table.state)[:1], *parts)


@expects(r"may come ([a-z_ ]+?)(?: (\d+))?( silent| 30 seconds| 60 seconds)?(?: (?:left|needs) (\d+))?( filled in)?")
def _may(table: Table, *parts: str | None) -> None:
    _is_step(next_steps(table.state), *parts)


def _is_step(
    steps: list[Step], code: str | None, seat: str | None, how: str | None, count: str | None, filled: str | None
) -> None:
    """One of the steps is that one; for `seconds` and figures only what is said is compared."""
    for step in steps:
        if (
            step.code != code_of(code or "")
            or (seat and step.seat != int(seat))
            or (count and step.count != int(count))
        ):
            continue
        if filled and not step.is_last:
            continue
        if how and (how.strip() == "silent") != step.silent:
            continue
        if how and how.strip() != "silent" and step.seconds != int(how.split()[0]):
            continue
        return
    raise Differs("next " + ", ".join(f"{s.code} {s.seat or ''} {s.seconds}s {s.count}".strip() for s in steps))


@expects(r"answer (don|sheriff) (\d+) (yes|no|unknown)")
def _answer(table: Table, by: str, seat: str, answer: str) -> None:
    found = answer_of(table.state, Role(by), int(seat))
    same({True: "yes", False: "no", None: "unknown"}[found], answer, "the answer")


# ---------------------------------------------------------------- the vote


@expects(r"(no )?vote on day (\d+)" + CLAUSE)
def _vote_on(table: Table, no: str | None, number: str, clause: str | None) -> None:
    why = cancellation_of(table.state, int(number))
    same(why is not None, no is not None, f"that the vote of day {number} is cancelled")
    if why and clause:
        same(why.clause, clause, "the clause")


@expects(r"ballot ((?:\d+ ?)+?)(?: of (\d+))?")
def _ballot(table: Table, candidates: str, votes: str | None) -> None:
    day = table.state.day
    current = current_ballot(table.state, day) if day else None
    if current is None:
        raise Differs("there is no ballot now")
    same(current[1].candidates, numbers(candidates), "the ballot")
    if votes:
        same(remaining(current[1]), int(votes), "the votes left")


@expects(r"voters of (\d+) are ((?:\d+ ?)+)")
def _voters(table: Table, seat: str, voters: str) -> None:
    day = table.state.day
    tallies = [ballot.tallies[int(seat)] for ballot in day.ballots if int(seat) in ballot.tallies] if day else []
    same(tallies[-1].voters if tallies else None, numbers(voters), "who voted")


@expects(r"decided (nobody|(?:\d+ ?)+?)(?: on day (\d+))?" + CLAUSE)
def _decided(table: Table, seats: str, number: str | None, clause: str | None) -> None:
    day = table.state.days[int(number) if number else table.state.moment.day]
    if day.decision is None:
        raise Differs("the vote is not decided")
    same(day.decision.leavers, () if seats == "nobody" else numbers(seats), "who leaves")
    if clause:
        same(day.decision.clause, clause, "the clause")


@expects(r"undecided")
def _undecided(table: Table) -> None:
    day = table.state.day
    same(day.decision if day else None, None, "the decision")


# ---------------------------------------------------------------- the end


@expects(r"winner (red|black|draw|annulled|replay)(?: by ([a-z ]+))?" + CLAUSE)
def _winner(table: Table, result: str, reason: str | None, clause: str | None) -> None:
    end = outcome(table.state)
    if end is None:
        raise Differs("the game goes on")
    same(end.result.value, result, "the result")
    if reason:
        same(end.reason, code_of(reason), "the reason")
    if clause:
        same(end.clause, clause, "the clause")


@expects(r"the game goes on")
def _goes_on(table: Table) -> None:
    end = outcome(table.state)
    if end is not None:
        raise Differs(f"it is over: {end.result.value} ({end.clause})")


@expects(r"(no )?contradictions?(?: ([a-z ]+?))?(?: \{([^}]+)\})?" + CLAUSE)
def _contradiction(table: Table, no: str | None, code: str | None, figures: str | None, clause: str | None) -> None:
    found = open_contradictions(table.state)
    if no:
        same([c.code for c in found if code is None or c.code == code_of(code)], [], "the contradictions")
        return
    one = next((c for c in found if c.code == code_of(code or "")), None)
    if one is None:
        raise Differs(f"the contradictions are {[c.code for c in found]}")
    if clause:
        same(one.clause, clause, "the clause")
    for figure in figures.split(", ") if figures else ():
        name, _, value = figure.partition("=")
        same(plain(one.params.get(name)), value, name)


@expects(r"(may be signed|problem ([a-z ]+?)" + CLAUSE + ")")
def _problem(table: Table, all_: str, code: str | None, clause: str | None) -> None:
    found: list[Problem] = problems(table.state)
    if code is None:
        same([problem.code for problem in found], [], "what blocks signing")
        return
    clauses = [problem.clause for problem in found if problem.code == code_of(code)]
    if not clauses:
        raise Differs(f"the problems are {[problem.code for problem in found]}")
    if clause:
        same(clauses[0], clause, "the clause")


@expects(r"falls ([a-z_]+)(?: as ([a-z ]+?))?" + CLAUSE)
def _falls(table: Table, kind: str, code: str | None, clause: str | None) -> None:
    found = [why for entry, why in table.state.set_aside if entry.kind == kind]
    if not found:
        raise Differs(f"what falls is {[entry.kind for entry, _ in table.state.set_aside]}")
    if code:
        same(found[-1].code, code_of(code), "the refusal")
    if clause:
        same(found[-1].clause, clause, "the clause")


@expects(r"(never )?tells ([a-z0-9 ]+?)(?: (\d+))?(?: on day (\d+))?" + CLAUSE)
def _tells(table: Table, no: str | None, code: str, seat: str | None, day: str | None, clause: str | None) -> None:
    found = [n for n in table.state.notices if n.code == code_of(code)]
    found = [n for n in found if not seat or n.params.get("seat") == int(seat)]
    found = [n for n in found if not day or n.params.get("day") == int(day)]
    if no:
        same([n.code for n in found], [], "what is told")
    elif not found:
        raise Differs(f"what is told is {[n.code for n in table.state.notices]}")
    elif clause:
        same(found[-1].clause, clause, "the clause")
