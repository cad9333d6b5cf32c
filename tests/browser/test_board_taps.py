"""Few taps, and hard to slip: fouls on the dots, a nominee that is held, the order of shots."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from protocols.rules import entries as e
from protocols.rules.terms import Moment, Phase
from tests.protocols.tables import FIRST, NIGHT_ZERO, ROLES, Table, kinds, later, speech, table

from .judging import Judge

pytestmark = pytest.mark.django_db(transaction=True)
NIGHT = Moment(1, Phase.NIGHT)


@pytest.fixture
def cup(transactional_db: None) -> Table:
    """A game in its first minute."""
    cup = table("F")
    later(cup.game, ROLES, NIGHT_ZERO, speech(1))
    return cup


def test_a_foul_is_one_tap_and_its_reason_another(phone: Page, cup: Table) -> None:
    judge = Judge(phone, cup.game)
    judge.foul(7)
    judge.tap(phone.get_by_role("button", name="6.6.2"))
    fouls = judge.state.seats[7].fouls
    assert (judge.taps, [judge.state.clause_of(foul) for foul in fouls]) == (2, ["6.6.2"])


def test_a_double_tap_on_the_dots_is_one_foul(phone: Page, cup: Table) -> None:
    judge = Judge(phone, cup.game)
    phone.locator('[data-foul="7"]').dblclick()
    expect(phone.locator("#board")).to_have_attribute("data-revision", "4")
    phone.wait_for_timeout(500)
    assert kinds(cup.game) == ["roles", "turn", "turn", "foul"]
    assert len(judge.state.seats[7].fouls) == 1


def test_two_quick_fouls_of_two_seats_are_both_written(phone: Page, cup: Table) -> None:
    judge = Judge(phone, cup.game)
    phone.locator('[data-foul="7"]').click()
    phone.locator('[data-foul="8"]').click()
    expect(phone.locator("#board")).to_have_attribute("data-revision", "5")
    assert [len(judge.state.seats[seat].fouls) for seat in (7, 8)] == [1, 1]


def test_the_fourth_foul_is_held_and_taken_back_at_once(phone: Page, cup: Table) -> None:
    later(cup.game, *[e.Foul(moment=FIRST, seat=4)] * 3)
    judge = Judge(phone, cup.game)
    phone.locator('[data-foul="4"]').click()
    expect(phone.locator("#seat-sheet")).to_be_visible()  # a tap only says what to do
    expect(phone.locator("#seat-sheet")).to_contain_text("держ")
    phone.keyboard.press("Escape")
    judge.hold(phone.locator('[data-foul="4"]'))
    assert judge.state.seats[4].left is not None
    judge.tap(phone.locator(".undo"))
    assert judge.state.seats[4].left is None


def test_a_nominee_that_is_held_passes_the_word_on_and_each_is_taken_back_by_itself(phone: Page, cup: Table) -> None:
    judge = Judge(phone, cup.game)
    judge.hold(phone.locator('#pad button[value="5"]'))
    assert kinds(cup.game)[3:] == ["nomination", "turn"]
    expect(judge.prompt).to_have_text("Говорит №2 Мираж")
    judge.tap(phone.locator(".undo"))
    expect(judge.prompt).to_have_text("Говорит №1 Лотос")
    judge.tap(phone.locator(".undo"))
    assert judge.state.days[1].nominations == []


def test_the_order_of_shots_is_offered_night_by_night_and_shown_only_under_a_finger(phone: Page, cup: Table) -> None:
    judge = Judge(phone, cup.game)
    phone.get_by_label("Меню").click()
    phone.get_by_role("button", name="Порядок отстрелов").click()
    plan = phone.get_by_role("dialog", name="Порядок отстрелов")
    for seat in (4, 9):
        plan.get_by_role("button", name=str(seat), exact=True).click()
    expect(plan.locator("[data-plan-order]")).to_be_hidden()
    assert kinds(cup.game) == ["roles", "turn", "turn"]
    later(cup.game, e.Turn(moment=NIGHT))
    phone.goto(judge.address)
    expect(judge.main).to_have_text("Отстрел: №4")
    judge.next()
    assert judge.state.nights[1].victim == 4
    later(cup.game, speech(2, day=2, step=1), e.Turn(moment=Moment(2, Phase.NIGHT)))
    phone.goto(judge.address)
    expect(judge.main).to_have_text("Отстрел: №9")
    judge.key("miss")
    assert judge.state.nights[2].victim is None


def test_logging_out_wipes_the_order_of_shots(phone: Page, cup: Table) -> None:
    Judge(phone, cup.game)
    phone.evaluate("localStorage.setItem(`plan.${document.body.dataset.user}.${location.pathname}`, '[4, 9]')")
    phone.reload()
    expect(phone.locator("[data-plan-order]")).to_have_text("4, 9")
    phone.goto("/games/")
    phone.get_by_role("button", name="Выйти").click()
    expect(phone.get_by_role("banner").get_by_role("link", name="Войти")).to_be_visible()
    assert phone.evaluate("Object.keys(localStorage).filter(key => key.startsWith('plan.'))") == []
    Judge(phone, cup.game, "head")
    expect(phone.locator("[data-plan-order]")).to_have_text("—")


def test_another_judge_on_the_same_device_has_an_order_of_shots_of_their_own(phone: Page, cup: Table) -> None:
    Judge(phone, cup.game)
    phone.evaluate("localStorage.setItem(`plan.${document.body.dataset.user}.${location.pathname}`, '[4, 9]')")
    phone.context.clear_cookies()
    Judge(phone, cup.game, "head")
    expect(phone.locator("[data-plan-order]")).to_have_text("—")
