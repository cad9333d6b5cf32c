"""A game step by step: the entries that stand, in the order of play, and what the rules did at each.

Pure: from the entries to the steps; the words are made elsewhere.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from .rules import entries as e
from .rules.fold import new_game, standing, struck_revisions, walk
from .rules.outcome import outcome
from .rules.refusal import Refusal
from .rules.regulation import Regulation
from .rules.state import Contradiction, GameState, Notice, Outcome
from .rules.terms import Moment, Phase


class Part(NamedTuple):
    """A part of the game that is told together: before it, night 0, day 1, night 1 … and after it."""

    day: int
    kind: str  # before, day, night, after


@dataclass(frozen=True, slots=True)
class Step:
    """One entry that stands, as it was played, with what followed from it there and then."""

    number: int  # its place in the order of play, from 1
    entry: e.Entry
    notices: tuple[Notice, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    refusal: Refusal | None = None  # why it is set aside
    outcome: Outcome | None = None  # the end of the game, at the step that brought it or changed it
    is_late: bool = False  # written after the game had gone on

    @property
    def part(self) -> Part:
        """The part of the game that it belongs to."""
        return part_of(self.entry.moment)


@dataclass(frozen=True, slots=True)
class Struck:
    """An entry struck out, at its place in the game: behind the step `after`, 0 for before the first."""

    entry: e.Entry
    strike: e.Strike
    after: int


@dataclass(frozen=True, slots=True)
class Course:
    """A whole game as steps. `state` is the table after step `at`, `end` after the last."""

    steps: tuple[Step, ...]
    struck: tuple[Struck, ...]
    at: int
    state: GameState
    end: GameState

    @property
    def step(self) -> Step | None:
        """The step that `state` follows; None before the first."""
        return self.steps[self.at - 1] if self.at else None


def course_of(
    entries: Iterable[e.Entry], regulation: Regulation, *, results_only: bool = False, at: int | None = None
) -> Course:
    """The game as steps, and the table as it stood after step `at`: 0 is before the first, None after the last.

    The state after a step is what a replay of the entries so far gives, save for what was not known at the table
    when the game went on: a consequence noticed later comes at the step where it was noticed (RULES §5).
    """
    written = list(entries)
    state = new_game(regulation, results_only=results_only)
    late, seen = _late_revisions(written), state.copy()
    steps: list[Step] = []
    told = contradicted = 0
    end: Outcome | None = None
    for entry in walk(written, state):
        now = outcome(state)
        last = state.set_aside[-1] if state.set_aside else None
        steps.append(
            Step(
                number=len(steps) + 1,
                entry=entry,
                notices=tuple(state.notices[told:]),
                contradictions=tuple(state.contradictions[contradicted:]),
                refusal=last[1] if last and last[0] is entry else None,
                outcome=now if _differs(now, end) else None,
                is_late=entry.revision in late,
            )
        )
        told, contradicted, end = len(state.notices), len(state.contradictions), now
        state.revision = max(state.revision, entry.revision)
        if len(steps) == at:
            seen = state.copy()
    if at is None or at >= len(steps):
        at, seen = len(steps), state
    return Course(tuple(steps), tuple(_struck(written, [step.entry for step in steps])), at, seen, state)


def part_of(moment: Moment) -> Part:
    """The part of the game that a moment lies in.

    >>> part_of(Moment(2, Phase.VICTIM_WORDS)), part_of(Moment(0, Phase.NIGHT))
    (Part(day=2, kind='day'), Part(day=0, kind='night'))
    """
    if moment.phase == Phase.SETUP:
        return Part(0, "before")
    if moment.phase == Phase.AFTER:
        return Part(0, "after")
    return Part(moment.day, "night" if moment.is_night else "day")


def seen_at_the_table(entries: Iterable[e.Entry], course: Course) -> list[e.Entry]:
    """What everybody at the table has seen and heard, for whoever plays there and must not know more (RULES §9)."""
    return public_entries(entries, {step.entry.revision for step in course.steps if step.refusal})


def public_entries(entries: Iterable[e.Entry], fallen: Collection[int]) -> list[e.Entry]:
    """The entries that everybody in the hall may know of before the end, in the order of play (RULES §9).

    No roles, no checks and nothing that shows whether they were made, not who shot at whom, no points; nothing
    struck out or set aside (the revisions in `fallen`), for why it was may tell a role; no words of a ruling.
    """
    shown = []
    for entry in standing(entries):
        if entry.revision in fallen or isinstance(entry, e.Roles | e.Check | e.ExtraPoints | e.SpeechMark):
            continue
        moment = entry.moment
        if moment.phase in (Phase.DON, Phase.SHERIFF):
            entry = replace(entry, moment=moment._replace(phase=Phase.NIGHT))
        if isinstance(entry, e.Shot):
            entry = replace(entry, shots=())
        elif isinstance(entry, e.Ruling):
            entry = replace(entry, text="…")
        shown.append(entry)
    return shown


_BESIDE_PLAY = (e.Roles, e.SeatCorrection, e.ExtraPoints, e.SpeechMark, e.FoulClause, e.Strike)


def _late_revisions(written: Sequence[e.Entry]) -> set[int]:
    """The entries written when the game had already come to a later moment, struck ones of that time left aside."""
    struck = struck_revisions(written)
    reached: dict[int, tuple[int, int, int, int, int]] = {}
    late, furthest = set(), Moment().key
    for entry in sorted(written, key=lambda entry: entry.revision):
        if isinstance(entry, e.Strike):
            if struck.get(entry.of) == entry.revision and reached.pop(entry.of, None) == furthest:
                furthest = max(reached.values(), default=Moment().key)
        elif not isinstance(entry, _BESIDE_PLAY):
            if entry.moment.key < furthest:
                late.add(entry.revision)
            reached[entry.revision] = entry.moment.key
            furthest = max(furthest, entry.moment.key)
    return late


def _struck(written: Sequence[e.Entry], order: Sequence[e.Entry]) -> list[Struck]:
    """The entries struck out, each where it would stand; a clause that went with its foul is not told apart."""
    strikes = {entry.revision: entry for entry in written if isinstance(entry, e.Strike)}
    struck = struck_revisions(written)
    places = [entry.order for entry in order]
    found = [
        Struck(entry, strikes[struck[entry.revision]], bisect_left(places, entry.order))
        for entry in sorted(written, key=lambda entry: entry.order)
        if entry.revision in struck and not isinstance(entry, e.Strike)
    ]
    return [each for each in found if each.strike.of == each.entry.revision]


def _differs(now: Outcome | None, before: Outcome | None) -> bool:
    """Whether the end of the game has come, or is another one; a clause named later makes none."""
    if now is None or before is None:
        return now is not before
    return (now.result, now.reason, now.moment) != (before.result, before.reason, before.moment)
