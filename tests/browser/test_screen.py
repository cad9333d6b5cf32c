"""The hall's screen in a real browser: by itself up to date, its time right, whole at both sizes, readable by all."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import Page, expect

from protocols.rules import entries as e
from tests.protocols.tables import FIRST, NIGHT_ZERO, ROLES, Table, later, speech, table

from .test_pages_look import AXE

pytestmark = pytest.mark.django_db(transaction=True)

SIZES = [(1920, 1080), (1280, 720)]
CUT_OFF = """[...document.querySelectorAll(".chair, .screen__head p, .screen__side, .screen__foot")].filter(each => {
    const box = each.getBoundingClientRect();
    return box.left < 0 || box.top < 0 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5;
}).map(each => each.outerHTML)"""


@pytest.fixture
def running() -> Table:
    """A game on day 1, with as much on the screen as a table can have: a nomination of nearly everybody."""
    at = table()
    entries: list[e.Entry] = [ROLES, NIGHT_ZERO]
    for seat in range(1, 9):
        entries += [speech(seat), e.Nomination(moment=FIRST._replace(step=seat), seat=seat, target=11 - seat)]
    later(at.game, *entries, *[e.Foul(moment=FIRST._replace(step=8), seat=3)] * 3)
    return at


def _open(page: Page, at: Table, query: str = "") -> None:
    page.goto(f"/t/{at.game.tournament.slug}/tables/1/screen/{query}")


def _left(page: Page) -> float:
    minutes, seconds = page.locator(".screen__clock").inner_text().split(":")
    return int(minutes) * 60 + int(seconds)


def test_what_the_judge_writes_is_seen_within_two_seconds(running: Table, laptop: Page) -> None:
    _open(laptop, running)
    expect(laptop.locator(".chair").nth(8)).not_to_have_class("chair chair--speaking")
    laptop.wait_for_timeout(1500)  # between two of its questions, not at the first
    later(running.game, speech(9))
    written = time.monotonic()
    expect(laptop.locator(".chair").nth(8)).to_have_class("chair chair--speaking")
    assert time.monotonic() - written < 2


def test_as_long_as_nothing_changes_it_asks_with_a_mark_and_gets_nothing(running: Table, laptop: Page) -> None:
    _open(laptop, running)
    for _ in range(2):
        with laptop.expect_response("**/screen/state/") as answer:
            pass
        assert answer.value.status == 304


def test_the_time_is_the_servers_whatever_the_clock_of_the_screen_says(running: Table, laptop: Page) -> None:
    laptop.add_init_script("const now = Date.now.bind(Date); Date.now = () => now() + 3600e3")
    begun = time.monotonic()
    later(running.game, speech(9))
    _open(laptop, running)
    expect(laptop.locator(".screen__clock")).not_to_have_text("1:00", timeout=4000)
    assert abs(60 - (time.monotonic() - begun) - _left(laptop)) < 1.2  # whole seconds are shown


@pytest.mark.parametrize("query", ["", "?overlay=1"])
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_it_is_whole_on_the_projector_and_over_a_stream(
    running: Table, laptop: Page, width: int, height: int, query: str
) -> None:
    laptop.set_viewport_size({"width": width, "height": height})
    _open(laptop, running, query)
    assert laptop.evaluate(CUT_OFF) == []
    ground = laptop.evaluate(
        "[document.documentElement, document.body].map(each => getComputedStyle(each).backgroundColor)"
    )
    assert (ground == ["rgba(0, 0, 0, 0)"] * 2) == (query != "")


@pytest.mark.parametrize("query", ["", "?overlay=1"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_it(running: Table, laptop: Page, scheme: str, query: str) -> None:
    laptop.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    _open(laptop, running, query)
    laptop.evaluate(AXE.read_text(encoding="utf-8"))
    found = laptop.evaluate("axe.run().then(found => found.violations.map(each => [each.id, each.nodes[0].html]))")
    assert found == []


def test_on_an_upright_phone_it_is_a_list(running: Table, phone: Page) -> None:
    _open(phone, running)
    assert phone.evaluate("document.documentElement.scrollWidth") == 390
    assert phone.locator(".chair").count() == 10


def test_without_a_network_it_says_since_when_and_goes_on_when_it_returns(running: Table, laptop: Page) -> None:
    _open(laptop, running)
    laptop.wait_for_timeout(1500)
    laptop.context.set_offline(True)
    expect(laptop.locator("#lost")).to_contain_text("нет связи с", timeout=15_000)
    later(running.game, e.Foul(moment=FIRST._replace(step=8), seat=4))
    laptop.context.set_offline(False)
    expect(laptop.locator("#lost")).to_be_empty()
    expect(laptop.locator(".chair").nth(3).locator(".chair__dot--on")).to_have_count(1)
