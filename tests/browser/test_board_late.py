"""On a phone, however far the game has gone: a forgotten nomination, a late fourth foul, steps undone and redone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from protocols.rules import entries as e
from protocols.rules.terms import HowLeft, Moment, Phase
from tests.protocols.tables import FIRST, NIGHT_ZERO, ROLES, Table, later, speech, table

from .judging import Judge

pytestmark = pytest.mark.django_db(transaction=True)
NIGHT = Moment(1, Phase.NIGHT)
DAY_TWO = Moment(2, Phase.SPEECHES, 0, 1)


@pytest.fixture
def cup(transactional_db: None) -> Table:
    """A game on day 2: 5 and 6 were nominated, 5 was voted out, 9 was shot."""
    found = table("A")
    second = Moment(1, Phase.SPEECHES, 0, 2)
    later(found.game, ROLES, NIGHT_ZERO, speech(1), e.Nomination(moment=FIRST, seat=1, target=5), speech(2),
        e.Nomination(moment=second, seat=2, target=6), speech(3),
        e.Vote(moment=Moment(1, Phase.BALLOT, 0, 1), target=5, count=6),
        e.Vote(moment=Moment(1, Phase.BALLOT, 0, 2), target=6, count=4),
        e.Turn(moment=NIGHT), e.Shot(moment=NIGHT, target=9), e.Turn(moment=DAY_TWO, seat=2))  # fmt: skip
    return found


def line(page: Page, words: str) -> Locator:
    """The line of the log that says so."""
    return page.locator(".log__entry").filter(has_text=words).first


def write_in(page: Page, words: str, kind: str) -> None:
    """From the log, behind that line, to the form of that kind."""
    page.locator("[data-log]").click()
    line(page, words).click()
    page.get_by_role("link", name="Вписать пропущенное после неё").click()
    if kind:
        page.locator(".drawer--late").get_by_role("link", name=kind, exact=True).click()
    expect(page.locator(".drawer--late .opened")).to_be_visible()


def test_a_forgotten_nomination_is_written_in_and_its_vote_anew(phone: Page, cup: Table) -> None:
    judge = Judge(phone, cup.game)
    write_in(phone, "Слово: №3 Норд", "Выставление")
    phone.get_by_label("Кого выставляют").select_option("7")
    phone.get_by_role("button", name="Вписать").click()
    expect(phone.locator("#question-title")).to_have_text("№3 Норд выставляет: №7 Сокол — что из этого следует:")
    expect(phone.locator(".drawer__item").first).to_have_text(
        "№5 Парус возвращается за стол; было: выведен голосованием, день 1"
    )
    judge.tap(phone.locator("#answer"))
    expect(judge.rule).to_contain_text("Не в силе 3 записи, первая: Наступает ночь 1")
    write_in(phone, "№3 Норд выставляет: №7 Сокол", "Голосование")
    for seat, count in (("5", "6"), ("6", "3"), ("7", "1")):
        phone.locator(f"#opened-count_{seat}").fill(count)
    phone.get_by_role("button", name="Вписать").click()
    expect(phone.locator("#question-title")).to_be_visible()
    judge.tap(phone.locator("#answer"))
    assert judge.state.set_aside == []
    assert judge.state.living == [1, 2, 3, 4, 6, 7, 8, 10]


def test_a_late_fourth_foul_shows_what_follows_and_leads_to_the_ruling(phone: Page, cup: Table) -> None:
    later(cup.game, *(e.Foul(moment=FIRST, seat=10) for _ in range(3)))
    judge = Judge(phone, cup.game)
    write_in(phone, "№2 Мираж выставляет: №6 Рубин", "")
    phone.get_by_label("Кому").select_option("10")
    phone.get_by_role("button", name="Вписать").click()
    expect(phone.locator(".drawer__item").first).to_have_text(
        "№10 Филин уходит из-за стола: удалён, 4 фола, день 2 (п. 6.5)"
    )
    judge.tap(phone.locator("#answer"))
    left = judge.state.seats[10].left
    assert left is not None
    assert (left.how, left.moment) == (HowLeft.FOULS, DAY_TWO)
    judge.rule.get_by_role("link").click()
    phone.get_by_label("Запись остаётся в силе").check()
    phone.get_by_label("Причина").fill("Замечено на следующий день")
    judge.tap(phone.get_by_role("button", name="Решить так"))
    expect(phone.locator(".rule--due")).to_have_count(0)


def test_three_steps_are_undone_and_redone(phone: Page, cup: Table) -> None:
    judge = Judge(phone, cup.game)
    before = judge.state.moment
    for _ in range(3):
        judge.tap(phone.locator(".undo"))
    assert judge.state.moment == Moment(1, Phase.BALLOT, 0, 2)
    for _ in range(3):
        judge.tap(phone.locator(".redo"))
    assert judge.state.moment == before
    expect(phone.locator(".redo")).to_have_count(0)
