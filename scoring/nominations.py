"""Who was the best at something over a whole tournament; the texts name no nominations, so they are defined here.

  key           compares
  red … don     the sum of what the player's games in that role brought to the rating: multipliers, penalties and
                compensation included, so that a player's four sums are the figures of the player's games
  extra         unmultiplied extra points, as the first tie key of the regulation counts them (A 8.5)
  first_victim  times shot on night 1, in any role

Only games that count are looked at, and whoever was removed from the tournament has no place and gets no nomination.
It goes to more than nothing: without a sum above 0 it is given to nobody. Equal players share it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from protocols.rules.terms import Role

from .ratings import MILLION, ONE, Exact, GameRating, Rating

ROLES = (Role.RED, Role.SHERIFF, Role.BLACK, Role.DON)
EXTRA, FIRST_VICTIM = "extra", "first_victim"


@dataclass(frozen=True, slots=True)
class Nomination:
    """What was compared, who had the most of it, and how much; nobody where nobody had more than nothing."""

    key: str  # a value of Role, `extra` or `first_victim`
    players: tuple[int, ...] = ()  # all equal, in the order of the standings
    value: Fraction = Fraction(0)  # points, or times
    games: tuple[int, ...] = ()  # of each of the players: in the role, or all


def nominations(ratings: Iterable[Rating], games: Mapping[int, Sequence[GameRating | None]]) -> tuple[Nomination, ...]:
    """All six; `ratings` in the order of the standings, `games` what each game brought, by player."""
    rows = [row for row in ratings if not row.from_tournament]
    sums: dict[tuple[int, str], tuple[Exact, int]] = {}
    for row in rows:
        for game in games.get(row.player_id, ()):
            if game is not None:
                total, count = sums.get((row.player_id, game.line.role), (0, 0))
                sums[row.player_id, game.line.role] = total + game.figures.total, count + 1

    def in_role(role: str) -> Nomination:
        known = {row.player_id: sums.get((row.player_id, role), (0, 0)) for row in rows}
        return _best(role, rows, lambda row: known[row.player_id][0], MILLION, lambda row: known[row.player_id][1])

    return (
        *(in_role(role.value) for role in ROLES),
        _best(EXTRA, rows, lambda row: row.tie_extra, ONE, lambda row: row.games),
        _best(FIRST_VICTIM, rows, lambda row: row.first_victim, 1, lambda row: row.games),
    )


def _best(
    key: str, rows: Iterable[Rating], value_of: Callable[[Rating], Exact], unit: int, games_of: Callable[[Rating], int]
) -> Nomination:
    values = [(value_of(row), row) for row in rows]
    most = max((value for value, _ in values), default=0)
    if most <= 0:
        return Nomination(key)
    best = [row for value, row in values if value == most]
    players, games = tuple(row.player_id for row in best), tuple(games_of(row) for row in best)
    return Nomination(key, players, Fraction(most) / unit, games)
