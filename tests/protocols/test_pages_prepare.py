"""Preparing a game: everything on the page is saved, or nothing, and what was typed stays typed."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from protocols.models import Entry, Game, Player, Seat
from protocols.rules.terms import ROLE_LETTERS, ROLE_OF_LETTER
from protocols.selectors import record_of
from protocols.wording import contradiction_words

from .test_pages_access import client_of
from .world import PASSWORD, World, game_of, world

pytestmark = pytest.mark.django_db
NEW = ("Астра", "Барс", "Вега", "Дельта", "Ёлка", "Жёлудь", "№7", "Йети", "Зенит 🦊", "О" * 40)


@pytest.fixture
def cup() -> World:
    """The tournament and its games."""
    return world()


@pytest.fixture
def game(cup: World) -> Game:
    """A game of the judge's, nobody seated yet."""
    return game_of(cup.stage, cup.people["judge"])


def form_of(game: Game, nicknames: tuple[str, ...] = (), roles: str = "", **more: Any) -> dict[str, Any]:
    """What the page sends."""
    data: dict[str, Any] = {
        "stage": game.stage_id,
        "number": game.number,
        "table_number": game.table_number,
        "played_on": game.played_on.isoformat(),
        "judge_name": "Соколова",
        "revision": game.revision,
        "uuid": "",
        "then": "stay",
    }
    data |= {f"nickname_{seat}": nickname for seat, nickname in enumerate(nicknames, start=1)}
    data |= {
        f"role_{seat}": ROLE_OF_LETTER[letter].value for seat, letter in enumerate(roles, start=1) if letter != "·"
    }
    return data | more


def send(game: Game, *args: Any, by: str = "judge", **more: Any) -> tuple[int, str]:
    """Sends the page: the status, and where to or the page that comes back."""
    response = client_of(by).post(f"/games/{game.uuid}/prepare/", form_of(game, *args, **more))
    game.refresh_from_db()
    return response.status_code, response.headers.get("Location") or response.content.decode()


def told(page: str) -> list[str]:
    """The lines of the page's alerts and errors."""
    alert = re.search(r'<div class="alert[^"]*" role="alert">(.*?)</div>', page, re.DOTALL)
    lines = re.findall(r"<li>(.*?)</li>|<p>(.*?)</p>", alert.group(1) if alert else "", re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", "", "".join(line)).split()) for line in lines]


def seated(game: Game) -> dict[int, str]:
    """Who sits where."""
    return dict(Seat.objects.filter(game=game).values_list("number", "nickname"))


def letters(game: Game) -> str:
    """The roles of the record, by seat; nothing where they are unknown."""
    roles = record_of(game).state.roles
    return "".join(ROLE_LETTERS[role] for role in roles.roles) if roles else ""


# ---------------------------------------------------------------- the header


def test_the_header_is_written_before_the_game(game: Game) -> None:
    status, where = send(game, number="17", table_number="3", played_on="2026-10-11", judge_name="Соколова-Ёлкина")
    assert (status, where) == (302, f"/games/{game.uuid}/prepare/")
    assert (game.number, game.table_number, game.played_on.isoformat(), game.judge_name) == (
        17, 3, "2026-10-11", "Соколова-Ёлкина",
    )  # fmt: skip


def test_a_number_that_is_taken_at_this_table_is_refused(cup: World, game: Game) -> None:
    number = game.number
    status, page = send(game, number=str(cup.signed.number), judge_name="Другая")
    assert status == 422
    assert len(told(page)) == 2
    assert (game.number, game.judge_name) == (number, "Соколова")
    assert 'value="Другая"' in page


# ---------------------------------------------------------------- nicknames


def test_known_players_are_seated_at_once_whatever_the_case(cup: World, game: Game) -> None:
    status, where = send(game, tuple(name.upper() for name in cup.nicknames), then="board")
    assert (status, where) == (302, f"/games/{game.uuid}/board/")
    assert seated(game) == dict(enumerate(cup.nicknames, start=1))


def test_new_nicknames_are_written_only_when_the_judge_says_that_they_are_new(cup: World, game: Game) -> None:
    players = Player.objects.count()
    status, page = send(game, NEW, number="30")
    assert status == 422
    assert told(page)[0].startswith("Нет в списке игроков: №1 Астра, №2 Барс, №3 Вега, №4 Дельта, №5 Ёлка, ")
    assert (seated(game), Player.objects.count(), game.number) == ({}, players, 5)
    confirmed = re.findall(r'name="confirmed" value="([^"]+)"', page)
    assert confirmed == list(NEW)

    status, _where = send(game, NEW, number="30", confirmed=confirmed)
    assert status == 302
    assert (seated(game), Player.objects.count(), game.number) == (dict(enumerate(NEW, start=1)), players + 10, 30)


def test_a_nickname_mistyped_after_the_question_is_asked_about_again(game: Game) -> None:
    status, page = send(game, ("Астра", "Барсс"), confirmed=["Астра", "Барс"])
    assert status == 422
    assert re.findall(r'name="confirmed" value="([^"]+)"', page) == ["Астра", "Барс", "Астра", "Барсс"]
    assert seated(game) == {}


def test_a_mistyped_nickname_is_shown_with_the_player_it_resembles(cup: World, game: Game) -> None:
    status, page = send(game, ("Лотс",))
    assert status == 422
    assert "№1 Лотс (похож: Лотос)" in told(page)[0]


def test_a_player_twice_is_named_with_both_seats(cup: World, game: Game) -> None:
    twice = (*cup.nicknames[:9], cup.nicknames[2].lower())
    status, page = send(game, twice)
    assert status == 422
    third = cup.nicknames[2].lower()
    assert told(page)[1] == f"{third}: один игрок на местах 3 и 10."
    assert f'value="{third}"' in page
    assert seated(game) == {}


def test_the_judge_of_the_game_plays_in_none_of_its_seats(cup: World, game: Game) -> None:
    player = Player.objects.get(nickname=cup.nicknames[4])
    player.user = cup.people["judge"]
    player.save()
    status, page = send(game, cup.nicknames)
    assert status == 422
    assert told(page)[1] == f"Место 5, {cup.nicknames[4]}: судья игры в ней не играет."


def test_free_seats_are_named_and_the_rest_is_kept(cup: World, game: Game) -> None:
    client = client_of("judge")
    names = (*cup.nicknames[:3], "", *cup.nicknames[4:6])
    response = client.post(f"/games/{game.uuid}/prepare/", form_of(game, names, then="board"), follow=True)
    assert response.redirect_chain == [(f"/games/{game.uuid}/prepare/", 302)]
    assert "Сохранено. Места без игрока: 4, 7, 8, 9, 10." in response.content.decode()
    assert sorted(seated(game)) == [1, 2, 3, 5, 6]


@pytest.mark.parametrize(
    "pasted",
    ["{}\n" * 10, "\n".join(f"{seat}. {{}}" for seat in range(1, 11)), "\n".join(f"№{s} {{}}" for s in range(1, 11))],
    ids=["bare", "1.", "№1"],
)
def test_a_pasted_list_fills_the_ten_seats(cup: World, game: Game, pasted: str) -> None:
    status, _where = send(game, (), pasted=pasted.format(*cup.nicknames))
    assert status == 302
    assert seated(game) == dict(enumerate(cup.nicknames, start=1))


def test_an_eleventh_player_is_named(cup: World, game: Game) -> None:
    status, page = send(game, (), pasted="\n".join([*cup.nicknames, "Лишний"]))
    assert status == 422
    assert told(page)[1] == "Место 11, Лишний: за столом десять мест."
    assert "Лишний" in page
    assert seated(game) == {}


def test_a_nickname_of_more_than_forty_letters_is_refused(game: Game) -> None:
    status, page = send(game, ("О" * 41,))
    assert status == 422
    assert "О" * 41 in page
    assert seated(game) == {}


# ---------------------------------------------------------------- roles


def test_roles_may_wait(cup: World, game: Game) -> None:
    assert send(game, cup.nicknames)[0] == 302
    assert letters(game) == ""


def test_ten_letters_are_the_roles(cup: World, game: Game) -> None:
    assert send(game, cup.nicknames, "КККШЧЧДККК")[0] == 302
    assert letters(game) == "КККШЧЧДККК"


def test_four_letters_are_enough_the_others_are_red(cup: World, game: Game) -> None:
    assert send(game, cup.nicknames, "···ШЧЧД···")[0] == 302
    assert letters(game) == "КККШЧЧДККК"


def test_wrong_role_counts_are_told_with_their_seats(cup: World, game: Game) -> None:
    status, page = send(game, cup.nicknames, "ДККШЧЧДККК")
    names = cup.nicknames
    assert status == 422
    assert told(page)[1:] == [
        "Красные (К): выбрано 5, должно быть 6.",
        f"Дон (Д): выбрано 2, должно быть 1: №1 {names[0]}, №7 {names[6]}.",
    ]
    assert (letters(game), seated(game)) == ("", {})
    assert page.count(" checked>") == 10


def test_the_same_roles_are_not_written_twice(cup: World, game: Game) -> None:
    send(game, cup.nicknames, "КККШЧЧДККК")
    send(game, cup.nicknames, "КККШЧЧДККК")
    assert Entry.objects.filter(game=game).count() == 1


def test_roles_are_corrected_by_a_later_entry(cup: World, game: Game) -> None:
    send(game, cup.nicknames, "КККШЧЧДККК")
    assert send(game, cup.nicknames, "ШККДЧЧКККК")[0] == 302
    assert letters(game) == "ШККДЧЧКККК"
    assert Entry.objects.filter(game=game).count() == 2


def test_roles_sent_from_a_page_that_has_grown_old_are_not_written(cup: World, game: Game) -> None:
    send(game, cup.nicknames, "КККШЧЧДККК")
    status, page = send(game, cup.nicknames, "ШККДЧЧКККК", revision="0", judge_name="Другая")
    assert status == 422
    assert told(page)[1] == "За это время в игре появились записи. Проверьте роли и сохраните ещё раз."
    assert (letters(game), game.judge_name) == ("КККШЧЧДККК", "Соколова")
    assert '<input type="hidden" name="revision" value="1">' in page


def test_a_doubled_tap_writes_the_roles_once(cup: World, game: Game) -> None:
    uuid = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
    data = form_of(game, cup.nicknames, "КККШЧЧДККК", uuid=uuid)
    client = client_of("judge")
    assert [client.post(f"/games/{game.uuid}/prepare/", data).status_code for _ in range(2)] == [302, 302]
    assert Entry.objects.filter(game=game).count() == 1


def test_roles_that_disagree_with_what_was_played_are_written_and_the_contradiction_told(cup: World) -> None:
    game = cup.over
    client = client_of("judge")
    late = form_of(game, cup.nicknames, "КККШДКЧЧКК")  # seat 4, shot in night 1, had been the sheriff of night 2
    page = client.post(f"/games/{game.uuid}/prepare/", late, follow=True).content.decode()
    assert letters(game) == "КККШДКЧЧКК"
    assert re.findall(r'message--warning" role="status">([^<]+)<', page) == [
        contradiction_words(each, record_of(game).names) for each in record_of(game).state.contradictions
    ]


def test_the_organizer_prepares_the_seats_and_not_the_roles(cup: World, game: Game) -> None:
    page = client_of("organizer").get(f"/games/{game.uuid}/prepare/").content.decode()
    assert 'name="role_1"' not in page
    assert send(game, cup.nicknames, "КККШЧЧДККК", by="organizer")[0] == 302
    assert (seated(game), letters(game)) == (dict(enumerate(cup.nicknames, start=1)), "")


# ---------------------------------------------------------------- suggestions


def test_players_are_offered_by_the_beginning_of_the_nickname(cup: World) -> None:
    response = client_of("judge").get("/players/suggest/", {"q": "ло"})
    assert response.json() == {"players": [name for name in cup.nicknames if name.lower().startswith("ло")]}
    assert response.json()["players"] == ["Лотос"]


@pytest.mark.parametrize("query", ["", "   ", "%", "_", "ъъъ", "л" * 5000])
def test_nobody_is_offered_for_nothing(cup: World, query: str) -> None:
    assert client_of("judge").get("/players/suggest/", {"q": query}).json() == {"players": []}


def test_the_form_asks_for_its_token(cup: World, game: Game) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(cup.people["judge"])
    assert client.post(f"/games/{game.uuid}/prepare/", form_of(game, cup.nicknames)).status_code == 403
    assert seated(game) == {}


def test_what_was_typed_survives_an_expired_login(cup: World, game: Game) -> None:
    client = Client()
    page = f"/games/{game.uuid}/prepare/"
    asked = client.post(page, form_of(game, NEW, "···ШЧЧД···", judge_name="Соколова-Ёлкина"))
    assert asked.status_code == 401
    typed = re.findall(r'name="typed" value="([^"]+)"', asked.content.decode())
    back = client.post("/login/again/", {"username": "judge", "password": PASSWORD, "typed": typed})
    assert (back.status_code, back["Location"]) == (302, page)

    shown = client.get(page).content.decode()
    assert [unescape(name) for name in re.findall(r'name="nickname_\d+" value="([^"]+)"', shown)] == list(NEW)
    assert 'value="Соколова-Ёлкина"' in shown
    assert shown.count(" checked>") == 4
    assert seated(game) == {}

    sent = form_of(game, NEW, "···ШЧЧД···", judge_name="Соколова-Ёлкина", confirmed=list(NEW))
    assert client.post(page, sent).status_code == 302
    assert seated(game) == dict(enumerate(NEW, start=1))
    assert "Это вы ввели" not in client.get(page).content.decode()
