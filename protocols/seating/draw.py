"""A whole seating from a request: meetings, order and tables, seats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from .advice import Fault, faults_of
from .bounds import bounds_of, evenly
from .gathering import gather
from .neighbours import seat
from .placing import placed
from .terms import SEATS, Chance, Plan, Request


class Phase(StrEnum):
    """The two searches, one after the other."""

    MEETINGS = "meetings"
    SEATS = "seats"


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a search stands: its steps, the best value so far, the least there can be, and broken limits."""

    phase: Phase
    steps: int
    value: float  # the spread of meetings; in the second phase that of neighbours
    least: float
    excess: int = 0


GoOn = Callable[[Progress], bool]


@dataclass(frozen=True, slots=True)
class Seating:
    """A plan and how to draw it again: the same request, chance and steps give the same plan."""

    plan: Plan
    steps: dict[Phase, int]


class CannotSeat(ValueError):
    """The request can't be met, for these reasons."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__(", ".join(fault.code for fault in faults))
        self.faults = faults


def draw(request: Request, chance: Chance, go_on: GoOn) -> Seating:
    """Seats everybody. `go_on` is told of the progress after each step; False ends that search at its best so far.

    Raises CannotSeat where counting alone shows that it can't be done. Limits that the search could not keep are not
    an error here: `quality_of` names them.
    """
    faults = faults_of(request)
    if faults:
        raise CannotSeat(faults)
    least = bounds_of(request).best
    for gathered in gather(request, chance):
        if not go_on(Progress(Phase.MEETINGS, gathered.steps, gathered.spread, least, gathered.excess)):
            break
    rounds = placed(gathered.rounds, request.players, request.tables, chance)
    pairs = request.players * (request.players - 1) // 2
    total = SEATS * request.total
    mean, least = total**2 / pairs, evenly(total, pairs)
    for seated in seat([game for games in rounds for game in games], request.players, chance):
        if not go_on(Progress(Phase.SEATS, seated.steps, seated.squares - mean, least - mean)):
            break
    games = iter(seated.games)
    plan = Plan(request.players, tuple(tuple(next(games) for _ in tables) for tables in rounds))
    return Seating(plan, {Phase.MEETINGS: gathered.steps, Phase.SEATS: seated.steps})


def for_steps(meetings: int, seats: int) -> GoOn:
    """Goes on for so many steps of each search."""
    most = {Phase.MEETINGS: meetings, Phase.SEATS: seats}
    return lambda progress: progress.steps < most[progress.phase]


def for_seconds(seconds: float, clock: Callable[[], float]) -> GoOn:
    """Goes on for three quarters of the time with meetings, then for at most a quarter with seats."""
    started: dict[Phase, float] = {}
    share = {Phase.MEETINGS: 0.75 * seconds, Phase.SEATS: 0.25 * seconds}

    def go_on(progress: Progress) -> bool:
        now = clock()
        return now - started.setdefault(progress.phase, now) < share[progress.phase]

    return go_on
