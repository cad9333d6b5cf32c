"""The board from the keyboard alone, and as a screen reader has it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from protocols.forms.fields import moment_text
from protocols.rules import entries as e
from protocols.rules.terms import Phase
from tests.exchange.expected import FULL_BLACK_WIN
from tests.protocols.tables import FIRST, LETTERS, NIGHT_ZERO, ROLES, Table, kinds, later, real_game, speech, table

from .judging import Judge
from .test_board_whole_game import NOT_RAISED, in_taps

pytestmark = pytest.mark.django_db(transaction=True)
# Nothing is ever clicked: a mouse that is used fails the test.
NO_MOUSE = """
addEventListener("pointerdown", (event) => { if (event.isTrusted) throw new Error("the mouse was used"); }, true);
"""


@pytest.fixture
def cup(transactional_db: None) -> Table:
    """A game with its ten players, nothing written."""
    return table("F")


class Typist(Judge):
    """The same judge without a mouse."""

    def press(self, *keys: str) -> None:
        """Keys, one after another; over when what they write is there."""
        revision = self.page.locator("#board").get_attribute("data-revision")
        for key in keys:
            self.page.keyboard.press(key)
        expect(self.page.locator("#board")).not_to_have_attribute("data-revision", revision or "")

    def until(self, what: str) -> None:
        """Enter until that is on the board."""
        while self.page.locator(what).count() == 0:
            self.press("Enter")

    def write(self, entry: e.Entry) -> None:
        """One entry of a game."""
        asked = f'#pad:has(input[name="kind"][value="{entry.kind}"])'
        match entry:
            case e.Turn():
                while self.state.moment.key < entry.moment.key:
                    self.press("Enter")
            case e.Nomination() | e.RaiseAll():
                self.until(asked)
                self.press(digit(entry.target if isinstance(entry, e.Nomination) else NOT_RAISED))
            case e.Foul():
                at = entry.moment._replace(step=0) if entry.moment.phase == Phase.BALLOT else entry.moment
                while self.state.moment.key < at.key:
                    self.press("Enter")
                self.press(f"Shift+Digit{(entry.seat or 0) % 10}")
            case e.Vote():
                self.until(f'#pad input[name="moment"][value="{moment_text(entry.moment)}"]')
                self.press(str(entry.count))
            case e.Shot():
                self.until(asked)
                self.press(digit(entry.target) if entry.target else "Minus")
            case e.Check():
                if self.page.locator('#pad input[name="by"]').get_attribute("value") != entry.by:
                    self.other_step("Проверка шерифа")
                self.press(digit(entry.target))
            case e.BestMove():
                if self.page.locator('#pad[data-many="3"]').count() == 0:
                    self.other_step("Лучший ход")
                self.press(*(digit(seat) for seat in entry.seats))

    def other_step(self, name: str) -> None:
        """A step from the quiet menu."""
        self.page.keyboard.press(".")
        link = self.page.get_by_role("link", name=name)
        while not link.evaluate("link => link === document.activeElement"):
            self.page.keyboard.press("Tab")
        self.page.keyboard.press("Enter")
        expect(self.page.locator("details.others[open]")).to_have_count(0)


def digit(seat: int) -> str:
    """The key of a seat."""
    return f"Digit{seat % 10}"


def test_a_whole_game_from_the_keyboard(laptop: Page, cup: Table) -> None:
    judge = Typist(laptop, cup.game)
    laptop.evaluate(NO_MOUSE)
    laptop.keyboard.press("n")
    roles = laptop.get_by_role("link", name="Записать роли")
    while not roles.evaluate("link => link === document.activeElement"):
        laptop.keyboard.press("Tab")
    laptop.keyboard.press("Enter")
    expect(laptop.get_by_role("heading", name="Записать роли")).to_be_focused()
    for letter in LETTERS:
        laptop.keyboard.press({"К": "KeyR", "Ч": "KeyX", "Ш": "KeyI", "Д": "KeyL"}[letter])
    expect(laptop.get_by_role("button", name="Записать роли")).to_be_focused()
    judge.press("Enter")
    for entry, _following in in_taps(real_game("full-black-win")):
        judge.write(entry)
    state = judge.state
    exits = {
        seat: f"{player.left.how} {'night' if player.left.moment.is_night else 'day'} {player.left.moment.day}"
        for seat, player in state.seats.items()
        if player.left
    }
    assert exits == FULL_BLACK_WIN.exits
    assert state.set_aside == []
    laptop.keyboard.press("Enter")
    laptop.wait_for_url("**/finish/")


def test_backspace_takes_back_the_last_entry_and_shift_brings_it_back(laptop: Page, cup: Table) -> None:
    later(cup.game, ROLES, NIGHT_ZERO, speech(1))
    judge = Typist(laptop, cup.game)
    judge.press("Digit5")
    judge.press("Backspace")
    judge.press("Shift+Backspace")
    assert kinds(cup.game)[3:] == ["nomination", "strike", "strike"]
    assert judge.state.days[1].nominations == [(1, 5)]


def test_the_fourth_foul_is_held_and_let_go(laptop: Page, cup: Table) -> None:
    later(cup.game, ROLES, NIGHT_ZERO, speech(1), *[e.Foul(moment=FIRST, seat=4)] * 3)
    judge = Typist(laptop, cup.game)
    laptop.keyboard.press("Shift+Digit4")
    laptop.wait_for_timeout(1200)
    assert len(judge.state.seats[4].fouls) == 3
    laptop.keyboard.down("Shift")
    laptop.keyboard.down("4")
    expect(laptop.locator("#board")).to_have_attribute("data-revision", "7")
    laptop.keyboard.up("4")
    laptop.keyboard.up("Shift")
    assert len(judge.state.seats[4].fouls) == 4
    judge.press("Backspace")
    assert judge.state.seats[4].left is None


def test_space_stops_the_time_and_arrows_change_it(laptop: Page, cup: Table) -> None:
    later(cup.game, ROLES, NIGHT_ZERO, speech(1))
    Typist(laptop, cup.game)
    laptop.keyboard.press("Space")
    pause = laptop.get_by_role("button", name="Пауза")
    expect(pause).to_have_attribute("aria-pressed", "true")
    timer = laptop.locator("[data-timer]")
    before = int(timer.get_attribute("data-ms") or 0)
    laptop.keyboard.press("ArrowRight")
    laptop.keyboard.press("ArrowRight")
    laptop.keyboard.press("ArrowLeft")
    expect(timer).to_have_attribute("data-ms", str(before + 5000))
    laptop.keyboard.press("Space")
    expect(pause).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize("key", ["Shift+Slash", "F1"])
def test_the_card_of_all_keys_opens_and_escape_closes_it(laptop: Page, cup: Table, key: str) -> None:
    Typist(laptop, cup.game)
    laptop.keyboard.press(key)
    card = laptop.get_by_role("dialog", name="Клавиатура")
    expect(card).to_be_visible()
    laptop.keyboard.press("Enter")
    expect(card).to_be_visible()
    laptop.keyboard.press("Escape")
    expect(card).to_be_hidden()


def test_keys_do_nothing_while_somebody_types(laptop: Page, cup: Table) -> None:
    later(cup.game, ROLES, NIGHT_ZERO, speech(1))
    judge = Typist(laptop, cup.game)
    laptop.goto(f"{judge.address}?open=ruling")
    laptop.get_by_role("textbox").first.focus()
    for key in ("5", "Backspace", "Space", "?"):
        laptop.keyboard.press(key)
    laptop.keyboard.press("Escape")
    assert kinds(cup.game) == ["roles", "turn", "turn"]


def test_the_focus_stays_on_the_control_that_was_used(laptop: Page, cup: Table) -> None:
    later(cup.game, ROLES, NIGHT_ZERO, speech(1))
    judge = Typist(laptop, cup.game)
    dots = laptop.get_by_role("button", name="Фол: №7 Сокол")
    dots.focus()
    judge.press("Enter")
    expect(laptop.get_by_role("button", name="Фол: №7 Сокол")).to_be_focused()
    judge.press("Enter")
    assert len(judge.state.seats[7].fouls) == 2


def test_a_screen_reader_hears_what_the_rules_say_and_finds_every_control(laptop: Page, cup: Table) -> None:
    later(cup.game, ROLES, NIGHT_ZERO, speech(1), *[e.Foul(moment=FIRST, seat=4)] * 2)
    judge = Typist(laptop, cup.game)
    expect(laptop.locator("main")).to_match_aria_snapshot("""
      - heading "Стол 1 · Игра 1" [level=1]
      - status
      - region "Стол 1 · Игра 1":
        - list:
          - listitem:
            - link /№1 Лотос/
            - 'button "Фол: №1 Лотос"'
          - listitem:
            - link /№2 Мираж/
            - 'button "Фол: №2 Мираж"'
        - paragraph: Говорит №1 Лотос
        - group "Время":
          - button /Пауза/
        - form "выставляет":
          - button "1 Лотос, выставить"
        - button /Отменить/
        - button /Слово/
    """)
    judge.press("Shift+Digit4")
    # What the rules say, and then what is asked.
    expect(laptop.get_by_role("status").first).to_have_text(
        "Третий фол: №4 Онега пропускает свою следующую минуту, выставить может (п. 6.4) Говорит №1 Лотос"
    )
    judge.press("Enter")
    expect(laptop.get_by_role("status").first).to_contain_text("Говорит №2 Мираж")
