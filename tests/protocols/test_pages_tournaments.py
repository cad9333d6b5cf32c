"""Setting a tournament up, and the desk from which its tables are watched."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from protocols.models import Game, MemberRole, Stage, Tournament
from protocols.rules import entries as e
from protocols.rules.terms import SETUP, Result
from protocols.services.prepare import appoint
from protocols.services.sign import reopen, seal

from .test_pages_access import client_of
from .world import World, game_of, world, write

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup() -> World:
    """The tournament and its games."""
    return world()


def text_of(page: str) -> str:
    """The words of a page's main part, in one line."""
    return " ".join(re.sub(r"<[^>]+>", " ", page[page.index("<main") :]).split())


def messages_of(page: str) -> list[str]:
    """What the page says at its top."""
    return re.findall(r'<li class="message[^>]*>([^<]+)</li>', page)


# ---------------------------------------------------------------- a new tournament


NEW = {"title": "Кубок Ёлки", "city": "Псков", "starts_on": "2026-12-05", "regulation": "A", "is_public": "on"}


def test_staff_set_up_a_tournament_and_organize_it(cup: World) -> None:
    organizer = client_of("organizer")
    response = organizer.post("/t/new/", NEW)
    made = Tournament.objects.get(title="Кубок Ёлки")
    assert (response.status_code, response["Location"]) == (302, f"/t/{made.slug}/edit/")
    assert (made.slug, made.city, made.starts_on, made.regulation, made.is_public) == (
        "kubok-elki", "Псков", date(2026, 12, 5), "A", True,
    )  # fmt: skip
    assert [(m.user.username, m.role) for m in made.members.all()] == [("organizer", "organizer")]


def test_no_title_takes_the_address_of_the_form(cup: World) -> None:
    response = client_of("organizer").post("/t/new/", NEW | {"title": "New"})
    assert response["Location"] == "/t/new-2/edit/"


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("title", "", "Обязательное поле."),
        ("title", "О" * 121, "Убедитесь, что это значение содержит не более 120 символов (сейчас 121)."),
        ("starts_on", "завтра", "Введите правильную дату."),
        ("regulation", "Z", "Выберите корректный вариант. Z нет среди допустимых значений."),
        ("slug", "cup", "Турнир с таким Адрес уже существует."),
        ("slug", "new", "Этот адрес занят."),
    ],
)
def test_a_tournament_that_makes_no_sense_is_refused_and_stays_typed(
    cup: World, field: str, value: str, said: str
) -> None:
    response = client_of("organizer").post("/t/new/", NEW | {field: value})
    page = response.content.decode()
    assert response.status_code == 422
    assert Tournament.objects.filter(title="Кубок Ёлки").count() == 0
    assert page.count('class="invalid-feedback"') == 1
    assert 'value="Псков"' in page
    if field != "slug" or value == "new":
        assert said in text_of(page)


# ---------------------------------------------------------------- its settings


def change(part: str, **fields: Any) -> tuple[int, str]:
    """Sends one of the four forms of the settings: the status, and where to or the page."""
    data = {f"{part}-{name}": value for name, value in fields.items()} | {"part": part}
    response = client_of("organizer").post("/t/cup/edit/", data)
    return response.status_code, response.headers.get("Location") or response.content.decode()


@pytest.mark.parametrize("typed", ["1,5", "1.5", " 1,50 "])
def test_a_multiplier_is_typed_with_a_comma_or_a_point(cup: World, typed: str) -> None:
    assert change("stage", name="Финал", number="2", multiplier=typed, is_final="on") == (302, "/t/cup/edit/#stages")
    final = Stage.objects.get(tournament=cup.tournament, number=2)
    assert (final.name, final.multiplier, final.is_final) == ("Финал", Decimal("1.5"), True)
    page = client_of("organizer").get("/t/cup/edit/stages/2/").content.decode()
    assert re.findall(r'name="multiplier" value="([^"]+)"', page) == ["1,5"]


@pytest.mark.parametrize("typed", ["0", "-1", "полтора", "1,5,5", "NaN", "1e9", ""])
def test_a_multiplier_that_is_no_number_is_refused(cup: World, typed: str) -> None:
    status, page = change("stage", name="Финал", number="2", multiplier=typed)
    assert status == 422
    assert Stage.objects.filter(tournament=cup.tournament).count() == 1
    assert page.count('class="invalid-feedback"') == 1


def test_two_stages_have_not_the_same_number(cup: World) -> None:
    status, page = change("stage", name="Финал", number="1", multiplier="1")
    assert status == 422
    assert "Номер 1 уже у стадии «Отборочная»." in text_of(page)


def test_a_stage_is_renamed(cup: World) -> None:
    data = {"name": "Полуфинал", "multiplier": "1,25"}
    response = client_of("organizer").post("/t/cup/edit/stages/1/", data)
    cup.stage.refresh_from_db()
    assert (response.status_code, cup.stage.name, cup.stage.multiplier) == (302, "Полуфинал", Decimal("1.25"))


def test_games_are_added_one_or_several_in_a_row(cup: World) -> None:
    game = {"stage": cup.stage.pk, "table_number": "2", "played_on": "2026-10-11", "judge": cup.people["other"].pk}
    assert change("game", number="1", how_many="3", **game) == (302, "/t/cup/edit/#games")
    added = Game.objects.filter(table_number=2).order_by("number")
    assert [(g.number, g.judge, g.judge_name, g.played_on) for g in added] == [
        (number, cup.people["other"], "Другова", date(2026, 10, 11)) for number in (1, 2, 3)
    ]
    status, _page = change("game", number="3", how_many="2", **game)
    assert (status, added.count()) == (422, 3)


def test_a_game_is_given_to_no_judge_of_another_tournament(cup: World) -> None:
    foreign = cup.people["foreign"].pk
    status, _page = change(
        "game", stage=cup.stage.pk, number="9", table_number="1", played_on="2026-10-11", judge=foreign, how_many="1"
    )
    assert status == 422


def test_the_regulation_stays_once_a_protocol_is_signed(cup: World) -> None:
    status, page = change("tournament", title="Кубок", city="Тверь", starts_on="2026-10-10", regulation="A")
    cup.tournament.refresh_from_db()
    assert (status, cup.tournament.regulation) == (422, "F")
    assert "<h1>Настройки турнира</h1>" in page


def test_the_settings_of_a_tournament_are_changed(cup: World) -> None:
    sent = {"title": "Большой кубок", "city": "Клин", "starts_on": "2026-10-12", "regulation": "F"}
    assert change("tournament", **sent) == (302, "/t/cup/edit/")
    cup.tournament.refresh_from_db()
    assert (cup.tournament.title, cup.tournament.city, cup.tournament.is_public) == ("Большой кубок", "Клин", False)


def test_the_clock_of_a_tournament_is_chosen_by_its_city(cup: World) -> None:
    sent = {"title": "Кубок", "city": "Алматы", "starts_on": "2026-10-12", "regulation": "F"}
    page = client_of("organizer").get("/t/cup/edit/").content.decode()
    assert f'<option value="{cup.tournament.zone.key}" selected>' in page
    assert '<option value="Asia/Almaty">Алматы (Asia/Almaty)</option>' in page
    assert change("tournament", **sent, time_zone="Asia/Almaty") == (302, "/t/cup/edit/")
    assert change("tournament", **sent) == (302, "/t/cup/edit/")
    cup.tournament.refresh_from_db()
    assert cup.tournament.zone.key == "Asia/Almaty"
    status, _page = change("tournament", **sent, time_zone="Mars/Olympus")
    assert status == 422


# ---------------------------------------------------------------- the desk


def lines_of(page: str) -> dict[str, list[str]]:
    """The lines of each section of the desk."""
    found = {}
    for section in re.findall(r"<section><h2>(.*?)</section>", page, re.DOTALL):
        title, _, rest = section.partition("</h2>")
        found[title] = [text_of(f"<main{line}") for line in rest.split('<li class="table-line">')[1:]]
    return found


def test_the_desk_says_of_every_table_where_it_stands(cup: World) -> None:
    game_of(cup.stage, cup.people["other"], cup.nicknames[:3])
    assert lines_of(client_of("head").get("/t/cup/desk/").content.decode()) == {
        "Ждут вас": [
            "Стол 1 · игра 3 Отборочная · 10 октября Соколова ждёт подписи Доска Протокол Передать",
        ],
        "Идут": ["Стол 1 · игра 2 Отборочная · 10 октября Соколова идёт День 2 · речи Доска Протокол Передать"],
        "Не начаты": [
            "Стол 1 · игра 1 Отборочная · 10 октября Соколова не начата Подготовка Передать",
            "Стол 1 · игра 5 Отборочная · 10 октября Другова не начата рассажено 3 из 10 Подготовка Передать",
        ],
        "Подписаны": ["Стол 1 · игра 4 Отборочная · 10 октября Соколова подписана Протокол Открыть заново"],
    }  # fmt: skip


def test_the_desk_says_what_keeps_a_protocol_from_being_signed(cup: World) -> None:
    game = game_of(cup.stage, cup.people["judge"], cup.nicknames)
    write(game, [e.GameOver(moment=SETUP, result=Result.RED, text="")], cup.people["judge"])
    waiting = lines_of(client_of("head").get("/t/cup/desk/").content.decode())["Ждут вас"]
    assert [line for line in waiting if "игра 5" in line] == [
        "Стол 1 · игра 5 Отборочная · 10 октября Соколова ждёт подписи Доска Протокол Передать "
        "Роли не записаны (п. 9.4.1)"
    ]


def test_the_organizer_reopens_nothing(cup: World) -> None:
    page = client_of("organizer").get("/t/cup/desk/").content.decode()
    assert "Открыть заново" not in page


# ---------------------------------------------------------------- the public page


def test_everybody_reads_of_a_game_whether_it_is_under_way_and_no_more(cup: World) -> None:
    page = client_of("anonymous").get("/t/cup/").content.decode()
    lines = [text_of(f"<main{line}") for line in page.split("<li>\n")[1:] if "Игра" in line]
    assert [line for line in lines if line.startswith("Игра")][:4] == [
        "Игра 1, стол 1 10 октября · судья Соколова не начата",
        "Игра 2, стол 1 10 октября · судья Соколова идёт",
        "Игра 3, стол 1 10 октября · судья Соколова идёт",
        "Игра 4, стол 1 10 октября · судья Соколова Победа чёрных подписана",
    ]
    assert re.findall(r'href="(/games/[^"]+)"', page) == [f"/games/{cup.signed.uuid}/"]


def test_a_protocol_that_was_reopened_is_under_way_again(cup: World) -> None:
    reopen(cup.signed, by=cup.people["head"], reason="Описка в фолах")
    page = client_of("anonymous").get("/t/cup/").content.decode()
    assert re.findall(r'href="(/games/[^"]+)"', page) == []
    assert "Победа" not in page


def test_an_annulled_game_is_nobodys_win(cup: World) -> None:
    game = game_of(cup.stage, cup.people["judge"], cup.nicknames)
    write(game, [e.GameOver(moment=SETUP, result=Result.ANNULLED, text="Сдано неверно")], cup.people["judge"])
    seal(game, revision=game.revision, by=cup.people["judge"])
    page = client_of("anonymous").get("/t/cup/").content.decode()
    assert "Игра 5, стол 1 10 октября · судья Соколова аннулирована" in text_of(page)


def test_a_tournament_without_games_says_so(cup: World) -> None:
    assert "В этой стадии игр пока нет." in client_of("anonymous").get("/t/elsewhere/").content.decode()
    appoint(cup.elsewhere, cup.people["plain"], MemberRole.HEAD_JUDGE)
    assert "Игр пока нет." in client_of("plain").get("/t/elsewhere/desk/").content.decode()
