"""A season and a player's page in a real browser: on a phone, in light and dark, for keys and screen readers."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Literal

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from scoring.season_services import create_season

from .tournaments import player, prepared, signed, stage_of, tournament

pytestmark = pytest.mark.django_db(transaction=True)
AXE = Path(__file__).resolve().parents[1] / "vendor" / "axe-4.14.1.min.js"
FOUND = "async () => (await axe.run()).violations.map(each => each.id + ' ' + each.nodes.map(n => n.html).join(' '))"


def a_season() -> int:
    """A tournament of two stages with an open game, counted in a season; gives the first player's key."""
    cup = tournament()
    stage = stage_of(cup)
    signed(stage, "black", extra={2: "0.5"}, shot=1, hits=2)
    signed(stage_of(cup, "Финал", "1.5"), "red", shot=1, hits=3, removed=(4,))
    prepared(stage)
    create_season(
        title="Осень", slug="autumn", starts_on=date(2026, 9, 1), ends_on=date(2026, 11, 30), takes_all=True,
        by=User.objects.get(username="organizer"),
    )  # fmt: skip
    return player("Астра").pk


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_from_the_first_page_through_the_season_to_the_charts_of_a_player(
    phone: Page, scheme: Literal["light", "dark"]
) -> None:
    who = a_season()
    phone.emulate_media(color_scheme=scheme)
    phone.set_viewport_size({"width": 360, "height": 740})
    phone.goto("/")
    way = {
        "Сезоны: рейтинги за много турниров": "/seasons/",
        "Осень": "/seasons/autumn/",
        "Астра": f"/seasons/autumn/players/{who}/",
        "Страница игрока": f"/players/{who}/",
    }
    for link, address in way.items():
        phone.get_by_role("link", name=link).click()
        expect(phone).to_have_url(re.compile(f"{address}$"))
        phone.wait_for_load_state("load")
        phone.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
        phone.evaluate(AXE.read_text(encoding="utf-8"))
        assert phone.evaluate(FOUND) == []
    expect(phone.get_by_role("img", name="Победы по ролям")).to_be_visible()
    expect(phone.get_by_role("img", name="Лучшие ходы")).to_be_visible()
    bars = phone.locator("#chart-roles .chart__bar")
    expect(bars).to_have_count(4)
    assert phone.evaluate("getComputedStyle(document.querySelector('.chart__part')).fill") != "rgb(0, 0, 0)"
