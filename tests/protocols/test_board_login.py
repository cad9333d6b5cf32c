"""A login that expires in mid-game: what was typed is offered again, on the board and on the long pages."""

from __future__ import annotations

import pytest
from django.test import Client

from protocols.models import Game

from .markup import Page
from .tables import NIGHT_ZERO, ROLES, Table, board, game_now, kinds, later, page_of, speech, table, tap
from .world import PASSWORD


@pytest.fixture
def cup(db: None) -> Table:
    """A table with everybody round it."""
    return table()


@pytest.fixture
def game(cup: Table) -> Game:
    """Its game in the minute of seat 1."""
    later(cup.game, ROLES, NIGHT_ZERO, speech(1))
    return cup.game


def foul_after_logout(client: Client, game: Game, *, quick: bool) -> tuple[int, Page]:
    """A foul of seat 4 tapped when the login had gone."""
    client.login(username="judge", password=PASSWORD)
    page = board(client, game, "?seat=4")
    form = next(form for form in page.of_kind("foul") if ("penalty", "foul") in form.fields)
    client.logout()
    response = tap(client, game, form, quick=quick)
    return response.status_code, page_of(response)


def log_in(client: Client, page: Page, **typed: str) -> str:
    """Fills the form that asks for a login again; where it leads."""
    form = next(form for form in page.forms if form.action == "/login/again/")
    response = client.post(form.action, form.sent() | {"username": ["judge"], "password": [PASSWORD], **{
        name: [value] for name, value in typed.items()}})  # fmt: skip
    return str(response.headers.get("Location", response.status_code))


@pytest.mark.parametrize("quick", [True, False])
def test_the_tap_is_offered_again_and_written(client: Client, game: Game, quick: bool) -> None:
    status, page = foul_after_logout(client, game, quick=quick)
    assert (status, kinds(game).count("foul")) == (401, 0)
    assert "Только что набранное сохранено, но ещё не записано" in page.text
    assert log_in(client, page) == f"/games/{game.uuid}/board/"
    offered = board(client, game)
    assert offered.by_class["drawer__title"][-1] == "Не записано: фол №4"
    again = next(form for form in offered.of_kind("foul") if form.buttons[0].label == "Записать")
    assert tap(client, game, again).status_code == 200
    assert kinds(game).count("foul") == 1
    assert "Не записано" not in board(client, game).text


def test_the_tap_may_be_discarded(client: Client, game: Game) -> None:
    _status, page = foul_after_logout(client, game, quick=True)
    log_in(client, page)
    discard = next(form for form in board(client, game).forms if form.buttons and form.buttons[0].name == "discard")
    assert tap(client, game, discard).status_code == 200
    assert "Не записано" not in board(client, game).text
    assert kinds(game).count("foul") == 0


def test_it_waits_until_it_is_written_or_discarded(client: Client, game: Game) -> None:
    _status, page = foul_after_logout(client, game, quick=True)
    log_in(client, page)
    for _ in range(2):
        assert "Не записано: фол №4" in board(client, game).text


def test_what_was_written_meanwhile_is_told(client: Client, game: Game) -> None:
    _status, page = foul_after_logout(client, game, quick=True)
    log_in(client, page)
    later(game, speech(2))
    assert board(client, game).first("drawer__lines") == "Слово: №2 Мираж"


def test_a_wrong_password_keeps_it_too(client: Client, game: Game) -> None:
    _status, page = foul_after_logout(client, game, quick=True)
    form = next(form for form in page.forms if form.action == "/login/again/")
    response = client.post(form.action, form.sent() | {"username": ["judge"], "password": ["nonsense"]})
    assert response.status_code == 422
    assert log_in(client, Page(response.content.decode())) == f"/games/{game.uuid}/board/"


def test_what_this_site_did_not_sign_is_not_taken(client: Client, game: Game) -> None:
    _status, page = foul_after_logout(client, game, quick=True)
    assert log_in(client, page, typed="eyJwYWdlIjoiaHR0cHM6Ly9ldmlsLmV4YW1wbGUvIn0:forged:signature") == "/login/"


def test_the_script_gets_only_the_form(client: Client, game: Game) -> None:
    _status, page = foul_after_logout(client, game, quick=True)
    assert page.first("login-again").startswith("Войдите ещё раз")
    assert page.first("site-header") == ""


def test_points_typed_when_the_login_had_gone_are_kept(client: Client, cup: Table) -> None:
    fields = {
        "uuid": "1e1f2f9e-7d2c-4f2b-9c2f-0a8d2c8f1a11",
        "revision": "0",
        "extra_3": "0,35",
        "comment_3": "за речь",
    }
    address = f"/games/{cup.game.uuid}/finish/"
    response = client.post(address, fields)
    assert response.status_code == 401
    assert log_in(client, Page(response.content.decode())) == address
    html = client.get(address).content.decode()
    assert 'name="extra_3" value="0,35"' in html
    assert 'name="comment_3" value="за речь"' in html


def test_a_paper_typed_when_the_login_had_gone_is_kept_whole(client: Client, cup: Table) -> None:
    address = f"/games/{cup.game.uuid}/paper/"
    fields = {
        "days": "6",
        "nominees_6": "5 9",
        "tallies_6_0": "3 4",
        "role_1": "Ш",
        "shot_1": "—",
        "best_move": "1 2 3",
    }
    response = client.post(address, {"uuid": "1e1f2f9e-7d2c-4f2b-9c2f-0a8d2c8f1a12", "revision": "0", **fields})
    assert response.status_code == 401
    assert log_in(client, Page(response.content.decode())) == address
    page = Page(client.get(address).content.decode())
    form = next(form for form in page.forms if form.action == address)
    assert {name: value for name, value in form.fields if name in fields} == fields


def test_a_password_is_never_kept(client: Client, cup: Table) -> None:
    from django.core import signing

    from protocols.views.login_again import SALT

    response = client.post(f"/games/{cup.game.uuid}/finish/", {"password": "secret-of-mine", "extra_1": "1"})
    form = next(form for form in Page(response.content.decode()).forms if form.action == "/login/again/")
    kept = signing.loads(dict(form.fields)["typed"], salt=SALT)
    assert kept == {"page": f"/games/{cup.game.uuid}/finish/", "data": "extra_1=1"}


def test_an_entry_written_meanwhile_is_not_offered_again(client: Client, cup: Table, game: Game) -> None:
    _status, page = foul_after_logout(client, game, quick=True)
    log_in(client, page)
    offered = board(client, game)
    again = next(form for form in offered.of_kind("foul") if form.buttons[0].label == "Записать")
    assert tap(client, game, again).status_code == 200
    assert tap(client, game, again).status_code == 200  # a resend is known
    assert kinds(game).count("foul") == 1
    assert game_now(game).revision == 4


def test_a_screen_that_wakes_up_without_a_login_asks_for_one_in_its_place(client: Client, game: Game) -> None:
    response = client.get(f"/games/{game.uuid}/board/", headers={"HX-Request": "true"})
    page = Page(response.content.decode())
    assert (response.status_code, page.first("site-header")) == (401, "")
    assert log_in(client, page) == f"/games/{game.uuid}/board/"
