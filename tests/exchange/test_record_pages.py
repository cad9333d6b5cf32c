"""Taking records away and bringing them in by pages: who may, what is told, how large a file may be."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from protocols.exchange.reading import MAX_BYTES
from protocols.exchange.schema import NAMES, schema_bytes
from protocols.models import Game, Player, Tournament
from protocols.services.prepare import add_stage, create_tournament
from protocols.services.verify import differences
from tests.protocols.world import PASSWORD, PLAYED_ON, World, person, world

from .files import game_data, game_file
from .records import another_site, bytes_of

pytestmark = pytest.mark.django_db

CAST = ("judge", "other", "head", "organizer", "foreign", "plain", "")


@pytest.fixture
def cup(db: None) -> World:
    """A game in every state and everybody who may come near it."""
    return world()


def client_of(name: str) -> Client:
    """A browser in which that person is logged in; of anybody for an empty name."""
    client = Client()
    assert not name or client.login(username=name, password=PASSWORD)
    return client


def record_of(game: Game, name: str) -> HttpResponse:
    """What the person gets who asks for the record."""
    response = client_of(name).get(f"/games/{game.uuid}/record.json")
    assert isinstance(response, HttpResponse)
    return response


def test_a_signed_record_is_everybodys_and_whole_for_those_who_serve(cup: World) -> None:
    answers = [record_of(cup.signed, name) for name in CAST]
    assert [answer.status_code for answer in answers] == [200] * 7
    whole, public = bytes_of(cup.signed), bytes_of(cup.signed, is_public=True)
    assert [answer.content for answer in answers] == [whole, public, whole, whole, public, public, public]
    assert answers[0].headers["Content-Type"] == "application/json"
    assert answers[0].headers["Content-Disposition"] == "attachment; filename*=UTF-8''cup-1-4-1.json"
    assert "no-store" in answers[0].headers["Cache-Control"]


@pytest.mark.parametrize("state", ["prepared", "running", "over"])
def test_a_record_not_signed_is_for_those_who_serve(cup: World, state: str) -> None:
    game = getattr(cup, state)
    assert [record_of(game, name).status_code for name in CAST] == [200, 404, 200, 200, 404, 404, 404]


def test_who_plays_at_a_table_does_not_get_its_roles(cup: World) -> None:
    Player.objects.filter(nickname=cup.nicknames[0]).update(user=cup.people["organizer"])
    given = [record_of(game, "organizer").status_code for game in (cup.prepared, cup.running, cup.over, cup.signed)]
    assert given == [403, 403, 200, 200]
    page = client_of("organizer").get(f"/games/{cup.running.uuid}/").content.decode()
    assert "record.json" not in page
    assert "record.json" in client_of("judge").get(f"/games/{cup.running.uuid}/").content.decode()


def test_a_record_of_a_closed_tournament_is_not_found(cup: World) -> None:
    Tournament.objects.filter(pk=cup.tournament.pk).update(is_public=False)
    assert [record_of(cup.signed, name).status_code for name in CAST] == [200, 200, 200, 200, 404, 404, 404]


@pytest.mark.parametrize("length", [1, 3])
def test_a_record_costs_as_many_queries_whatever_its_length(
    cup: World, length: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    game = {1: cup.running, 3: cup.over}[length]
    client = client_of("judge")
    with django_assert_num_queries(8):
        client.get(f"/games/{game.uuid}/record.json")


def test_the_schemas_are_public() -> None:
    for name in NAMES:
        response = Client().get(f"/schema/{name}.json")
        assert (response.status_code, response.content) == (200, schema_bytes(name))
        assert response.headers["Content-Type"] == "application/schema+json"
    assert Client().get("/schema/game-3.json").status_code == 404


# ---------------------------------------------------------------- bringing in


def sent(name: str, raw: bytes, stage: str = "", slug: str = "cup") -> HttpResponse:
    """What the page answers to a file."""
    form = {"file": SimpleUploadedFile("game.json", raw), "stage": stage}
    response = client_of(name).post(f"/t/{slug}/upload/", form)
    assert isinstance(response, HttpResponse)
    return response


def test_only_the_organizer_brings_games_in(cup: World) -> None:
    raw = game_file("full-black-win").read_bytes()
    before = Game.objects.count()
    assert [client_of(name).get("/t/cup/upload/").status_code for name in CAST] == [403, 403, 403, 200, 403, 403, 302]
    others = [name for name in CAST if name != "organizer"]
    assert [sent(name, raw).status_code for name in others] == [403, 403, 403, 403, 403, 401]
    assert Game.objects.count() == before
    assert sent("organizer", raw).status_code == 302
    assert Game.objects.count() == before + 1


def test_a_record_brought_in_says_so_on_its_page(cup: World) -> None:
    raw = bytes_of(cup.signed)
    another_site()
    fresh = world_without_games()
    response = sent("organizer", raw, slug="here")
    assert (response.status_code, response.headers["Location"]) == (302, f"/games/{cup.signed.uuid}/")
    game = Game.objects.select_related("tournament", "stage").get()
    assert (game.tournament, differences(game)) == (fresh, [])
    page = Client().get(f"/games/{game.uuid}/").content.decode()
    assert "Подписано: Соколова" in page
    assert "Запись игры попала сюда из файла." in page
    assert sent("organizer", raw, slug="here").status_code == 302
    assert Game.objects.count() == 1


def world_without_games() -> Tournament:
    """A tournament under the Federation's rules that `organizer` organizes."""
    organizer = person("organizer", "Орлова")
    return create_tournament(title="Здесь", starts_on=PLAYED_ON, regulation="F", by=organizer, slug="here")


def test_a_file_goes_to_the_stage_that_was_chosen(cup: World) -> None:
    final = add_stage(cup.tournament, name="Финал")
    sent("organizer", game_file("full-black-win").read_bytes(), stage="Финал")
    assert Game.objects.filter(stage=final).count() == 1
    answer = sent("organizer", game_file("don-and-sheriff-checks").read_bytes(), stage="Нет такой")
    assert (answer.status_code, Game.objects.filter(stage=final).count()) == (422, 1)


def test_why_a_file_is_refused_stands_on_the_page(cup: World) -> None:
    before = Game.objects.count()
    altered = json.loads(bytes_of(cup.signed))
    altered["uuid"] = "11111111-2222-3333-4444-555555555555"
    answer = sent("organizer", json.dumps(altered).encode())
    assert answer.status_code == 422
    assert "запись 1 не такая, какой её внесли, или не связана с предыдущей" in answer.content.decode()
    assert Game.objects.count() == before


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"", "Файл пуст"),
        (b"PK\x03\x04", "Файл — не JSON"),
        (b'"' + b"x" * MAX_BYTES + b'"', "Файл больше 2 МБ"),
        (b"[" * 5000 + b"]" * 5000, "Файл — не игра: списки вложены слишком глубоко"),
        (b"\xff\xfe", "Файл — не текст в кодировке UTF-8"),
    ],
    ids=["empty", "zip", "large", "deep", "utf-16"],
)
def test_what_is_no_game_gets_one_line(cup: World, raw: bytes, says: str) -> None:
    answer = sent("organizer", raw)
    assert answer.status_code == 422
    assert says in answer.content.decode()


def test_no_file_at_all_is_asked_for(cup: World) -> None:
    answer = client_of("organizer").post("/t/cup/upload/", {"stage": ""})
    assert answer.status_code == 422


def test_a_contradiction_is_told_with_its_clause(cup: World) -> None:
    data = game_data()
    data["players"][8]["legacy"] = [1, 2, 3]
    empty_before = Game.objects.count()
    answer = sent("organizer", json.dumps(data).encode())
    assert (answer.status_code, Game.objects.count()) == (422, empty_before)
    assert "п. 8.3" in answer.content.decode()
