"""The search for even meetings: annealing that can be stopped after any sweep with the best so far."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from .bounds import bounds_of
from .calendar import first_draw
from .cooling import coolings, thresholds
from .designs import design_of
from .meetings import Meetings
from .quality import excesses_of, meetings_of, squares_of
from .terms import Chance, Request

_HOT, _WARM, _COLD = 1.2, (0.6, 0.75), 0.2
_FIRST_COOLING = 100  # sweeps
_NEARLY = 1e-6  # of rounding in a bound


@dataclass(frozen=True, slots=True)
class Gathering:
    """Who plays whom in every round, the best after so many sweeps; seats and table numbers mean nothing yet."""

    steps: int
    rounds: tuple[tuple[tuple[int, ...], ...], ...]
    spread: float  # Σ over pairs (meetings − mean)²
    excess: int  # meetings of limited pairs beyond their limits


def gather(request: Request, chance: Chance) -> Iterator[Gathering]:
    """After each sweep the best so far. Goes on for ever unless it reaches the lower bound with all limits kept.

    What is best after n sweeps depends on the request, the chance and n alone.
    """
    design = design_of(request, chance)
    if design is not None:
        yield _judged(request, design, 0)
        return
    rounds, benches = first_draw(request, chance)
    best = _judged(request, rounds, 0)
    yield best
    least = bounds_of(request).best + _NEARLY
    limits = request.most_meetings()
    handicaps = {pair: max(0, math.ceil(request.mean) - most) + 2 for pair, most in limits.items()}
    draws = thresholds(chance)
    steps = 0
    for temperatures in coolings(_HOT, _WARM, _COLD, _FIRST_COOLING):
        meetings = Meetings(request.players, rounds, benches, handicaps)
        lowest = math.inf
        for temperature in temperatures:
            meetings.sweep(temperature, draws, chance)
            steps += 1
            if meetings.energy < lowest:
                lowest = meetings.energy
                found = _judged(request, rounds, steps)
                if (found.excess, found.spread) < (best.excess, best.spread):
                    best = found
            yield Gathering(steps, best.rounds, best.spread, best.excess)
            if not best.excess and best.spread <= least:
                return
        # A pair that still meets too often is held further apart in the next cooling.
        for excess in excesses_of(request, meetings_of(request.players, _games(rounds))):
            handicaps[excess.players] += excess.met - excess.most


def _games(rounds: list[list[list[int]]]) -> Iterator[list[int]]:
    for tables in rounds:
        yield from tables


def _judged(request: Request, rounds: list[list[list[int]]], steps: int) -> Gathering:
    meetings = meetings_of(request.players, _games(rounds))
    pairs = request.players * (request.players - 1) / 2
    return Gathering(
        steps=steps,
        rounds=tuple(tuple(tuple(table) for table in tables) for tables in rounds),
        spread=squares_of(meetings) - pairs * request.mean**2,
        excess=sum(excess.met - excess.most for excess in excesses_of(request, meetings)),
    )
