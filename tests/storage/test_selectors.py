"""What is read, in as many queries as it should take."""

import pytest
from pytest_django import DjangoAssertNumQueries

from protocols.models import Game, Player
from protocols.rules import entries as e
from protocols.rules.terms import SETUP
from protocols.selectors import (
    games_of,
    games_of_judge,
    judges_of,
    player_suggestions,
    record_of,
    records_of,
    sheet_of,
)
from protocols.services.prepare import create_game, seat_players
from protocols.services.sign import seal

from .conftest import NICKNAMES, Cast
from .play import BEGUN, WON_BY_RED, foul, written


@pytest.mark.parametrize("many", [1, 3])
def test_a_record_is_one_query(
    game: Game, cast: Cast, many: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    written(game, cast.judge, BEGUN[:many])
    with django_assert_num_queries(1):
        assert record_of(game).revision == many


def test_names_follow_the_chairs(game: Game, cast: Cast) -> None:
    written(game, cast.judge, [e.SeatCorrection(moment=SETUP, seat=1, target=3)])
    record = record_of(game)
    assert (record.nicknames[1], record.nicknames[3]) == ("Ёлка 7", "Вихрь")
    assert (record.names[1], record.names[3], record.names[2]) == ("Вихрь", "Ёлка 7", "Барс")


def test_an_open_sheet_says_what_is_written_so_far(game: Game, cast: Cast) -> None:
    written(game, cast.judge, [*BEGUN, foul(3, clause="6.6.1")])
    sheet = sheet_of(game, cast.judge)
    assert [row.nickname for row in sheet.rows] == NICKNAMES
    assert (sheet.rows[2].fouls, sheet.rows[2].role, sheet.result) == (("6.6.1",), "Ш", "")
    header = sheet.header
    assert (header.tournament, header.stage, header.game, header.table) == ("Кубок Ёлки", "Отбор", 1, 1)
    assert (header.date, header.judge) == ("2024-01-05", "Анна Королёва")


def test_a_signed_sheet_is_read_as_it_was_signed(
    game: Game, cast: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    written(game, cast.judge, WON_BY_RED)
    signed = seal(game, revision=4, by=cast.judge)
    Player.objects.filter(nickname="Барс").update(nickname="Другой")
    with django_assert_num_queries(1):
        sheet = sheet_of(game, None)
    assert sheet == signed.sheet
    assert (sheet.rows[1].nickname, sheet.result) == ("Барс", "red")


@pytest.mark.parametrize("many", [1, 3])
def test_the_games_of_a_judge_are_one_query(
    game: Game, cast: Cast, many: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(1, many):
        create_game(game.stage, played_on=game.played_on, judge=cast.judge)
    create_game(game.stage, played_on=game.played_on, judge=cast.other_judge)
    with django_assert_num_queries(1):
        found = [(g.tournament.title, g.stage.name, g.number) for g in games_of_judge(cast.judge)]
    assert found == [("Кубок Ёлки", "Отбор", number) for number in range(1, many + 1)]


def test_games_to_be_signed_come_first(game: Game, cast: Cast) -> None:
    later = create_game(game.stage, played_on=game.played_on, judge=cast.judge)
    seat_players(later, NICKNAMES)
    written(game, cast.judge, WON_BY_RED)
    seal(game, revision=4, by=cast.judge)
    assert [g.number for g in games_of_judge(cast.judge)] == [2, 1]
    assert [g.number for g in games_of(game.tournament)] == [1, 2]


def test_judges_of_a_tournament_are_those_who_may_take_a_game(game: Game, cast: Cast) -> None:
    assert set(judges_of(game.tournament)) == {cast.judge, cast.other_judge, cast.head_judge}


@pytest.mark.parametrize(
    ("typed", "offered"),
    [("ё", ["Ёлка 7", "ёрш"]), ("Е", ["Енот"]), ("ЁЛ", ["Ёлка 7"]), ("%", []), ("_", []), (" ", []), ("л", [])],
)
def test_known_players_are_offered_by_their_first_letters(
    game: Game, typed: str, offered: list[str], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for nickname in ("ёрш", "Енот"):
        Player.objects.create(nickname=nickname)
    with django_assert_num_queries(0 if typed == " " else 1):
        assert player_suggestions(typed) == offered


@pytest.mark.parametrize("many", [1, 3])
def test_records_of_many_games_are_two_queries(
    game: Game, cast: Cast, many: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    games = [game]
    for _ in range(1, many):
        games.append(create_game(game.stage, played_on=game.played_on, judge=cast.judge))
        seat_players(games[-1], NICKNAMES[::-1])
    for number, each in enumerate(games, start=1):
        written(each, cast.judge, BEGUN[:number])
    with django_assert_num_queries(2):
        found = records_of(games)
        names = {key: record.names[1] for key, record in found.items()}
    assert [found[each.pk].values for each in games] == [record_of(each).values for each in games]
    assert [found[each.pk].state for each in games] == [record_of(each).state for each in games]
    assert list(names.values()) == ["Ёлка 7", "Клён", "Клён"][:many]
