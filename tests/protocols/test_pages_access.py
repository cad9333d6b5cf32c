"""Who gets which page: every address for everybody who may ask for it, with its exact status."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from protocols.models import Player, Status

from .world import PASSWORD, World, world

CAST = ("judge", "other", "head", "organizer", "foreign", "plain", "anonymous")
#        the table's judge · another judge there · the head judge · the organizer · another tournament's head judge ·
#        somebody with a login · anybody

EVERYBODY = (200, 200, 200, 200, 200, 200, 200)
PAGES = {
    "/": EVERYBODY,
    "/rules/": EVERYBODY,
    "/t/cup/": EVERYBODY,
    "/t/new/": (403, 403, 403, 200, 403, 403, 302),
    "/t/cup/edit/": (403, 403, 403, 200, 403, 403, 302),
    "/t/cup/edit/stages/1/": (403, 403, 403, 200, 403, 403, 302),
    "/t/cup/people/": (200, 200, 200, 200, 403, 403, 302),
    "/join/": EVERYBODY,
    "/t/cup/regulation/": EVERYBODY,
    "/t/cup/regulation/0/": EVERYBODY,
    "/t/cup/regulation/0/regulation.pdf": EVERYBODY,
    "/t/cup/regulation/1/": (404, 404, 404, 404, 404, 404, 404),
    "/t/cup/regulation/edit/": (403, 403, 403, 200, 403, 403, 302),
    "/t/cup/regulation/games/": (403, 403, 403, 200, 403, 403, 302),
    "/t/cup/qualifying/": (403, 403, 403, 200, 403, 403, 302),
    "/t/cup/upload/": (403, 403, 403, 200, 403, 403, 302),
    "/t/cup/archive.zip": (403, 403, 403, 200, 403, 403, 302),
    "/t/new/archive/": (403, 403, 403, 200, 403, 403, 302),
    "/schema/game-1.json": EVERYBODY,
    "/t/cup/desk/": (403, 403, 200, 200, 403, 403, 302),
    "/games/": (200, 200, 200, 200, 200, 200, 302),
    "/games/new/": (200, 200, 200, 200, 200, 403, 302),
    "/players/suggest/?q=л": (200, 200, 200, 200, 200, 403, 403),
    "/games/{signed}/": EVERYBODY,
    "/games/{prepared}/": (200, 404, 200, 200, 404, 404, 404),
    "/games/{running}/": (200, 404, 200, 200, 404, 404, 404),
    "/games/{over}/": (200, 404, 200, 200, 404, 404, 404),
    "/games/{prepared}/prepare/": (200, 403, 200, 200, 404, 404, 302),
    "/games/{running}/prepare/": (200, 403, 200, 200, 404, 404, 302),
    "/games/{over}/prepare/": (200, 403, 200, 200, 404, 404, 302),
    "/games/{signed}/prepare/": (302, 403, 302, 302, 404, 404, 302),
    "/games/{prepared}/hand-over/": (200, 403, 200, 200, 404, 404, 302),
    "/games/{running}/hand-over/": (200, 403, 200, 200, 404, 404, 302),
    "/games/{signed}/hand-over/": (302, 403, 302, 302, 404, 404, 302),
    "/t/cup/standings/": EVERYBODY,
    "/t/cup/standings.pdf": EVERYBODY,
    "/t/cup/protocols.pdf?stage=1": (302, 302, 302, 302, 302, 302, 302),
    "/t/cup/protocols.pdf?stage=9": (404, 404, 404, 404, 404, 404, 404),
    "/games/{signed}/record.json": EVERYBODY,
    "/games/{running}/record.json": (200, 404, 200, 200, 404, 404, 404),
    "/games/{signed}/sheet.pdf": EVERYBODY,
    "/games/{running}/sheet.pdf": (200, 404, 200, 200, 404, 404, 404),
    "/games/{running}/sheet.pdf?sheet=1": (404, 404, 404, 404, 404, 404, 404),
    "/games/{running}/blank.pdf": (200, 403, 200, 200, 404, 404, 302),
    "/games/{running}/board/": (200, 403, 200, 200, 404, 404, 302),
    "/games/{over}/finish/": (200, 403, 200, 403, 404, 404, 302),
    "/games/{prepared}/paper/": (200, 403, 200, 403, 404, 404, 302),
}
SENT = {
    "/t/new/": (403, 403, 403, 422, 403, 403, 401),
    "/t/cup/edit/": (403, 403, 403, 302, 403, 403, 401),
    "/t/cup/edit/stages/1/": (403, 403, 403, 422, 403, 403, 401),
    "/t/cup/people/": (403, 403, 403, 302, 403, 403, 401),
    "/games/new/": (422, 422, 422, 422, 422, 403, 401),
    "/t/cup/upload/": (403, 403, 403, 422, 403, 403, 401),
    "/t/new/archive/": (403, 403, 403, 422, 403, 403, 401),
    "/games/{running}/prepare/": (422, 403, 422, 422, 404, 404, 401),
    "/games/{running}/hand-over/": (422, 403, 422, 422, 404, 404, 401),
    "/games/{signed}/reopen/": (403, 403, 422, 403, 404, 404, 401),
    "/games/{running}/entries/": (422, 403, 422, 403, 404, 404, 401),
    "/games/{over}/finish/": (422, 403, 422, 403, 404, 404, 401),
    "/games/{prepared}/paper/": (422, 403, 422, 403, 404, 404, 401),
    "/games/{running}/reopen/": (403, 403, 422, 403, 404, 404, 401),
}


def client_of(name: str) -> Client:
    """A browser in which that person is logged in."""
    client = Client()
    if name != "anonymous":
        assert client.login(username=name, password=PASSWORD)
    return client


def address(pattern: str, found: World) -> str:
    """The address with the games' own ids."""
    games = {name: getattr(found, name).uuid for name in ("prepared", "running", "over", "signed")}
    return pattern.format(**games)


@pytest.fixture
def cup(db: None) -> World:
    """The tournament and its games."""
    return world()


def test_every_page_asks_who_reads_it(cup: World) -> None:
    clients = {name: client_of(name) for name in CAST}
    given = {pattern: tuple(clients[name].get(address(pattern, cup)).status_code for name in CAST) for pattern in PAGES}
    assert given == PAGES


def test_every_form_asks_who_sends_it(cup: World) -> None:
    clients = {name: client_of(name) for name in CAST}
    given = {pattern: tuple(clients[name].post(address(pattern, cup)).status_code for name in CAST) for pattern in SENT}
    assert given == SENT
    cup.signed.refresh_from_db()
    assert cup.signed.status == Status.SIGNED


def test_whoever_must_log_in_comes_back_to_the_page(cup: World) -> None:
    response = client_of("anonymous").get(f"/games/{cup.running.uuid}/prepare/")
    assert response["Location"] == f"/login/?next=/games/{cup.running.uuid}/prepare/"


def test_a_tournament_that_is_not_open_is_known_to_its_people_alone(cup: World) -> None:
    cup.tournament.is_public = False
    cup.tournament.save()
    addresses = {
        "/t/cup/": (200, 200, 200, 200, 404, 404, 404),
        "/games/{signed}/": (200, 200, 200, 200, 404, 404, 404),
        "/t/cup/edit/": (403, 403, 403, 200, 404, 404, 302),
        "/t/cup/desk/": (403, 403, 200, 200, 404, 404, 302),
    }
    clients = {name: client_of(name) for name in CAST}
    given = {
        pattern: tuple(clients[name].get(address(pattern, cup)).status_code for name in CAST) for pattern in addresses
    }
    assert given == addresses
    listed = {name: "Кубок" in clients[name].get("/").content.decode() for name in CAST}
    assert listed == {name: name in ("judge", "other", "head", "organizer") for name in CAST}


def test_a_head_judge_who_plays_sees_neither_the_roles_nor_the_problems_of_that_table(cup: World) -> None:
    player = Player.objects.get(nickname=cup.nicknames[0])
    player.user = cup.people["head"]
    player.save()
    head = client_of("head")
    running = cup.running.uuid
    assert head.get(f"/games/{running}/prepare/").status_code == 403
    assert head.get(f"/games/{running}/hand-over/").status_code == 403
    desk = head.get("/t/cup/desk/").content.decode()
    assert desk.count("Вы играете за этим столом.") == 2  # prepared and running tables; the one that is over is hers
    page = head.get(f"/games/{running}/").content.decode()
    assert re.findall(r'class="sheet__role">([^<]*)<', page) == [""] * 10
