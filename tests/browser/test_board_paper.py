"""A game typed in from a filled form on a laptop, signed and printed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from protocols.selectors import record_of
from tests.exchange.expected import FULL_BLACK_WIN
from tests.protocols.sheets import block_of, row_of, words_of
from tests.protocols.tables import NICKNAMES, Table, game_now, table
from tests.protocols.test_paper import sheet_of
from tests.protocols.world import PASSWORD

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def cup(transactional_db: None) -> Table:
    """A game whose header and nicknames are prepared."""
    return table("F")


def test_a_paper_is_typed_in_signed_and_printed(laptop: Page, cup: Table) -> None:
    address = f"/games/{cup.game.uuid}/paper/"
    laptop.goto(f"/login/?next={address}")
    laptop.get_by_label("Имя пользователя").fill("judge")
    laptop.get_by_label("Пароль").fill(PASSWORD)
    laptop.get_by_role("main").get_by_role("button", name="Войти").click()
    laptop.wait_for_url(address)
    expect(laptop.locator(".player__who")).to_have_text([f"{n} {name}" for n, name in enumerate(NICKNAMES, start=1)])

    typed = sheet_of(FULL_BLACK_WIN)
    for seat in range(1, 11):
        laptop.locator(f"[name=role_{seat}]").select_option(typed[f"role_{seat}"])
        fouls = typed.get(f"fouls_{seat}", "0")
        laptop.locator(f'[name=fouls_{seat}][value="{fouls}"]').check(force=True)
    laptop.get_by_role("button", name="Ещё день").click()
    expect(laptop.locator("#day-8")).to_be_visible()
    rows = [name for name in typed if name.startswith(("nominees", "tallies", "shot", "don", "sheriff"))]
    for name in rows:
        laptop.locator(f"[name={name}]").fill(typed[name])
    laptop.locator("[name=best_move]").fill("3 5 5")
    laptop.locator("[name=raise_1]").fill("нет")
    laptop.locator('[name=result][value="black"]').check(force=True)

    # What follows is told beside the form; a slip is named there, and again when it is sent.
    slip = "В лучшем ходе игрока №4 Онега три места должны быть разными; записано: 3, 5, 5 (п. 8.3)"
    expect(laptop.locator("#paper-check")).to_contain_text(slip)
    laptop.get_by_role("button", name="Записать игру").click()
    expect(laptop.locator(".paper__errors")).to_contain_text(slip)
    expect(laptop.locator("[name=tallies_5_0]")).to_have_value(typed["tallies_5_0"])
    laptop.locator("[name=best_move]").fill("3 5 6")
    expect(laptop.locator("#paper-check")).to_contain_text("Победа чёрных")
    laptop.get_by_role("button", name="Записать игру").click()

    laptop.wait_for_url("**/finish/")
    laptop.get_by_label("Ваш пароль ещё раз").fill(PASSWORD)
    laptop.get_by_role("button", name="Подписать протокол").click()
    laptop.wait_for_url(f"**/games/{cup.game.uuid}/")
    game = game_now(cup.game)
    assert (game.status, game.from_paper) == ("signed", True)
    assert {n for n, seat in record_of(game).state.seats.items() if seat.left} == set(FULL_BLACK_WIN.exits)

    link = laptop.get_by_role("link", name="Протокол (PDF)").get_attribute("href")
    words = words_of(laptop.request.get(f"{laptop.url.split('/games/')[0]}{link}").body())
    assert [row_of(words, seat)["role"] for seat in range(1, 11)] == FULL_BLACK_WIN.roles.split()
    assert row_of(words, 2)["foul 3"] == "✓"
    assert block_of(words, 1)[1][:3] == ["1 3", "5 5", "5 5"]
    assert block_of(words, 5)[1][:2] == ["7 (1)", "1 2"]


TOO_SMALL = """
[...document.querySelectorAll("main a, main button, main input, main select, main summary, .tick")].filter((each) => {
  const { width, height } = each.getBoundingClientRect();
  const inText = each.matches("p a, .facts a, .message a, .tick input");  // a box is as large as its label
  return width && !inText && (height < 44 || width < 44);
}).map((each) => `${each.outerHTML.slice(0, 90)} ${each.getBoundingClientRect().width}`)
"""
OVER_THE_EDGE = "document.documentElement.scrollWidth - innerWidth"


def test_a_finger_hits_every_box_of_the_paper_on_a_phone(phone: Page, cup: Table) -> None:
    address = f"/games/{cup.game.uuid}/paper/"
    phone.goto(f"/login/?next={address}")
    phone.get_by_label("Имя пользователя").fill("judge")
    phone.get_by_label("Пароль").fill(PASSWORD)
    phone.get_by_role("main").get_by_role("button", name="Войти").click()
    phone.wait_for_url(address)
    for summary in phone.locator("main summary").all():
        summary.click()
    assert phone.evaluate(TOO_SMALL) == []
    assert phone.evaluate(OVER_THE_EDGE) <= 0
