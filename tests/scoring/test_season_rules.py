"""The figures of a season: sums, averages, the best, the minimum of games and the order, from exact values."""

from fractions import Fraction

import pytest

from protocols.rules.regulation import Reckoning
from scoring.season_ratings import SEASON_KEYS, Counted, SeasonRules, Share, season_standings, total_of, values_of
from scoring.standings import Standings
from scoring.tiebreaks import KEYS

POINT = 1_000_000


def share(player: int, points: int, *, tournament: int = 1, games: int = 1, **more: int) -> Share:
    """A tournament that brought so many points."""
    return Share(player, tournament, games=games, points=points * POINT, **more)  # type: ignore[arg-type]


def order(*shares: Share, rules: SeasonRules | None = None) -> list[tuple[int | None, int | None, int, str | None]]:
    """Place, last of shared places, the player and the key above the next."""
    table: Standings = season_standings(shares, rules or SeasonRules(), names={1: "а", 2: "б", 3: "в"})
    return [
        (place.number, place.last, place.player_id, place.decision.key if place.decision else None)
        for place in table.places
    ]


@pytest.mark.parametrize(
    ("reckoning", "best", "total"),
    [(Reckoning.SUM, 1, 16), (Reckoning.BEST, 1, 9), (Reckoning.BEST, 2, 14), (Reckoning.BEST, 9, 16)],
)
def test_the_sum_or_the_best(reckoning: Reckoning, best: int, total: int) -> None:
    assert total_of([9, 5, 2], SeasonRules(reckoning=reckoning, best=best)) == total


def test_an_average_is_an_exact_fraction() -> None:
    assert total_of([1, 1, 0], SeasonRules(reckoning=Reckoning.AVERAGE)) == Fraction(2, 3)
    assert total_of([], SeasonRules(reckoning=Reckoning.AVERAGE)) == 0


def test_the_best_leave_a_penalised_tournament_out() -> None:
    rules = SeasonRules(reckoning=Reckoning.BEST, best=1)
    assert total_of(values_of([share(1, -2), share(1, 3, tournament=2)]), rules) == 3 * POINT
    assert total_of(values_of([share(1, -2)]), rules) == -2 * POINT


def test_a_tournament_without_a_place_brings_nothing_where_tournaments_count() -> None:
    out = share(2, 50, tournament=2)
    out.has_place = False
    assert order(share(1, 3), share(2, 2), out) == [(1, 1, 1, "rating"), (2, 2, 2, None)]
    by_games = SeasonRules(counted=Counted.GAMES)
    assert order(share(1, 3), share(2, 2), out, rules=by_games) == [(1, 1, 2, "rating"), (2, 2, 1, None)]


def test_keys_decide_in_the_order_of_the_season() -> None:
    wins = share(1, 3, wins=2, first_victim=1), share(2, 3, wins=1, first_victim=2)
    assert order(*wins, rules=SeasonRules(tie_keys=("wins",))) == [(1, 1, 1, "wins"), (2, 2, 2, None)]
    assert order(*wins, rules=SeasonRules(tie_keys=("first_victim", "wins"))) == [
        (1, 1, 2, "first_victim"), (2, 2, 1, None),
    ]  # fmt: skip


def test_who_is_equal_in_everything_shares_the_place_and_no_lot_is_due() -> None:
    table = season_standings([share(1, 3), share(2, 3), share(3, 1)], SeasonRules())
    assert [(place.number, place.last, place.lot_due) for place in table.places] == [
        (1, 2, False), (1, 2, False), (3, 3, False),
    ]  # fmt: skip


def test_fewer_games_than_the_minimum_give_no_place() -> None:
    rules = SeasonRules(least_games=2)
    assert order(share(1, 9), share(2, 1, games=2), share(3, 4), rules=rules) == [
        (1, 1, 2, None), (None, None, 1, None), (None, None, 3, None),
    ]  # fmt: skip


def test_who_has_no_game_that_counts_is_not_there() -> None:
    assert order(share(1, 0, games=0)) == []


def test_ratings_that_look_alike_are_ordered_by_their_exact_values() -> None:
    close = Share(1, 1, games=1, points=POINT), Share(2, 1, games=1, points=POINT + 1)
    assert order(*close) == [(1, 1, 2, "rating"), (2, 2, 1, None)]
    third = Share(3, 1, games=1, points=POINT, compensation=Fraction(4, 3))
    assert order(*close, third)[0] == (1, 1, 3, "rating")


def test_every_key_of_a_season_is_one_of_the_tables() -> None:
    assert set(SEASON_KEYS) <= set(KEYS)
