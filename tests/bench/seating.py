"""Seatings drawn in ten seconds on one core, beside those of the package mafia-schedule, by its own measures too.

Both are seeded and draw every size three times; the peer at its own pace, 4,000 iterations for who plays whom and as
many for seats with each of its two moves. Time is the processor's, so that other work on the machine counts little.
"""

from __future__ import annotations

import contextlib
import io
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import mafia_schedule as peer

from protocols.seating.draw import draw, for_seconds
from protocols.seating.quality import Quality, quality_of
from protocols.seating.terms import Plan, Request

from .tables import show, verdict

AIMS = {(20, 10): 236.85, (30, 12): 355.0, (40, 10): 540.0, (50, 10): 670.0, (60, 12): 835.0}  # players, games: spread
SECONDS = 10.0
ITERATIONS = 4000
SEEDS = (1, 2, 3)


@dataclass(frozen=True, slots=True)
class Drawn:
    """One seating: how good it is, by our measures and by the peer's of seats, and the seconds it took."""

    quality: Quality
    seats_by_peer: float
    seconds: float


def _ours(request: Request, seed: int, seconds: float) -> Drawn:
    started = time.process_time()
    plan = draw(request, random.Random(seed).random, for_seconds(seconds, time.process_time)).plan
    return _drawn(request, plan, time.process_time() - started)


def _peers(request: Request, seed: int) -> Drawn:
    """The peer's two searches, seats by either of its moves; it draws from the process's chance, and prints."""
    random.seed(seed)
    started = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        search = peer.OptimizeOpponents(verbose=False)
        search.expectedZeroPairs = search.expectedSinglePairs = 0  # no pair is asked to be special
        schedule = search.optimize(_configuration(request), 1, ITERATIONS)
        seats = peer.OptimizeSeats(schedule, verbose=False)
        seats.callbackBetterSchedule = None
        seats.optimize(2, [ITERATIONS])
    taken = time.process_time() - started
    games = iter(tuple(game.players) for game in schedule.games)
    rounds = tuple(tuple(next(games) for _ in at_once.gameIds) for at_once in schedule.rounds)
    return _drawn(request, Plan(request.players, rounds), taken)


def _configuration(request: Request) -> peer.Configuration:
    return peer.Configuration(request.players, request.tables, request.rounds, request.total, request.games)


def _drawn(request: Request, plan: Plan, seconds: float) -> Drawn:
    return Drawn(quality_of(request, plan), _seats_by_peer(request, plan), seconds)


def _seats_by_peer(request: Request, plan: Plan) -> float:
    """What the peer makes small when it seats: how uneven seats, thirds of the table, and the two end seats are."""
    schedule = peer.ScheduleFactory.createInitialSchedule(_configuration(request))
    for game, players in zip(schedule.games, plan.games(), strict=True):
        game.players = list(players)
    return float(peer.OptimizeSeats(schedule, verbose=False).scoreFunc())


def _median(taken: list[Drawn], value: Callable[[Drawn], float]) -> str:
    values = sorted(value(one) for one in taken)
    around = "" if round(values[0]) == round(values[-1]) else f" ({values[0]:.0f}–{values[-1]:.0f})"
    return f"{statistics.median(values):.1f}{around}"


def measure() -> None:
    """Prints one table: a line for our ten seconds, one for our first second, and one for the peer, at each size."""
    rows = []
    for (players, games), aim in AIMS.items():
        request = Request(players, games, players // 10)
        ways: dict[str, Callable[[int], Drawn]] = {
            f"ours, at most {SECONDS:.0f} s": lambda seed, request=request: _ours(request, seed, SECONDS),  # type: ignore[misc]
            "ours, at most 1 s": lambda seed, request=request: _ours(request, seed, 1.0),  # type: ignore[misc]
            f"mafia-schedule, {ITERATIONS:,}": lambda seed, request=request: _peers(request, seed),  # type: ignore[misc]
        }
        for way, one in ways.items():
            taken = [one(seed) for seed in SEEDS]
            quality = taken[0].quality
            worst = max(one.quality.spread for one in taken)
            rows.append(
                (
                    f"{players} × {games}: {way}",
                    _median(taken, lambda one: one.quality.spread),
                    f"{quality.bounds.best:.1f}",
                    f"≤ {aim:.1f}: {verdict(worst, aim)}" if way.startswith("ours, at most 10") else "",
                    _median(taken, lambda one: one.quality.seat_spread.value),
                    _median(taken, lambda one: one.seats_by_peer),
                    _median(taken, lambda one: one.quality.neighbour_spread.value),
                    _median(taken, lambda one: one.seconds),
                )
            )
    headings = ("players × games", "meetings", "bound", "aim", "seats", "seats, peer’s measure", "neighbours", "s")
    show(
        f"Seatings, median (least–most) of {len(SEEDS)}; the less the better",
        headings,
        rows,
        "meetings: Σ over pairs (meetings − mean)²; seats: Σ over players and seats (games there − G/10)²;",
        "neighbours: Σ over pairs (games side by side − mean)²; s: seconds of one core, meetings and seats together.",
    )
