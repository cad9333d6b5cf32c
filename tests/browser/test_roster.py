"""A list of players on a phone: pasted, looked at, the one doubt settled, written."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from protocols.models import Participant, Player
from tests.protocols.world import world

from .every_page import cookie_of

pytestmark = pytest.mark.django_db(transaction=True)
AXE = Path(__file__).resolve().parents[1] / "vendor" / "axe-4.14.1.min.js"
FOUND = "async () => (await axe.run()).violations.map(each => each.id + ' ' + each.nodes.map(n => n.html).join(' '))"
LIST = (
    "№;Ник;Имя;Город;Команда\n1;Елка;Анна;Омск;Север\n2;Кот;Иван;Тверь;Юг\n3;;Безымянный;;\n"
    "4;=HYPERLINK(1);;;\n5;Кот;;;\n"
)


def test_a_pasted_list_is_looked_at_and_written(phone: Page, live_server: LiveServer) -> None:
    cup = world()
    known = Player.objects.create(nickname="Ёлка")
    session = {"name": settings.SESSION_COOKIE_NAME, "value": cookie_of(cup, "organizer"), "url": live_server.url}
    phone.context.add_cookies([session])  # type: ignore[list-item]
    phone.goto("/t/cup/participants/")
    phone.get_by_role("link", name="Из списка").click()
    expect(phone.get_by_role("heading", name="Участники из списка")).to_be_visible()
    phone.get_by_label("Игроки, по одному в строке").fill(LIST)
    phone.get_by_role("button", name="Посмотреть, что выйдет").click()

    expect(phone.get_by_text("Пока ничего не записано.")).to_be_visible()
    expect(phone.get_by_text("начинается как формула таблицы")).to_be_visible()
    expect(phone.get_by_text("уже есть в строке 3")).to_be_visible()
    expect(phone.get_by_text("нет никнейма")).to_be_visible()
    phone.wait_for_load_state("load")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.evaluate(AXE.read_text(encoding="utf-8"))
    assert phone.evaluate(FOUND) == []
    assert Participant.objects.count() == 0

    phone.get_by_role("button", name="Записать участников").click()
    expect(phone.get_by_text("Строка 2: скажите, Елка — тот же игрок или другой.")).to_be_visible()
    phone.get_by_label("тот же игрок, что Ёлка").check()
    phone.get_by_role("button", name="Записать участников").click()
    expect(phone.get_by_text("Добавлено участников: 3.")).to_be_visible()
    found = Participant.objects.order_by("number").values_list("player", "player__nickname", "team")
    assert found[0] == (known.pk, "Ёлка", "Север")
    assert [nickname for _key, nickname, _team in found] == ["Ёлка", "Кот", "=HYPERLINK(1)"]
