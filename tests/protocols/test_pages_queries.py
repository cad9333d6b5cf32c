"""A page asks the database as often for three rows as for one."""

from __future__ import annotations

from datetime import date

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django.fixtures import DjangoAssertNumQueries

from protocols.exchange.playback import played
from protocols.models import Game, MemberRole, Stage
from protocols.rules.regulation import FEDERATION
from protocols.services.prepare import add_stage, appoint, create_tournament
from protocols.services.sign import reopen, seal

from .world import PASSWORD, game_of, log_of, person, with_roles_first, write

pytestmark = pytest.mark.django_db
ENTRIES = with_roles_first(played(log_of("full-black-win"), FEDERATION).entries)
NICKNAMES = log_of("full-black-win").nicknames


@pytest.fixture
def stage() -> Stage:
    """The stage of a tournament that `head` runs and organizes and in which `judge` judges."""
    head = person("head")
    cup = create_tournament(title="Кубок", starts_on=date(2026, 10, 10), regulation="F", by=head, slug="cup")
    appoint(cup, head, MemberRole.HEAD_JUDGE)
    appoint(cup, person("judge"), MemberRole.JUDGE)
    return add_stage(cup, name="Отборочная")


def client_of(name: str) -> Client:
    """A browser in which that person is logged in, and has been here before."""
    client = Client()
    assert client.login(username=name, password=PASSWORD)
    return client


def one_of_each(stage: Stage) -> Game:
    """A game prepared, one running, one over and one signed; gives the last."""
    judge = User.objects.get(username="judge")
    game_of(stage, judge, NICKNAMES)
    write(game_of(stage, judge, NICKNAMES), ENTRIES[:30], judge)
    write(game_of(stage, judge, NICKNAMES), ENTRIES, judge)
    signed = game_of(stage, judge, NICKNAMES)
    write(signed, ENTRIES, judge)
    seal(signed, revision=signed.revision, by=judge)
    return signed


def test_lists_of_games(stage: Stage, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    head, judge = client_of("head"), client_of("judge")
    for _ in range(2):
        one_of_each(stage)
        with django_assert_num_queries(6):  # among them: what is hidden, whether there are teams
            Client().get("/t/cup/")
        with django_assert_num_queries(8):
            judge.get("/t/cup/")
        with django_assert_num_queries(4):
            judge.get("/games/")
        with django_assert_num_queries(9):  # among them: members of one team at one table
            head.get("/t/cup/desk/")
        with django_assert_num_queries(9):
            head.get("/t/cup/edit/")


def test_list_of_tournaments(stage: Stage, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    head, judge = User.objects.get(username="head"), client_of("judge")
    one_of_each(stage)
    for number in range(2):
        with django_assert_num_queries(1):
            Client().get("/")
        with django_assert_num_queries(4):
            judge.get("/")
        for half in range(2):
            create_tournament(title=f"Кубок {number}{half}", starts_on=date(2026, 10, 11), regulation="A", by=head)
        one_of_each(stage)


def test_stages_and_members_in_the_settings(stage: Stage, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    head = client_of("head")
    for number in range(2):
        with django_assert_num_queries(8):
            head.get("/t/cup/edit/")
        for half in range(2):
            add_stage(stage.tournament, name=f"Стадия {number}{half}")
            appoint(stage.tournament, person(f"judge{number}{half}"), MemberRole.JUDGE)


def test_the_sheets_of_a_protocol(stage: Stage, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    head, judge = User.objects.get(username="head"), User.objects.get(username="judge")
    game = one_of_each(stage)
    for _ in range(2):
        with django_assert_num_queries(4):  # the game; its sheets; its protests; what is hidden
            Client().get(f"/games/{game.uuid}/")
        for _ in range(2):
            reopen(game, by=head, reason="Описка")
            seal(game, revision=game.revision, by=judge)


def test_the_page_of_preparation(stage: Stage, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    judge = User.objects.get(username="judge")
    client = client_of("judge")
    # One of them: who plays in one team; two: what they were given in games and outside; where a seat is free, one
    # more: who left it.
    for nicknames, queries in ((NICKNAMES[:1], 10), (NICKNAMES[:3], 10), (NICKNAMES, 9)):
        game = game_of(stage, judge, nicknames)
        with django_assert_num_queries(queries):
            client.get(f"/games/{game.uuid}/prepare/")


def test_the_judges_to_hand_over_to(stage: Stage, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    client = client_of("judge")
    game = game_of(stage, User.objects.get(username="judge"))
    for number in range(2):
        with django_assert_num_queries(4):
            client.get(f"/games/{game.uuid}/hand-over/")
        for half in range(2):
            appoint(stage.tournament, person(f"judge{number}{half}"), MemberRole.JUDGE)
