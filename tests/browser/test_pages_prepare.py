"""Preparing a game in a real browser, on a phone with a finger and on a laptop with the keyboard alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from protocols.models import Game, Seat
from protocols.rules.terms import ROLE_LETTERS
from protocols.selectors import record_of
from tests.protocols.world import PASSWORD, World, game_of, world

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def cup(transactional_db: None) -> World:
    """The tournament and its games."""
    return world()


@pytest.fixture
def game(cup: World) -> Game:
    """A game of the judge's, nobody seated yet."""
    return game_of(cup.stage, cup.people["judge"])


@pytest.fixture
def without_scripts(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """A browser that runs no script."""
    context = browser.new_context(base_url=live_server.url, locale="ru-RU", java_script_enabled=False)
    yield context.new_page()
    context.close()


def log_in(page: Page, name: str, path: str) -> None:
    """Opens a page of that person's."""
    page.goto(f"/login/?next={path}")
    page.get_by_label("Имя пользователя").fill(name)
    page.get_by_label("Пароль").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Войти").click()
    page.wait_for_url(path)


def seat(page: Page, number: int) -> Locator:
    """The field of that seat's nickname."""
    return page.get_by_label(f"Никнейм на месте {number}", exact=True)


def nicknames(page: Page) -> list[str]:
    """What stands in the ten fields."""
    return [seat(page, number).input_value() for number in range(1, 11)]


def seated(game: Game) -> dict[int, str]:
    """Who sits where."""
    return dict(Seat.objects.filter(game=game).values_list("number", "nickname"))


def letters(game: Game) -> str:
    """The roles of the record, by seat."""
    roles = record_of(game).state.roles
    return "".join(ROLE_LETTERS[role] for role in roles.roles) if roles else ""


def paste(field: Locator, text: str) -> None:
    """Pastes as a person does: through the clipboard's event."""
    field.evaluate(
        """(field, text) => {
          const data = new DataTransfer();
          data.setData("text", text);
          field.focus();
          const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
          if (field.dispatchEvent(event)) field.value = text.replace(/\\n/g, "");
        }""",
        text,
    )


def test_a_known_player_is_found_by_two_letters_and_a_tap(phone: Page, cup: World, game: Game) -> None:
    log_in(phone, "judge", f"/games/{game.uuid}/prepare/")
    seat(phone, 1).tap()
    phone.keyboard.type("ми")
    phone.get_by_role("option", name="Мираж").tap()
    expect(seat(phone, 1)).to_have_value("Мираж")
    expect(seat(phone, 2)).to_be_focused()
    phone.keyboard.type("м")
    expect(phone.get_by_role("listbox")).to_be_hidden()  # the only one on «м» sits already
    phone.get_by_role("button", name="Сохранить", exact=True).tap()


def test_ten_players_by_the_keyboard_alone(laptop: Page, cup: World, game: Game) -> None:
    log_in(laptop, "judge", f"/games/{game.uuid}/prepare/")
    seat(laptop, 1).focus()
    for name in cup.nicknames:
        laptop.keyboard.type(name[:2].lower())
        expect(laptop.get_by_role("listbox", name="Известные игроки").get_by_role("option").first).to_have_text(name)
        laptop.keyboard.press("ArrowDown")
        laptop.keyboard.press("Enter")
    assert nicknames(laptop) == list(cup.nicknames)
    laptop.get_by_role("button", name="Сохранить", exact=True).click()
    expect(laptop.get_by_text("Сохранено.")).to_be_visible()
    assert seated(game) == dict(enumerate(cup.nicknames, start=1))


def test_a_list_pasted_into_the_first_field_fills_the_ten(phone: Page, cup: World, game: Game) -> None:
    log_in(phone, "judge", f"/games/{game.uuid}/prepare/")
    paste(seat(phone, 1), "\n".join(f"{number}. {name}" for number, name in enumerate(cup.nicknames, start=1)))
    assert nicknames(phone) == list(cup.nicknames)
    expect(phone.get_by_text("Все десять никнеймов на местах.")).to_be_visible()
    paste(seat(phone, 1), "\n".join([*cup.nicknames, "Лишний"]))
    expect(phone.get_by_text("Мест десять: «Лишний» — лишний.")).to_be_visible()


def test_a_new_player_is_asked_about_and_what_was_typed_stays(phone: Page, cup: World, game: Game) -> None:
    log_in(phone, "judge", f"/games/{game.uuid}/prepare/")
    names = ["Новичок 🦊", *cup.nicknames[1:]]
    paste(seat(phone, 1), "\n".join(names))
    phone.get_by_role("button", name="Сохранить и вести игру").tap()
    expect(phone.get_by_role("alert")).to_contain_text("Нет в списке игроков: №1 Новичок 🦊")
    assert nicknames(phone) == names
    assert seated(game) == {}
    phone.get_by_role("button", name="Записать новых").tap()
    phone.wait_for_url(f"/games/{game.uuid}/board/")
    assert seated(game) == dict(enumerate(names, start=1))


def test_roles_are_four_letters_a_seat_and_four_taps_are_enough(phone: Page, cup: World, game: Game) -> None:
    log_in(phone, "judge", f"/games/{game.uuid}/prepare/")
    paste(seat(phone, 1), "\n".join(cup.nicknames))
    phone.get_by_text("Роли", exact=True).tap()

    def tap(number: int, letter: str) -> None:
        group = phone.get_by_role("radiogroup", name=f"Роль №{number} {cup.nicknames[number - 1]}")
        group.get_by_text(letter, exact=True).tap()

    def counts() -> str:
        return re.sub(r"\s+", " ", phone.locator("[data-role-counts]").inner_text())

    assert counts() == "К 0/6 Ч 0/2 Ш 0/1 Д 0/1"
    tap(2, "Ч")
    tap(2, "Ч")  # taken back
    assert counts() == "К 0/6 Ч 0/2 Ш 0/1 Д 0/1"
    for number, letter in ((3, "Ш"), (5, "Ч"), (6, "Ч"), (9, "Д")):
        tap(number, letter)
    assert counts() == "К 6/6 Ч 2/2 Ш 1/1 Д 1/1"
    tap(1, "Д")
    assert counts() == "К 5/6 Ч 2/2 Ш 1/1 Д 2/1"
    tap(1, "К")
    phone.get_by_role("button", name="Сохранить", exact=True).tap()
    expect(phone.get_by_text("Сохранено.")).to_be_visible()
    assert letters(game) == "ККШКЧЧККДК"
    expect(phone.get_by_role("radiogroup").first).to_be_hidden()  # nobody reads them over the judge's shoulder


def test_the_page_works_without_a_script(without_scripts: Page, cup: World, game: Game) -> None:
    page = without_scripts
    log_in(page, "judge", f"/games/{game.uuid}/prepare/")
    offered = page.locator("#known-players option").evaluate_all("all => all.map(each => each.value)")
    assert offered == sorted(cup.nicknames)
    assert seat(page, 1).get_attribute("list") == "known-players"
    page.get_by_text("Вставить списком").click()
    page.get_by_label("Никнеймы по одному в строке").fill("\n".join(cup.nicknames))
    page.get_by_text("Роли", exact=True).click()
    for number, letter in ((3, "Ш"), (5, "Ч"), (6, "Ч"), (9, "Д")):
        group = page.get_by_role("radiogroup", name=f"Роль на месте {number}", exact=True)
        group.get_by_text(letter, exact=True).click()
    page.get_by_role("button", name="Сохранить", exact=True).click()
    expect(page.get_by_text("Сохранено.")).to_be_visible()
    assert (seated(game), letters(game)) == (dict(enumerate(cup.nicknames, start=1)), "ККШКЧЧККДК")
