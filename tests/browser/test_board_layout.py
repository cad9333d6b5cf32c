"""The board at every size of screen, with text twice as large, too: nothing overlaps, is cut off, or jumps."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from protocols.rules import entries as e
from protocols.rules.terms import Moment, Phase
from tests.conftest import CHROMIUM_FLAGS, found_chromium
from tests.protocols.tables import FIRST, NIGHT_ZERO, ROLES, Table, later, speech, table

pytestmark = pytest.mark.django_db(transaction=True)
SIZES = [(360, 640), (390, 844), (820, 1180), (1440, 900)]
SCREENS = sorted({*SIZES, *((height, width) for width, height in SIZES)})
TALLY = Moment(1, Phase.BALLOT)
SPEECH = [
    ROLES, NIGHT_ZERO, speech(1), e.Nomination(moment=FIRST, seat=1, target=5), *[e.Foul(moment=FIRST, seat=3)] * 3,
]  # fmt: skip
VOTE = [
    *SPEECH, speech(2), e.Nomination(moment=Moment(1, Phase.SPEECHES, 0, 2), seat=2, target=9), e.Turn(moment=TALLY),
]  # fmt: skip
NIGHT = [
    *VOTE, e.Vote(moment=TALLY._replace(step=1), target=5, count=4),
    e.Vote(moment=TALLY._replace(step=2), target=9, count=6), e.Turn(moment=Moment(1, Phase.NIGHT)),
]  # fmt: skip
# Controls, numbers and words that lie on one another; what scrolls away under the panel or a list of its own is apart.
OVERLAPS = """() => {
  const seen = [...document.querySelectorAll(
    ".board__head > *, .rule__words, .seat__number, .seat__name, .seat__marks, .seat__foul, .panel__prompt,"
    + " .panel__hint, .timer button, .key, .cell, .undo, .others__open, #next, .main--waits, .panel__says p, .chip"
  )].filter((each) => each.getClientRects().length);
  const inPanel = (each) => Boolean(each.closest(".panel"));
  const found = [];
  seen.forEach((one, index) => seen.slice(index + 1).forEach((other) => {
    if (one.contains(other) || other.contains(one) || inPanel(one) !== inPanel(other)) return;
    const a = one.getBoundingClientRect();
    const b = other.getBoundingClientRect();
    const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (width > 1 && height > 1) found.push([one, other].map((each) => `${each.className} ${each.textContent}`).join());
  }));
  return found;
}"""
TOO_WIDE = """() => document.documentElement.scrollWidth > innerWidth
  ? [...document.querySelectorAll("#board *")].filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
    .map((each) => each.outerHTML.slice(0, 100))
  : []"""
# Words in a box that is too small for them, with nothing to scroll.
CUT_OFF = """() => [...document.querySelectorAll(
    ".key, .undo, .main__label, .cell, .timer button, .panel__prompt, .panel__hint, .rule__words, .act")]
  .filter((each) => each.getClientRects().length && each.scrollHeight > each.clientHeight + 2 && each.clientHeight
    && getComputedStyle(each).overflowY !== "visible")
  .map((each) => each.outerHTML.slice(0, 160))"""
BOXED = ".seat, .seat__foul, .panel__bar, #pad"
BOXES = """boxed => Object.fromEntries([...document.querySelectorAll(boxed)].map((each) => {
  const { left, top, width, height } = each.getBoundingClientRect();
  return [each.id || each.className + each.parentElement.id, [left, top, width, height].map(Math.round).join(" ")];
}))"""


@pytest.fixture
def cup(transactional_db: None) -> Table:
    """A game with ten players, one of them with the longest nickname that there may be."""
    return table("F")


@pytest.fixture(scope="module")
def large(browser: Browser) -> Iterator[Browser]:
    """A browser whose owner has set the text twice as large."""
    flags = [*CHROMIUM_FLAGS, "--blink-settings=defaultFontSize=32"]
    chromium = browser.browser_type.launch(executable_path=found_chromium(), args=flags)
    yield chromium
    chromium.close()


@pytest.fixture
def context(
    request: pytest.FixtureRequest, browser: Browser, large: Browser, live_server: LiveServer
) -> Iterator[BrowserContext]:
    """A judge's browser of the size, and with the text, that the test is given."""
    width, height, text = request.param
    context = (browser if text == 1 else large).new_context(
        base_url=live_server.url, locale="ru-RU", viewport={"width": width, "height": height}, reduced_motion="reduce"
    )
    context.set_default_timeout(10_000)
    yield context
    context.close()


def opened(context: BrowserContext, cup: Table, live_server: LiveServer) -> Page:
    """The judge's board."""
    client = Client()
    client.force_login(cup.people["judge"])
    name = settings.SESSION_COOKIE_NAME
    context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": live_server.url}])
    page = context.new_page()
    page.goto(f"/games/{cup.game.uuid}/board/")
    return page


def at_sizes(sizes: list[tuple[int, int]], *texts: int) -> pytest.MarkDecorator:
    """The test at these sizes, with text so many times as large."""
    cases = [(width, height, text) for width, height in sizes for text in texts]
    ids = [f"{width}x{height} text {text}00 %" for width, height, text in cases]
    return pytest.mark.parametrize("context", cases, ids=ids, indirect=True)


@at_sizes(SCREENS, 1, 2)
@pytest.mark.parametrize("written", [SPEECH, VOTE, NIGHT], ids=["speech", "vote", "night"])
def test_nothing_overlaps_or_is_cut_off(
    context: BrowserContext, cup: Table, live_server: LiveServer, written: list[e.Entry]
) -> None:
    later(cup.game, *written)
    page = opened(context, cup, live_server)
    page.evaluate("document.fonts.ready")
    assert page.evaluate(TOO_WIDE) == []
    assert page.evaluate(OVERLAPS) == []
    assert page.evaluate(CUT_OFF) == []


@at_sizes(SIZES, 1)
def test_nothing_jumps_when_a_row_changes(context: BrowserContext, cup: Table, live_server: LiveServer) -> None:
    later(cup.game, *SPEECH, speech(2))
    page = opened(context, cup, live_server)
    before = page.evaluate(BOXES, BOXED)
    board = page.locator("#board")
    page.locator('[data-foul="6"]').click()
    expect(board).to_have_attribute("data-revision", "9")
    assert page.evaluate(BOXES, BOXED) == before
    page.locator('#pad button[value="9"]').click()
    expect(board).to_have_attribute("data-revision", "10")
    assert page.evaluate(BOXES, BOXED) == before
