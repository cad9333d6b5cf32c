"""Exports read back as a spreadsheet or a program reads them: figures, order, names of any kind; nothing leaks."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from datetime import datetime
from decimal import Decimal
from typing import Any

import openpyxl  # type: ignore[import-untyped]
import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from protocols.models import Game, Stage, Tournament
from scoring.exports import exported
from scoring.exports_csv import harmless
from scoring.exports_json import exact, json_of
from scoring.exports_xlsx import xlsx_of

from .lines import PLAYERS
from .test_pages import two_games
from .tournaments import person, played, prepared, signed, stage_of, tournament

pytestmark = pytest.mark.django_db
UGLY = (
    "=1+1", "+7 (999)", "-2+3", "@SUM(A1)", "007", "1/2", 'Ёжик "в" тумане; да', "🦊🐺", "Ёлка", "W" * 40,
)  # fmt: skip
FILES = ("standings.csv", "games.csv", "standings.xlsx", "standings.json")
PAPERS = ("standings.pdf", "games.pdf", "nominations.pdf")


def given(name: str, client: Client | None = None) -> bytes:
    """The file as it is given out."""
    response = (client or Client()).get(f"/t/cup/{name}")
    assert response.status_code == 200
    return response.getvalue()


def csv_rows(name: str) -> list[list[str]]:
    """The rows of a CSV as Excel in Russian splits them."""
    raw = given(name)
    assert raw.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(raw.decode("utf-8-sig"), newline=""), delimiter=";"))


def workbook(raw: bytes) -> Any:
    """The workbook as another program reads it."""
    return openpyxl.load_workbook(io.BytesIO(raw))


def data() -> dict[str, Any]:
    """The JSON; a figure with a point in it would be a float, and there is none."""

    def no_floats(text: str) -> None:
        raise AssertionError(text)

    found: dict[str, Any] = json.loads(given("standings.json"), parse_float=no_floats)
    return found


def ugly_game() -> Stage:
    """One signed game among players with names of any kind."""
    made = tournament("F")
    Tournament.objects.filter(pk=made.pk).update(title='Кубок «=1+1»; "Ёлки"', city="-Орёл")
    stage = stage_of(made, "=Финал", "1.5")
    signed(stage, "black", nicknames=UGLY, extra={1: "0.35", 9: "-0.1"}, shot=2, hits=2, removed=(4,))
    return stage


# ---------------------------------------------------------------- CSV


def test_csv_has_the_rows_of_the_page_with_decimal_commas() -> None:
    two_games()
    rows = csv_rows("standings.csv")
    assert rows[0] == [
        "Место", "Никнейм", "Рейтинг", "Игры", "Победы", "Баллы", "Доп. баллы", "Штраф", "Победы доном и шерифом",
        "Первая жертва", "Что решило",
    ]  # fmt: skip
    assert rows[1] == ["1", "Астра", "5,25", "2", "1", "4,5", "0,75", "0", "1", "1", "рейтинг"]
    assert [row[7] for row in rows if row[1] == "Барс"] == ["-1"]
    assert len(rows) == 11


def test_csv_of_games_has_a_row_for_every_seat_in_the_order_of_play() -> None:
    ugly_game()
    rows = csv_rows("games.csv")
    assert rows[0] == [
        "Стадия", "Игра", "Стол", "Дата", "Игровое место", "Никнейм", "Роль", "Итог", "За победу", "От судьи",
        "Лучший ход", "Штраф", "Ci", "Коэффициент", "В рейтинг", "Отмечено",
    ]  # fmt: skip
    assert rows[1] == ["'=Финал", "1", "1", "10.10.2026", "1", "'=1+1", "Ш", "поражение", "0", "0,35", "0", "0", "0",
                       "1,5", "0,525", ""]  # fmt: skip
    assert rows[2][5:] == ["'+7 (999)", "К", "поражение", "0", "0", "0,25", "0", "0,4", "1,5", "0,775",
                           "первая жертва"]  # fmt: skip
    assert rows[4][5:] == ["'@SUM(A1)", "К", "поражение", "0", "0", "0", "-0,5", "0", "1,5", "-0,5", "удалён"]
    assert len(rows) == 11


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r", "\n", " =", "|", "%", "＝", "＋", "－", "＠"])
def test_text_that_a_spreadsheet_would_run_is_text(sign: str) -> None:
    assert harmless(f"{sign}1+1") == f"'{sign}1+1"


@pytest.mark.parametrize("text", ["007", "1/2", "1.5", "2-3", "1e5", "12:30", "7 мая", "Май 5", "5 %", "(5)", "ЛОЖЬ"])
def test_text_that_a_spreadsheet_would_take_for_a_number_or_a_date_stays_text(text: str) -> None:
    assert harmless(text) == f"'{text}"


@pytest.mark.parametrize("text", ["Астра", "Гром №2", "7 гномов", "Май", "Марта 5а", "Ёлка=", "«1»", "", "—", "3–5"])
def test_other_text_stays_as_it_is(text: str) -> None:
    assert harmless(text) == text


def test_every_name_comes_back_from_csv_whole() -> None:
    ugly_game()
    assert sorted(row[5].removeprefix("'") for row in csv_rows("games.csv")[1:]) == sorted(UGLY)


# ---------------------------------------------------------------- XLSX


def test_workbook_has_real_numbers_under_a_frozen_head() -> None:
    two_games()
    book = workbook(given("standings.xlsx"))
    assert book.sheetnames == ["Турнирная таблица", "Игры", "Номинации"]
    sheet = book["Турнирная таблица"]
    assert sheet.freeze_panes == "C3"
    assert [cell.value for cell in sheet[3]][:8] == [1, "Астра", 5.25, 2, 1, 4.5, 0.75, 0]
    assert {type(cell.value) for cell in sheet["C"][2:]} <= {int, float}
    assert (sheet["C3"].number_format, sheet["H3"].number_format) == ("0.00", "0")
    games = book["Игры"]
    assert (games.freeze_panes, games["D3"].value) == ("G3", datetime(2026, 10, 10))


def test_workbook_takes_no_text_for_a_formula_a_link_or_a_number() -> None:
    ugly_game()
    raw = given("standings.xlsx")
    games = workbook(raw)["Игры"]
    assert [cell.value for cell in games["F"][2:]] == list(UGLY)
    assert {cell.data_type for row in games.iter_rows(min_row=3) for cell in row} == {"s", "n", "d"}
    with zipfile.ZipFile(io.BytesIO(raw)) as parts:
        sheets = [parts.read(name).decode() for name in parts.namelist() if "/sheet" in name]
    assert [("<f>" in sheet, "hyperlink" in sheet) for sheet in sheets] == [(False, False)] * 3


# ---------------------------------------------------------------- JSON


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [(0, 1, "0"), (5_250_000, 1_000_000, "5.25"), (-1000, 1000, "-1"), (-5, 1000, "-0.005"), (1, 3, "1/3")],
)
def test_figures_of_json_are_exact(value: int, unit: int, text: str) -> None:
    assert exact(value, unit) == text


def test_json_holds_exact_decimals_as_strings() -> None:
    ugly_game()
    found = data()
    assert (found["format"], found["version"], found["preliminary"]) == ("mafia-standings", 1, False)
    assert found["stages"] == [{"number": 1, "name": "=Финал", "multiplier": "1.5"}]
    assert found["games"][0] == {
        "stage": 1, "game": 1, "table": 1, "played_on": "2026-10-10", "seat": 1, "nickname": "=1+1",
        "role": "sheriff", "result": "black", "won": False, "counts": True, "first_victim": False, "removed": False,
        "removed_from_tournament": False, "win": "0", "speech": "0", "extra": "0.35", "best_move": "0", "penalty": "0",
        "compensation": "0", "multiplier": "1.5", "total": "0.525",
    }  # fmt: skip


def test_the_games_of_json_add_up_to_its_ratings() -> None:
    two_games()
    found = data()
    sums: dict[str, Decimal] = {}
    for game in found["games"]:
        sums[game["nickname"]] = sums.get(game["nickname"], Decimal(0)) + Decimal(game["total"])
    assert sums == {row["nickname"]: Decimal(row["rating"]) for row in found["standings"]}


def test_a_game_that_counts_for_nobody_brings_nothing() -> None:
    signed(stage_of(tournament()), "annulled", extra={1: "0.5"})
    found = data()
    assert (found["standings"], [game["total"] for game in found["games"]]) == ([], [None] * 10)


# ---------------------------------------------------------------- all of them


def test_two_exports_give_the_same_bytes() -> None:
    ugly_game()
    first = [given(name) for name in FILES]
    assert [given(name) for name in FILES] == first
    export = exported(Tournament.objects.get(slug="cup"))
    assert [json_of(export), xlsx_of(export)] == [first[3], first[2]]


def test_the_same_queries_for_one_game_and_for_three(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    stage = stage_of(tournament())
    signed(stage, "red", extra=dict.fromkeys((1, 2), "0.5"))
    for _ in range(2):
        with django_assert_num_queries(7):
            json_of(exported(stage.tournament))
        signed(stage, "red", nicknames=[f"{nickname} 2" for nickname in PLAYERS])
        signed(stage, "black", nicknames=[f"{nickname} 3" for nickname in PLAYERS])


@pytest.mark.parametrize("name", FILES)
def test_a_game_that_is_not_signed_is_in_no_file(name: str) -> None:
    stage = stage_of(tournament())
    signed(stage, "red")
    before = exported(stage.tournament)
    names = [f"Новый {number}" for number in range(10)]
    played(stage, "black", nicknames=names)
    after = exported(stage.tournament)
    assert (after.seats, after.nominations) == (before.seats, before.nominations)
    raw = given(name)
    text = raw.decode(errors="ignore")
    if name.endswith("xlsx"):
        text = " ".join(str(cell.value) for sheet in workbook(raw) for row in sheet for cell in row)
    assert "Новый" not in text


def test_every_file_says_that_it_is_preliminary() -> None:
    stage = stage_of(tournament())
    signed(stage, "red")
    prepared(stage)
    said = "Предварительно. Ещё не подписана 1 игра: в таблице её нет."
    assert [csv_rows(name)[-1] for name in ("standings.csv", "games.csv")] == [[said]] * 2
    titles = [sheet["A1"].value.endswith(said) for sheet in workbook(given("standings.xlsx"))]
    assert titles == [True] * 3
    assert (data()["preliminary"], data()["games_open"]) == (True, 1)
    named = [Client().get(f"/t/cup/{name}")["Content-Disposition"] for name in FILES]
    assert ["%28%D0%BF%D1%80%D0%B5%D0%B4%D0%B2" in name for name in named] == [True] * 4
    page = Client().get("/t/cup/nominations/").content.decode()
    assert "1 игра: в таблице её нет." in page


def test_a_protest_that_is_open_makes_every_file_preliminary() -> None:
    stage = stage_of(tournament())
    game = signed(stage, "red")
    Game.objects.filter(pk=game.pk).update(protest="21:52 не тот победитель")
    assert csv_rows("standings.csv")[-1] == ["Предварительно. Не решён 1 протест."]
    assert (data()["preliminary"], data()["games_open"], data()["protests_open"]) == (True, 0, 1)


def test_files_as_of_a_round_hold_what_had_been_played_then() -> None:
    stage = stage_of(tournament())
    signed(stage, "red")
    first = {name: given(name) for name in FILES}
    signed(stage, "black")
    assert [row["rating"] for row in data()["standings"]][:2] == ["4", "4"]
    then = json.loads(given("standings.json?after=1.1"))
    assert then["as_of"] == {"stage": 1, "game": 1}
    assert {**then, "as_of": None} == json.loads(first["standings.json"])
    said = "Таблица на момент: Отборочная, после игры 1"
    for name in ("standings.csv", "games.csv"):
        assert given(f"{name}?after=1.1").startswith(first[name])
        assert said in given(f"{name}?after=1.1").decode()
    assert [sheet["A1"].value.partition(said)[1] for sheet in workbook(given("standings.xlsx?after=1.1"))] == [said] * 3
    assert [Client().get(f"/t/cup/{name}?after=1.9").status_code for name in (*FILES, *PAPERS)] == [404] * 7


@pytest.mark.parametrize("name", (*FILES, *PAPERS, "games/paper/", "nominations/"))
def test_files_of_a_private_tournament_are_for_those_who_serve_in_it(client: Client, name: str) -> None:
    made = two_games()
    Tournament.objects.filter(pk=made.pk).update(is_public=False)
    client.force_login(person("stranger"))
    assert [each.get(f"/t/cup/{name}").status_code for each in (client, Client())] == [404, 404]


@pytest.mark.parametrize("name", (*FILES, *PAPERS))
def test_a_tournament_without_a_game_has_empty_files(name: str, tmp_path: Any, settings: Any) -> None:
    settings.MEDIA_ROOT = tmp_path
    tournament()
    assert given(name)
