"""Rounds as they run: their starts, their judges, games moved, cancellations, and the board of all tables."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from protocols.models import Game, MemberRole, Round, Stage, Tournament
from protocols.services import seating_people
from protocols.services.errors import Invalid
from protocols.services.prepare import add_stage, appoint, seat_players
from protocols.services.seating_rounds import seat_rounds

from .test_pages_access import client_of
from .test_seating_rounds import NAMES
from .world import World, world


@pytest.fixture
def cup(db: None) -> World:
    """The tournament, with twenty participants beside its games."""
    made = world()
    seating_people.register(made.tournament, NAMES, confirm_new=True)
    return made


@pytest.fixture
def stage(cup: World) -> Stage:
    """A stage of two rounds at two tables."""
    made = add_stage(cup.tournament, name="Второй круг")
    keys = list(cup.tournament.participants.order_by("number").values_list("player", flat=True))[:20]
    seat_rounds(made, [[keys[:10], keys[10:]], [keys[5:15], keys[:5] + keys[15:]]], confirmed=True)
    return made


@pytest.fixture
def organizer(cup: World) -> Client:
    """The organizer's browser."""
    return client_of("organizer")


def game_at(stage: Stage, round: int, table: int) -> Game:
    """The game of this table of the round."""
    return Game.objects.get(stage=stage, round=round, table_number=table)


def assigned(client: Client, stage: Stage, round: int, *judges: User | None) -> tuple[int, str]:
    """The answer to judges being named for the tables of a round, in their order."""
    games = list(Game.objects.filter(stage=stage, round=round).order_by("table_number"))
    sent: dict[str, Any] = {"part": "judges"}
    for game, judge in zip(games, judges, strict=True):
        sent[f"judge-{game.pk}"] = judge.pk if judge else ""
        sent[f"before-{game.pk}"] = game.judge_id or ""
    answer = client.post(f"/t/cup/rounds/{stage.number}/{round}/", sent)
    return answer.status_code, answer.content.decode()


def test_judges_are_given_their_tables_and_may_change_places(cup: World, stage: Stage, organizer: Client) -> None:
    judge, other = cup.people["judge"], cup.people["other"]
    assert assigned(organizer, stage, 1, judge, other)[0] == 302
    assert assigned(organizer, stage, 1, other, judge)[0] == 302
    assert (game_at(stage, 1, 1).judge_name, game_at(stage, 1, 2).judge_name) == ("Другова", "Соколова")
    assert assigned(organizer, stage, 1, None, judge)[0] == 302
    assert (game_at(stage, 1, 1).judge, game_at(stage, 1, 1).judge_name) == (None, "")


def test_nobody_judges_two_tables_of_a_round(cup: World, stage: Stage, organizer: Client) -> None:
    status, html = assigned(organizer, stage, 1, cup.people["judge"], cup.people["judge"])
    assert (status, game_at(stage, 1, 1).judge) == (422, None)
    assert "Соколова не может судить за столом 1: уже судит за столом 2 тура 1." in html


def test_nobody_judges_at_a_table_of_a_listed_conflict(cup: World, stage: Stage, organizer: Client) -> None:
    seat = game_at(stage, 1, 2).seats.get(number=3)
    seating_people.note_conflict(cup.tournament, cup.people["other"], seat.player)
    status, html = assigned(organizer, stage, 1, cup.people["judge"], cup.people["other"])
    assert (status, game_at(stage, 1, 1).judge) == (422, None)
    words = f"Другова не может судить за столом 2: указан отвод от игрока {seat.nickname}, место 3."
    assert words in html
    cup.prepared.judge = cup.people["other"]
    cup.prepared.save()
    with pytest.raises(Invalid, match=f"Место 1, {seat.nickname}: указан отвод"):
        seat_players(cup.prepared, [seat.nickname])
    hand = client_of("head").post(f"/games/{game_at(stage, 1, 2).uuid}/hand-over/", {"judge": cup.people["other"].pk})
    assert (hand.status_code, words in hand.content.decode()) == (422, True)


def test_nobody_judges_while_playing(cup: World, stage: Stage, organizer: Client) -> None:
    seat = game_at(stage, 1, 2).seats.get(number=3)
    seat.player.user = cup.people["judge"]
    seat.player.save()
    status, html = assigned(organizer, stage, 1, None, cup.people["judge"])
    assert (status, f"играет там, место 3, {seat.nickname}" in html) == (422, True)
    status, html = assigned(organizer, stage, 1, cup.people["judge"], None)
    assert (status, f"играет за столом 2 тура 1, никнейм {seat.nickname}" in html) == (422, True)


def test_two_judges_at_one_table_are_refused_by_name(cup: World, stage: Stage, organizer: Client) -> None:
    game = game_at(stage, 1, 1)
    both = [cup.people["judge"].pk, cup.people["other"].pk]
    path = f"/t/cup/rounds/{stage.number}/1/"
    answer = organizer.post(path, {"part": "judges", f"judge-{game.pk}": both, f"before-{game.pk}": ""})
    assert answer.status_code == 422
    assert "Стол 1: два судьи, Соколова, Другова. У стола один судья" in answer.content.decode()
    game.judge, game.judge_name = cup.people["judge"], "Соколова"
    game.save()
    late = organizer.post(path, {"part": "judges", f"judge-{game.pk}": both[1], f"before-{game.pk}": ""})
    assert (late.status_code, "назначен судья Соколова" in late.content.decode()) == (422, True)


def test_a_round_starts_by_the_clock_of_the_tournament(cup: World, stage: Stage, organizer: Client) -> None:
    path = f"/t/cup/rounds/{stage.number}/2/"
    assert organizer.post(path, {"part": "start", "starts_at": "2026-10-11T01:30"}).status_code == 302
    row = Round.objects.get(stage=stage, number=2)
    assert row.starts_at and row.starts_at.isoformat() == "2026-10-10T22:30:00+00:00"
    assert game_at(stage, 2, 1).played_on.isoformat() == "2026-10-11"
    assert "11 октября 2026, 01:30 (Europe/Moscow)" in organizer.get(path).content.decode()


def test_pages_of_a_round_tell_its_start_by_the_clock_of_the_tournament(
    cup: World, stage: Stage, organizer: Client
) -> None:
    Tournament.objects.filter(pk=cup.tournament.pk).update(time_zone="Asia/Vladivostok")
    start = datetime(2026, 12, 10, 10, tzinfo=ZoneInfo("Asia/Vladivostok"))
    Round.objects.filter(stage=stage, number=1).update(starts_at=start)
    for address in (f"/t/cup/rounds/{stage.number}/1/", "/t/cup/rounds/", "/t/cup/tables/?rounds=all"):
        page = organizer.get(address).content.decode()
        assert re.findall(r"[^+]03:00", page) == []  # the server’s clock; +03:00 is its offset
        assert "10:00" in page


def test_the_halls_screen_tells_nobody_of_a_seating_that_is_not_published(cup: World, stage: Stage) -> None:
    game = game_at(stage, 1, 1)
    Game.objects.filter(pk=game.pk).update(table_number=7)  # no game was played there
    nickname = game.seats.get(number=1).nickname
    Tournament.objects.filter(pk=cup.tournament.pk).update(is_public=True)
    for is_public in (False, True):
        Stage.objects.filter(pk=stage.pk).update(seating_is_public=is_public)
        for part in ("", "state/"):
            page = Client().get(f"/t/cup/tables/7/screen/{part}").content.decode()
            assert (nickname in page) == is_public


def test_a_game_moves_to_a_free_table_and_to_a_round_in_which_its_players_are_free(
    cup: World, stage: Stage, organizer: Client
) -> None:
    path, game = f"/t/cup/rounds/{stage.number}/1/", game_at(stage, 1, 1)
    taken = organizer.post(path, {"part": "move", "game": game.pk, "round": 1, "table": 2})
    assert (taken.status_code, "свободен стол 3" in taken.content.decode()) == (422, True)
    sits = organizer.post(path, {"part": "move", "game": game.pk, "round": 2, "table": 3})
    assert sits.status_code == 422
    assert f"{NAMES[0]} уже сидит за столом 2 в туре 2." in sits.content.decode()
    assert organizer.post(path, {"part": "move", "game": game.pk, "round": 1, "table": 3}).status_code == 302
    moved = organizer.post(path, {"part": "move", "game": game.pk, "round": 3, "table": 1})
    assert moved["Location"] == f"/t/cup/rounds/{stage.number}/3/"
    game.refresh_from_db()
    assert (game.round, game.number, game.table_number) == (3, 3, 1)
    assert list(Round.objects.filter(stage=stage).values_list("number", "tables")) == [(1, 2), (2, 2), (3, 1)]


def test_a_game_that_has_begun_stays_in_its_round(cup: World, organizer: Client) -> None:
    Round.objects.create(stage=cup.stage, number=2)
    path = "/t/cup/rounds/1/2/"
    answer = organizer.post(path, {"part": "move", "game": cup.running.pk, "round": 9, "table": 1})
    assert (answer.status_code, "Игра началась" in answer.content.decode()) == (422, True)


def test_a_round_is_cancelled_with_a_reason_and_told_so(cup: World, stage: Stage, organizer: Client) -> None:
    path = f"/t/cup/rounds/{stage.number}/2/"
    assert organizer.post(path, {"part": "cancel", "reason": " "}).status_code == 422
    assert organizer.post(path, {"part": "cancel", "reason": "Погас свет"}).status_code == 302
    assert "Погас свет" in organizer.get("/t/cup/rounds/").content.decode()
    assert "Отменён" in organizer.get(path).content.decode()


def test_unsigned_games_before_a_round_are_named_on_its_page(cup: World, stage: Stage, organizer: Client) -> None:
    html = organizer.get(f"/t/cup/rounds/{stage.number}/1/").content.decode()
    assert "До этого тура ещё не подписаны: Отборочная, игра 1, стол 1; Отборочная, игра 2, стол 1" in html


def test_only_who_oversees_the_tournament_runs_it(cup: World, stage: Stage) -> None:
    paths = ("/t/cup/rounds/", f"/t/cup/rounds/{stage.number}/1/", "/t/cup/tables/", "/t/cup/tables/state/")
    for who, status in (("organizer", 200), ("head", 200), ("judge", 403), ("plain", 403)):
        assert [client_of(who).get(path).status_code for path in paths] == [status] * 4


# ---------------------------------------------------------------- the board of tables


def test_the_board_shows_each_table_with_its_state(cup: World, organizer: Client) -> None:
    html = organizer.get("/t/cup/tables/?rounds=all").content.decode()
    for words in ("не начата", "окончена, ждёт подписи", "победа чёрных", "подписана", "Соколова"):
        assert words in html
    assert html.count('class="tile"') == 4


def test_the_board_answers_304_until_something_is_written(cup: World, organizer: Client) -> None:
    first = organizer.get("/t/cup/tables/state/")
    again = organizer.get("/t/cup/tables/state/", headers={"if-none-match": first["ETag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    cup.prepared.protest = ""
    cup.prepared.judge_name = "Иванова"
    cup.prepared.save()
    assert organizer.get("/t/cup/tables/state/", headers={"if-none-match": first["ETag"]}).status_code == 200


def test_the_board_asks_as_many_questions_however_many_tables(cup: World, organizer: Client) -> None:
    counts, tables = [], []
    for _ in range(2):
        with CaptureQueriesContext(connection) as asked:
            html = organizer.get("/t/cup/tables/?rounds=all").content.decode()
        counts.append(len(asked))
        tables.append(html.count('class="tile"'))
        keys = list(cup.tournament.participants.values_list("player", flat=True))
        seat_rounds(add_stage(cup.tournament, name="Ещё"), [[keys[:10], keys[10:20]]], confirmed=True)
    assert (counts, tables) == ([9, 9], [4, 6])


def test_who_plays_at_a_table_is_shown_nothing_of_it(cup: World) -> None:
    appoint(cup.tournament, cup.people["other"], MemberRole.HEAD_JUDGE)
    seat = cup.running.seats.get(number=1)
    seat.player.user = cup.people["other"]
    seat.player.save()
    html = client_of("other").get("/t/cup/tables/?rounds=all").content.decode()
    assert ("Вы играете за этим столом." in html, "День 1" in html) == (True, False)
