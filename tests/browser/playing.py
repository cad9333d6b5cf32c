"""A judge who plays on whatever the network does: every control is looked for on the screen, never in the database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Locator, Page, expect

from protocols.models import Game
from protocols.rules import entries as e
from protocols.rules.terms import Moment
from protocols.selectors import record_of
from tests.protocols.tables import game_now
from tests.protocols.world import PASSWORD

from .proxy import Network

SCRIPT = Path(__file__).with_name("player.js")
NOT_RAISED = 3  # the file knows only that they were not; three of ten hands are too few
CACHED = """
async path => {
    for (let tries = 0; tries < 400; tries += 1) {
        for (const name of await caches.keys()) {
            if (name.startsWith("boards-") && await (await caches.open(name)).match(path)) return;
        }
        await new Promise(done => setTimeout(done, 50));
    }
    throw new Error("the board was not kept for the time without a network");
}
"""


def moment_of(moment: Moment) -> str:
    """The moment as forms carry it."""
    return ".".join(str(int(part)) for part in moment)


def written(game: Game) -> list[e.Entry]:
    """The entries of the record in the order of writing, without their numbers."""
    return numberless(record_of(game_now(game)).values)


def numberless(entries: list[e.Entry]) -> list[e.Entry]:
    """The entries without their numbers."""
    return [replace(value, revision=0, place=0) for value in entries]


class Player:
    """One person at one screen. `before` is called before every tap."""

    def __init__(self, page: Page, game: Game, url: str, name: str = "judge", *, known: bool = False) -> None:
        self.page, self.game, self.url = page, game, url
        self.path = f"/games/{game.uuid}/board/"
        page.add_init_script(path=SCRIPT)
        self.before: Callable[[], None] = lambda: None
        if known:
            page.goto(f"{url}{self.path}")
        else:
            self.log_in(name)
        page.evaluate(CACHED, self.path)

    def log_in(self, name: str) -> None:
        """The name and the password, and then the board."""
        self.page.goto(f"{self.url}/login/?next={self.path}")
        self.page.get_by_label("Имя пользователя").fill(name)
        self.page.get_by_label("Пароль").fill(PASSWORD)
        self.page.get_by_role("main").get_by_role("button", name="Войти").click()
        self.page.wait_for_url(f"**{self.path}")

    @property
    def saved(self) -> Locator:
        """The saved state."""
        return self.page.locator("[data-saved]")

    def all_is_written(self, timeout: float = 30_000) -> None:
        """Waits until nothing waits any more."""
        expect(self.saved).to_have_attribute("data-waiting", "0", timeout=timeout)
        expect(self.saved).to_have_attribute("data-unsaved", "0")
        expect(self.saved).not_to_have_class("board__saved board__saved--waits", timeout=timeout)

    def roles(self, letters: str) -> None:
        """The ten roles, from the menu; this needs the network."""
        self.page.get_by_label("Меню").click()
        self.page.get_by_role("link", name="Записать роли").click()
        for seat, letter in enumerate(letters, start=1):
            self.page.locator(f'input[name="role_{seat}"][value="{letter}"]').check(force=True)
        self.page.get_by_role("button", name="Записать роли").click()
        expect(self.page.locator("#board")).to_have_attribute("data-revision", "1")

    def write(self, entry: e.Entry) -> None:
        """One entry of a game, by the control that is on the screen for it."""
        self.before()
        self.page.evaluate("entry => window.player.write(entry)", _told(entry))


def _told(entry: e.Entry) -> dict[str, Any]:
    names = ("seat", "target", "count", "by", "seats")
    known = {name: getattr(entry, name) for name in names if getattr(entry, name, None) is not None}
    if isinstance(entry, e.RaiseAll):
        known.setdefault("count", NOT_RAISED)
    return {"kind": entry.kind, "moment": moment_of(entry.moment), **known}


class BadNetwork:
    """Cuts, freezes, slows, loses answers and reloads the page, before taps that chance chooses."""

    def __init__(self, player: Player, network: Network, random: Random, *, reloads: float = 0.04) -> None:
        self.player, self.network, self.random, self.reloads = player, network, random, reloads
        self.left = 0
        self.mode = ""
        self.happened: list[str] = []

    def __call__(self) -> None:
        """What happens before a tap."""
        if self.left == 0:
            self.network.mend()
            self.mode = self.random.choice(("", "cut", "cut", "cut", "freeze", "lose", "slow"))
            self.left = self.random.randint(3, 18)
            if self.mode == "cut":
                self.network.cut()
            elif self.mode == "freeze":
                self.network.freeze()
            elif self.mode == "lose":
                self.network.lose_answers()
            elif self.mode == "slow":
                self.network.slow(0.2)
            self.happened.append(self.mode)
        self.left -= 1
        if self.mode != "freeze" and self.random.random() < self.reloads:
            self.happened.append("reload")
            self.player.page.reload(wait_until="domcontentloaded")


def in_taps(entries: list[e.Entry]) -> Iterator[e.Entry]:
    """The entries that are tapped; the roles are written before the game."""
    yield from (entry for entry in entries if not isinstance(entry, e.Roles))
