"""What is hidden changes no byte that the public fetches: two sites that differ in nothing but that are alike."""

from __future__ import annotations

import io
import json
import re
from datetime import date
from typing import Any

import openpyxl  # type: ignore[import-untyped]
import pypdf
import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.utils import timezone

from protocols import selectors
from protocols.models import SeatResult, SignedSheet, Tournament
from protocols.rules import entries as e
from protocols.rules.terms import AFTER
from protocols.services import hiding
from protocols.services.sign import seal
from protocols.sheet_check import check_of, code_of
from protocols.views import screen
from scoring.archives import archive_of, rebuild
from scoring.season_services import create_season
from scoring.team_paste import read_teams, write_teams
from tests.exchange.records import empty_site
from tests.protocols.tables import game_now, later

from .lines import PLAYERS
from .public_site import BLACK_WIN, NOON, RED_WIN, Site, Walk, apart, entries_of, public_site, walked
from .public_walk import fetched
from .tournaments import person, player, signed, stage_of, tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def site(db: None, monkeypatch: pytest.MonkeyPatch) -> Site:
    """The tournament; the time stands still."""
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    return public_site()


def played_and_hidden(site: Site, what: str, letters: str, extra: dict[int, int]) -> tuple[Walk, Walk, str]:
    """What the public fetches while the second game is hidden, and once it is announced; the game's seal."""
    selectors._kept.clear()  # another site's processes have other memories
    screen._kept.clear()
    by, stage = User.objects.get(username="organizer"), site.game.stage
    with transaction.atomic():
        hiding.hide(site.cup, what=what, stage=stage, number=2, by=by)
        later(site.game, *entries_of(letters))
        later(site.game, *(e.ExtraPoints(moment=AFTER, seat=seat, points=points) for seat, points in extra.items()))
        game = game_now(site.game)
        seal(game, revision=game.revision, by=User.objects.get(username="judge"))
        assert SeatResult.objects.filter(game=game, in_force=True).count() == 10
        sha256 = SignedSheet.objects.get(game=game).sha256
        hidden = walked(site, site.addresses)
        hiding.announce(site.cup, by=by)
        shown = walked(site, site.addresses)
        transaction.set_rollback(True)
    return hidden, shown, sha256


def without_seal(walk: Walk, asked: tuple[int, str], sha256: str) -> str:
    """The words of an answer without its sheet's code, which no two sheets have in common."""
    raw = walk[asked].body
    if raw.startswith(b"%PDF"):
        text = " ".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(raw)).pages)
    else:
        text = raw.decode(errors="replace")
    found = check_of(sha256)
    for secret in (sha256, code_of(sha256), found.drawing, found.box):
        text = text.replace(secret, "")
    return re.sub(r"(?:[0-9A-F]{4}\s){2}[0-9A-F]{4}", "", text)


@pytest.mark.parametrize(
    ("what", "one", "other"),
    [
        ("table", (BLACK_WIN, {7: 400}), (RED_WIN, {3: 100})),
        ("extra", (BLACK_WIN, {7: 400}), (BLACK_WIN, {3: 100, 4: 200})),
    ],
)
def test_sites_that_differ_in_what_is_hidden_are_alike(
    site: Site, what: str, one: tuple[str, dict[int, int]], other: tuple[str, dict[int, int]]
) -> None:
    walked(site, site.addresses)  # draws what is drawn once and kept
    (first, first_shown, seal_of_first), (second, second_shown, seal_of_second) = (
        played_and_hidden(site, what, letters, extra) for letters, extra in (one, other)
    )
    told = [
        asked
        for asked in apart(first, second)
        if (first[asked].status, without_seal(first, asked, seal_of_first))
        != (second[asked].status, without_seal(second, asked, seal_of_second))
    ]
    assert told == []
    own = f"/games/{site.game.uuid}/"
    sealed = {address.partition("?")[0] for _who, address in apart(first, second)}
    assert sealed == (set() if what == "table" else {own, f"{own}sheet.pdf"})

    # The same comparison sees what is told once it is announced.
    seen = {address for _who, address in apart(first_shown, second_shown)}
    assert {
        own, f"{own}sheet.pdf", f"{own}record.json", "/t/cup/standings/", "/t/cup/standings.json", "/t/cup/games.csv",
        "/t/cup/standings.xlsx", "/t/cup/standings.pdf", "/t/cup/teams/", "/t/cup/teams.csv", "/seasons/year/",
    } <= seen  # fmt: skip
    assert Client().get("/t/cup/standings.json").json()["hidden"] is None


# ---------------------------------------------------------------- what files and pages say of it


@pytest.fixture
def cup(db: None) -> Tournament:
    """Two signed games of ten; in the first seat 2 has 0.1, in the second seats 1 and 3 have more; two teams."""
    made = tournament("F")
    stage = stage_of(made)
    signed(stage, "red", extra={2: "0.1"})
    signed(stage, "red", extra={1: "0.35", 3: "0.2"})
    text = f"Север: {PLAYERS[0]}, {PLAYERS[1]}\nЮг: {PLAYERS[2]}, {PLAYERS[3]}"
    by = User.objects.get(username="organizer")
    write_teams(made, text, seen=read_teams(made, text).fingerprint, confirm_new=False, by=by)
    return made


def hide(made: Tournament, what: str, number: int = 2) -> None:
    hiding.hide(made, what=what, stage=made.stages.get(), number=number, by=User.objects.get(username="organizer"))


def got(address: str, username: str = "") -> str:
    client = Client()
    if username:
        client.force_login(User.objects.get(username=username))
    raw = fetched(f"/t/cup/{address}", client).body
    if raw.startswith(b"%PDF"):
        return " ".join(" ".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(raw)).pages).split())
    return raw.decode("utf-8-sig")


def data(username: str = "", query: str = "") -> dict[str, Any]:
    told: dict[str, Any] = json.loads(got(f"standings.json{query}", username))
    return told


def test_json_says_what_is_hidden_and_extra_points_that_are_have_no_value(cup: Tournament) -> None:
    keys = ("hidden", "for_the_public", "preliminary", "games_counted", "games_not_announced")
    assert [data()[key] for key in keys] == [None, True, False, 2, 0]
    hide(cup, "extra")
    told = data()
    assert [told[key] for key in keys] == [
        {"what": "extra_points", "stage": 1, "round": 2}, True, True, 2, 0,
    ]  # fmt: skip
    assert {(row["game"], row["extra"], row["best_move"]) for row in told["games"] if row["seat"] != 2} == {
        (1, "0", "0"), (2, None, None),
    }  # fmt: skip
    assert {row["nickname"]: row["extra_points"] for row in told["standings"]}[PLAYERS[1]] == "0.1"
    assert [data("head")[key] for key in keys] == [None, False, False, 2, 0]
    assert [data(query="?after=1.1")[key] for key in keys] == [None, True, False, 1, 0]
    hide(cup, "extra", number=1)
    assert {(row["extra_points"], row["tie_extra_points"]) for row in data()["standings"]} == {(None, None)}
    hide(cup, "table")
    assert [data()[key] for key in keys] == [{"what": "table", "stage": 1, "round": 2}, True, True, 1, 1]


def test_a_figure_of_hidden_extra_points_opens_to_their_being_hidden(cup: Tournament) -> None:
    address = f"/t/cup/players/{player(PLAYERS[2]).pk}/?of=extra_points"
    hide(cup, "extra", number=1)
    page = Client().get(address)
    shown = [(each.key, each.value, each.notes) for each in page.context["opened"] if each.key.startswith("extra")]
    hidden = ("Доп. баллы ещё не объявлены.",)
    assert shown == [("extra_points", "—", hidden), ("extra", "—", hidden)]


def test_spreadsheets_leave_hidden_extra_points_empty_with_a_note(cup: Tournament) -> None:
    hide(cup, "extra")
    rows = [line.split(";") for line in got("games.csv").splitlines()]
    judges, best = rows[0].index("От судьи"), rows[0].index("Лучший ход")
    second = {(row[judges], row[best], row[-1]) for row in rows if row[1:2] == ["2"]}
    assert second == {("", "", "доп. баллы скрыты")}
    hide(cup, "extra", number=1)
    standings = [line.split(";") for line in got("standings.csv").splitlines()]
    column = standings[0].index("Доп. баллы")
    assert {row[column] for row in standings[1:11]} == {""}
    book = openpyxl.load_workbook(io.BytesIO(Client().get("/t/cup/standings.xlsx").content))
    assert {row[column] for row in book.worksheets[0].iter_rows(min_row=3, values_only=True)} == {None}


SAID = {
    "table": "Таблица скрыта до объявления: Отборочная, с тура 2.",
    "extra": "Доп. баллы скрыты до объявления (Отборочная, с тура 2)",
}
AWAITED = {
    "table": "Предварительно. 1 игра подписана, но ещё не объявлена: в таблице её нет.",
    "extra": "Предварительно. Доп. баллы ещё не объявлены.",
}


@pytest.mark.parametrize("what", ["table", "extra"])
@pytest.mark.parametrize(
    "address",
    ["standings/", "standings.pdf", "standings.csv", "games.pdf", "games.csv", "nominations/", "nominations.pdf",
     "teams/", "teams.pdf", "teams.csv", "player"],
)  # fmt: skip
def test_everything_says_what_is_hidden_and_that_it_is_preliminary(cup: Tournament, address: str, what: str) -> None:
    hide(cup, what)
    if address == "player":
        address = f"players/{player(PLAYERS[0]).pk}/"
    text = re.sub(r"<[^>]+>", "", got(address))
    words = " ".join(text.split())
    assert [said in words for said in (SAID[what], AWAITED[what])] == [True, True]
    organizers = " ".join(re.sub(r"<[^>]+>", "", got(address, "organizer")).split())
    assert ("Не для публикации" in organizers, "Предварительно" in organizers) == (True, False)


def test_a_table_before_the_hidden_rounds_is_whole(cup: Tournament) -> None:
    hide(cup, "extra")
    page = got("standings/?after=1.1")
    assert ("скрыты до объявления" in page, "Предварительно" in page) == (False, False)
    assert "Таблица на момент: Отборочная, после игры 1" in page


def test_a_season_with_hidden_rounds_is_preliminary_in_every_form(cup: Tournament) -> None:
    by = User.objects.get(username="organizer")
    year = {"starts_on": date(2026, 1, 1), "ends_on": date(2026, 12, 31)}
    create_season(title="Год", slug="year", by=by, tournaments=[cup], **year)
    hide(cup, "table")
    said = AWAITED["table"]
    public = Client()
    page = " ".join(re.sub(r"<[^>]+>", "", public.get("/seasons/year/").content.decode()).split())
    csv = public.get("/seasons/year/season.csv").content.decode()
    told = public.get("/seasons/year/season.json").json()
    assert (said in page, said in csv) == (True, True)
    assert (told["preliminary"], told["games_not_announced"]) == (True, 1)


def test_hidden_rounds_stay_hidden_on_the_site_that_an_archive_is_brought_to(cup: Tournament) -> None:
    hide(cup, "table")
    files = ("standings.json", "standings.csv", "games.csv", "teams.csv", "standings/", "teams/")
    before, second = {name: counted(got(name)) for name in files}, f"/games/{cup.games.get(number=2).uuid}/"
    raw = archive_of(cup)
    empty_site()
    made = rebuild(raw).tournament
    assert ({name: counted(got(name)) for name in files}, Client().get(second).status_code) == (before, 404)
    # Brought to where it stands already, it announces nothing either.
    assert rebuild(raw).was_known is True
    assert (data()["games_counted"], Client().get(second).status_code) == (1, 404)
    hiding.announce(made, by=person("one"))
    assert (data()["games_counted"], Client().get(second).status_code) == (2, 200)


def counted(text: str) -> str:
    """An answer without the keys of this site's rows."""
    return re.sub(r"(players/|player-|team-)\d+", "", text)
