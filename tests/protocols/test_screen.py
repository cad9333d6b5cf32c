"""The hall's screen of a table: what everybody in the hall has seen and heard, and no role before the end."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from protocols.models import Game, Status
from protocols.rules import entries as e
from protocols.rules.terms import Moment, Penalty, Phase, Role, Team
from protocols.screen import Screen, screen_of

from .tables import FIRST, NICKNAMES, NIGHT_ZERO, ROLES, Table, game_now, later, real_game, speech, table
from .test_pages_access import CAST, client_of
from .world import game_of, world

SECOND = Moment(1, Phase.SPEECHES, 0, 2)
NIGHT = Moment(1, Phase.NIGHT)
ROLE_WORDS = re.compile(
    r"красн|чёрн|черн|мирн|мафи|\bдон|шериф|\bred\b|\bblack\b|\bdon\b|sheriff|role|team|[>\"\s](?:К|Ч|Ш|Д)[<\"\s]", re.I
)


def address(game: Game, part: str = "") -> str:
    """The table's screen, or what changes on it."""
    return f"/t/{game.tournament.slug}/tables/{game.table_number}/screen/{part}"


def seen(game: Game) -> str:
    """What changes on the screen, without the clock, as it is sent to anybody."""
    html = Client().get(address(game, "state/")).content.decode()
    return re.sub(r'data-(deadline|left)="-?\d+"', "", html)


def screen(at: Table) -> Screen:
    """The screen's value now."""
    game = Game.objects.select_related("tournament", "stage").get(pk=at.game.pk)
    return screen_of(game)


@pytest.fixture
def running(db: None) -> Table:
    """A game in which 5 is nominated on day 1 and 3 has three fouls, its roles written."""
    at = table()
    later(
        at.game, ROLES, NIGHT_ZERO, speech(1), e.Nomination(moment=FIRST, seat=1, target=5),
        *[e.Foul(moment=FIRST, seat=3)] * 3, speech(2),
    )  # fmt: skip
    return at


def test_it_shows_seats_fouls_nominations_and_whose_minute_runs(running: Table) -> None:
    now = screen(running)
    assert (now.title, now.where) == ("Стол 1 · Игра 1", "День 1 · речи")
    assert [row.nickname for row in now.rows] == NICKNAMES
    assert {row.seat: row.fouls for row in now.rows if row.fouls} == {3: 3}
    assert {row.seat: row.silent for row in now.rows if row.silent} == {3: "без слова"}
    assert [(row.seat, row.ballot, row.nominates) for row in now.rows if row.ballot or row.nominates] == [
        (1, 0, 5), (5, 1, 0),
    ]  # fmt: skip
    assert now.speaker and (now.speaker.seat, now.length) == (2, "1:00")
    assert now.vote and (now.vote.day, now.vote.nominees) == (1, (5,))


def test_the_screen_of_a_game_with_roles_is_that_of_the_same_game_without_them_at_every_step(db: None) -> None:
    cup = world()
    roles, *play = real_game()
    known, unknown = (game_of(cup.stage, cup.people["judge"], cup.nicknames) for _ in range(2))
    Game.objects.filter(pk=known.pk).update(table_number=21, number=1)
    Game.objects.filter(pk=unknown.pk).update(table_number=22, number=1)
    later(known, roles)
    steps = 0
    for entry in play:
        later(known, entry)
        if game_now(known).status != Status.RUNNING:
            break
        if not isinstance(entry, e.Check):
            later(unknown, replace(entry, shots=()) if isinstance(entry, e.Shot) else entry)
        assert seen(game_now(known)).replace("Стол 21", "Стол 22") == seen(game_now(unknown))
        steps += 1
    assert steps > 60


def test_no_word_letter_or_class_on_the_page_of_a_running_game_tells_a_role(running: Table) -> None:
    for part in ("", "?overlay=1", "state/"):
        html = Client().get(address(running.game, part)).content.decode()
        words = html.replace("Протоколы спортивной мафии", "").replace('role="status"', "")
        assert ROLE_WORDS.findall(words) == [], part


def test_neither_is_there_one_when_the_game_is_over_and_not_signed(running: Table) -> None:
    later(
        running.game,
        e.Foul(moment=SECOND, seat=2, penalty=Penalty.TEAM_DEFEAT, team=Team.RED, clause="6.8.1"),
    )
    now = screen(running)
    html = Client().get(address(running.game, "state/")).content.decode()
    assert game_now(running.game).status == Status.OVER
    assert (now.where, now.result, now.has_roles, now.timer) == ("Игра окончена", "", False, None)
    assert "Итог появится здесь, когда протокол подпишут." in html
    assert ROLE_WORDS.findall(html) == []


def test_the_victim_of_the_night_appears_in_the_morning(db: None) -> None:
    at = table()
    later(at.game, ROLES, NIGHT_ZERO, speech(1), e.Turn(moment=NIGHT))
    before = seen(at.game)
    shots = tuple((seat, 1) for seat in (5, 7, 8))
    don, sheriff = Moment(1, Phase.DON), Moment(1, Phase.SHERIFF)
    later(at.game, e.Shot(moment=NIGHT, target=1, shots=shots))
    later(at.game, e.Check(moment=don, by=Role.DON, target=6), e.Check(moment=sheriff, by=Role.SHERIFF, target=5))
    assert seen(at.game) == before
    assert (screen(at).where, screen(at).timer) == ("Ночь 1", None)
    later(at.game, e.Turn(moment=Moment(2, Phase.VICTIM_WORDS), seat=1))
    assert [(row.seat, row.left_short) for row in screen(at).rows if row.left] == [(1, "отстрел, н1")]
    assert screen(at).timer is not None


def test_what_is_written_at_night_changes_not_even_the_mark(db: None) -> None:
    at = table()
    later(at.game, ROLES, NIGHT_ZERO, speech(1), e.Turn(moment=NIGHT))
    mark = Client().get(address(at.game, "state/")).headers["ETag"]
    later(at.game, e.Shot(moment=NIGHT, target=1))
    later(at.game, e.Check(moment=Moment(1, Phase.DON), by=Role.DON, target=6))
    assert Client().get(address(at.game, "state/")).headers["ETag"] == mark


def test_a_signed_game_shows_its_roles_and_its_result(db: None) -> None:
    cup = world()
    now = screen_of(Game.objects.select_related("tournament", "stage").get(pk=cup.signed.pk))
    assert (now.result, now.has_roles, now.is_over) == ("победа чёрных", True, True)
    assert [row.role for row in now.rows] == [role.letter for role in cup.roles]


# ---------------------------------------------------------------- which game, for whom


def test_it_shows_the_game_played_then_the_last_one_played_then_the_first_to_come(db: None) -> None:
    cup = world()  # games 1 prepared, 2 running, 3 over, 4 signed
    titles = []
    for status in ("running", "over", "closed"):
        page = Client().get("/t/cup/tables/1/screen/").content.decode()
        titles.append(re.findall(r"Стол 1 · Игра (\d)", page)[0])
        if status == "running":
            Game.objects.filter(pk=cup.running.pk).update(status=Status.PREPARED)
        elif status == "over":
            Game.objects.filter(pk__in=(cup.over.pk, cup.signed.pk)).update(table_number=2)
    assert titles == ["2", "4", "1"]


def test_everybody_sees_it_and_nobody_where_the_tournament_is_not_public(running: Table) -> None:
    tournament = running.game.tournament
    assert Client().get(f"/t/{tournament.slug}/tables/2/screen/").status_code == 404
    assert Client().get("/t/none/tables/1/screen/").status_code == 404
    assert {Client().get(address(running.game, part)).status_code for part in ("", "state/")} == {200}
    tournament.is_public = False
    tournament.save()
    assert {Client().get(address(running.game, part)).status_code for part in ("", "state/")} == {404}


def test_who_is_logged_in_sees_no_more(db: None) -> None:
    world()
    pages = {name: client_of(name).get("/t/cup/tables/1/screen/state/").content for name in CAST}
    assert set(pages.values()) == {pages["anonymous"]}


def test_nothing_new_is_one_query_and_304(running: Table, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    client = Client()
    mark = client.get(address(running.game, "state/")).headers["ETag"]
    with django_assert_num_queries(1):
        again = client.get(address(running.game, "state/"), headers={"If-None-Match": mark})
    assert (again.status_code, again.content) == (304, b"")
    assert abs(int(again.headers["X-Now"]) - running.game.created_at.timestamp() * 1000) < 60_000
    later(running.game, e.Foul(moment=SECOND, seat=4))
    assert client.get(address(running.game, "state/"), headers={"If-None-Match": mark}).status_code == 200
