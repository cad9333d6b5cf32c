"""The server stopped, frozen, slow; the page reloaded in mid-save; two devices; another login; another game.

Waits are short here; `make soak` sets SOAK=1 and takes them as long as they are in a hall.
"""

from __future__ import annotations

import gzip
import os
import time
from collections.abc import Iterator
from random import Random

import pytest
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Dialog, Page, expect
from pytest_django.live_server_helper import LiveServer

from protocols.models import Entry, Game
from protocols.services.prepare import create_game, seat_players
from protocols.views.install import board_files
from tests.protocols.tables import (
    NICKNAMES,
    NIGHT_ZERO,
    ROLES,
    Table,
    board,
    game_now,
    kinds,
    later,
    pad,
    speech,
    table,
    tap,
)
from tests.protocols.world import PASSWORD

from .playing import Player
from .proxy import Network

pytestmark = pytest.mark.django_db(transaction=True)
SOAK = bool(os.environ.get("SOAK"))
STOPPED = 20.0 if SOAK else 1.0  # seconds
AT_RANDOM = 60.0 if SOAK else 4.0  # seconds


@pytest.fixture
def cup(transactional_db: None) -> Table:
    """A game in the minute of seat 1."""
    found = table("F")
    later(found.game, ROLES, NIGHT_ZERO, speech(1))
    return found


@pytest.fixture
def network(live_server: LiveServer) -> Iterator[Network]:
    """What lies between the browser and the server."""
    with Network(live_server.url) as network:
        yield network


def phone_of(browser: Browser) -> BrowserContext:
    """A phone of its own."""
    context = browser.new_context(locale="ru-RU", viewport={"width": 390, "height": 844}, has_touch=True)
    context.set_default_timeout(15_000)
    return context


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A phone; at its end no script has failed."""
    context = phone_of(browser)
    errors: list[str] = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    yield context.new_page()
    context.close()
    assert errors == []


def nominate(page: Page, target: int) -> None:
    """A key of the pad."""
    page.locator(f'#pad button[value="{target}"]').click()


def foul(page: Page, seat: int) -> None:
    """A foul on the seat's sheet."""
    page.locator(f"#seat-{seat} a.seat__open").click()
    page.locator("#seat-sheet").get_by_role("button", name="Фол", exact=True).click()


# ---------------------------------------------------------------- the server


def test_a_stopped_server_loses_nothing_and_the_board_says_so(page: Page, network: Network, cup: Table) -> None:
    player = Player(page, cup.game, network.url)
    network.cut()
    nominate(page, 5)
    expect(player.saved).to_have_text("1 ждёт сети")
    expect(page.locator("#seat-1 .seat__nominates.pending")).to_have_text("→5")
    foul(page, 4)
    expect(player.saved).to_have_text("2 ждут сети")
    expect(page.locator("#seat-4 .seat__fouls .on.pending")).to_have_count(1)
    expect(page.locator(".log__line--pending")).to_have_count(2)
    expect(page.locator(".rule__words")).to_contain_text("будут проверены")
    page.locator("#next").click()
    expect(page.locator(".panel__prompt")).to_have_text("Говорит №2 Мираж")
    page.reload()
    expect(player.saved).to_have_text("3 ждут сети")
    expect(page.locator(".panel__prompt")).to_have_text("Говорит №2 Мираж")
    time.sleep(STOPPED)
    assert kinds(cup.game) == ["roles", "turn", "turn"]
    network.mend()
    player.all_is_written()
    assert kinds(cup.game)[3:] == ["nomination", "foul", "turn"]
    expect(page.locator("#seat-4 .seat__fouls .on")).to_have_count(1)
    expect(page.locator(".pending")).to_have_count(0)


def test_a_frozen_server_loses_nothing(page: Page, network: Network, cup: Table) -> None:
    player = Player(page, cup.game, network.url)
    network.freeze()
    nominate(page, 5)
    expect(player.saved).to_have_text("1 ждёт сети")
    foul(page, 4)
    time.sleep(STOPPED)
    expect(player.saved).to_have_text("2 ждут сети")
    network.mend()
    player.all_is_written()
    assert sorted(kinds(cup.game)[3:]) == ["foul", "nomination"]


def test_an_answer_that_takes_a_second_and_a_half_stops_nobody(page: Page, network: Network, cup: Table) -> None:
    player = Player(page, cup.game, network.url)
    network.slow(1.5)
    nominate(page, 5)
    expect(player.saved).to_have_text("записывается…")
    foul(page, 4)
    page.locator("#next").click()
    expect(page.locator(".panel__prompt")).to_have_text("Говорит №2 Мираж")
    player.all_is_written()
    assert kinds(cup.game)[3:] == ["nomination", "foul", "turn"]


@pytest.mark.parametrize("moment", [0.0, 0.2])
def test_a_page_reloaded_in_mid_save_loses_nothing(page: Page, network: Network, cup: Table, moment: float) -> None:
    player = Player(page, cup.game, network.url)
    network.slow(0.5)
    nominate(page, 5)
    time.sleep(moment)
    page.reload(wait_until="domcontentloaded")
    network.mend()
    player.all_is_written()
    assert kinds(cup.game)[3:] == ["nomination"]
    expect(page.locator("#seat-1 .seat__nominates")).to_have_text("→5")


def test_an_answer_that_is_lost_writes_once(page: Page, network: Network, cup: Table) -> None:
    player = Player(page, cup.game, network.url)
    network.lose_answers()
    foul(page, 4)
    expect(player.saved).to_have_text("1 ждёт сети")
    network.mend()
    player.all_is_written()
    assert kinds(cup.game)[3:] == ["foul"]


def test_an_entry_that_waits_is_taken_back_by_one_tap(page: Page, network: Network, cup: Table) -> None:
    player = Player(page, cup.game, network.url)
    network.cut()
    nominate(page, 5)
    expect(player.saved).to_have_text("1 ждёт сети")
    foul(page, 4)
    expect(player.saved).to_have_text("2 ждут сети")
    page.get_by_role("button", name="Отменить: фол №4").click()
    expect(player.saved).to_have_text("1 ждёт сети")
    expect(page.locator(".log__line--struck")).to_contain_text("фол №4")
    expect(page.locator("#seat-4 .seat__fouls .on")).to_have_count(0)
    network.mend()
    player.all_is_written()
    assert kinds(cup.game)[3:] == ["nomination"]


# ---------------------------------------------------------------- what the rules or another device say


def test_late_nominations_stand_though_the_other_device_went_on(page: Page, network: Network, cup: Table) -> None:
    player = Player(page, cup.game, network.url)
    network.cut()
    nominate(page, 5)
    expect(player.saved).to_have_text("1 ждёт сети")
    page.locator("#next").click()
    expect(player.saved).to_have_text("2 ждут сети")
    later(cup.game, speech(2), speech(3))  # the other device went on meanwhile
    foul_row = page.locator("#seat-2 .seat__now")
    expect(foul_row).to_have_text("▸")
    nominate(page, 6)
    network.mend()
    expect(player.saved).to_have_attribute("data-waiting", "0")
    standing = list(Entry.objects.filter(game=cup.game, kind="nomination").values_list("seat", "target"))
    assert standing == [(1, 5), (2, 6)]


def test_an_entry_that_repeats_anothers_is_held_and_written_on_request(
    page: Page, network: Network, cup: Table, client: Client
) -> None:
    player = Player(page, cup.game, network.url)
    network.cut()
    foul(page, 4)
    expect(player.saved).to_have_text("1 ждёт сети")
    client.login(username="head", password=PASSWORD)
    form = next(
        form for form in board(client, cup.game, "?seat=4").of_kind("foul") if ("penalty", "foul") in form.fields
    )
    assert tap(client, cup.game, form).status_code == 200
    network.mend()
    dialog = page.get_by_role("dialog", name="Не записано")
    expect(dialog).to_contain_text("Фол: №4 Онега")
    expect(dialog).to_contain_text("За это время записано")
    assert kinds(cup.game).count("foul") == 1
    page.reload()
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Записать").click()
    expect(page.locator("#seat-4 .seat__fouls .on")).to_have_count(2)
    assert kinds(cup.game).count("foul") == 2
    player.all_is_written()


def test_two_devices_see_each_other_within_two_seconds(browser: Browser, network: Network, cup: Table) -> None:
    one, other = phone_of(browser), phone_of(browser)
    judge, head = Player(one.new_page(), cup.game, network.url), Player(other.new_page(), cup.game, network.url, "head")
    nominate(judge.page, 5)
    expect(head.page.locator("#seat-1 .seat__nominates")).to_have_text("→5", timeout=2000)
    foul(head.page, 4)
    expect(judge.page.locator("#seat-4 .seat__fouls .on")).to_have_count(1, timeout=2000)
    one.close()
    other.close()


def test_two_devices_tapping_at_random_lose_and_double_nothing(browser: Browser, network: Network, cup: Table) -> None:
    random = Random(1)
    contexts = [phone_of(browser), phone_of(browser)]
    names = ("judge", "head")
    players = [
        Player(context.new_page(), cup.game, network.url, name) for context, name in zip(contexts, names, strict=True)
    ]
    tapped = {"judge": 0, "head": 0}
    end = time.monotonic() + AT_RANDOM
    while time.monotonic() < end:
        at = random.randrange(2)
        seat = random.randint(1, 10)
        done = players[at].page.evaluate(TAP_A_WARNING, seat)
        tapped[names[at]] += done
        time.sleep(random.random() * 0.3)
    for player in players:
        settle(player)
    for name in names:
        written = Entry.objects.filter(game=cup.game, kind="foul", author=cup.people[name]).count()
        assert (name, written) == (name, tapped[name])
    for context in contexts:
        context.close()


TAP_A_WARNING = """
seat => {
    if (document.querySelector("dialog[open]:not(#seat-sheet)")) {
        const answer = document.querySelector("#answer, [data-write-now]");
        answer?.click();
        return 0;
    }
    document.querySelector(`#seat-${seat} a.seat__open`).click();
    const form = [...document.querySelectorAll("#seat-sheet form")].find(
        one => one.querySelector('input[name=penalty]')?.value === "warning");
    form.querySelector("button").click();
    document.getElementById("seat-sheet").close();
    return 1;
}
"""


def settle(player: Player) -> None:
    """Writes everything that the judge is asked about."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        player.page.evaluate("document.querySelector('#answer, [data-write-now]')?.click()")
        time.sleep(0.3)
        state = player.page.evaluate("window.queue.state().list.filter(one => one.status !== 'done').length")
        if state == 0 and player.page.locator("#answer").count() == 0:
            return
    raise AssertionError(player.page.evaluate("window.queue.state()"))


# ---------------------------------------------------------------- whose queue


def another_game(cup: Table) -> Game:
    """A second game of the same judge."""
    before = game_now(cup.game)
    game = create_game(before.stage, played_on=before.played_on, judge=cup.people["judge"])
    assert seat_players(game, NICKNAMES).is_written
    later(game, ROLES, NIGHT_ZERO, speech(1))
    return game


def test_a_queue_of_one_game_never_shows_up_in_another(page: Page, network: Network, cup: Table) -> None:
    other = another_game(cup)
    second = Player(page, other, network.url)
    player = Player(page, cup.game, network.url, known=True)
    network.cut()
    foul(page, 4)
    expect(player.saved).to_have_text("1 ждёт сети")
    page.goto(f"{network.url}{second.path}")
    expect(page.locator("#seat-4 .seat__fouls .on")).to_have_count(0)
    expect(player.saved).to_have_attribute("data-waiting", "0")
    network.mend()
    time.sleep(1.5)
    assert kinds(other).count("foul") == 0
    page.goto(f"{network.url}{player.path}")
    player.all_is_written()
    assert (kinds(cup.game).count("foul"), kinds(other).count("foul")) == (1, 0)


def test_a_queue_survives_logging_out_and_nobody_else_sees_it(page: Page, network: Network, cup: Table) -> None:
    player = Player(page, cup.game, network.url)
    network.cut()
    foul(page, 4)
    expect(player.saved).to_have_text("1 ждёт сети")
    page.route("**/queue/", lambda route: route.abort())
    page.route("**/live/", lambda route: route.abort())
    network.mend()
    page.goto(f"{network.url}/games/")
    told: list[str] = []

    def agree(dialog: Dialog) -> None:
        told.append(dialog.message)
        dialog.accept()

    page.once("dialog", agree)
    page.get_by_role("button", name="Выйти").click()
    page.wait_for_url(f"{network.url}/")
    assert "ждут отправки записи: 1" in told[0]
    assert page.evaluate("caches.keys().then(names => names.filter(name => name.startsWith('boards-')))") == []
    page.unroute("**/queue/")
    page.unroute("**/live/")
    head = Player(page, cup.game, network.url, "head")
    expect(head.saved).to_have_attribute("data-waiting", "0")
    time.sleep(1)
    assert kinds(cup.game).count("foul") == 0
    page.context.clear_cookies()
    again = Player(page, cup.game, network.url)
    again.all_is_written()
    assert kinds(cup.game).count("foul") == 1
    assert Entry.objects.get(game=cup.game, kind="foul").author == cup.people["judge"]


def test_an_expired_login_keeps_the_queue_and_sends_it_after_the_next(page: Page, network: Network, cup: Table) -> None:
    player = Player(page, cup.game, network.url)
    page.context.clear_cookies(name="sessionid")
    foul(page, 4)
    expect(player.saved).to_contain_text("нужен вход")
    nominate(page, 5)
    expect(player.saved).to_contain_text("2 ждут сети · нужен вход")
    player.log_in("judge")
    player.all_is_written()
    assert kinds(cup.game)[3:] == ["foul", "nomination"]


# ---------------------------------------------------------------- on the wire


def test_a_tap_is_one_round_trip_of_at_most_15_kb(page: Page, network: Network, cup: Table) -> None:
    player = Player(page, cup.game, network.url)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.method) if "/pulse/" not in request.url else None)
    nominate(page, 5)
    expect(page.locator("#seat-1 .seat__nominates")).to_have_text("→5")
    player.all_is_written()
    assert [method for method in asked if method == "POST"] == ["POST"]
    later(cup.game, *(speech(seat) for seat in range(2, 8)))
    client = Client()
    client.login(username="judge", password=PASSWORD)
    form = pad(board(client, cup.game), "nomination")
    response = client.post(
        f"/games/{cup.game.uuid}/entries/", form.sent() | {"target": ["9"]},
        headers={"HX-Request": "true", "Accept-Encoding": "gzip"},
    )  # fmt: skip
    assert response.headers["Content-Encoding"] == "gzip"
    assert len(response.content) <= 15_000


def test_the_first_load_of_a_board_is_at_most_150_kb_without_fonts(client: Client, cup: Table) -> None:
    from protocols.views.install import _source

    client.login(username="judge", password=PASSWORD)
    page = client.get(f"/games/{cup.game.uuid}/board/", headers={"Accept-Encoding": "gzip"})
    files = [name for name in board_files() if not name.startswith("fonts/")]
    sizes = {name: len(gzip.compress(_source(name), 9)) for name in files}
    assert len(page.content) + sum(sizes.values()) <= 150_000, sizes
