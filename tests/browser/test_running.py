"""A final on two screens: seated from its cut by the organizer, and its table followed while the judge taps."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django import Settings

from protocols.models import Game
from scoring.cut_selectors import cuts_of
from scoring.cut_services import set_cut_size, take_cut
from tests.scoring.lines import PLAYERS
from tests.scoring.tournaments import PASSWORD, signed, stage_of, tournament

from .judging import Judge

pytestmark = pytest.mark.django_db(transaction=True)
SIDEWAYS = "document.documentElement.scrollWidth > innerWidth"


def log_in(page: Page, name: str) -> None:
    """Somebody's login."""
    page.goto("/login/")
    page.locator("input[name=username]").fill(name)
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("main button[type=submit]").click()
    expect(page.locator("form[action='/logout/']")).to_be_attached()


def test_a_final_is_seated_from_its_cut_and_its_table_followed(
    phone: Page, laptop: Page, settings: Settings, tmp_path: object
) -> None:
    settings.MEDIA_ROOT = tmp_path
    made = tournament("F")
    signed(stage_of(made), extra={seat: f"{seat / 20:.2f}" for seat in range(1, 11)})
    final = stage_of(made, "Финал", "1.5")
    set_cut_size(final, len(PLAYERS))
    found = cuts_of(made).of(2)
    assert found is not None
    take_cut(final, seen=found.fingerprint, confirmed=True, by=User.objects.get(username="organizer"))

    log_in(laptop, "organizer")
    laptop.goto("/t/cup/cuts/2/")
    laptop.get_by_role("link", name="Места этой стадии").click()
    expect(laptop.get_by_role("heading", name="Места стадии «Финал»")).to_be_visible()
    laptop.get_by_label("Игр у каждого").fill("2")
    laptop.get_by_role("button", name="Разыграть места").click()
    expect(laptop.locator(".final-seats tbody tr")).to_have_count(10)
    laptop.get_by_role("button", name="Рассадить игроков").click()
    expect(laptop.get_by_role("heading", name="Места, по которым играют")).to_be_visible()
    laptop.goto("/t/cup/rounds/2/1/")
    laptop.get_by_label("Судья стола 1").select_option(label="Соколова")
    laptop.get_by_role("button", name="Сохранить судей").click()
    expect(laptop.locator(".messages")).to_contain_text("изменено столов: 1")

    laptop.goto("/t/cup/tables/")
    tile = laptop.locator(".tile")
    expect(tile).to_have_count(1)
    expect(tile).to_contain_text("не начата")
    expect(tile).to_contain_text("Соколова")
    laptop.set_viewport_size({"width": 390, "height": 844})
    assert not laptop.evaluate(SIDEWAYS)

    Judge(phone, Game.objects.get(stage=final, number=1)).next()
    expect(tile.locator(".badge--now")).to_be_visible(timeout=20_000)
    expect(tile.locator("time")).to_contain_text("назад")

    laptop.context.set_offline(True)
    expect(laptop.locator("#lost")).to_contain_text("Нет связи", timeout=30_000)
    laptop.context.set_offline(False)
    expect(laptop.locator("#lost")).to_have_text("", timeout=20_000)
