"""Standings in a real browser: the head stays, the page never scrolls sideways, a name is found at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from .lines import PLAYERS
from .tournaments import PASSWORD, player, prepared, signed, stage_of, tournament

pytestmark = pytest.mark.django_db(transaction=True)
AXE = Path(__file__).resolve().parents[1] / "vendor" / "axe-4.14.1.min.js"
PAGE = "/t/cup/standings/"
HEAD_IS_SEEN = """() => {
  const head = document.querySelector('.standings thead th:nth-child(2)').getBoundingClientRect();
  const at = document.elementFromPoint(head.x + 5, head.y + head.height / 2);
  return head.top >= 0 && head.bottom <= innerHeight && at.closest('thead') !== null;
}"""


def forty_players() -> None:
    """Four games without a common player, and one that is not signed."""
    stage = stage_of(tournament())
    for number in range(1, 5):
        signed(stage, "red", nicknames=[f"{nickname} {number}" for nickname in PLAYERS], extra={2: "0.5"})
    prepared(stage)


@pytest.mark.parametrize("screen", ["phone", "laptop"])
def test_the_head_stays_in_view_and_the_page_never_scrolls_sideways(
    screen: str, request: pytest.FixtureRequest
) -> None:
    page: Page = request.getfixturevalue(screen)
    forty_players()
    page.goto(PAGE)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.evaluate("document.querySelector('.standings-frame').scrollTo(200, 900)")
    page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
    assert page.evaluate(HEAD_IS_SEEN)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("width", [1024, 1280, 1440])
def test_on_a_laptop_the_whole_table_is_in_its_frame(laptop: Page, width: int) -> None:
    signed(stage_of(tournament("F"), "Финал", "1.5"), "red", extra={9: "-0.35"}, removed=(4,))
    laptop.set_viewport_size({"width": width, "height": 900})
    laptop.goto(PAGE)
    assert "победы доном и шерифом" in laptop.locator(".standings").inner_text()
    frame, table = laptop.locator(".standings-frame").bounding_box(), laptop.locator(".standings").bounding_box()
    assert frame is not None
    assert table is not None
    assert table["width"] <= frame["width"]


def test_a_name_is_found_while_it_is_typed_and_the_address_can_be_shared(phone: Page) -> None:
    forty_players()
    phone.goto(PAGE)
    phone.get_by_label("Найти игрока").press_sequentially("елка 3")
    expect(phone.locator(".standings tbody tr")).to_have_count(1)
    assert phone.locator(".standings tbody th").all_inner_texts() == ["Ёлка 3"]
    expect(phone.get_by_label("Найти игрока")).to_be_focused()
    shared = phone.url
    phone.goto("/")
    phone.goto(shared)
    assert phone.locator(".standings tbody th").all_inner_texts() == ["Ёлка 3"]


def test_the_place_of_a_found_player_leads_to_the_row_in_the_whole_table(phone: Page) -> None:
    forty_players()
    phone.goto(f"{PAGE}?q=каштан 4")
    phone.locator(".standings tbody .standings__place a").tap()
    row = phone.locator(f"#player-{player('Каштан 4').pk}")
    expect(row).to_be_in_viewport()
    assert phone.locator(".standings tbody tr").count() == 40
    assert phone.evaluate(HEAD_IS_SEEN)


def test_a_nickname_leads_to_the_players_games_and_back(phone: Page) -> None:
    forty_players()
    phone.goto(PAGE)
    phone.get_by_role("link", name="Барс 2").tap()
    expect(phone.get_by_role("heading", name="Барс 2")).to_be_visible()
    assert phone.locator(".played tbody tr").count() == 1
    phone.get_by_role("link", name="Турнирная таблица").tap()
    expect(phone.locator(f"#player-{player('Барс 2').pk}")).to_be_in_viewport()


def test_the_head_judge_draws_a_lot_with_three_taps(phone: Page) -> None:
    signed(stage_of(tournament()), "red")
    phone.goto("/login/?next=" + PAGE)
    phone.get_by_label("Имя пользователя").fill("head")
    phone.get_by_label("Пароль").fill(PASSWORD)
    phone.get_by_role("main").get_by_role("button", name="Войти").tap()
    phone.get_by_text("Нужен жребий: 2").tap()
    phone.get_by_text("Места 8–10: Зенит, Ирис, Каштан").tap()
    phone.get_by_role("button", name="Бросить жребий за места 8–10").tap()
    expect(phone.get_by_role("status")).to_contain_text("Жребий брошен и записан")
    assert phone.locator(".standings__place").all_inner_texts()[-3:] == ["8", "9", "10"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_standings_are_accessible(phone: Page, scheme: str) -> None:
    forty_players()
    phone.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    for address in (PAGE, f"{PAGE}?q=ёлка", f"/t/cup/players/{player('Барс 1').pk}/"):
        phone.goto(address)
        phone.evaluate(AXE.read_text(encoding="utf-8"))
        breaches = phone.evaluate("axe.run().then(found => found.violations.map(each => each.id))")
        assert (address, breaches) == (address, [])
        small = phone.evaluate(
            "[...document.querySelectorAll('main a, main button, main summary, main input:not([type=hidden])')]"
            ".filter(each => each.checkVisibility() && !each.matches('p .clause, li .clause, .keys .clause'))"
            ".filter(each => each.getBoundingClientRect().height < 44)"
            ".map(each => each.outerHTML)"
        )
        assert (address, small) == (address, [])
