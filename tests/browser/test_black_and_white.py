"""What is printed from the screen without colours still says what it said."""

from __future__ import annotations

import pytest
from PIL import Image
from playwright.sync_api import Page

from protocols.rules import entries as e
from tests.protocols.sheets import picture_of
from tests.protocols.tables import FIRST, NIGHT_ZERO, ROLES, later, speech, table
from tests.protocols.world import PASSWORD

pytestmark = pytest.mark.django_db(transaction=True)

INK = 110  # of 255, grey: what a cheap printer draws black


def _ink(picture: Image.Image) -> int:
    """How many dots of the picture are dark."""
    return sum(picture.convert("L").histogram()[:INK])


def test_three_fouls_are_three_filled_dots_on_paper_too(laptop: Page) -> None:
    at = table()
    address = f"/games/{at.game.uuid}/board/"
    later(at.game, ROLES, NIGHT_ZERO, speech(1))
    laptop.goto(f"/login/?next={address}")
    laptop.get_by_label("Имя пользователя").fill("judge")
    laptop.get_by_label("Пароль").fill(PASSWORD)
    laptop.get_by_role("main").get_by_role("button", name="Войти").click()
    laptop.wait_for_url(address)

    def fouls_of_seat_3() -> Image.Image:
        laptop.goto(address)
        laptop.emulate_media(media="print")
        box = laptop.locator("#seat-3").bounding_box()
        assert box
        width = laptop.evaluate("document.documentElement.clientWidth")
        page = picture_of(laptop.pdf(width=f"{width}px", height="1200px"), dpi=96)
        left = box["x"] + box["width"] * 0.8
        return page.crop((int(left), int(box["y"]), int(box["x"] + box["width"]), int(box["y"] + box["height"])))

    before = _ink(fouls_of_seat_3())
    later(at.game, *[e.Foul(moment=FIRST, seat=3)] * 3)
    # Rings alone, which is what is left where grounds are left out, have fewer than half as many.
    assert _ink(fouls_of_seat_3()) > before + 3 * 80
