"""The board, the end of a game and the paper can be read and pressed by everybody, on a phone and on a laptop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from protocols.rules import entries as e
from protocols.rules.terms import Moment, Penalty, Phase
from tests.protocols.tables import FIRST, NIGHT_ZERO, ROLES, Table, later, speech, table

from .test_pages_look import AXE, SCHEMES, breaches_of

pytestmark = pytest.mark.django_db(transaction=True)

TALLY = Moment(1, Phase.BALLOT, 0, 1)
NOMINATED = [
    ROLES, NIGHT_ZERO, speech(1), e.Nomination(moment=FIRST, seat=1, target=5), *[e.Foul(moment=FIRST, seat=3)] * 3,
    speech(2), e.Nomination(moment=Moment(1, Phase.SPEECHES, 0, 2), seat=2, target=9),
]  # fmt: skip
VOTED = [*NOMINATED, e.Vote(moment=TALLY, target=5, count=4), e.Vote(moment=TALLY._replace(step=2), target=9, count=6)]
NIGHT = [*VOTED, e.Turn(moment=Moment(1, Phase.NIGHT))]
SHOT = [*NIGHT, e.Shot(moment=Moment(1, Phase.NIGHT), target=1)]
DON = [*SHOT, e.Check(moment=Moment(1, Phase.DON), by=ROLES.roles[4], target=6)]
OVER = [*NOMINATED, e.Foul(moment=Moment(1, Phase.SPEECHES, 0, 2), seat=2, penalty=Penalty.TEAM_DEFEAT, clause="6.8.1")]


@dataclass(frozen=True)
class Sight:
    """What is written, which page is opened, and what is tapped or shown on it."""

    written: list[e.Entry]
    path: str = "board/"
    tapped: str = ""
    shows: str = ""  # a dialog


SIGHTS = {
    "setup": Sight([]),
    "speech": Sight(NOMINATED),
    "seat": Sight(NOMINATED, tapped="#seat-3 .seat__open"),
    "menu": Sight(NOMINATED, tapped="[data-opens=menu]"),
    "keys": Sight(NOMINATED, shows="keys"),
    "order of shots": Sight(NOMINATED, shows="plan"),
    "roles": Sight([], "board/?open=roles"),
    "ruling": Sight(NOMINATED, "board/?open=ruling"),
    "tally": Sight([*NOMINATED, e.Turn(moment=TALLY._replace(step=0))]),
    "voters": Sight([*NOMINATED, e.Turn(moment=TALLY._replace(step=0))], "board/?voters=1"),
    "night": Sight(NIGHT),
    "check": Sight(DON),
    "best move": Sight(DON, "board/?step=best_move"),
    "log": Sight(VOTED, "board/?log=all"),
    "correct": Sight(VOTED, "board/?open=correct&of=11"),
    "entry": Sight(VOTED, "board/?open=entry&of=11"),
    "late": Sight(VOTED, "board/?open=late&of=8"),
    "what follows": Sight(VOTED, "board/?open=entry&of=11", tapped=".opened .button"),
    "over": Sight(OVER),
    "finish": Sight(OVER, "finish/"),
    "paper": Sight([], "paper/"),
}
AT_ONCE = ("setup", "speech", "tally", "voters", "night", "check", "best move", "over")  # ten rows and the panel
SMALL = """
[...document.querySelectorAll("a, button, summary, select, input:not([type=hidden]), label.key, label.letter")]
  .filter((each) => {
    const { width, height } = each.getBoundingClientRect();
    const inText = each.matches("p a, .facts a, .rule a");  // a link in a sentence is as tall as its line
    const inLabel = each.matches("label input");
    const isOver = document.querySelector("dialog[open]") && !each.closest("dialog[open]");
    return width && !inText && !inLabel && !isOver && !each.matches(".skip-link") && (height < 44 || width < 40);
  }).map((each) => each.outerHTML)
"""
OUT_OF_SIGHT = """
[...document.querySelectorAll(".seat, #next, .main--waits, .undo, .key")].filter((each) => {
  const { top, bottom, left, right } = each.getBoundingClientRect();
  return top < 0 || bottom > innerHeight + 0.5 || left < 0 || right > innerWidth + 0.5;
}).map((each) => each.outerHTML.slice(0, 80))
"""
COVERED = """
[...document.querySelectorAll(".seat__number, .key, #next, .undo")].filter((each) => {
  const { top, left, width, height } = each.getBoundingClientRect();
  const seen = document.elementFromPoint(left + width / 2, top + height / 2);
  return !(seen && (each.contains(seen) || seen.contains(each)));
}).map((each) => each.outerHTML.slice(0, 80))
"""


@pytest.fixture(params=[(390, 844), (1440, 900)], ids=["phone", "laptop"])
def screen(request: pytest.FixtureRequest, browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """A page of that size."""
    width, height = request.param
    context = browser.new_context(base_url=live_server.url, locale="ru-RU", viewport={"width": width, "height": height})
    context.set_default_timeout(10_000)
    yield context.new_page()
    context.close()


@pytest.fixture
def show(screen: Page, transactional_db: None, live_server: LiveServer) -> Callable[[Sight], Page]:
    """Opens what is to be seen."""

    def shown(sight: Sight) -> Page:
        cup: Table = table("B")
        if sight.written:
            later(cup.game, *sight.written)
        client = Client()
        client.force_login(cup.people["judge"])
        session = client.cookies["sessionid"].value
        screen.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
        screen.goto(f"/games/{cup.game.uuid}/{sight.path}")
        if sight.tapped:
            screen.locator(sight.tapped).click()
        if sight.shows:
            screen.locator(f"#{sight.shows}").evaluate("dialog => dialog.showModal()")
        return screen

    return shown


@pytest.mark.parametrize("name", SIGHTS)
def test_it_can_be_read_and_pressed(show: Callable[[Sight], Page], name: str) -> None:
    page = show(SIGHTS[name])
    page.evaluate(AXE.read_text(encoding="utf-8"))
    breaches = {scheme: breaches_of(page, scheme) for scheme in SCHEMES}
    assert breaches == {"light": [], "dark": []}
    assert page.evaluate(SMALL) == []
    assert page.evaluate("document.documentElement.scrollWidth > innerWidth") is False
    if name in AT_ONCE:
        assert page.evaluate(OUT_OF_SIGHT) == []
        assert page.evaluate(COVERED) == []
