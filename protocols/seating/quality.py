"""How good a plan is, as numbers and as the matrices they come from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from .bounds import Bounds, bounds_of, evenly
from .terms import KEY_SEATS, SEATS, THIRD_OF, Plan, Request

Matrix = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Excess:
    """Two players who meet more often than they may."""

    players: tuple[int, int]
    met: int
    most: int


@dataclass(frozen=True, slots=True)
class Measure:
    """A sum of squares about the mean, and the least that whole numbers allow."""

    value: float
    least: float


@dataclass(frozen=True, slots=True)
class Quality:
    """Everything an organizer may ask of a plan."""

    meetings: Matrix  # player × player; 0 with oneself
    seats: Matrix  # player × seat
    tables: Matrix  # player × table
    beside: Matrix  # player × player: games as neighbours at the round table
    spread: float  # Σ over pairs (meetings − mean)²
    bounds: Bounds  # of the spread
    seat_spread: Measure  # Σ over players and seats (games there − G/10)²
    key_seat_spread: Measure  # the same for game seats 1, 2 and 10
    third_spread: Measure  # the same for game seats 1–3, 4–7 and 8–10 taken together
    neighbour_spread: Measure  # Σ over pairs (games as neighbours − mean)²
    table_spread: Measure  # Σ over players and tables (games there − mean of that table)²
    longest_wait: int  # rounds that anybody sits out in a row
    excesses: tuple[Excess, ...]  # empty when every limit is kept

    def pairs_by_meetings(self) -> dict[int, int]:
        """How many pairs meet so many times."""
        found: dict[int, int] = {}
        for first, second in combinations(range(len(self.meetings)), 2):
            times = self.meetings[first][second]
            found[times] = found.get(times, 0) + 1
        return dict(sorted(found.items()))


def meetings_of(players: int, games: Iterable[Sequence[int]]) -> list[list[int]]:
    """How often each player meets each other one."""
    found = [[0] * players for _ in range(players)]
    for game in games:
        for first, second in combinations(game, 2):
            found[first][second] += 1
            found[second][first] += 1
    return found


def squares_of(matrix: Sequence[Sequence[int]]) -> int:
    """Σ over pairs of the square, of a matrix that is the same either way."""
    return sum(times * times for row in matrix for times in row) // 2


def excesses_of(request: Request, meetings: Sequence[Sequence[int]]) -> tuple[Excess, ...]:
    """The limited pairs that meet more often than they may."""
    return tuple(
        Excess((first, second), meetings[first][second], most)
        for (first, second), most in sorted(request.most_meetings().items())
        if meetings[first][second] > most
    )


def quality_of(request: Request, plan: Plan) -> Quality:
    """All of it, counted anew from the plan."""
    players, games = plan.players, list(plan.games())
    meetings = meetings_of(players, games)
    beside = [[0] * players for _ in range(players)]
    seats = [[0] * SEATS for _ in range(players)]
    for game in games:
        for seat, player in enumerate(game):
            seats[player][seat] += 1
            neighbour = game[seat - 1]
            beside[player][neighbour] += 1
            beside[neighbour][player] += 1
    tables = [[0] * request.tables for _ in range(players)]
    for at_once in plan.rounds:
        for table, game in enumerate(at_once):
            for player in game:
                tables[player][table] += 1
    pairs = players * (players - 1) // 2
    return Quality(
        meetings=_frozen(meetings),
        seats=_frozen(seats),
        tables=_frozen(tables),
        beside=_frozen(beside),
        spread=squares_of(meetings) - pairs * request.mean**2,
        bounds=bounds_of(request),
        seat_spread=_columns(seats),
        key_seat_spread=_columns([[row[seat] for seat in KEY_SEATS] for row in seats]),
        third_spread=_columns([_by_third(row) for row in seats]),
        neighbour_spread=_measure(squares_of(beside), SEATS * request.total, pairs),
        table_spread=_columns(tables),
        longest_wait=_longest_wait(plan),
        excesses=excesses_of(request, meetings),
    )


def _frozen(matrix: list[list[int]]) -> Matrix:
    return tuple(tuple(row) for row in matrix)


def _by_third(row: list[int]) -> list[int]:
    return [sum(times for seat, times in enumerate(row) if THIRD_OF[seat] == third) for third in range(3)]


def _measure(squares: int, total: int, parts: int) -> Measure:
    mean = total**2 / parts
    return Measure(squares - mean, evenly(total, parts) - mean)


def _columns(matrix: list[list[int]]) -> Measure:
    """The spread of each column about its mean, added up."""
    found = [_measure(sum(n * n for n in column), sum(column), len(column)) for column in zip(*matrix, strict=True)]
    return Measure(sum(one.value for one in found), sum(one.least for one in found))


def _longest_wait(plan: Plan) -> int:
    longest = 0
    waiting = [0] * plan.players
    for number in range(len(plan.rounds)):
        bench = set(plan.sitting_out(number))
        waiting = [waiting[player] + 1 if player in bench else 0 for player in range(plan.players)]
        longest = max(longest, *waiting)
    return longest
