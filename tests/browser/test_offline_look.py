"""A board without a network to look at and to touch: contrast and names, targets, words, and nothing that can't be."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from protocols.rules import entries as e
from protocols.rules.terms import Penalty
from tests.protocols.tables import FIRST, NIGHT_ZERO, ROLES, Table, kinds, later, speech, table

from .playing import Player
from .proxy import Network
from .test_every_page import AXE, SCHEMES

pytestmark = pytest.mark.django_db(transaction=True)
FINGER = 44  # px

# How many px above and below its middle a control is still hit.
HEIGHT = """
control => {
    const box = control.getBoundingClientRect();
    const x = box.left + box.width / 2;
    let hit = 0;
    for (let y = box.top - 60; y < box.bottom + 60; y += 1) {
        if (document.elementFromPoint(x, y) === control) hit += 1;
    }
    return hit;
}
"""


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


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A phone whose colours change at once."""
    context = browser.new_context(
        locale="ru-RU", viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce"
    )
    context.set_default_timeout(15_000)
    yield context.new_page()
    context.close()


def breaches(page: Page) -> dict[str, list[str]]:
    """What axe-core finds, light and dark."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: dict[str, list[str]] = {}
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        found[scheme] = page.evaluate(
            "axe.run().then(all => all.violations.flatMap("
            "each => each.nodes.map(node => `${each.id}: ${node.html.slice(0, 160)}`)))"
        )
    return found


NOTHING: dict[str, list[str]] = {scheme: [] for scheme in SCHEMES}


def foul(page: Page, seat: int) -> None:
    """One tap on the dots of the seat."""
    page.locator(f'[data-foul="{seat}"]').click()


def test_fouls_up_to_the_fourth_are_given_without_a_network(page: Page, network: Network, cup: Table) -> None:
    player = Player(page, cup.game, network.url)
    foul(page, 4)
    player.all_is_written()
    expect(page.locator(".offer")).to_be_visible()
    assert breaches(page) == NOTHING
    network.cut()
    foul(page, 4)
    expect(player.saved).to_have_text("1 ждёт сети")
    foul(page, 4)
    expect(player.saved).to_have_text("2 ждут сети")
    expect(page.locator("#seat-4 .seat__silent.pending")).to_have_text("без слова")
    assert breaches(page) == NOTHING
    dots = page.get_by_role("button", name="Четвёртый фол, удерживайте: №4 Онега")
    foul(page, 4)  # only opens the seat's sheet, which says what to do
    expect(page.locator("#seat-sheet")).to_contain_text("Четвёртый фол")
    page.keyboard.press("Escape")
    dots.hover()
    page.mouse.down()
    expect(page.locator("#seat-4.seat--left")).to_be_visible()
    page.mouse.up()
    expect(player.saved).to_have_text("3 ждут сети")
    expect(page.locator("#seat-4 .seat__fouls .on")).to_have_count(4)
    expect(page.locator("#seat-4 [data-foul]")).to_have_count(0)
    assert breaches(page) == NOTHING
    page.get_by_role("button", name="Отменить: фол №4").click()
    expect(page.locator("#seat-4.seat--left")).to_have_count(0)
    network.mend()
    player.all_is_written()
    assert kinds(cup.game)[3:] == ["foul", "foul", "foul"]


def test_a_night_without_a_network_reads_in_both_schemes(page: Page, network: Network, cup: Table) -> None:
    later(cup.game, *(speech(seat) for seat in range(2, 11)))
    player = Player(page, cup.game, network.url)
    network.cut()
    page.locator("#next").click()
    expect(page.locator("#pad.pad--shot")).to_be_visible()
    expect(player.saved).to_have_text("1 ждёт сети")
    assert breaches(page) == NOTHING
    page.locator('#pad button[value="7"]').click()
    expect(page.locator("#pad.pad--ten")).to_be_visible()
    assert breaches(page) == NOTHING


def test_a_slip_is_told_at_once_and_not_put_into_the_queue(page: Page, network: Network, cup: Table) -> None:
    player = Player(page, cup.game, network.url)
    network.cut()
    page.locator('#pad button[value="5"]').click()
    expect(page.locator(".panel--pending")).to_be_visible()
    page.locator('#pad button[value="6"]').click(force=True)  # seat 1 has nominated
    expect(page.locator(".rule")).to_contain_text("этого быть не может")
    expect(player.saved).to_have_text("1 ждёт сети")
    network.mend()
    player.all_is_written()
    assert kinds(cup.game)[3:] == ["nomination"]


def test_a_best_move_without_three_seats_is_not_put_into_the_queue(page: Page, network: Network, cup: Table) -> None:
    later(cup.game, *(speech(seat) for seat in range(2, 11)))
    player = Player(page, cup.game, network.url)
    network.cut()
    page.locator("#next").click()
    for seat in (7, 1, 2):
        page.locator(f'#pad button[value="{seat}"]').click()
    expect(page.locator("#pad.pad--many")).to_be_visible()
    expect(player.saved).to_have_text("4 ждут сети")
    page.locator("#next").click()
    expect(page.locator(".rule")).to_contain_text("Лучший ход — три места")
    expect(player.saved).to_have_text("4 ждут сети")
    for seat in (1, 2, 3):
        page.locator(f'#pad .key:has(input[value="{seat}"])').click()
    expect(player.saved).to_have_text("5 ждут сети")
    network.mend()
    player.all_is_written()
    assert kinds(cup.game)[-4:] == ["shot", "check", "check", "best_move"]


def test_a_nominee_held_starts_the_next_minute_from_the_tap(page: Page, network: Network, cup: Table) -> None:
    player = Player(page, cup.game, network.url)
    network.slow(1.5)
    key = page.locator('#pad button[value="5"]')
    key.hover()
    page.mouse.down()
    expect(page.locator(".panel__prompt")).to_have_text("Говорит №2 Мираж")
    page.mouse.up()
    here = page.locator(".panel--pending [data-timer]")
    entry, deadline = here.get_attribute("data-entry"), int(here.get_attribute("data-deadline") or 0)
    network.mend()
    player.all_is_written()
    there = page.locator("#panel:not(.panel--pending) [data-timer]")
    assert (there.get_attribute("data-tap"), there.get_attribute("data-entry") != entry) == (entry, True)
    stored = "JSON.parse(localStorage.getItem(`clock.${document.querySelector('[data-timer]').dataset.clock}`))"
    assert abs(page.evaluate(stored)["deadline"] - deadline) < 200  # ms
    assert kinds(cup.game)[3:] == ["nomination", "turn"]


# ---------------------------------------------------------------- what is not written


def test_a_refused_entry_is_put_before_the_judge(page: Page, network: Network, cup: Table) -> None:
    player = Player(page, cup.game, network.url)
    network.cut()
    page.locator('#pad button[value="4"]').click()
    expect(player.saved).to_have_text("1 ждёт сети")
    later(cup.game, e.Foul(moment=FIRST, seat=4, penalty=Penalty.DISQUALIFYING, clause="6.7.1"))  # the other device
    network.mend()
    tray = page.get_by_role("dialog", name="Не записано")
    expect(tray).to_contain_text("№1 Лотос выставляет: №4 Онега")
    expect(tray).to_contain_text("№4 Онега уже не за столом (удалён, день 1) (уточнение §1)")
    assert breaches(page) == NOTHING
    with page.expect_response("**/entries/") as answer:
        tray.get_by_role("button", name="Записать").click()
    assert answer.value.status == 422
    expect(tray).to_contain_text("№4 Онега уже не за столом")
    tray.get_by_role("button", name="Закрыть").click()
    link = page.get_by_role("button", name="1 не записано")
    assert link.evaluate(HEIGHT) >= FINGER
    page.reload()
    expect(tray).to_contain_text("№4 Онега уже не за столом (удалён, день 1) (уточнение §1)")
    tray.get_by_role("button", name="Отбросить").click()
    expect(player.saved).to_have_attribute("data-unsaved", "0")
    expect(tray).to_have_count(0)
    expect(page.locator(".log__line--struck")).to_contain_text("№1 Лотос выставляет: №4 Онега")
    assert kinds(cup.game) == ["roles", "turn", "turn", "foul"]


def test_the_way_to_the_login_is_as_tall_as_a_finger(page: Page, network: Network, cup: Table) -> None:
    Player(page, cup.game, network.url)
    page.context.clear_cookies(name="sessionid")
    foul(page, 4)
    link = page.get_by_role("link", name="нужен вход")
    expect(link).to_be_visible()
    assert link.evaluate(HEIGHT) >= FINGER
    assert breaches(page) == NOTHING
