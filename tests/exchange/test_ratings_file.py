"""A game of the site as a mafiaratings file: the real ones the same again, others with what stays behind."""

import io
import json
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from protocols.exchange import formats
from protocols.models import Game, Seat
from protocols.ratings_file import mafiaratings_of
from protocols.rules import entries as e
from protocols.rules.terms import AFTER
from protocols.selectors import record_of
from protocols.services.importing import Target, import_file
from protocols.services.record import record
from tests.protocols.markup import Page
from tests.protocols.test_pages_access import client_of
from tests.protocols.world import world

from .expected import GAMES
from .files import evening_file, game_data, game_file, raw

pytestmark = pytest.mark.django_db


def taken(name: str, *, sign: bool = False) -> Game:
    """A real game, taken in."""
    (game,) = import_file(game_file(name).read_bytes(), name=f"{name}.json", target=Target(), sign=sign).games
    return game


def exported(*arguments: object) -> tuple[str, list[str]]:
    """What the command writes, and its errors' output."""
    out, err = io.StringIO(), io.StringIO()
    call_command("export_game", "--format", "mafiaratings", *map(str, arguments), stdout=out, stderr=err)
    return out.getvalue(), err.getvalue().splitlines()


@pytest.mark.parametrize("name", GAMES)
def test_import_and_export_of_a_real_file_are_equal_field_by_field(name: str) -> None:
    assert mafiaratings_of(record_of(taken(name))) == (game_data(name), ())


@pytest.mark.parametrize("name", GAMES)
def test_a_file_of_ours_is_taken_in_as_the_same_game(name: str) -> None:
    first = record_of(taken(name))
    data = {**mafiaratings_of(first)[0], "id": 99}  # the very same file would be known
    (again,) = import_file(raw(data), name="again.json", target=Target(stage="Ещё раз")).games
    assert record_of(again).values == first.values


def test_the_command_writes_the_file_and_tells_what_is_not_in_it() -> None:
    game = taken("full-black-win", sign=True)
    text, told = exported(game.uuid)
    assert json.loads(text) == game_data("full-black-win")
    assert told == [f"{game.uuid}, в файле нет: Подпись судьи"]


def test_what_a_judge_adds_later_is_told() -> None:
    game = taken("full-black-win")
    anna = User.objects.create_user("anna")
    points = e.ExtraPoints(moment=AFTER, seat=8, points=200)
    assert record(points, game=game, revision=game.revision, by=anna, uuid=uuid4()).is_written
    assert mafiaratings_of(record_of(game)) == (game_data("full-black-win"), ("Доп. баллы: №8 Тайга +0,2",))


def test_a_game_played_here_has_no_ids_and_its_day_for_a_time() -> None:
    found = world()
    data, unheld = mafiaratings_of(record_of(found.over))
    assert sorted(data) == ["endTime", "features", "players", "startTime", "winner"]
    assert [player["name"] for player in data["players"]] == list(found.nicknames)
    assert not [player for player in data["players"] if "id" in player]
    assert data["features"] == "gsdutclhvnwr"
    assert data["startTime"] == 1_791_579_600  # the midnight of 10 October 2026 in Moscow: it was typed in another day
    assert unheld == (
        "Номера игры, клуба, события и людей на mafiaratings: в записи их нет",
        "Судья: Соколова",
    )
    assert formats.read(raw(data))


def test_an_unfinished_game_and_results_alone_are_no_such_file() -> None:
    found = world()
    with pytest.raises(CommandError, match="Игра не окончена, а в файле mafiaratings указан победитель"):
        exported(found.running.uuid)
    evening = import_file(evening_file("2013-12-07").read_bytes(), name="e.json", target=Target())
    with pytest.raises(CommandError, match="сохранены только результаты"):
        exported(evening.games[0].uuid)


# ---------------------------------------------------------------- the page

CAST = ("judge", "other", "head", "organizer", "foreign", "plain", "anonymous")
PAGES = {
    "/games/{signed}/mafiaratings/": (200,) * 7,
    "/games/{signed}/mafiaratings.json": (200,) * 7,
    "/games/{over}/mafiaratings/": (200, 404, 200, 200, 404, 404, 404),
    "/games/{over}/mafiaratings.json": (200, 404, 200, 200, 404, 404, 404),
    "/games/{running}/mafiaratings/": (200, 404, 200, 200, 404, 404, 404),
    "/games/{running}/mafiaratings.json": (404,) * 7,
    "/games/{prepared}/mafiaratings.json": (404,) * 7,
}


def test_the_file_is_for_those_who_may_see_the_whole_game_after_its_end() -> None:
    found = world()
    games = {name: getattr(found, name).uuid for name in ("prepared", "running", "over", "signed")}
    clients = {name: client_of(name) for name in CAST}
    given = {
        address: tuple(clients[name].get(address.format(**games)).status_code for name in CAST) for address in PAGES
    }
    assert given == PAGES


def test_whoever_plays_at_a_running_table_is_denied() -> None:
    found = world()
    seat = Seat.objects.filter(game=found.running, number=1).select_related("player").get()
    seat.player.user = found.people["head"]
    seat.player.save()
    assert client_of("head").get(f"/games/{found.running.uuid}/mafiaratings/").status_code == 403


def test_the_page_lists_what_stays_behind_and_offers_the_file() -> None:
    game = taken("full-black-win", sign=True)
    page = Page(Client().get(f"/games/{game.uuid}/mafiaratings/").content.decode())
    assert "Чего не будет в файле" in page.text
    assert "Подпись судьи" in page.text
    assert "Скачать файл mafiaratings" in page.text


def test_a_stranger_gets_no_numbers_of_people() -> None:
    game = taken("full-black-win", sign=True)
    response = Client().get(f"/games/{game.uuid}/mafiaratings.json")
    assert response["Content-Disposition"] == "attachment; filename*=UTF-8''mafiaratings-1-1-1-mafiaratings.json"
    expected = game_data("full-black-win")
    del expected["moderator"]
    for player in expected["players"]:
        del player["id"]
    assert response.json() == expected
