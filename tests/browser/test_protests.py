"""A protest from the player's phone to the announced decision on the head judge's laptop (RULES §8)."""

from __future__ import annotations

import re

from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from protocols.models import Protest, SignedSheet
from protocols.services.protests import code_of
from tests.protocols.world import PASSWORD, world

TEXT = "Фол № 4 дан после слова «Спасибо»"


def test_a_protest_is_filed_on_the_phone_and_decided_on_the_laptop(
    phone: Page, laptop: Page, live_server: LiveServer
) -> None:
    cup = world()
    game = cup.signed
    phone.goto(f"/games/{game.uuid}/")
    phone.get_by_role("link", name="Я играл здесь и подаю протест").click()
    phone.get_by_label("Код вашего места").fill(code_of(game, 4))
    phone.get_by_role("button", name="Дальше").click()
    expect(phone.locator("[data-until]")).to_have_text(re.compile(r"^\d:\d\d$"))
    phone.get_by_label("На что протест?").fill(TEXT)
    phone.get_by_label("Ссылки на видео").fill("javascript:alert(1)")
    phone.get_by_role("button", name="Подать протест").click()
    expect(phone.get_by_text("не адрес страницы")).to_be_visible()
    phone.get_by_label("Ссылки на видео").fill("https://video.example/4")
    phone.get_by_role("button", name="Подать протест").click()
    expect(phone.get_by_text("Протест № 1 подан")).to_be_visible()
    phone.get_by_role("link", name="К протоколу").click()
    expect(phone.locator("#protest-1 .badge")).to_have_text("не рассмотрен")

    client = Client()
    client.force_login(cup.people["head"])
    cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
    laptop.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}])
    laptop.goto("/t/cup/")
    laptop.get_by_role("link", name="1 ждёт ответа").click()
    laptop.get_by_role("link", name="Принять решение").click()
    laptop.locator("#step-on").click()  # the game beside it
    expect(laptop.locator("#replay")).to_have_attribute("data-at", "1")
    laptop.get_by_label("результат изменён").check()
    laptop.get_by_label("Результат становится").select_option("red")
    laptop.get_by_label("Пункт, из которого следует решение").fill("A 6.6.1")
    laptop.get_by_label("Обоснование").fill("Слово прозвучало раньше фола.")
    laptop.get_by_role("button", name="Посмотреть, что изменится").click()
    expect(laptop.locator("#effect")).to_contain_text("победа красных")
    assert SignedSheet.objects.filter(game=game).count() == 1
    laptop.get_by_role("button", name="Принять это решение").click()
    expect(laptop.locator("#decision")).to_contain_text("Слово прозвучало раньше фола.")
    phone.reload()
    expect(phone.locator("#protest-1 .badge")).to_have_text("не рассмотрен")
    laptop.get_by_label("Ваш пароль ещё раз").fill(PASSWORD)
    laptop.get_by_role("button", name="Объявить решение").click()
    expect(laptop.get_by_role("heading", name="Решение по протесту № 1")).to_be_visible()

    phone.reload()
    expect(phone.locator("#protest-1 .badge")).to_have_text("решено")
    expect(phone.locator("#changes")).to_contain_text("победа красных")
    phone.locator("#protest-1").get_by_role("link", name="Решение").click()
    expect(phone.get_by_text("Слово прозвучало раньше фола.")).to_be_visible()
    assert (Protest.objects.get().text, SignedSheet.objects.filter(game=game).count()) == (TEXT, 2)
