"""What looks wrong in a record and yet may be right: told before the signature, and no bar to it (RULES §2–§8).

Speaking out of order, a second unchanged day, a late protest, a table or a game number that a round has twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from . import entries as e
from .course import Course, problem_of
from .outcome import Problem, outcome
from .protests import late_by, minutes_of
from .regulation import Regulation, Stalemate
from .state import GameState
from .terms import SEATS, Moment, Phase

STALEMATES = ("three_days", "three_nights", "three_misses")


def cautions(entries: Iterable[e.Entry], state: GameState) -> list[Problem]:
    """What in the course of the game looks wrong; nothing where only results are kept."""
    if state.results_only:
        return []
    course = Course(entries, state)
    return [*_speaking_order(course), *_words_in_order(course), *_unchanged(state)]


# ---------------------------------------------------------------- the order of speaking


def _speaking_order(course: Course) -> Iterator[Problem]:
    """Speakers follow each other in seat order from the opener; each has one minute (RULES §2).

    Whoever was passed over is not missed: not every minute is written.
    """
    opener = 0
    for day, turns in sorted(course.days_of(e.Turn).items()):
        spoken = [
            (place, turn.seat)
            for place, turn in turns
            if turn.moment.phase == Phase.SPEECHES and turn.seat is not None and turn.revision not in course.aside
        ]
        if not spoken:
            continue
        living = course.living(spoken[0][0])
        first = _next_of(opener if course.rules.opener_moves else 0, living)
        opener = spoken[0][1]
        reached = 0
        for place, seat in spoken:
            ordinal = (seat - first) % len(SEATS) + 1
            if ordinal <= reached:
                yield course.breach("out_of_turn", "day", course.order[place], day=day, seat=seat)
            reached = max(reached, ordinal)


def _words_in_order(course: Course) -> Iterator[Problem]:
    """The tied before a revote, and those raised together, speak in ballot order (RULES §3)."""
    for entry, _ in course.state.out_of_turn:
        if isinstance(entry, e.Turn) and entry.moment.phase != Phase.SPEECHES:
            yield course.breach("out_of_turn", "voting", entry, day=entry.moment.day, seat=entry.seat)


def _next_of(seat: int, living: list[int]) -> int:
    """The next seat of these after that one; 10 wraps to 1."""
    return min(living, key=lambda other: (other - seat - 1) % len(SEATS), default=1)


# ---------------------------------------------------------------- nobody leaves


def _unchanged(state: GameState) -> Iterator[Problem]:
    """A second time running nobody left; a third one ends the game, which the record should show (A 7.3, B-S3)."""
    end = outcome(state)
    if end is not None and end.reason in STALEMATES:
        return
    rule = state.regulation.stalemate
    code = {
        Stalemate.THREE_DAYS_RED: "second_unchanged_day",
        Stalemate.THREE_NIGHTS_DRAW: "second_unchanged_night",
        Stalemate.THREE_MISSES_AT_FOUR_RED: "second_miss_at_four",
    }.get(rule)
    if code is None:
        return
    unchanged = {number for number in range(1, state.moment.day + 1) if _is_unchanged(state, rule, number)}
    clause = state.regulation.cite("three_days")
    for number in sorted(unchanged):
        if number - 1 in unchanged:
            yield problem_of(code, clause, (), {"night": number, "before": number - 1})


def _is_unchanged(state: GameState, rule: Stalemate, number: int) -> bool:
    """Whether nobody left in day and night of that number; under the Federation in that night and the next day."""
    if rule == Stalemate.THREE_MISSES_AT_FOUR_RED:
        night = state.nights.get(number)
        return night is not None and night.missed and night.living == 4
    if rule == Stalemate.THREE_DAYS_RED:
        first, after = Moment(number, Phase.VICTIM_WORDS), Moment(number + 1)
        is_past = state.moment.day > number
    else:
        first, after = Moment(number, Phase.NIGHT), Moment(number + 1, Phase.NIGHT)
        is_past = state.moment.key >= after.key
    return is_past and not any(first.key <= moment.key < after.key for _, moment in state.exits)


# ---------------------------------------------------------------- what stands beside the record


def late_protest(ended_at: datetime | None, at: datetime | None, regulation: Regulation) -> list[Problem]:
    """A protest written down after its time was up, by how much; `at` is None where that isn't known (A 8.7.1)."""
    late = late_by(ended_at, at, regulation) if ended_at is not None and at is not None else None
    if not late:
        return []
    params = {"late": minutes_of(late), "minutes": regulation.protest_minutes}
    return [problem_of("protest_written_late", regulation.cite("protest"), (), params)]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a game stands in its stage: the round, the table and the number of the game."""

    round: int | None
    table: int
    game: int


def repeats(place: Place, others: Iterable[Place], regulation: Regulation) -> list[Problem]:
    """What other games of the stage have too in this round: the table, or the number where each table has its own.

    Where all games of the round carry one number, it is the number of the round's game at each table.
    """
    if place.round is None:
        return []
    beside = [other for other in others if other.round == place.round]
    clause = regulation.cite("header")
    params = {"round": place.round, "table": place.table, "game": place.game}
    found = []
    if any(other.table == place.table for other in beside):
        found.append(problem_of("table_twice_in_round", clause, (), params))
    same = [other for other in beside if other.game == place.game]
    if same and len(same) < len(beside):
        found.append(problem_of("number_twice_in_round", clause, (), params))
    return found
