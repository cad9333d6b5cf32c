"""The search for even meetings: annealing that can be stopped after any sweep with the best so far."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from .bounds import bounds_of
from .calendar import first_draw
from .cooling import coolings, thresholds
from .designs import design_of, rows_of
from .meetings import Meetings
from .quality import excesses_of, meetings_of, squares_of
from .terms import SEATS, Chance, Request
from .turning import Turns

Rounds = list[list[list[int]]]

_HOT, _WARM, _COLD = 1.2, (0.6, 0.75), 0.2
_FIRST_COOLING = 100  # sweeps
_TURNS_HOT, _TURNS_WARM, _TURNS_COLD = 2.0, (0.8, 1.0), 0.25
_FIRST_TURNS = 400  # sweeps
_ENOUGH = 3  # times the limited pairs are at least the pairs of one row
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
    least = bounds_of(request).best + _NEARLY
    best = None
    for steps, rounds in enumerate(_searches(request, chance)):
        if rounds is not None:
            found = _judged(request, rounds, steps)
            if best is None or (found.excess, found.spread) < (best.excess, best.spread):
                best = found
        assert best is not None  # the first search begins by telling its start
        yield replace(best, steps=steps)
        if not best.excess and best.spread <= least:
            return


def _searches(request: Request, chance: Chance) -> Iterator[Rounds | None]:
    """After each sweep, what may be the best so far, or None: free trades, in turn with turned rows where they help."""
    draws = thresholds(chance)
    turned = _turned(request, draws, chance)
    for free in _free(request, draws, chance):
        yield from free
        yield from next(turned, ())


def _free(request: Request, draws: Iterator[float], chance: Chance) -> Iterator[Iterator[Rounds | None]]:
    """Coolings of trades between any two games of a round."""
    rounds, benches = first_draw(request, chance)
    limits = request.most_meetings()
    handicaps = {pair: max(0, math.ceil(request.mean) - most) + 2 * (not most) for pair, most in limits.items()}

    def cooled(temperatures: list[float]) -> Iterator[Rounds | None]:
        meetings = Meetings(request.players, rounds, benches, handicaps)
        lowest = math.inf
        for temperature in temperatures:
            meetings.sweep(temperature, draws, chance)
            yield rounds if meetings.energy < lowest else None
            lowest = min(lowest, meetings.energy)
        # A pair that still meets too often is held further apart in the next cooling.
        for excess in excesses_of(request, meetings_of(request.players, _games(rounds))):
            handicaps[excess.players] += excess.met - excess.most

    yield iter((rounds,))
    for temperatures in coolings(_HOT, _WARM, _COLD, _FIRST_COOLING):
        yield cooled(temperatures)


def _turned(request: Request, draws: Iterator[float], chance: Chance) -> Iterator[Iterator[Rounds | None]]:
    """Coolings of turned rows: only where so many are kept apart that it costs little to keep whole rows apart."""
    below = math.ceil(request.mean)
    limited = sum(most < below for most in request.most_meetings().values())
    in_rows = SEATS * request.tables * (request.tables - 1) // 2
    rows = rows_of(request, chance, below=below) if limited and _ENOUGH * limited >= in_rows else None
    if rows is None:
        return
    turns = Turns(request.tables, request.games, chance)

    def cooled(temperatures: list[float]) -> Iterator[Rounds | None]:
        lowest = math.inf
        for temperature in temperatures:
            turns.sweep(temperature, draws, chance)
            yield turns.seated(rows) if turns.energy < lowest else None
            lowest = min(lowest, turns.energy)

    for temperatures in coolings(_TURNS_HOT, _TURNS_WARM, _TURNS_COLD, _FIRST_TURNS):
        yield cooled(temperatures)


def _games(rounds: Rounds) -> Iterator[list[int]]:
    for tables in rounds:
        yield from tables


def _judged(request: Request, rounds: Rounds, steps: int) -> Gathering:
    meetings = meetings_of(request.players, _games(rounds))
    pairs = request.players * (request.players - 1) / 2
    return Gathering(
        steps=steps,
        rounds=tuple(tuple(tuple(table) for table in tables) for tables in rounds),
        spread=squares_of(meetings) - pairs * request.mean**2,
        excess=sum(excess.met - excess.most for excess in excesses_of(request, meetings)),
    )
