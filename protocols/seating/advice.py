"""Why a request can't be met, by counting alone, and what near it would work."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from .bounds import evenly
from .calendar import tables_by_round
from .terms import SEATS, Request


class Code(StrEnum):
    """What is wrong; the values of the fault say how far."""

    TOO_FEW_PLAYERS = "too_few_players"  # players
    NO_GAMES = "no_games"  # games
    NO_TABLES = "no_tables"  # tables
    TOO_MANY_TABLES = "too_many_tables"  # tables, most
    GAMES_NOT_WHOLE = "games_not_whole"  # players, games, over: players left over when games are filled by tens
    UNKNOWN_PLAYER = "unknown_player"  # player, players
    NEGATIVE_LIMIT = "negative_limit"  # most
    MUST_MEET = "must_meet"  # size, most, least: even kept apart the best way, some pair of the group meets that often
    TOO_FEW_MATES = "too_few_mates"  # player, mates: with so few may she play at all


@dataclass(frozen=True, slots=True)
class Fault:
    """One reason why a request can't be met."""

    code: Code
    values: Mapping[str, int]
    players: tuple[int, ...] = ()  # whom it is about, where it is about some


@dataclass(frozen=True, slots=True)
class Option:
    """What a seating that works looks like from afar."""

    players: int
    games: int  # of each player
    tables: int
    rounds: int
    total: int  # games in all
    sitting_out: int  # rounds that each player sits out
    by_round: tuple[int, ...] = field(repr=False)  # tables of each round


def faults_of(request: Request) -> tuple[Fault, ...]:
    """Everything that counting finds against the request; nothing found is no promise that limits can be kept."""
    plain = tuple(_faults_of_size(request))
    return plain or tuple(_faults_of_limits(request))


def _faults_of_size(request: Request) -> Iterator[Fault]:
    players, games, tables = request.players, request.games, request.tables
    if players < SEATS:
        yield Fault(Code.TOO_FEW_PLAYERS, {"players": players})
    if games < 1:
        yield Fault(Code.NO_GAMES, {"games": games})
    if tables < 1:
        yield Fault(Code.NO_TABLES, {"tables": tables})
    elif SEATS <= players < tables * SEATS:
        yield Fault(Code.TOO_MANY_TABLES, {"tables": tables, "most": players // SEATS})
    over = players * games % SEATS
    if players >= SEATS and games > 0 and over:
        yield Fault(Code.GAMES_NOT_WHOLE, {"players": players, "games": games, "over": over})


def _faults_of_limits(request: Request) -> Iterator[Fault]:
    for limit in request.limits:
        if limit.most < 0:
            yield Fault(Code.NEGATIVE_LIMIT, {"most": limit.most}, limit.players)
        unknown = [player for player in limit.players if not 0 <= player < request.players]
        if unknown:
            yield Fault(Code.UNKNOWN_PLAYER, {"player": unknown[0], "players": request.players}, tuple(unknown))
            return
    for limit in request.limits:
        group = tuple(sorted(set(limit.players)))
        pairs = len(group) * (len(group) - 1) // 2
        taken = len(group) * request.games
        meetings = (evenly(taken, request.total) - taken) // 2
        if limit.most >= 0 and meetings > limit.most * pairs:
            yield Fault(Code.MUST_MEET, {"size": len(group), "most": limit.most, "least": -(-meetings // pairs)}, group)
    apart: dict[int, set[int]] = {}
    for pair, most in request.most_meetings().items():
        if most <= 0:
            for one, other in (pair, pair[::-1]):
                apart.setdefault(one, set()).add(other)
    for player, others in sorted(apart.items()):
        mates = request.players - 1 - len(others)
        if mates < SEATS - 1:
            yield Fault(Code.TOO_FEW_MATES, {"player": player, "mates": mates}, (player,))


def option_of(players: int, games: int, tables: int) -> Option:
    """A size that works, from afar; the tables are cut down to as many as the players fill."""
    request = Request(players, games, max(1, min(tables, players // SEATS)))
    return Option(
        players=players,
        games=games,
        tables=request.tables,
        rounds=request.rounds,
        total=request.total,
        sitting_out=request.rounds - games,
        by_round=tuple(tables_by_round(request)),
    )


def options_near(players: int, games: int, tables: int) -> tuple[Option, ...]:
    """Sizes near this one that work: the size itself if it does, fewer and more games, fewer and more players.

    >>> [(option.players, option.games, option.rounds) for option in options_near(33, 12, 3)]
    [(33, 10, 11), (33, 20, 22), (30, 12, 12), (35, 12, 14)]
    """
    games, tables = max(1, games), max(1, tables)
    players = max(SEATS, players)
    if players * games % SEATS == 0:
        return (option_of(players, games, tables),)
    sizes = [(players, near) for near in _nearest(players, games, least=1)]
    sizes += [(near, games) for near in _nearest(games, players, least=SEATS)]
    return tuple(option_of(*size, tables) for size in sizes)


def _nearest(factor: int, number: int, *, least: int) -> Iterator[int]:
    """The nearest numbers below and above, not under `least`, that make whole tens with the factor."""
    below = next((near for near in range(number, least - 1, -1) if near * factor % SEATS == 0), None)
    if below is not None:
        yield below
    yield next(near for near in range(number + 1, number + SEATS + 1) if near * factor % SEATS == 0)
