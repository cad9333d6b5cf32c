"""A season's pages and files: what they say, who may see and change them, and what bad input gets."""

from __future__ import annotations

import csv
import io
import json
from datetime import date, timedelta
from typing import Any

import openpyxl  # type: ignore[import-untyped]
import pypdf
import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.test import Client

from protocols.models import Game, Player, Stage, Tournament
from protocols.services.errors import Invalid
from protocols.services.prepare import create_tournament
from scoring.models import Season
from scoring.season_paper import season_paper
from scoring.season_selectors import season_table
from scoring.season_services import create_season, set_season
from scoring.season_table import state_words

from .lines import PLAYERS
from .test_pages import as_, rows_of
from .tournaments import PLAYED_ON, person, player, prepared, signed, stage_of, tournament

pytestmark = pytest.mark.django_db
PAGE = "/seasons/autumn/"
FILES = ("season.csv", "season.xlsx", "season.json", "season.pdf")
OTHERS = ("Мята", "Нерпа", "Осень", "Полюс", "Рысь", "Сокол", "Тополь", "Умка", "Факел", "Хвоя")


def evening(slug: str, day: date, regulation: str = "A") -> Stage:
    """A club evening of that day, run by the cup's organizer."""
    organizer = User.objects.get(username="organizer")
    made = create_tournament(title=f"Вечер {slug}", starts_on=day, regulation=regulation, by=organizer, slug=slug)
    return stage_of(made)


def played_on(game: Game, day: date) -> None:
    """The game with another day on its protocol."""
    Game.objects.filter(pk=game.pk).update(played_on=day)


def season(**figures: Any) -> Season:
    """The autumn of the cup and of two evenings, the organizer's."""
    made: dict[str, Any] = {
        "title": "Осень", "slug": "autumn", "starts_on": date(2026, 9, 1), "ends_on": date(2026, 11, 30),
        "takes_all": True,
    } | figures  # fmt: skip
    return create_season(by=User.objects.get(username="organizer"), **made)


@pytest.fixture
def autumn() -> Season:
    """The cup with a final ×1.5, and an evening of a week later."""
    cup = tournament()
    signed(stage_of(cup), "black", extra={2: "0.5"})
    signed(stage_of(cup, "Финал", "1.5"), "red", shot=1, hits=3)
    played_on(signed(evening("second", PLAYED_ON), "red", extra={1: "1"}), PLAYED_ON + timedelta(days=7))
    return season()


def brief(client: Client, address: str = PAGE) -> dict[str, tuple[str, ...]]:
    """Place, rating, games and wins by nickname."""
    return {row[1]: (row[0], row[2], row[3], row[4]) for row in rows_of(client, address)[1:]}


# ---------------------------------------------------------------- the table


def test_ratings_of_tournaments_are_added_up(client: Client, autumn: Season) -> None:
    # Астра, the sheriff: 0 + (3 + 0,5)·1,5 in the cup, 3 + 1 on the evening; Каштан, the don: 4, and nothing
    table = brief(client)
    assert table["Астра"] == ("1", "9,25", "3", "2")
    assert table["Барс"] == ("2", "8,00", "3", "2")  # 0 + 0,5 + 4,5 + 3
    assert table["Каштан"] == ("8–10", "4,00", "3", "1")
    assert len(table) == 10


def test_games_without_multipliers_are_added_up(client: Client, autumn: Season) -> None:
    autumn.counted = "plain_games"
    autumn.save()
    assert brief(client)["Астра"][1] == "7,5"


def test_the_best_tournament_alone_may_count(client: Client, autumn: Season) -> None:
    autumn.reckoning, autumn.best = "best", 1
    autumn.save()
    assert brief(client)["Астра"][1] == "5,25"


def test_an_average_is_of_tournaments_or_of_games(client: Client, autumn: Season) -> None:
    autumn.reckoning = "average"
    autumn.save()
    assert brief(client)["Астра"][1] == "4,63"
    autumn.counted = "games"
    autumn.save()
    assert brief(client)["Астра"][1] == "3,08"


def test_who_has_played_too_few_games_stands_below_without_a_place(client: Client, autumn: Season) -> None:
    signed(evening("third", PLAYED_ON), "red", nicknames=OTHERS)
    autumn.least_games = 3
    autumn.save()
    table = brief(client)
    assert table["Мята"] == ("—", "3,00", "1", "1")
    assert list(table)[10:] != []
    assert [row[0] for row in list(table.values())[10:]] == ["—"] * 10
    assert {row[-1] for row in rows_of(client, PAGE)[11:]} == {"1 игра из нужных 3"}


def test_equal_players_share_a_place_and_the_key_above_them_is_named(client: Client, autumn: Season) -> None:
    rows = rows_of(client, PAGE)
    assert rows[1][-1] == "рейтинг"
    assert [row[0] for row in rows[3:8]] == ["3–7"] * 5


def test_a_game_counts_on_the_day_of_its_protocol(client: Client, autumn: Season) -> None:
    autumn.starts_on = PLAYED_ON + timedelta(days=1)
    autumn.save()
    assert brief(client)["Астра"] == ("1", "4", "1", "1")


def test_as_of_a_day_later_games_are_left_out(client: Client, autumn: Season) -> None:
    assert brief(client, f"{PAGE}?on={PLAYED_ON}")["Астра"] == ("1", "5,25", "2", "1")
    assert "Таблица на 10 октября 2026" in client.get(f"{PAGE}?on={PLAYED_ON}").content.decode()
    assert client.get(f"{PAGE}?on=2026-13-40").status_code == 404


def test_only_the_tournaments_chosen_count(client: Client, autumn: Season) -> None:
    autumn.takes_all = False
    autumn.save()
    assert rows_of(client, PAGE) == []
    autumn.tournaments.set(Tournament.objects.filter(slug="second"))
    assert brief(client)["Астра"] == ("1", "4", "1", "1")


def test_nothing_of_a_tournament_that_is_not_public_counts(client: Client, autumn: Season) -> None:
    Tournament.objects.filter(slug="cup").update(is_public=False)
    autumn.tournaments.set(Tournament.objects.all())
    for takes_all in (True, False):
        autumn.takes_all = takes_all
        autumn.save()
        assert brief(client)["Астра"] == ("1", "4", "1", "1")
        assert client.get(f"{PAGE}players/{player('Астра').pk}/").content.decode().count("Кубок") == 0


def test_an_open_game_makes_it_preliminary_and_brings_nothing(client: Client, autumn: Season) -> None:
    before = rows_of(client, PAGE)
    assert "Предварительно" not in client.get(PAGE).content.decode()
    prepared(Stage.objects.filter(tournament__slug="cup")[0])
    assert rows_of(client, PAGE) == before
    assert "Ещё не подписана 1 игра" in client.get(PAGE).content.decode()


def test_a_protest_makes_it_preliminary(client: Client, autumn: Season) -> None:
    Game.objects.filter(tournament__slug="cup", stage__number=1).update(protest="21:52 не тот счёт")
    assert "Не решён 1 протест" in client.get(PAGE).content.decode()


def test_a_replaced_player_keeps_past_games_under_the_old_name(client: Client) -> None:
    stage = stage_of(tournament())
    signed(stage, "red")
    signed(stage, "red", nicknames=("Замена", *PLAYERS[1:]))
    season()
    table = brief(client)
    assert (table["Астра"][2], table["Замена"][2], table["Барс"][2]) == ("1", "1", "2")


def test_a_hundred_to_a_page_and_a_name_is_found_on_any(client: Client) -> None:
    stage = stage_of(tournament())
    for number in range(12):
        signed(stage, "red", nicknames=[f"{nickname} {number}" for nickname in PLAYERS])
    season()
    assert len(rows_of(client, PAGE)) == 101
    second = rows_of(client, f"{PAGE}?page=2")
    assert len(second) == 21
    assert {row[1] for row in second[1:]} & {row[1] for row in rows_of(client, PAGE)} == set()
    assert [row[1] for row in rows_of(client, f"{PAGE}?q=елка 11")[1:]] == ["Ёлка 11"]
    assert len(rows_of(client, f"{PAGE}?page=что-то")) == 101
    assert len(rows_of(client, f"{PAGE}?page=99")) == 21


# ---------------------------------------------------------------- one player


def test_a_players_season_shows_tournaments_and_games_and_what_counts(client: Client, autumn: Season) -> None:
    autumn.reckoning, autumn.best = "best", 1
    autumn.save()
    address = f"{PAGE}players/{player('Астра').pk}/"
    rows = [row for row in rows_of(client, address) if row[0] != "Игра"]
    assert [(row[0], row[3], row[-1]) for row in rows] == [
        ("Отборочная, № 1, стол 1", "0,00", ""), ("Финал, № 1, стол 1", "5,25", "×1,5"),
        ("Отборочная, № 1, стол 1", "4,00", ""),
    ]  # fmt: skip
    page = client.get(address).content.decode()
    assert page.count("в зачёт сезона не идёт") == 1
    assert "сумма рейтингов 1 лучшего турнира" in page
    assert client.get(f"{PAGE}players/999999/").status_code == 404


# ---------------------------------------------------------------- files


def test_the_files_hold_the_table(client: Client, autumn: Season) -> None:
    rows = list(csv.reader(io.StringIO(client.get(f"{PAGE}season.csv").getvalue().decode("utf-8-sig")), delimiter=";"))
    assert rows[1][:5] == ["1", "Астра", "9,25", "3", "2"]
    book = openpyxl.load_workbook(io.BytesIO(client.get(f"{PAGE}season.xlsx").getvalue()))
    assert [cell.value for cell in book["Сезон"][3]][:5] == [1, "Астра", 9.25, 3, 2]
    assert [row[1].value for row in book["Турниры"].iter_rows(min_row=3)] == ["Кубок", "Вечер second"]
    data = json.loads(client.get(f"{PAGE}season.json").getvalue())
    assert (data["format"], data["standings"][0]["nickname"], data["standings"][0]["rating"]) == (
        "mafia-season", "Астра", "9.25",
    )  # fmt: skip
    text = pypdf.PdfReader(io.BytesIO(client.get(f"{PAGE}season.pdf").getvalue())).pages[0].extract_text()
    assert "Осень" in text
    assert "9,25" in text


@pytest.mark.parametrize("name", ["season.csv", "season.xlsx", "season.json"])
def test_two_recounts_give_the_same_bytes(client: Client, autumn: Season, name: str) -> None:
    assert client.get(PAGE + name).getvalue() == client.get(PAGE + name).getvalue()


def test_a_nickname_that_looks_like_a_formula_runs_nothing(client: Client, autumn: Season) -> None:
    Player.objects.filter(nickname="Астра").update(nickname="=1+1")
    rows = client.get(f"{PAGE}season.csv").getvalue().decode("utf-8-sig").splitlines()
    assert rows[1].split(";")[1] == "'=1+1"


def test_a_long_table_is_drawn_apart(client: Client) -> None:
    stage = stage_of(tournament())
    for number in range(7):
        signed(stage, "red", nicknames=[f"{nickname} {number}" for nickname in PLAYERS])
    made = season()
    answer = client.get(f"{PAGE}season.pdf")
    assert (answer.status_code, answer.headers["Location"]) == (302, f"{PAGE}paper/")
    assert "таблица длинная" in client.get(f"{PAGE}paper/").content.decode().lower()
    call_command("draw_season", "autumn")
    assert season_paper(season_table(made)).is_drawn
    assert client.get(f"{PAGE}season.pdf").status_code == 200
    with pytest.raises(CommandError):
        call_command("draw_season", "no-such")


# ---------------------------------------------------------------- who may what


def test_a_season_that_is_not_public_is_found_by_its_organizers_only(client: Client, autumn: Season) -> None:
    autumn.is_public = False
    autumn.save()
    superuser = User.objects.create_superuser("root", password="a long enough one")
    root = Client()
    root.force_login(superuser)
    addresses = [PAGE, *(PAGE + name for name in FILES), f"{PAGE}paper/", f"{PAGE}players/{player('Астра').pk}/"]
    for address in addresses:
        assert [each.get(address).status_code for each in (client, as_("judge"))] == [404, 404]
        assert [each.get(address).status_code for each in (as_("organizer"), root)] == [200, 200]
    assert "Осень" not in client.get("/seasons/").content.decode()
    assert "Осень" in as_("organizer").get("/seasons/").content.decode()


def test_only_its_organizers_change_a_season(client: Client, autumn: Season) -> None:
    answers = [
        each.post(f"{PAGE}edit/", {"title": "Чужой"}).status_code for each in (client, as_("head"), as_("judge"))
    ]
    assert answers == [401, 403, 403]
    assert as_("organizer").get(f"{PAGE}edit/").status_code == 200
    autumn.refresh_from_db()
    assert autumn.title == "Осень"


def test_only_staff_sets_a_season_up(autumn: Season) -> None:
    assert as_("organizer").get("/seasons/new/").status_code == 403
    User.objects.filter(username="organizer").update(is_staff=True)
    sent = form(title="Весна", slug="spring")
    assert as_("organizer").post("/seasons/new/", sent).headers["Location"] == "/seasons/spring/edit/"
    made = Season.objects.get(slug="spring")
    assert [user.username for user in made.owners.all()] == ["organizer"]
    assert made.rules.tie_keys == ("wins", "extra")


def form(**fields: Any) -> dict[str, Any]:
    """What the form of a season sends."""
    return {
        "title": "Осень", "starts_on": "2026-09-01", "ends_on": "2026-11-30", "time_zone": "Europe/Moscow",
        "counted": "tournaments", "reckoning": "sum", "best": "1", "least_games": "0", "is_public": "on",
        "key_1": "wins", "key_2": "extra", "owners": "organizer",
    } | fields  # fmt: skip


def test_the_organizer_chooses_tournaments_figures_and_fellows(client: Client, autumn: Season) -> None:
    second = Tournament.objects.get(slug="second")
    sent = form(
        reckoning="best", best="3", least_games="5", key_1="first_victim", key_2="", key_3="penalty",
        tournaments=[str(second.pk)], owners="head, organizer",
    )  # fmt: skip
    answer = as_("organizer").post(f"{PAGE}edit/", sent)
    assert (answer.status_code, answer.headers["Location"]) == (302, PAGE)
    autumn.refresh_from_db()
    assert (autumn.reckoning, autumn.best, autumn.least_games, autumn.takes_all) == ("best", 3, 5, False)
    assert autumn.rules.tie_keys == ("first_victim", "penalty")
    assert list(autumn.tournaments.all()) == [second]
    assert as_("head").get(f"{PAGE}edit/").status_code == 200


@pytest.mark.parametrize(
    "wrong",
    [
        {"title": " \u200b "}, {"starts_on": "вчера"}, {"ends_on": "2026-08-31"}, {"starts_on": "1812-09-07"},
        {"time_zone": "Мордор/Город"}, {"time_zone": "../../etc/passwd"}, {"counted": "all"}, {"reckoning": "median"},
        {"best": "0"}, {"best": "1000"}, {"best": "два"}, {"least_games": "-1"}, {"key_2": "wins"}, {"key_1": "lot"},
        {"owners": ""}, {"owners": ", ,"}, {"owners": "organizer, nobody"}, {"tournaments": ["999999"]},
        {"tournaments": ["x"]}, {"title": "я" * 121},
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_in_words(autumn: Season, wrong: dict[str, Any]) -> None:
    answer = as_("organizer").post(f"{PAGE}edit/", form(**wrong))
    assert answer.status_code == 422
    assert "invalid-feedback" in answer.content.decode() or "alert" in answer.content.decode()
    autumn.refresh_from_db()
    assert (autumn.title, autumn.ends_on) == ("Осень", date(2026, 11, 30))


@pytest.mark.parametrize("slug", ["autumn", "new", "с-кириллицей"])
def test_an_address_that_is_taken_or_none_is_refused(autumn: Season, slug: str) -> None:
    User.objects.filter(username="organizer").update(is_staff=True)
    assert as_("organizer").post("/seasons/new/", form(slug=slug)).status_code == 422
    assert Season.objects.count() == 1


def test_a_tournament_that_is_hidden_or_of_another_time_is_not_offered(autumn: Season) -> None:
    evening("far", date(2024, 1, 1))
    hidden = evening("hidden", PLAYED_ON).tournament
    Tournament.objects.filter(pk=hidden.pk).update(is_public=False)
    page = as_("organizer").get(f"{PAGE}edit/").content.decode()
    assert ("Кубок" in page, "Вечер second" in page, "Вечер far" in page, "Вечер hidden" in page) == (
        True, True, False, False,
    )  # fmt: skip
    assert as_("organizer").post(f"{PAGE}edit/", form(tournaments=[str(hidden.pk)])).status_code == 422


def test_services_refuse_what_no_form_would_send(autumn: Season) -> None:
    figures = {"title": "Осень", "starts_on": date(2026, 9, 1), "ends_on": date(2026, 11, 30)}
    for wrong in ({"time_zone": "x"}, {"tie_keys": ["wins", "wins"]}, {"tie_keys": ["lot"]}, {"best": 0}):
        with pytest.raises(Invalid):
            set_season(autumn, owners=["organizer"], tournaments=[], figures=figures | wrong)
    with pytest.raises(Invalid):
        set_season(autumn, owners=[], tournaments=[], figures=figures)


@pytest.mark.parametrize("wrong", [{"title": ""}, {"best": 0}, {"counted": "x"}, {"reckoning": "x"}])
def test_the_database_refuses_a_season_that_makes_no_sense(autumn: Season, wrong: dict[str, Any]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Season.objects.filter(pk=autumn.pk).update(**wrong)
    with pytest.raises(IntegrityError), transaction.atomic():
        Season.objects.filter(pk=autumn.pk).update(ends_on=date(2026, 8, 31))


def test_whether_it_goes_on_is_told_by_the_day_where_it_is_played(autumn: Season) -> None:
    autumn.starts_on = autumn.ends_on = autumn.today
    assert state_words(autumn) == "сезон идёт"
    autumn.time_zone = "Pacific/Kiritimati"
    kiritimati = autumn.today
    autumn.time_zone = "Pacific/Niue"
    assert kiritimati - autumn.today == timedelta(days=1)
    autumn.starts_on = autumn.ends_on = autumn.today - timedelta(days=1)
    assert state_words(autumn) == "сезон завершён"


def test_nobody_but_its_people_is_a_person(autumn: Season) -> None:
    assert Season.objects.filter(owners=person("somebody")).count() == 0
