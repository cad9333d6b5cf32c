"""Pairs kept apart and judges' conflicts, written and removed on their page."""

from __future__ import annotations

import pytest
from django.test import Client

from protocols.models import Conflict, KeptApart
from protocols.services import seating_people

from .world import World, world

PAGE = "/t/cup/participants/apart/"


@pytest.fixture
def cup(db: None) -> World:
    """The tournament, and its ten players as participants."""
    made = world()
    seating_people.register(made.tournament, made.nicknames)
    return made


@pytest.fixture
def organizer(cup: World) -> Client:
    """The organizer's browser."""
    client = Client()
    client.force_login(cup.people["organizer"])
    return client


def keys(cup: World) -> list[int]:
    """The players of the first seats."""
    return [each.player_id for each in cup.signed.seats.order_by("number")]


def test_a_pair_is_kept_apart_and_let_meet_again(cup: World, organizer: Client) -> None:
    first, second = keys(cup)[:2]
    for most in ("0", "2"):
        organizer.post(PAGE, {"part": "pair", "first": second, "second": first, "most": most})
    pair = KeptApart.objects.get()
    assert (pair.most, "не больше 2 раз за одним столом" in organizer.get(PAGE).content.decode()) == (2, True)
    organizer.post(PAGE, {"part": "let-meet", "row": pair.pk})
    assert KeptApart.objects.count() == 0


def test_a_judge_keeps_away_from_a_player_and_no_longer(cup: World, organizer: Client) -> None:
    first, judge = keys(cup)[0], cup.people["judge"]
    organizer.post(PAGE, {"part": "conflict", "judge": judge.pk, "player": first})
    conflict = Conflict.objects.get()
    assert (conflict.judge, conflict.player_id) == (judge, first)
    assert "Соколова не судит игрока" in organizer.get(PAGE).content.decode()
    organizer.post(PAGE, {"part": "let-judge", "row": conflict.pk})
    assert Conflict.objects.count() == 0


@pytest.mark.parametrize("most", ["-1", "100", "x", ""])
def test_what_makes_no_pair_is_refused_in_words(cup: World, organizer: Client, most: str) -> None:
    first, second = keys(cup)[:2]
    typed = {"part": "pair", "first": first, "second": second, "most": most}
    same = {"part": "pair", "first": first, "second": first, "most": "0"}
    strange = {"part": "pair", "first": first, "second": 999_999, "most": "0"}
    answers = [organizer.post(PAGE, each) for each in (typed, same, strange, {"part": "pair"}, {"part": "conflict"})]
    assert ([each.status_code for each in answers], KeptApart.objects.count()) == ([422] * 5, 0)
    assert "Назовите двух разных игроков" in answers[1].content.decode()


def test_nobody_removes_what_is_of_another_tournament(cup: World, organizer: Client) -> None:
    seating_people.register(cup.elsewhere, cup.nicknames[:2])
    players = [each.player for each in cup.elsewhere.participants.all()]
    pair = seating_people.keep_apart(cup.elsewhere, players[0], players[1])
    organizer.post(PAGE, {"part": "let-meet", "row": pair.pk})
    assert KeptApart.objects.count() == 1


def test_only_the_organizer_keeps_apart(cup: World) -> None:
    for who in ("head", "judge", "plain"):
        client = Client()
        client.force_login(cup.people[who])
        assert [client.get(PAGE).status_code, client.post(PAGE, {"part": "pair"}).status_code] == [403, 403]
