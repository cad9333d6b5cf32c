"""Every page can be read and pressed by everybody: on a phone and on a laptop, in light and in dark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from protocols.models import Game
from protocols.services.prepare import create_game
from tests.protocols.world import PASSWORD, World, world

pytestmark = pytest.mark.django_db(transaction=True)
AXE = Path(__file__).resolve().parent.parent / "vendor" / "axe-4.14.1.min.js"
PAGES = {
    "anonymous": ["/", "/rules/", "/t/cup/", "/games/{signed}/"],
    "judge": [
        "/", "/games/", "/games/new/", "/games/{empty}/prepare/", "/games/{running}/", "/games/{running}/hand-over/",
    ],
    "head": ["/t/cup/desk/", "/games/{signed}/"],
    "organizer": ["/t/cup/", "/t/cup/edit/", "/t/cup/edit/stages/1/", "/t/new/"],
}  # fmt: skip
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SMALL = """
[...document.querySelectorAll("a, button, summary, select, input:not([type=hidden]), .role-letter")].filter((each) => {
  const { width, height } = each.getBoundingClientRect();
  const inText = each.matches("p a, .facts a");  // a link in a sentence is as tall as its line
  const inLabel = each.matches(".role-letter input, .form-check-input, .visually-hidden");
  return width && !inText && !inLabel && !each.matches(".skip-link") && height < 44;
}).map((each) => each.outerHTML)
"""


@pytest.fixture
def cup(transactional_db: None) -> World:
    """The tournament and its games."""
    return world()


@pytest.fixture(params=[(390, 844), (1440, 900)], ids=["phone", "laptop"])
def screen(request: pytest.FixtureRequest, browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """A page of that size."""
    width, height = request.param
    context = browser.new_context(base_url=live_server.url, locale="ru-RU", viewport={"width": width, "height": height})
    yield context.new_page()
    context.close()


def addresses(cup: World, name: str, empty: Game) -> list[str]:
    """The pages that the person opens."""
    games = {"signed": cup.signed.uuid, "running": cup.running.uuid, "empty": empty.uuid}
    return [pattern.format(**games) for pattern in PAGES[name]]


@pytest.mark.parametrize("name", PAGES)
def test_pages_are_reachable_by_everybody(screen: Page, cup: World, name: str) -> None:
    empty = create_game(cup.stage, played_on=cup.tournament.starts_on, judge=cup.people["judge"])
    if name != "anonymous":
        screen.goto("/login/")
        screen.get_by_label("Имя пользователя").fill(name)
        screen.get_by_label("Пароль").fill(PASSWORD)
        screen.get_by_role("main").get_by_role("button", name="Войти").click()
        screen.wait_for_url("/")
    found: dict[str, object] = {}
    for path in addresses(cup, name, empty):
        screen.goto(path)
        screen.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
        screen.evaluate(AXE.read_text(encoding="utf-8"))
        breaches = {scheme: breaches_of(screen, scheme) for scheme in SCHEMES}
        small = screen.evaluate(SMALL)
        is_too_wide = screen.evaluate("document.documentElement.scrollWidth > innerWidth")
        if any(breaches.values()) or small or is_too_wide:
            found[path] = (breaches, small, is_too_wide)
    assert found == {}


def breaches_of(page: Page, scheme: Literal["light", "dark"]) -> list[list[str]]:
    """What axe finds on the page in those colours: the rule, and the first element that breaks it."""
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    all_found: list[list[str]] = page.evaluate(
        "axe.run().then(all => all.violations.map(each => [each.id, each.nodes[0].html]))"
    )
    return all_found
