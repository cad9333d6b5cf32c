"""The end of a protocol: winner and reason, extra points within their caps, what blocks signing, the signature."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client

from protocols.models import Game, SignedSheet
from protocols.rules import entries as e
from protocols.rules.terms import AFTER, Penalty
from protocols.selectors import record_of

from .markup import Page
from .tables import FIRST, NIGHT_ZERO, ROLES, Table, game_now, kinds, later, page_of, speech, table
from .world import PASSWORD

OATH = e.Foul(moment=FIRST, seat=5, penalty=Penalty.TEAM_DEFEAT, clause="6.8.1")  # the don swears: red wins


def over(regulation: str) -> Table:
    """A game that red has won, unsigned."""
    found = table(regulation)
    later(found.game, ROLES, NIGHT_ZERO, speech(1), OATH)
    return found


@pytest.fixture
def cup(db: None) -> Table:
    """Under edition A."""
    return over("A")


@pytest.fixture
def judge(client: Client, cup: Table) -> Client:
    """The judge's browser."""
    client.force_login(cup.people["judge"])
    return client


def address(game: Game) -> str:
    """The page."""
    return f"/games/{game.uuid}/finish/"


def send(client: Client, game: Game, **typed: str) -> HttpResponse:
    """Posts the page's form with what is typed over it."""
    page = Page(client.get(address(game)).content.decode())
    form = next(form for form in page.forms if form.action == address(game))
    data = {name: value for name, value in form.sent().items() if name not in ("save", "sign")}
    response = client.post(address(game), data | {name: [value] for name, value in typed.items()})
    assert isinstance(response, HttpResponse)
    return response


def points(game: Game) -> dict[int, int]:
    """The extra points in force, thousandths."""
    return {seat: extra.points for seat, extra in record_of(game_now(game)).state.extra_points.items()}


# ---------------------------------------------------------------- what the page tells


def test_the_winner_stands_with_reason_and_clause(judge: Client, cup: Table) -> None:
    page = page_of(judge.get(address(cup.game)))  # type: ignore[arg-type]
    assert page.first("verdict__words") == (
        "Победа красных: другой команде присуждено поражение за нарушение (п. 6.8.1)"
    )
    assert page.first("finish__left") == "осталось 2 и 3 игрока"


def test_what_blocks_the_signature_is_listed_with_where_to_mend_it(client: Client, db: None) -> None:
    found = table("A")
    client.force_login(found.people["judge"])
    html = client.get(address(found.game)).content.decode()
    assert Page(html).first("due__list") == "Игра не окончена: нет итога (п. 9.7) Роли не записаны (п. 9.4.1)"
    assert f'href="/games/{found.game.uuid}/board/?open=roles"' in html


def test_roles_are_not_shown_before_the_end(client: Client, db: None) -> None:
    found = table("A")
    later(found.game, ROLES, NIGHT_ZERO)
    client.force_login(found.people["judge"])
    page = page_of(client.get(address(found.game)))  # type: ignore[arg-type]
    assert page.by_class.get("line__role", []) == []
    assert set(page.by_class["sheet__role"]) == {""}


@pytest.mark.parametrize(
    ("name", "status"), [("head", 200), ("organizer", 403), ("other", 403), ("foreign", 404), ("plain", 404)]
)
def test_who_finishes(client: Client, cup: Table, name: str, status: int) -> None:
    client.force_login(cup.people[name])
    assert client.get(address(cup.game)).status_code == status
    assert client.post(address(cup.game), {"save": "1"}).status_code == (422 if status == 200 else status)


# ---------------------------------------------------------------- extra points


@pytest.mark.parametrize("written", ["0,5", "0.5", "½", " 0,50 "])
def test_a_half_is_a_half_however_it_is_written(judge: Client, cup: Table, written: str) -> None:
    assert send(judge, cup.game, extra_3=written, comment_3="за речь").status_code == 302
    assert points(cup.game) == {3: 500}
    assert record_of(cup.game).state.extra_points[3].text == "за речь"


def test_every_breach_of_the_caps_is_named_and_nothing_is_written(judge: Client, cup: Table) -> None:
    response = send(judge, cup.game, extra_1="1", extra_2="1", extra_3="0,5", extra_4="0,7", comment_4="спас стол")
    page = page_of(response)
    assert response.status_code == 422
    assert page.first("finish__errors") == (
        "№3 Норд: доп. баллов выходит 2,5, а за игру дают не больше 2 (п. 8.4.3) "
        "№4 Онега: столько доп. баллов (0,7) дать нельзя; можно: 0,5; 1 (п. 8.4.2)"
    )
    assert points(cup.game) == {}
    assert 'value="спас стол"' in response.content.decode()


def test_a_fourth_player_is_too_many(judge: Client, cup: Table) -> None:
    response = send(judge, cup.game, extra_1="0,5", extra_2="0,5", extra_3="0,5", extra_4="0,5")
    assert "№4 Онега: доп. баллы не проходят — их получают не больше 3 игроков" in page_of(response).text
    assert response.status_code == 422


def test_points_may_be_taken_from_one_and_given_to_another_at_once(judge: Client, cup: Table) -> None:
    send(judge, cup.game, extra_1="1", extra_2="1")
    assert send(judge, cup.game, extra_1="", extra_9="1").status_code == 302
    assert points(cup.game) == {1: 0, 2: 1000, 9: 1000}


def test_saving_again_writes_nothing_new(judge: Client, cup: Table) -> None:
    send(judge, cup.game, extra_1="1", comment_1="за игру")
    before = kinds(cup.game)
    send(judge, cup.game)
    assert kinds(cup.game) == before


def test_what_is_no_number_is_told_and_kept(judge: Client, cup: Table) -> None:
    response = send(judge, cup.game, extra_3="много")
    assert response.status_code == 422
    assert "«много» — не число баллов" in page_of(response).text


def test_somebody_faster_keeps_what_was_typed(judge: Client, cup: Table) -> None:
    page = page_of(judge.get(address(cup.game)))  # type: ignore[arg-type]
    form = next(form for form in page.forms if form.action == address(cup.game))
    later(cup.game, e.ExtraPoints(moment=AFTER, seat=1, points=1000))
    response = judge.post(address(cup.game), form.sent() | {"extra_2": ["0,5"]})
    assert response.status_code == 409
    assert "Тем временем кто-то писал в этой игре" in Page(response.content.decode()).text
    assert 'name="extra_2" value="0,5" checked' in response.content.decode()
    assert points(cup.game) == {1: 1000}


def test_the_federation_gives_by_step_and_range(client: Client, db: None) -> None:
    found = over("F")
    client.force_login(found.people["judge"])
    assert send(client, found.game, extra_1="0,35", extra_2="-0,2").status_code == 302
    assert points(found.game) == {1: 350, 2: -200}
    refused = send(client, found.game, extra_3="0,33")
    assert "№3 Норд: столько доп. баллов (0,33) дать нельзя; можно от −1 до 1 с шагом 0,05" in page_of(refused).text


def test_edition_b_marks_the_speeches(client: Client, db: None) -> None:
    found = over("B")
    client.force_login(found.people["judge"])
    assert send(client, found.game, mark_1="4,5").status_code == 302
    assert record_of(game_now(found.game)).state.speech_marks == {1: 4500}
    refused = send(client, found.game, mark_1="5,5")
    assert refused.status_code == 422
    assert "№1 Лотос: оценка речей 5,5 не подходит; можно от 0 до 5 с шагом 0,5 (п. B-T2)" in page_of(refused).text


# ---------------------------------------------------------------- the signature


def test_the_password_signs_and_locks(judge: Client, cup: Table) -> None:
    response = send(judge, cup.game, extra_3="1", sign="1", password=PASSWORD)
    assert (response.status_code, response.headers["Location"]) == (302, f"/games/{cup.game.uuid}/")
    game = game_now(cup.game)
    assert game.status == "signed"
    signed = SignedSheet.objects.get(game=game)
    assert signed.sheet.rows[2].extra_points is not None
    assert str(signed.sheet.rows[2].extra_points) == "1"
    assert judge.get(address(game)).status_code == 302


def test_a_wrong_password_signs_nothing_and_keeps_the_points(judge: Client, cup: Table) -> None:
    response = send(judge, cup.game, extra_3="1", sign="1", password="not mine")
    assert response.status_code == 422
    assert page_of(response).first("message--error") == "Неверный пароль."
    assert (game_now(cup.game).status, points(cup.game)) == ("over", {3: 1000})


def test_a_game_not_over_is_not_signed(client: Client, db: None) -> None:
    found = table("A")
    client.force_login(found.people["judge"])
    response = send(client, found.game, sign="1", password=PASSWORD)
    assert response.status_code == 422
    assert "Подписать протокол пока нельзя" in page_of(response).text
    assert game_now(found.game).status == "prepared"


def test_a_signature_given_twice_is_one(judge: Client, cup: Table) -> None:
    page = page_of(judge.get(address(cup.game)))  # type: ignore[arg-type]
    form = next(form for form in page.forms if form.action == address(cup.game))
    data = form.sent() | {"sign": ["1"], "password": [PASSWORD]}
    assert [judge.post(address(cup.game), data).status_code for _ in range(2)] == [302, 302]
    assert SignedSheet.objects.filter(game=cup.game).count() == 1


def test_a_form_without_its_numbers_is_malformed(judge: Client, cup: Table) -> None:
    response = judge.post(address(cup.game), {"uuid": str(uuid4()), "revision": "soon", "save": "1"})
    assert response.status_code == 422
