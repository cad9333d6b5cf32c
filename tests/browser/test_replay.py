"""A game is stepped through by buttons, by keys and by plain links, on a phone and on a laptop."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.protocols.world import World, world

from .test_pages_look import AXE, SCHEMES, SMALL, breaches_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def cup(transactional_db: None) -> World:
    """The tournament and its games."""
    return world()


@pytest.fixture
def without_scripts(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """A browser that runs no script."""
    context = browser.new_context(base_url=live_server.url, locale="ru-RU", java_script_enabled=False)
    yield context.new_page()
    context.close()


def replay_of(cup: World) -> str:
    """Where the signed game is stepped through."""
    return f"/games/{cup.signed.uuid}/replay/"


def is_at(page: Page, step: int) -> None:
    """The page shows that step, and its address leads to it."""
    expect(page.locator(".moment__count")).to_have_text(f"{step} из 93")
    expect(page).to_have_url(re.compile(rf"/replay/\?step={step}$"))


def test_buttons_step_without_loading_the_page_again(phone: Page, cup: World) -> None:
    phone.goto(replay_of(cup))
    phone.evaluate("document.body.dataset.same = 'yes'")
    for _ in range(2):
        phone.get_by_role("link", name="Шаг вперёд").click()
    is_at(phone, 2)
    phone.get_by_role("link", name="К концу").click()
    is_at(phone, 93)
    expect(phone.locator(".fired--end")).to_contain_text("Победа чёрных")
    phone.get_by_role("link", name="Шаг назад").click()
    is_at(phone, 92)
    phone.get_by_role("link", name="День 3").click()
    is_at(phone, 55)
    phone.get_by_role("link", name="Голоса за №7 Сокол: 1 (8)").click()
    is_at(phone, 68)
    expect(phone.locator("#said")).to_have_text("Голоса за №7 Сокол: 1 (8)")
    phone.get_by_role("link", name="К началу").click()
    is_at(phone, 0)
    assert phone.evaluate("document.body.dataset.same") == "yes"


def test_keys_step_and_a_key_held_down_goes_on(laptop: Page, cup: World) -> None:
    laptop.goto(replay_of(cup))
    laptop.keyboard.press("ArrowRight")
    is_at(laptop, 1)
    for _ in range(12):
        laptop.keyboard.press("ArrowRight")
    is_at(laptop, 13)
    laptop.keyboard.press("End")
    is_at(laptop, 93)
    laptop.keyboard.press("ArrowRight")
    laptop.keyboard.press("ArrowLeft")
    is_at(laptop, 92)
    laptop.keyboard.press("Home")
    is_at(laptop, 0)
    laptop.keyboard.press("ArrowLeft")
    is_at(laptop, 0)
    laptop.keyboard.press("Control+ArrowRight")
    is_at(laptop, 0)


def test_the_focus_stays_on_the_button(laptop: Page, cup: World) -> None:
    laptop.goto(f"{replay_of(cup)}?step=91")
    laptop.get_by_role("link", name="Шаг вперёд").focus()
    for step in (92, 93):
        laptop.keyboard.press("Enter")
        is_at(laptop, step)
        expect(laptop.get_by_role("link", name="Шаг вперёд")).to_be_focused()


def test_the_entry_and_the_day_at_hand_are_in_view(laptop: Page, cup: World) -> None:
    laptop.goto(f"{replay_of(cup)}?step=52")
    expect(laptop.locator("[aria-current=step]")).to_be_in_viewport()
    laptop.set_viewport_size({"width": 390, "height": 844})
    laptop.goto(f"{replay_of(cup)}?step=93")
    expect(laptop.locator(".parts [aria-current]")).to_be_in_viewport(ratio=1)


def test_going_back_leaves_the_replay_in_one_step(laptop: Page, cup: World) -> None:
    laptop.goto(f"/games/{cup.signed.uuid}/")
    laptop.get_by_role("link", name="По шагам").click()
    laptop.wait_for_url("**/replay/")
    for _ in range(3):
        laptop.keyboard.press("ArrowRight")
    is_at(laptop, 3)
    laptop.go_back()
    expect(laptop).to_have_url(re.compile(rf"/games/{cup.signed.uuid}/$"))


def test_links_step_without_a_script(without_scripts: Page, cup: World) -> None:
    page = without_scripts
    page.goto(replay_of(cup))
    page.get_by_role("link", name="Шаг вперёд").click()
    is_at(page, 1)
    page.get_by_role("link", name="Ночь 2").click()
    is_at(page, 53)
    expect(page.locator(".fired")).to_contain_text("№6 Рубин отстрелен в ночь 2")


def test_the_whole_table_is_on_a_phone_at_once(phone: Page, cup: World) -> None:
    for step in (0, 22, 52, 84):
        phone.goto(f"{replay_of(cup)}?step={step}")
        for row in (phone.locator(".seat").first, phone.locator(".seat").last, phone.locator(".moment")):
            expect(row).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [(390, 844), (1440, 900)], ids=["phone", "laptop"])
def test_replay_and_account_are_for_everybody(
    browser: Browser, live_server: LiveServer, cup: World, size: tuple[int, int]
) -> None:
    width, height = size
    context = browser.new_context(base_url=live_server.url, locale="ru-RU", viewport={"width": width, "height": height})
    page = context.new_page()
    found: dict[str, object] = {}
    for path in ("replay/", "replay/?step=52", "replay/?step=93", "account/"):
        page.goto(f"/games/{cup.signed.uuid}/{path}")
        page.evaluate(AXE.read_text(encoding="utf-8"))
        breaches = {scheme: breaches_of(page, scheme) for scheme in SCHEMES}
        small = page.evaluate(SMALL)
        is_too_wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
        if any(breaches.values()) or small or is_too_wide:
            found[path] = (breaches, small, is_too_wide)
    context.close()
    assert found == {}


def test_the_text_copied_is_the_text_downloaded(browser: Browser, live_server: LiveServer, cup: World) -> None:
    context = browser.new_context(base_url=live_server.url, locale="ru-RU")
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(f"/games/{cup.signed.uuid}/account/")
    page.get_by_role("button", name="Скопировать").click()
    expect(page.get_by_role("button", name="Скопировано")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    with page.expect_download() as download:
        page.get_by_role("link", name="Скачать (.txt)").click()
    assert download.value.suggested_filename == "Ход игры, Кубок, игра 4, стол 1.txt"
    assert copied == download.value.path().read_text(encoding="utf-8")
    context.close()
