"""The standings on paper, the real PDF read back: its rows, its pages, when and where it is drawn."""

from __future__ import annotations

import io
import os
import time
from pathlib import Path

import pypdf
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django import Settings

from protocols.models import SeatResult, Stage, Tournament
from scoring.paper import draw_apart, paper_of
from scoring.selectors import standings_of
from scoring.services import draw_lots

from .lines import PLAYERS
from .test_pages import two_games
from .tournaments import person, played, prepared, signed, stage_of, tournament

pytestmark = pytest.mark.django_db
PDF, WAITING = "/t/cup/standings.pdf", "/t/cup/standings/paper/"


@pytest.fixture(autouse=True)
def media(settings: Settings, tmp_path: Path) -> Path:
    """A media folder of its own."""
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


def body(client: Client) -> bytes:
    """The PDF as it is given out."""
    response = client.get(PDF)
    assert (response.status_code, response["Content-Type"]) == (200, "application/pdf")
    return response.getvalue()


def pages_of(pdf: bytes, size: tuple[int, int] = (595, 842)) -> list[str]:
    """The text of every page, without its line ends; every page is an A4, upright unless another size is named."""
    reader = pypdf.PdfReader(io.BytesIO(pdf))
    sizes = {(round(float(page.mediabox.width)), round(float(page.mediabox.height))) for page in reader.pages}
    assert sizes == {size}
    return [" ".join(page.extract_text().split()) for page in reader.pages]


LEGEND = "Как читать таблицу"


def rows_in(pages: list[str]) -> str:
    """The text of the table itself, up to the legend below it."""
    return " ".join(pages).partition(LEGEND)[0]


def many_players(games: int) -> Tournament:
    """Ten new players a game, and one game that is not signed."""
    made = tournament()
    stage = stage_of(made)
    for number in range(games):
        signed(stage, "red", nicknames=[f"{nickname} {number}" for nickname in PLAYERS])
    prepared(stage)
    return made


def test_paper_shows_the_rows_of_the_page(client: Client) -> None:
    two_games()
    (text,) = pages_of(body(client))
    assert "1 Астра 5,25 2 1 4,5 0,75 — рейтинг 2 Вихрь 5,00" in text
    assert "7 Барс 4,00 2 1 4,5 0,50 −1 доп. баллы 0,5 : 0,0" in text
    assert "стр. 1 из 1" in text


def test_a_game_that_is_over_and_not_signed_is_on_no_paper(client: Client) -> None:
    played(stage_of(tournament()))
    (text,) = pages_of(body(client))
    assert "Астра" not in text


def test_the_same_table_is_drawn_once_and_another_one_anew(client: Client) -> None:
    made = two_games()
    first = body(client)
    assert body(client) == first
    prepared(Stage.objects.filter(tournament=made)[0])
    second = body(client)
    assert ("Предварительно." in pages_of(first)[0], "Предварительно." in pages_of(second)[0]) == (False, True)


def test_papers_of_older_tables_are_taken_away_after_a_day(client: Client, media: Path) -> None:
    made = two_games()
    body(client)
    yesterday = time.time() - 25 * 3600
    for path in media.rglob("*.pdf"):
        os.utime(path, (yesterday, yesterday))
    prepared(Stage.objects.filter(tournament=made)[0])
    body(client)
    assert list(media.rglob("*.pdf")) == [paper_of(made).path]


def test_paper_repeats_its_head_and_counts_its_pages(client: Client) -> None:
    many_players(15)
    call_command("draw_standings", "cup")
    pages = pages_of(body(client))
    assert len(pages) == 4
    for number, text in enumerate(pages, start=1):
        assert ("Место Никнейм Рейтинг Игры Победы Баллы" in text) is (number < 4)
        assert f"стр. {number} из 4" in text
        assert "предварительно" in text
    assert LEGEND in pages[3]
    assert rows_in(pages).count("Астра ") == 15


def test_below_the_table_it_is_told_how_to_read_it(client: Client) -> None:
    two_games()
    (text,) = pages_of(body(client))
    legend = text.partition(LEGEND)[2]
    for words in (
        "Рейтинг — баллы + доп. баллы + штраф за все стадии (п. 8.6)",
        "Штраф — за удаления с игры (п. 8.2.4)",
        "Финал ×1,5. Под коэффициент стадии попадают: победа, лучший ход, доп. баллы. (п. 8.6)",
        "решает первое, в чём есть отличие: 1. больше дополнительных баллов судьи (п. 8.5) 2. больше побед (п. 8.5.1)",
        "7–8 Барс — Каштан: доп. баллы 0,5 : 0,0 (п. 8.5)",
    ):
        assert words in legend


def test_the_legend_names_who_drew_a_lot_among_whom_and_when(client: Client) -> None:
    made = tournament()
    signed(stage_of(made), "red")
    first, second = standings_of(made).table.due
    draw_lots(made, sorted(first), by=person("drawer", "Жребина"))
    found = standings_of(made)
    (lot,) = found.lots.values()
    legend = " ".join(pages_of(body(client))).partition(LEGEND)[2]
    order, at = ", ".join(found.nicknames[pk] for pk in lot.players), timezone.localtime(lot.drawn_at)
    assert f"Места 2–7: {order} — тянул(а) Жребина, {at:%d.%m.%Y %H:%M} (п. 8.5.4)" in legend
    names = " — ".join(sorted(found.nicknames[pk] for pk in second))
    assert f"8–10 {names}: равны во всём, решает жребий — ещё не брошен (п. 8.5.4)" in legend


def test_sixty_rows_are_drawn_at_once_and_more_apart_from_the_request(client: Client) -> None:
    made = many_players(6)
    assert len(pages_of(body(client))) == 2
    signed(Stage.objects.get(tournament=made), "red")
    response = client.get(PDF)
    assert (response.status_code, response["Location"]) == (302, WAITING)
    page = client.get(WAITING)
    assert (page.status_code, page["Cache-Control"]) == (200, "no-store")
    assert "Таблица длинная" in page.content.decode()
    call_command("draw_standings", "cup")
    assert "Таблица готова." in client.get(WAITING).content.decode()
    assert len(pages_of(body(client))) == 2


def test_one_process_draws_and_a_dead_one_is_followed_by_another(django_capture_on_commit_callbacks: object) -> None:
    paper = paper_of(many_players(7))
    capture = django_capture_on_commit_callbacks
    for age, started in ((0, 1), (0, 0), (paper.patience + 1, 1)):
        if paper.mark.exists():
            os.utime(paper.mark, (time.time() - age,) * 2)
        with capture() as callbacks:  # type: ignore[operator]
            draw_apart(paper)
        assert len(callbacks) == started
    call_command("draw_standings", "cup")
    assert (paper.is_drawn, paper.mark.exists()) == (True, False)


def test_the_paper_of_games_has_every_game_of_every_player(client: Client) -> None:
    made = two_games()
    (text,) = pages_of(client.get("/t/cup/games.pdf").getvalue())
    assert "Стадия Игра Стол Игровое место Роль Итог За победу От судьи Лучший ход Штраф В рейтинг" in text
    assert text.index("1. Астра Рейтинг 5,25") < text.index("2. Вихрь Рейтинг 5,00")
    rows = SeatResult.objects.filter(tournament=made, in_force=True)
    assert text.count("победа") == rows.filter(won=True).count()
    assert text.count("поражение") == rows.filter(won=False).count()


def test_a_long_paper_of_games_is_drawn_apart_and_repeats_its_head(client: Client) -> None:
    many_players(7)
    asked = client.get("/t/cup/games.pdf?wide=1")
    assert (asked.status_code, asked["Location"]) == (302, "/t/cup/games/paper/?wide=1")
    call_command("draw_standings", "cup", "--table", "games", "--wide")
    page = client.get(asked["Location"]).content.decode()
    assert 'href="/t/cup/games.pdf?wide=1"' in page
    pages = pages_of(client.get("/t/cup/games.pdf?wide=1").getvalue(), size=(842, 595))
    assert len(pages) > 1
    for number, text in enumerate(pages, start=1):
        assert text.count("Стадия Игра Стол") == 1
        assert f"стр. {number} из {len(pages)}" in text
    assert (
        sum(text.count("Рейтинг 3,00") + text.count("Рейтинг 4,00") + text.count("Рейтинг 0,00") for text in pages)
        == 70
    )


def test_standings_lie_on_their_side_with_the_tie_keys_as_columns(client: Client) -> None:
    two_games()
    (text,) = pages_of(client.get(f"{PDF}?wide=1").getvalue(), size=(842, 595))
    assert "Штраф Победы доном и шерифом Первая жертва Что решило 1 Астра 5,25 2 1 4,5 0,75 — 1 1 рейтинг" in text


def test_the_paper_of_nominations_says_who_shares_them(client: Client) -> None:
    signed(stage_of(tournament()), "red", extra={2: "0.5", 3: "0.5"}, shot=4)
    (text,) = pages_of(client.get("/t/cup/nominations.pdf").getvalue())
    assert "Лучший красный делят Барс 1 игра в роли Вихрь 1 игра в роли 3,5 Лучший шериф Астра 1 игра в роли 3" in text
    assert "Лучший чёрный никто — Лучший дон никто —" in text
    assert "Больше всех доп. баллов делят Барс 1 игра Вихрь 1 игра 0,5 Чаще всех первая жертва Гранит 1 игра 1" in text


def test_names_of_any_kind_are_on_paper_whole(client: Client) -> None:
    names = ["<b>Ж</b>", "&amp;", 'Ёжик "в" «тумане»', "Я" * 40, "=1+1", "🦊", "O'Neil", "{{ x }}", "100%", "№ 7; 8"]
    made = tournament()
    Tournament.objects.filter(pk=made.pk).update(title="Кубок <i>&</i> Ёлки", city="«Орёл»")
    signed(stage_of(made, "Финал & <Ко>"), "red", nicknames=names)
    for name in ("standings.pdf", "games.pdf"):
        (text,) = pages_of(client.get(f"/t/cup/{name}").getvalue())
        assert "Кубок <i>&</i> Ёлки" in text
        bare = text.replace(" ", "")
        assert [each for each in names if each.replace(" ", "") not in bare] == []


def test_a_round_that_nobody_has_played_is_told() -> None:
    two_games()
    with pytest.raises(CommandError, match="Такого раунда нет"):
        call_command("draw_standings", "cup", "--after", "9.9")


def test_a_tournament_that_nobody_has_is_told() -> None:
    with pytest.raises(CommandError, match="Такого турнира нет"):
        call_command("draw_standings", "nothing")


@pytest.mark.parametrize("address", [PDF, WAITING])
def test_paper_of_a_private_tournament_is_for_those_who_serve_in_it(client: Client, address: str) -> None:
    made = two_games()
    Tournament.objects.filter(pk=made.pk).update(is_public=False)
    client.force_login(person("stranger"))
    assert client.get(address).status_code == 404
    assert Client().get(address).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_a_long_table_comes_by_itself_while_its_page_is_open(
    phone: Page, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEDIA_ROOT = settings.VAR_DIR / "media"  # where the process writes, too
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "mafia_site.settings")
    many_players(7)
    phone.goto("/t/cup/standings/")
    phone.get_by_role("link", name="PDF").tap()
    expect(phone.get_by_text("Таблица готова.")).to_be_visible(timeout=60_000)
    given = phone.request.get(PDF)
    assert (given.status, given.headers["content-type"]) == (200, "application/pdf")
    assert rows_in(pages_of(given.body())).count("Астра ") == 7
