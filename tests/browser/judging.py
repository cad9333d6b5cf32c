"""A judge at the board, tap by tap."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from protocols.models import Game
from protocols.rules.state import GameState
from protocols.rules.terms import SEATS, Moment
from protocols.selectors import record_of
from tests.protocols.tables import game_now
from tests.protocols.world import PASSWORD


class Judge:
    """One person, one screen, one game."""

    def __init__(self, page: Page, game: Game, name: str = "judge") -> None:
        self.page, self.game = page, game
        self.taps = 0
        self.address = f"/games/{game.uuid}/board/"
        page.goto(f"/login/?next={self.address}")
        page.get_by_label("Имя пользователя").fill(name)
        page.get_by_label("Пароль").fill(PASSWORD)
        page.get_by_role("main").get_by_role("button", name="Войти").click()
        page.wait_for_url(self.address)

    # ------------------------------------------------------------ what is seen

    @property
    def state(self) -> GameState:
        """What follows from the record, as the database has it."""
        return record_of(game_now(self.game)).state

    @property
    def main(self) -> Locator:
        """The one next action, bottom right."""
        return self.page.locator("#next")

    @property
    def prompt(self) -> Locator:
        """What is asked now."""
        return self.page.locator(".panel__prompt")

    @property
    def rule(self) -> Locator:
        """What the rules say."""
        return self.page.locator(".rule__words")

    def row(self, seat: int) -> Locator:
        """A player's row."""
        return self.page.locator(f"#seat-{seat}")

    # ------------------------------------------------------------ taps

    def tap(self, target: Locator) -> None:
        """One tap that writes; over when the fresh board is there."""
        revision = self.page.locator("#board").get_attribute("data-revision")
        target.click()
        self.taps += 1
        expect(self.page.locator("#board")).not_to_have_attribute("data-revision", revision or "")

    def next(self) -> None:
        """The next action."""
        self.tap(self.main)

    def next_until(self, moment: Moment) -> None:
        """The next action until the game has come to that moment."""
        while self.state.moment.key < moment.key:
            self.next()

    def next_until_asked(self, kind: str) -> None:
        """The next action until the pad asks for an entry of that kind."""
        while self.page.locator(f'#pad input[name="kind"][value="{kind}"]').count() == 0:
            self.next()

    def key(self, value: object) -> None:
        """A number of the pad."""
        self.tap(self.page.locator(f'#pad button[value="{value}"]'))

    def tick(self, *values: int) -> None:
        """Several numbers of the pad."""
        for value in values:
            self.page.locator(f'#pad .key__tick[value="{value}"]').click(force=True)
            self.taps += 1

    def best_move(self, *seats: int) -> None:
        """Three seats; the third one sends them."""
        revision = self.page.locator("#board").get_attribute("data-revision")
        self.tick(*seats)
        expect(self.page.locator("#board")).not_to_have_attribute("data-revision", revision or "")

    def open_seat(self, seat: int) -> Locator:
        """The sheet of a seat."""
        self.row(seat).locator(".seat__open").click()
        self.taps += 1
        sheet = self.page.locator("#seat-sheet")
        expect(sheet).to_be_visible()
        return sheet

    def foul(self, seat: int) -> None:
        """A foul, without a reason: one tap on the dots of the seat."""
        self.tap(self.page.locator(f'[data-foul="{seat}"]'))

    def hold(self, target: Locator) -> None:
        """A finger that stays until the bar is full."""
        revision = self.page.locator("#board").get_attribute("data-revision")
        box = target.bounding_box()
        assert box is not None
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.page.mouse.down()
        expect(self.page.locator("#board")).not_to_have_attribute("data-revision", revision or "")
        self.page.mouse.up()
        self.taps += 1

    def roles(self, letters: str, *, begin: bool = False) -> None:
        """The ten roles, from the menu; the game begins with them, or not yet."""
        self.page.get_by_label("Меню").click()
        self.page.get_by_role("link", name="Записать роли").click()
        for seat, letter in zip(SEATS, letters, strict=True):
            self.page.locator(f'input[name="role_{seat}"][value="{letter}"]').check(force=True)
        expect(self.page.locator(".count--full")).to_have_count(4)
        self.tap(self.page.get_by_role("button", name="Записать и начать" if begin else "Записать роли"))

    def vote(self, *counts: int) -> None:
        """A whole ballot; the last candidate's tally is filled in and waits on its key."""
        for count in counts[:-1]:
            self.key(count)
        expect(self.page.locator("#pad .key--chosen")).to_have_text(str(counts[-1]))
        self.key(counts[-1])
