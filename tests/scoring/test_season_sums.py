"""What the database adds up for a season, against the engine of the tournaments' tables over the same lines."""

from __future__ import annotations

import datetime
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from pytest_django import DjangoAssertNumQueries

from protocols.models import Game, Player, SeatResult, Stage, Tournament
from protocols.rules.regulation import FEDERATION, Reckoning
from protocols.services.regulations import write_regulation
from scoring.models import Season
from scoring.ratings import ONE, Exact, Line, games_of_player, ratings
from scoring.season_ratings import Counted, total_of
from scoring.season_selectors import MANY, nicknames_of, players_season, recounted, season_table
from scoring.selectors import lines_of, multipliers_of, terms_of
from tests.bench.season import FIRST_DAY, archive

pytestmark = pytest.mark.django_db
WAYS = [(counted, reckoning) for counted in Counted for reckoning in Reckoning]


@pytest.fixture
def season() -> Season:
    """Six tournaments of twenty games, two under each preset, thirty players in all."""
    return archive(tournaments=6, games=20, players=30, at_one=14)


def by_the_engine(season: Season) -> dict[int, Exact]:
    """Everybody's rating, from every line of every tournament, as its own table reckons it."""
    rules = season.rules
    values: dict[int, list[Exact]] = {}
    for tournament in Tournament.objects.select_related("regulation_version"):
        stages = list(tournament.stages.select_related("regulation_version"))
        multipliers = multipliers_of(stages)
        if rules.counted == Counted.PLAIN_GAMES:
            multipliers = dict.fromkeys(multipliers, ONE)
        terms = terms_of(tournament, stages)
        lines = [Line._make(line) for line in lines_of(tournament)]
        if not rules.counted.is_games:
            for row in ratings(lines, tournament.rules, multipliers, terms):
                if row.games and not row.from_tournament:
                    values.setdefault(row.player_id, []).append(row.total)
            continue
        for player in {line.player_id for line in lines}:
            own = [line for line in lines if line.player_id == player]
            brought = games_of_player(own, tournament.rules, multipliers, terms)
            values.setdefault(player, []).extend(each.figures.total for each in brought if each is not None)
    return {player: total_of(sorted(each, reverse=True), rules) for player, each in values.items()}


def reckon(season: Season, counted: Counted, reckoning: Reckoning, best: int = 3) -> dict[int, Exact]:
    """The totals of the season's table under these figures."""
    season.counted, season.reckoning, season.best = counted.value, reckoning.value, best
    return {place.player_id: place.rating.total for place in season_table(season).table.places}


@pytest.mark.parametrize(("counted", "reckoning"), WAYS)
def test_the_sums_of_the_database_are_those_of_the_engine(
    season: Season, counted: Counted, reckoning: Reckoning
) -> None:
    totals = reckon(season, counted, reckoning)
    assert totals == by_the_engine(season)
    assert len(totals) == 30


@pytest.mark.parametrize(("counted", "reckoning"), WAYS)
def test_what_a_players_page_adds_up_is_the_rating_of_the_table(
    season: Season, counted: Counted, reckoning: Reckoning
) -> None:
    totals = reckon(season, counted, reckoning)
    for player, total in list(totals.items())[:8]:
        played = players_season(season, player)
        assert played is not None
        assert recounted(season, played) == total


def test_a_share_of_ci_is_never_rounded(season: Season) -> None:
    totals = reckon(season, Counted.GAMES, Reckoning.SUM)
    assert any(isinstance(total, Fraction) for total in totals.values())


@pytest.mark.parametrize(("counted", "reckoning"), WAYS)
def test_long_multipliers_own_regulations_and_groups_of_stages_count_alike(
    season: Season, counted: Counted, reckoning: Reckoning
) -> None:
    first, second, third = Tournament.objects.order_by("pk")[:3]
    Stage.objects.filter(tournament=third, number__lte=2).update(group="до финала")
    Stage.objects.filter(tournament=first, number=3).update(multiplier=Decimal("37.125"))
    organizer = Game.objects.filter(tournament=second)[0].judge
    assert organizer is not None
    own = replace(
        FEDERATION, reckoning=Reckoning.BEST, best_games=2, multiplied=FEDERATION.multiplied | {"compensation"},
        speech_step=Decimal("0.1"), speech_most=Decimal(1), speech_in_points=False,
    )  # fmt: skip
    written = write_regulation(second, own, name="Свой", by=organizer)
    Tournament.objects.filter(pk=second.pk).update(regulation_version=written)
    average = write_regulation(third, replace(FEDERATION, reckoning=Reckoning.AVERAGE), name="Средний", by=organizer)
    Tournament.objects.filter(pk=third.pk).update(regulation_version=average)
    Tournament.objects.filter(pk=first.pk).update(regulation="F")
    Stage.objects.filter(tournament=first, number=1).update(regulation_version=None)
    SeatResult.objects.filter(tournament=second, seat__lte=4).update(speech=700)
    SeatResult.objects.filter(tournament=first, game__number=1, seat=2).update(from_tournament=True)
    SeatResult.objects.filter(tournament=first, game__number=2).update(result="draw", won=None)
    SeatResult.objects.filter(tournament=first, game__number=3).update(result="annulled", won=None, role="")
    assert reckon(season, counted, reckoning) == by_the_engine(season)


def test_a_season_costs_the_same_queries_whatever_its_size(
    season: Season, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(7):
        assert len(season_table(season).table.places) == 30
    season.takes_all = False
    season.tournaments.set(Tournament.objects.order_by("pk")[:1])
    season.counted = Counted.GAMES.value
    with django_assert_num_queries(5):
        assert len(season_table(season).table.places) == 14


def test_two_recounts_give_the_same_order(season: Season) -> None:
    assert season_table(season) == season_table(season)


def test_as_of_a_day_counts_what_had_been_played(season: Season) -> None:
    season.counted = Counted.GAMES.value
    on = FIRST_DAY + datetime.timedelta(days=1)
    found = season_table(season, on)
    assert found.progress.signed == 40
    assert sum(place.rating.games for place in found.table.places) == 400


def test_a_tournament_that_goes_on_after_the_season_counts_with_the_games_within(season: Season) -> None:
    season.counted = Counted.GAMES.value
    Game.objects.filter(tournament__slug="t-0", number__gt=12).update(played_on=season.ends_on + datetime.timedelta(9))
    found = season_table(season)
    assert sum(place.rating.games for place in found.table.places) == 10 * (5 * 20 + 12)


@pytest.mark.parametrize("reckoning", list(Reckoning))
def test_a_tournament_one_was_removed_from_brings_nothing_where_tournaments_count(
    season: Season, reckoning: Reckoning
) -> None:
    before = reckon(season, Counted.TOURNAMENTS, reckoning)
    line = SeatResult.objects.filter(tournament__slug="t-2")[0]
    SeatResult.objects.filter(pk=line.pk).update(from_tournament=True)
    after = reckon(season, Counted.TOURNAMENTS, reckoning)
    assert after == by_the_engine(season)
    assert {player for player in before if before[player] != after[player]} <= {line.player_id}


def test_of_many_players_each_has_the_own_nickname(season: Season) -> None:
    many = Player.objects.bulk_create(Player(nickname=f"Гость {at}", nickname_key=f"гость {at}") for at in range(300))
    asked = {player.pk for player in many[::2]}
    assert len(asked) < MANY < len(many)
    for players in (asked, {player.pk for player in many}):
        names = nicknames_of(players)
        assert {pk: names[pk] for pk in players} == {p.pk: p.nickname for p in many if p.pk in players}
