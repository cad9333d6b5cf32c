"""Passwords can't be guessed: after seven wrong ones a name is locked from that address for ten minutes."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.db.models import F
from django.test import Client, RequestFactory
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from protocols.views.requests import address_of

from .markup import Page
from .test_pages_tournaments import text_of
from .world import PASSWORD, World, world

LIMIT = 7
HALL, ELSEWHERE = "192.0.2.7", "198.51.100.9"
WRONG, RIGHT = {"username": "judge", "password": "the wrong one"}, {"username": "judge", "password": PASSWORD}


@pytest.fixture
def cup(db: None) -> World:
    """The tournament and its people."""
    return world()


def tried(path: str, times: int, data: dict[str, str] = WRONG, address: str = HALL) -> list[int]:
    """What a new browser is answered each time."""
    return [Client(REMOTE_ADDR=address).post(path, data).status_code for _ in range(times)]


def kept_form(by: Client) -> dict[str, Any]:
    """What was typed under an expired login, as the page that asks for it again sends it."""
    page = by.post("/t/new/", {"title": "Тайное слово"}).content.decode()
    form = next(form for form in Page(page).forms if form.action == "/login/again/")
    return {name: values[0] for name, values in form.sent().items()}


@pytest.mark.parametrize("path", ["/login/", "/admin/login/", "/login/again/"])
def test_after_seven_wrong_passwords_the_right_one_is_refused_as_well(cup: World, path: str) -> None:
    more = kept_form(Client(REMOTE_ADDR=HALL)) if path == "/login/again/" else {}
    wrong = 422 if more else 200
    assert tried(path, LIMIT + 2, {**more, **WRONG}) == [wrong] * (LIMIT - 1) + [429] * 3
    answer = Client(REMOTE_ADDR=HALL).post(path, {**more, **RIGHT})
    assert answer.status_code == 429
    assert "_auth_user_id" not in answer.client.session
    said = " ".join(answer.content.decode().split())
    assert "Слишком много неверных паролей для «judge» с этого адреса. Попробуйте снова через 10 мин, в " in said


def test_a_hall_that_shares_an_address_is_not_locked_with_one_of_its_judges(cup: World) -> None:
    tried("/login/", LIMIT)
    assert tried("/login/", 1, {"username": "other", "password": PASSWORD}) == [302]
    assert tried("/login/", 1, RIGHT, ELSEWHERE) == [302]
    assert tried("/login/", 1, RIGHT) == [429]


def test_whoever_is_logged_in_stays_so(cup: World) -> None:
    judge = Client(REMOTE_ADDR=HALL)
    judge.force_login(cup.people["judge"])
    tried("/login/", LIMIT)
    assert judge.get(f"/games/{cup.running.uuid}/board/").status_code == 200


def test_the_lock_opens_after_ten_minutes(cup: World) -> None:
    tried("/login/", LIMIT)
    AccessAttempt.objects.update(attempt_time=F("attempt_time") - timedelta(minutes=9, seconds=50))
    page = Client(REMOTE_ADDR=HALL).post("/login/", RIGHT).content.decode()
    assert "через 1 мин" in text_of(page)
    AccessAttempt.objects.update(attempt_time=F("attempt_time") - timedelta(seconds=20))
    assert tried("/login/", 1, RIGHT) == [302]


def test_trying_on_while_locked_makes_the_lock_no_longer(cup: World) -> None:
    tried("/login/", LIMIT)
    before = AccessAttempt.objects.get().attempt_time
    tried("/login/", 3)
    assert AccessAttempt.objects.get().attempt_time == before


def test_a_right_password_in_between_begins_the_count_anew(cup: World) -> None:
    tried("/login/", LIMIT - 1)
    assert tried("/login/", 1, RIGHT) == [302]
    assert tried("/login/", LIMIT - 1) == [200] * (LIMIT - 1)


def test_neither_passwords_nor_what_was_typed_are_kept(cup: World) -> None:
    kept = kept_form(Client(REMOTE_ADDR=HALL))
    tried("/login/again/", 2, {**kept, **WRONG})
    row = " ".join(str(value) for value in AccessAttempt.objects.values()[0].values())
    assert WRONG["password"] not in row
    assert kept["typed"][:20] not in row


@pytest.mark.parametrize("username", ["nobody", "", "a\x00b", "я" * 300, "JUDGE"])
def test_other_names_are_no_way_around(cup: World, username: str) -> None:
    answers = tried("/login/", LIMIT + 1, {**WRONG, "username": username})
    assert set(answers) <= {200, 429}


@pytest.mark.parametrize(
    ("header", "sent", "address"),
    [
        ("", "203.0.113.5", "127.0.0.1"),
        ("X-Forwarded-For", "203.0.113.5", "203.0.113.5"),
        ("X-Forwarded-For", "10.0.0.1, 203.0.113.5", "203.0.113.5"),
        ("X-Forwarded-For", "", "127.0.0.1"),
        ("X-Forwarded-For", "<script>", None),
    ],
)
def test_a_header_is_believed_only_where_the_settings_name_it(
    settings: Settings, header: str, sent: str, address: str | None
) -> None:
    settings.ADDRESS_HEADER = header
    assert address_of(RequestFactory().get("/", headers={"X-Forwarded-For": sent})) == address


def test_ordinary_pages_cost_no_query_more(cup: World, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(0):
        Client().get("/login/")
