"""A season's rating: what many tournaments and club evenings bring a player, added up by the season's own figures.

The words of this module:

  share    what one tournament brings one player, already reckoned by that tournament's regulation
  season   how shares, or games, make the rating of the season

A share comes from the database's own sums, so that an archive of 20,000 games is no list of 200,000 lines here. Every
figure is exact: an integer of millionths of a point, or a Fraction where something was divided.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from protocols.rules.regulation import EDITION_A, Reckoning, Regulation

from .ratings import Exact, Figures, Rating, whole
from .standings import Place, Standings, placed

SEASON_KEYS = ("wins", "extra", "don_sheriff_wins", "first_victim", "best_move", "penalty")
"""What may decide between equal players of a season, as in a tournament; there is no lot in a season."""


class Counted(StrEnum):
    """What a season adds up."""

    TOURNAMENTS = "tournaments"  # the rating of each tournament, as its regulation gives it
    GAMES = "games"  # what each game brought, under its stage's multiplier
    PLAIN_GAMES = "plain_games"  # the same without the multiplier

    @property
    def is_games(self) -> bool:
        """Whether games are added up, not tournaments."""
        return self is not Counted.TOURNAMENTS


@dataclass(frozen=True, slots=True)
class SeasonRules:
    """The figures of a season's rating."""

    counted: Counted = Counted.TOURNAMENTS
    reckoning: Reckoning = Reckoning.SUM
    best: int = 1  # how many tournaments or games count, where the best do
    least_games: int = 0  # who has played fewer has no place
    tie_keys: tuple[str, ...] = ("wins", "extra")

    @property
    def asks_each_game(self) -> bool:
        """Whether the sums of tournaments are not enough."""
        return self.counted.is_games and self.reckoning == Reckoning.BEST

    @property
    def regulation(self) -> Regulation:
        """The same as the engine of the standings knows it; only its tie keys are asked."""
        return replace(EDITION_A, tie_keys=self.tie_keys)


@dataclass(slots=True)
class Share:
    """What one tournament brings one player; parts and total are millionths of a point."""

    player_id: int
    tournament_id: int
    games: int = 0
    wins: int = 0
    don_sheriff_wins: int = 0
    first_victim: int = 0
    extra: int = 0  # thousandths, unmultiplied, as the next
    best_move: int = 0
    fines: int = 0  # the penalties
    points: int = 0  # millionths, multiplied, as the rest
    extra_points: int = 0
    penalty: int = 0
    compensation: Exact = 0
    total: Exact | None = None  # by the tournament's own reckoning; None: the four parts added up
    has_place: bool = True  # False: removed from the tournament, which then brings nothing where tournaments count

    @property
    def brought(self) -> Exact:
        """What the tournament's regulation makes of its games."""
        if self.total is not None:
            return self.total
        return self.points + self.extra_points + self.penalty + self.compensation


def values_of(shares: Iterable[Share]) -> list[Exact]:
    """What each tournament brings where tournaments are added up, the highest first."""
    return sorted((share.brought for share in shares if share.has_place and share.games), reverse=True)


def total_of(values: Sequence[Exact], rules: SeasonRules) -> Exact:
    """The rating from what each tournament or game brought, the highest first.

    >>> total_of([5, 3, 1], SeasonRules(reckoning=Reckoning.BEST, best=2)), total_of([], SeasonRules())
    (8, 0)
    >>> total_of([5, 3], SeasonRules(reckoning=Reckoning.AVERAGE)), total_of([2, 1], SeasonRules(reckoning="average"))
    (4, Fraction(3, 2))
    """
    if rules.reckoning == Reckoning.BEST:
        return sum(values[: rules.best])
    if rules.reckoning == Reckoning.AVERAGE and values:
        return whole(Fraction(sum(values)) / len(values))
    return sum(values)


def season_ratings(
    shares: Iterable[Share], rules: SeasonRules, best_games: Mapping[int, Exact] | None = None
) -> list[Rating]:
    """Everybody's rating, in no order. `best_games`: the sum of a player's best games, where these count."""
    by_player: dict[int, list[Share]] = {}
    for share in shares:
        try:
            by_player[share.player_id].append(share)
        except KeyError:
            by_player[share.player_id] = [share]
    return [_rating(player, own, rules, best_games or {}) for player, own in by_player.items()]


def _rating(player: int, shares: list[Share], rules: SeasonRules, best_games: Mapping[int, Exact]) -> Rating:
    games = wins = don_sheriff_wins = first_victim = extra = best_move = fines = points = extra_points = penalty = 0
    compensation: Exact = 0
    for share in shares:
        games += share.games
        wins += share.wins
        don_sheriff_wins += share.don_sheriff_wins
        first_victim += share.first_victim
        extra += share.extra
        best_move += share.best_move
        points += share.points
        extra_points += share.extra_points
        penalty += share.penalty
        fines += share.fines
        compensation += share.compensation
    if not rules.counted.is_games:
        total = total_of(values_of(shares), rules)
    elif rules.reckoning == Reckoning.BEST:
        total = best_games.get(player, 0)
    else:
        total = points + extra_points + penalty + compensation
        if rules.reckoning == Reckoning.AVERAGE and games:
            total = whole(Fraction(total) / games)
    return Rating(
        player_id=player,
        figures=Figures(points, extra_points, penalty, compensation),
        total=total,
        games=games,
        wins=wins,
        don_sheriff_wins=don_sheriff_wins,
        first_victim=first_victim,
        tie_extra=extra,
        best_move=best_move,
        penalty=fines,
        qualifying=0,
        from_tournament=False,
    )


def season_standings(
    shares: Iterable[Share],
    rules: SeasonRules,
    *,
    names: Mapping[int, str] | None = None,
    best_games: Mapping[int, Exact] | None = None,
) -> Standings:
    """The order of the season: those with enough games, then, without a place, those with fewer.

    `names` are what equal players are listed by. Who has played no game that counts is not there.
    """
    rows = [row for row in season_ratings(shares, rules, best_games) if row.games]
    enough = placed([row for row in rows if row.games >= rules.least_games], rules.regulation, names=names)
    fewer = placed([row for row in rows if row.games < rules.least_games], rules.regulation, names=names)
    return Standings((*enough.places, *(Place(place.rating, None, None) for place in fewer.places)))
