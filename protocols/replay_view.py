"""One step of a game as the page shows it: the table as it stood, the entry in words, and the rules that fired."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from django.utils import timezone
from django.utils.translation import gettext as _

from .board.rows import Row, rows_of
from .board.votes import VoteBlock, votes_of
from .replaying import Course, Part, Step, Struck, part_of
from .rules.refusal import Refusal
from .rules.state import Contradiction, GameState, Notice, Outcome
from .rules.terms import Phase
from .selectors import Record
from .wording import entry_words, moment_words, notice_words, outcome_words, refusal_words
from .wording.course import clause_of_step, course_words, disagreement_words, part_words


@dataclass(frozen=True, slots=True)
class Place:
    """One of the ten: the row, and the votes for the player in the ballot that is under way or just over."""

    row: Row
    votes: str = ""
    is_waiting: bool = False  # on the ballot, not counted yet


@dataclass(frozen=True, slots=True)
class Fired:
    """A rule that fired, what it did, and its clause."""

    words: str
    clause: str
    kind: str = "notice"  # notice, end, refusal, disagreement


@dataclass(frozen=True, slots=True)
class Jump:
    """A part of the game and the step that it begins with."""

    words: str
    step: int
    is_now: bool


@dataclass(frozen=True, slots=True)
class Move:
    """One of the buttons that step through the game."""

    name: str
    words: str
    step: int
    is_open: bool
    is_far: bool = False  # to the start or the end; the script counts single steps itself


@dataclass(frozen=True, slots=True)
class Line:
    """An entry in the list of its part; one struck out has no step of its own."""

    words: str
    step: int = 0
    is_now: bool = False
    is_late: bool = False
    is_set_aside: bool = False
    struck: str = ""  # who struck it, when and why


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything the page shows of one step."""

    at: int
    last: int
    where: str
    is_night: bool
    words: str
    clause: str
    fired: tuple[Fired, ...]
    late: str  # who wrote it and when, where that was later than it happened
    places: tuple[Place, ...]
    votes: tuple[VoteBlock, ...]
    jumps: tuple[Jump, ...]
    part: str
    lines: tuple[Line, ...]

    @property
    def moves(self) -> tuple[Move, ...]:
        """The four buttons, in their order; each keeps its place where it leads nowhere."""
        back, on = self.at > 0, self.at < self.last
        return (
            Move("start", _("To the start"), 0, back, True),
            Move("back", _("One step back"), self.at - 1, back),
            Move("on", _("One step forward"), self.at + 1, on),
            Move("end", _("To the end"), self.last, on, True),
        )


def scene_of(course: Course, record: Record, authors: Mapping[int, str], *, roles: bool) -> Scene:
    """The step that the course stands at. `authors` are the names of those who wrote; `roles`: whether they show."""
    names, step = record.names, course.step
    part = _part_now(course)
    return Scene(
        at=course.at,
        last=len(course.steps),
        where=moment_words(step.entry.moment) if step else _("Before the game"),
        is_night=part.kind == "night",
        words=_words(course, names),
        clause=clause_of_step(step, course.end) if step else "",
        fired=_fired(step, names) if step else (),
        late=_written(record, authors, step.entry.revision) if step and step.is_late else "",
        places=_places(course.state, names, roles=roles),
        votes=tuple(votes_of(course.state, names)),
        jumps=_jumps(course, part),
        part=part_words(part),
        lines=_lines(course, part, record, authors),
    )


def _words(course: Course, names: dict[int, str]) -> str:
    if course.step:
        return course_words(course.step, course.end, names)
    return _("Before the first entry") if course.steps else _("Nothing is written yet.")


def _part_now(course: Course) -> Part:
    step = course.step or next(iter(course.steps), None)
    return step.part if step else Part(0, "before")


def _written(record: Record, authors: Mapping[int, str], revision: int) -> str:
    """When an entry was written and by whom: «21:14:05, Соколова»."""
    row = record.rows[revision - 1]
    time = timezone.localtime(row.recorded_at).strftime("%H:%M:%S")
    return ", ".join(part for part in (time, authors.get(row.author_id, "")) if part)


# ---------------------------------------------------------------- what the rules did


def _fired(step: Step, names: dict[int, str]) -> tuple[Fired, ...]:
    found = []
    if step.refusal:
        why = refusal_words(_bare(step.refusal), names)
        found.append(Fired(_("Does not stand. %(why)s") % {"why": why}, step.refusal.clause, "refusal"))
    found += [Fired(notice_words(_bare(notice), names), notice.clause) for notice in step.notices]
    found += [
        Fired(disagreement_words(_bare(each), names), each.clause, "disagreement") for each in step.contradictions
    ]
    if step.outcome:
        found.append(Fired(outcome_words(_bare(step.outcome)), step.outcome.clause, "end"))
    return tuple(found)


Cited = TypeVar("Cited", Refusal, Notice, Contradiction, Outcome)


def _bare(cited: Cited) -> Cited:
    """The same without its clause, which stands beside the words as a link."""
    return replace(cited, clause="")


# ---------------------------------------------------------------- the table as it stood

_VOTING = (Phase.PRE_REVOTE, Phase.BALLOT, Phase.RAISE_ALL)


def _places(state: GameState, names: dict[int, str], *, roles: bool) -> tuple[Place, ...]:
    day = state.day
    ballot = day.ballots[-1] if day and day.ballots and state.moment.phase in _VOTING else None
    rows = rows_of(state, names, roles=roles, writes=False)
    if ballot is None:
        return tuple(Place(row) for row in rows)
    tallies = {seat: str(tally.count) for seat, tally in ballot.tallies.items()}
    waiting = set(ballot.candidates) - set(tallies)
    return tuple(Place(row, tallies.get(row.seat, ""), row.seat in waiting) for row in rows)


# ---------------------------------------------------------------- the way through the game


def _jumps(course: Course, now: Part) -> tuple[Jump, ...]:
    first: dict[Part, int] = {}
    for step in course.steps:
        first.setdefault(step.part, step.number)
    return tuple(Jump(part_words(part), number, part == now) for part, number in first.items())


def _lines(course: Course, part: Part, record: Record, authors: Mapping[int, str]) -> tuple[Line, ...]:
    """The entries of that part in the order of play, those struck out at their places."""
    names, found = record.names, list[tuple[tuple[int, int], Line]]()
    for step in course.steps:
        if step.part == part:
            words = course_words(step, course.end, names)
            line = Line(words, step.number, step.number == course.at, step.is_late, step.refusal is not None)
            found.append(((step.number, 0), line))
    for place, each in enumerate(course.struck, start=1):
        if part_of(each.entry.moment) == part:
            line = Line(entry_words(each.entry, names), struck=_struck_words(each, record, authors))
            found.append(((each.after, place), line))
    return tuple(line for _place, line in sorted(found, key=lambda item: item[0]))


def _struck_words(struck: Struck, record: Record, authors: Mapping[int, str]) -> str:
    written = _written(record, authors, struck.strike.revision)
    words = _("struck out %(written)s") % {"written": written}
    return f"{words}: {struck.strike.text}" if struck.strike.text else words
