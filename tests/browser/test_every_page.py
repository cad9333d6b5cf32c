"""Every page of the site, at every size of screen, light and dark: axe-core finds nothing, and nothing is cut off."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from uuid import UUID

import pytest
from django.conf import settings as site_settings
from playwright.sync_api import Browser, BrowserContext, Page
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from mafia_site.hall.certificates import certify
from tests.protocols.world import World

from .every_page import ERRORS, NO_PAGES, PAGES, Visit, cookie_of, named, open_everything

AXE = Path(__file__).resolve().parent.parent / "vendor" / "axe-4.14.1.min.js"
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
VISITS = [visit for visits in [*PAGES.values(), ERRORS] for visit in visits]


@dataclass(frozen=True)
class Site:
    """A tournament with something on every page, and what stands in their addresses."""

    base: str
    cup: World
    words: dict[str, UUID | str | int]

    def address(self, visit: Visit) -> str:
        """The address with its words filled in."""
        return visit.path.format(**self.words)


@pytest.fixture
def site(transactional_db: None, live_server: LiveServer, settings: Settings, tmp_path: Path) -> Site:
    """Everything there is to see, served as in a hall."""
    settings.HALL_SITE, settings.HALL_DOOR, settings.TLS_DIR = live_server.url, live_server.url, tmp_path
    certify(tmp_path, ["127.0.0.1"])
    return Site(live_server.url, *open_everything())


@pytest.fixture
def context(request: pytest.FixtureRequest, browser: Browser, live_server: LiveServer) -> Iterator[BrowserContext]:
    """A browser of the size that the test is given."""
    width, height = request.param
    context = browser.new_context(
        base_url=live_server.url, locale="ru-RU", viewport={"width": width, "height": height}, reduced_motion="reduce"
    )
    context.set_default_timeout(10_000)
    yield context
    context.close()


def opened(context: BrowserContext, site: Site, sessions: dict[str, str], visit: Visit) -> Page:
    """The page as that person sees it."""
    if visit.who not in sessions:
        sessions[visit.who] = cookie_of(site.cup, visit.who)
    context.clear_cookies()
    page = context.new_page()
    if sessions[visit.who]:
        name, value = site_settings.SESSION_COOKIE_NAME, sessions[visit.who]
        context.add_cookies([{"name": name, "value": value, "url": site.base}])
    response = page.goto(site.address(visit))
    assert response is not None
    assert (site.address(visit), response.status) == (site.address(visit), visit.status)
    if visit.expired:
        context.clear_cookies(name=site_settings.SESSION_COOKIE_NAME)
        page.locator(visit.expired).first.click()
        page.get_by_label("Пароль").wait_for()
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    return page


def test_every_address_is_a_page_of_the_list_or_none() -> None:
    assert sorted({*PAGES, *NO_PAGES}) == sorted(set(named()))
    assert {*PAGES} & {*NO_PAGES} == set()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("context", [(390, 844), (1440, 900)], ids=["phone", "laptop"], indirect=True)
def test_axe_finds_nothing(context: BrowserContext, site: Site) -> None:
    found: dict[str, list[str]] = {}
    sessions: dict[str, str] = {}
    for visit in VISITS:
        page = opened(context, site, sessions, visit)
        page.evaluate(AXE.read_text(encoding="utf-8"))
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            breaches = page.evaluate(
                "axe.run().then(all => all.violations.flatMap("
                "each => each.nodes.map(node => `${each.id}: ${node.html.slice(0, 160)}`)))"
            )
            if breaches:
                found[f"{visit.who} {visit.path} {scheme}"] = breaches
        page.close()
    assert found == {}
