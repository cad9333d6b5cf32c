"""How even the meetings of any seating can be at best: three floors under Σ over pairs (meetings − mean)²."""

from __future__ import annotations

from dataclasses import dataclass

from .calendar import tables_by_round
from .terms import SEATS, Request


@dataclass(frozen=True, slots=True)
class Bounds:
    """Lower bounds of the spread of meetings; none of them need be reachable."""

    arithmetic: float
    welch: float
    overlaps: float

    @property
    def best(self) -> float:
        """The largest of them."""
        return max(self.arithmetic, self.welch, self.overlaps)


def bounds_of(request: Request) -> Bounds:
    """The bounds of a request whose games come out whole.

    >>> bounds_of(Request(players=20, games=10, tables=2)).best  # doctest: +ELLIPSIS
    236.84...
    """
    return Bounds(arithmetic=_arithmetic(request), welch=_welch(request), overlaps=_overlaps(request))


def evenly(total: int, parts: int) -> int:
    """The least sum of squares of `parts` whole numbers that add up to `total`: all at floor or ceil of the mean."""
    floor, over = divmod(total, parts)
    return (parts - over) * floor**2 + over * (floor + 1) ** 2


def _spread(request: Request, squares: float) -> float:
    """Σ (m − mean)² from Σ m² over pairs, whose Σ m is fixed."""
    pairs = request.players * (request.players - 1) / 2
    return max(0.0, squares - pairs * request.mean**2)


def _arithmetic(request: Request) -> float:
    """Every pair meets floor or ceil of the mean times; a limited one at most as often as it may."""
    limits = sorted(request.most_meetings().values())
    pairs = request.players * (request.players - 1) // 2
    meetings, squares = SEATS * (SEATS - 1) // 2 * request.total, 0
    for most in limits:  # the strictest first: once the others' mean is within a limit, so it is within all that follow
        if most >= meetings / pairs:
            break
        meetings, pairs, squares = meetings - most, pairs - 1, squares + most**2
        if not pairs:
            return 0.0
    return _spread(request, squares + evenly(meetings, pairs))


def _welch(request: Request) -> float:
    """The matrix of meetings, with G on its diagonal, has few dimensions to spread its trace over.

    It has the eigenvalue 10·G, for every player meets ten (herself among them) a game; what is left of its trace is
    spread over as many dimensions as there are games, less one for each round in which everybody plays, as its games
    add up to everybody. With everybody in every round this is Welch's bound of P vectors in G·(T − 1) dimensions.
    """
    players, games = request.players, request.games
    by_round = tables_by_round(request)
    whole = sum(tables * SEATS == players for tables in by_round)
    dimensions = min(players - 1, request.total - (whole if whole == len(by_round) else whole + 1))
    squares: float = (SEATS * games) ** 2
    if dimensions:
        squares += (games * (players - SEATS)) ** 2 / dimensions
    return _spread(request, (squares - players * games**2) / 2)


def _overlaps(request: Request) -> float:
    """The same squares counted from the games: any two of different rounds share floor or ceil of their mean players.

    Σ of m² over ordered pairs of players (each with herself too) is Σ of the squared overlaps over ordered pairs of
    games. A game overlaps itself in ten players and the games of its own round in none; what two rounds share in all
    is fixed, for each player plays in C(G, 2) pairs of rounds.
    """
    by_round = tables_by_round(request)
    total = request.total
    pairs_of_games = (total**2 - sum(tables**2 for tables in by_round)) // 2
    shared = request.players * request.games * (request.games - 1) // 2
    squares = total * SEATS**2 + (2 * evenly(shared, pairs_of_games) if pairs_of_games else 0)
    return _spread(request, (squares - request.players * request.games**2) / 2)
