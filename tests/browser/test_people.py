"""A judge is invited on the organizer's phone, comes with a phone of her own, and finds her tournament."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from protocols.models import Member
from tests.protocols.world import PASSWORD, World, world

from .test_pages_prepare import log_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def cup(transactional_db: None) -> World:
    """The tournament and its games."""
    return world()


@pytest.fixture
def another_phone(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """The phone of whoever is invited: a browser that has never been here."""
    context = browser.new_context(
        base_url=live_server.url, locale="ru-RU", viewport={"width": 390, "height": 844}, has_touch=True
    )
    context.set_default_timeout(10_000)
    yield context.new_page()
    context.close()


def test_a_judge_is_invited_and_comes_with_a_phone_of_her_own(cup: World, phone: Page, another_phone: Page) -> None:
    log_in(phone, "organizer", "/t/cup/edit/")
    phone.get_by_role("link", name="Пригласить и изменить").click()
    expect(phone.get_by_role("heading", name="Люди", level=1)).to_be_visible()
    phone.get_by_label("Кому").fill("Зоя")
    phone.get_by_role("button", name="Создать приглашение").click()
    expect(phone.get_by_role("heading", name="Приглашение создано")).to_be_visible()
    code = phone.locator(".invited__code").inner_text()
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")

    another_phone.goto("/login/")
    another_phone.get_by_role("link", name="У меня есть приглашение").click()
    another_phone.get_by_label("Код приглашения").fill(code.lower().replace("-", " "))
    another_phone.get_by_role("button", name="Открыть приглашение").click()
    expect(another_phone.get_by_role("heading", name="Вас приглашают")).to_be_visible()
    typed = {
        "first_name": "Зоя", "last_name": "Новикова", "username": "zoya", "password1": PASSWORD, "password2": PASSWORD,
    }  # fmt: skip
    for name, value in typed.items():
        another_phone.locator(f"[name={name}]").fill(value)
    another_phone.get_by_role("button", name="Создать учётную запись и принять").click()
    expect(another_phone.get_by_text("Ваша роль — судья.")).to_be_visible()
    expect(another_phone.get_by_role("heading", name="Кубок", level=1)).to_be_visible()
    another_phone.goto("/games/new/")
    expect(another_phone.get_by_label("Стадия")).to_be_visible()
    assert Member.objects.filter(tournament=cup.tournament, user__username="zoya", role="judge").count() == 1

    phone.get_by_role("link", name="Передано").click()
    expect(phone.locator("#serving")).to_contain_text("Зоя Новикова")
    expect(phone.locator("#changes")).to_contain_text("Зоя Новикова: теперь судья")
    expect(phone.locator("#invitations")).to_contain_text("принял(а) Зоя Новикова")
