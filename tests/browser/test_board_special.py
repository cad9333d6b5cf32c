"""Removals at night and by day, revotes and raising, an expired login, double taps and a lost network."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from protocols.rules import entries as e
from protocols.rules.terms import Moment, Phase
from protocols.selectors import record_of
from tests.protocols.tables import NIGHT_ZERO, ROLES, Table, game_now, kinds, later, speech, table
from tests.protocols.world import PASSWORD

from .judging import Judge

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def cup(transactional_db: None) -> Table:
    """A game under edition A, in the minute of seat 1."""
    found = table("A")
    later(found.game, ROLES, NIGHT_ZERO, speech(1))
    return found


def nominated(*targets: int) -> list[e.Entry]:
    """Seats 1, 2 … nominate these; seat 1 has the word already."""
    found: list[e.Entry] = []
    for seat, target in enumerate(targets, start=1):
        found += [speech(seat)] if seat > 1 else []
        found.append(e.Nomination(moment=Moment(1, Phase.SPEECHES, 0, seat), seat=seat, target=target))
    return found


@pytest.fixture
def without_scripts(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """A phone that runs no script."""
    viewport = {"width": 390, "height": 844}
    context = browser.new_context(
        base_url=live_server.url,
        locale="ru-RU",
        java_script_enabled=False,
        viewport=viewport,  # type: ignore[arg-type]
    )
    context.set_default_timeout(10_000)
    yield context.new_page()
    context.close()


@pytest.fixture
def patient_phone(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """A phone on whose console failed requests may be told."""
    context = browser.new_context(
        base_url=live_server.url, locale="ru-RU", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    context.set_default_timeout(10_000)
    yield context.new_page()
    context.close()


# ---------------------------------------------------------------- votes


def test_a_tie_is_revoted_and_all_are_raised(phone: Page, cup: Table) -> None:
    later(cup.game, *nominated(5, 9))
    judge = Judge(phone, cup.game)
    judge.next_until_asked("vote")
    judge.vote(5, 5)
    expect(judge.rule).to_have_text(
        "Поровну: №5 Парус, №9 Умка. По 30 секунд и переголосование между ними (уточнение §3)"
    )
    expect(judge.main).to_contain_text("Слово: №5 Парус")
    judge.next()
    expect(judge.prompt).to_have_text("Говорит №5 Парус")
    judge.next_until_asked("vote")
    judge.vote(5, 5)
    expect(judge.prompt).to_have_text("Поднять всех? №5 Парус, №9 Умка")
    expect(phone.locator(".panel__hint")).to_have_text("за 6 из 10 — уходят все")
    judge.key(6)
    expect(judge.rule).to_have_text("Уходят все: №5 Парус, №9 Умка. Последнее слово — по 30 секунд (п. 7.7)")
    expect(judge.main).to_contain_text("Последнее слово: №5 Парус")
    expect(judge.row(5).locator(".seat__left")).to_have_text("поднят, д1")


def test_a_revote_that_ties_fewer_takes_one_more(phone: Page, cup: Table) -> None:
    later(cup.game, *nominated(5, 9, 3, 2, 1))
    judge = Judge(phone, cup.game)
    judge.next_until_asked("vote")
    judge.vote(2, 2, 2, 2, 2)
    judge.next_until_asked("vote")
    judge.vote(5, 5, 0, 0, 0)
    expect(judge.rule).to_contain_text("Поровну: №5 Парус, №9 Умка. По 30 секунд и переголосование между ними")
    judge.next_until_asked("vote")
    judge.vote(6, 4)
    expect(judge.prompt).to_have_text("Уходит: №5 Парус")
    assert [ballot.candidates for ballot in judge.state.days[1].ballots] == [(5, 9, 3, 2, 1), (5, 9, 3, 2, 1), (5, 9)]


def test_the_last_tally_is_taken_back_with_one_tap(phone: Page, cup: Table) -> None:
    later(cup.game, *nominated(5, 9, 3))
    judge = Judge(phone, cup.game)
    judge.next_until_asked("vote")
    judge.vote(4, 3, 3)
    expect(judge.prompt).to_have_text("Уходит: №5 Парус")
    judge.tap(phone.locator(".undo"))
    expect(phone.locator(".undo")).to_have_text("↶ 3 голоса за №9")
    expect(judge.main).to_contain_text("остальные, 3, — за №3")


def test_votes_are_written_by_name(phone: Page, cup: Table) -> None:
    later(cup.game, *nominated(5, 9))
    judge = Judge(phone, cup.game)
    judge.next_until_asked("vote")
    phone.get_by_role("link", name="по именам").click()
    judge.tick(1, 2, 3, 4, 6, 7)
    expect(judge.main).to_contain_text("Записать руки: 1, 2, 3, 4, 6, 7")
    judge.next()
    expect(phone.locator('#pad .key__tick[value="1"]')).to_be_disabled()  # has voted
    expect(judge.main).to_contain_text("Записать остальных: 4")
    judge.next()
    ballot = judge.state.days[1].ballots[0]
    assert ballot.tallies[5].voters == (1, 2, 3, 4, 6, 7)
    assert ballot.tallies[9].voters == (5, 8, 9, 10)


# ---------------------------------------------------------------- removals


def test_a_removal_by_day_leaves_the_tallies_void(phone: Page, cup: Table) -> None:
    later(cup.game, *nominated(5, 9), *[e.Foul(moment=Moment(1, Phase.SPEECHES, 0, 2), seat=4)] * 3)
    judge = Judge(phone, cup.game)
    judge.next_until_asked("vote")
    judge.key(6)
    sheet = judge.open_seat(4)
    judge.hold(sheet.get_by_role("button", name="Четвёртый фол: удаление"))
    expect(judge.rule).to_have_text(
        "Четвёртый фол: №4 Онега покидает стол без последнего слова (п. 6.5). "
        "Голосования в день 1 нет: №4 Онега удалён (п. 7.1)"
    )
    expect(judge.row(4).locator(".seat__left")).to_have_text("удалён, д1")
    expect(judge.main).to_contain_text("Наступает ночь 1")
    phone.get_by_role("link", name="Журнал").click()
    expect(phone.locator(".votes__void")).to_contain_text("6")
    expect(phone.locator(".votes__ending").first).to_have_text("не проводилось (п. 7.1): №4 Онега")


def test_a_removal_at_night_takes_the_next_days_vote(phone: Page, cup: Table) -> None:
    judge = Judge(phone, cup.game)
    judge.next_until_asked("shot")
    judge.key("miss")
    sheet = judge.open_seat(8)
    sheet.get_by_text("Удаление (дисквалифицирующий фол)").click()
    judge.hold(sheet.get_by_role("button", name="6.7.2"))
    expect(judge.rule).to_have_text(
        "№8 Тайга удалён и покидает стол без последнего слова (п. 6.7.2). "
        "Голосования в день 2 не будет: №8 Тайга удалён (п. 7.2)"
    )
    _skip_to_morning(judge)
    expect(judge.rule).to_have_text("Голосования в день 2 нет: удалён №8 Тайга (п. 7.2)")
    judge.key(1)
    while judge.main.filter(has_text="Слово").count():
        judge.next()
    expect(judge.main).to_contain_text("Наступает ночь 2")


def _skip_to_morning(judge: Judge) -> None:
    judge.page.get_by_label("Другие шаги").click()
    judge.tap(judge.page.locator(".others__item", has_text="Слово"))


def test_a_short_tap_on_a_removal_asks_and_a_hold_doesnt(phone: Page, cup: Table) -> None:
    judge = Judge(phone, cup.game)
    sheet = judge.open_seat(8)
    sheet.get_by_text("Удаление (дисквалифицирующий фол)").click()
    sheet.get_by_role("button", name="6.7.4").click()
    question = phone.get_by_role("alertdialog")
    expect(question).to_contain_text("№8 Тайга удалён и покидает стол без последнего слова (п. 6.7.4)")
    question.get_by_role("link", name="Не записывать").click()
    expect(question).to_be_hidden()
    assert kinds(cup.game).count("foul") == 0


def test_a_team_defeat_of_unknown_roles_asks_for_the_team(phone: Page, cup: Table) -> None:
    later(cup.game, e.Strike(moment=Moment(1, Phase.SPEECHES, 0, 1), of=1))
    judge = Judge(phone, cup.game)
    sheet = judge.open_seat(2)
    sheet.get_by_text("Проиграла команда игрока").click()
    sheet.get_by_text("чёрные", exact=True).click()
    judge.hold(sheet.get_by_role("button", name="6.8.1"))
    expect(judge.prompt).to_have_text("Победа красных: другой команде присуждено поражение за нарушение (п. 6.8.1)")


# ---------------------------------------------------------------- what must not be lost or doubled


def test_a_double_tap_is_one_entry(phone: Page, cup: Table) -> None:
    judge = Judge(phone, cup.game)
    phone.evaluate("document.querySelector('#pad button[value=\"5\"]').click()")
    phone.evaluate("document.querySelector('#pad button[value=\"5\"]')?.click()")
    expect(judge.row(1).locator(".seat__nominates")).to_have_text("→5")
    assert kinds(cup.game).count("nomination") == 1
    judge.main.dblclick()
    expect(judge.prompt).to_have_text(re.compile("Говорит №[23]"))
    turns = [(turn.moment, turn.seat) for turn in record_of(game_now(cup.game)).values if isinstance(turn, e.Turn)]
    assert len(turns) == len(set(turns))


def test_a_login_that_expired_in_mid_game_keeps_the_tap(patient_phone: Page, cup: Table) -> None:
    phone = patient_phone
    judge = Judge(phone, cup.game)
    phone.context.clear_cookies(name="sessionid")
    judge.open_seat(4).get_by_role("button", name="Фол", exact=True).click()
    phone.get_by_role("link", name="нужен вход").click()
    assert kinds(cup.game).count("foul") == 0
    phone.get_by_label("Имя пользователя").fill("judge")
    phone.get_by_label("Пароль").fill(PASSWORD)
    phone.get_by_role("button", name="Войти").click()
    expect(judge.row(4).get_by_role("link", name="№4 Онега, 1 фол")).to_be_visible()
    expect(phone.locator("[data-saved]")).to_have_attribute("data-waiting", "0")
    assert kinds(cup.game).count("foul") == 1


def test_a_tap_without_network_waits_and_is_sent_once(patient_phone: Page, cup: Table) -> None:
    phone = patient_phone
    judge = Judge(phone, cup.game)
    lost: list[str] = []

    def no_answer(route: Route) -> None:
        """The entry arrives, its answer doesn't; the next time the network is whole again."""
        lost.append(route.request.url)
        if len(lost) == 1:
            route.fetch()
            route.abort("internetdisconnected")
        else:
            route.continue_()

    phone.route("**/entries/", no_answer)
    phone.locator('#pad button[value="5"]').click()
    expect(phone.locator("[data-saved]")).to_have_text("1 ждёт сети")
    expect(judge.row(1).locator(".seat__nominates")).to_have_text("→5")
    expect(phone.locator("[data-saved]")).to_have_attribute("data-waiting", "0")
    assert len(lost) == 1
    assert kinds(cup.game).count("nomination") == 1


def test_a_second_screen_is_told_that_somebody_was_faster(phone: Page, laptop: Page, cup: Table) -> None:
    judge, other = Judge(phone, cup.game), Judge(laptop, cup.game, "head")
    sheet = other.open_seat(4)  # while it is open, nothing is changed under it
    judge.key(5)
    sheet.get_by_role("button", name="Фол", exact=True).click()
    question = laptop.get_by_role("alertdialog")
    expect(question).to_contain_text("Не записано: фол №4. Тем временем записано:")
    expect(question).to_contain_text("№1 Лотос выставляет: №5 Парус")
    other.tap(question.get_by_role("button", name="Записать теперь"))
    assert kinds(cup.game).count("foul") == 1


# ---------------------------------------------------------------- keyboards and no scripts


def test_digits_nominate_and_enter_goes_on(laptop: Page, cup: Table) -> None:
    judge = Judge(laptop, cup.game)
    laptop.keyboard.press("0")
    expect(judge.row(1).locator(".seat__nominates")).to_have_text("→10")
    laptop.keyboard.press("Enter")
    expect(judge.prompt).to_have_text("Говорит №2 Мираж")


def test_a_key_pressed_before_the_device_has_been_read_counts(laptop: Page, cup: Table) -> None:
    laptop.add_init_script("""
        document.addEventListener("DOMContentLoaded", () => {
            if (document.querySelector("#pad"))
                document.body.dispatchEvent(new KeyboardEvent("keydown", { code: "Digit0", key: "0", bubbles: true }));
        });
    """)
    judge = Judge(laptop, cup.game)
    expect(judge.row(1).locator(".seat__nominates")).to_have_text("→10")


def test_the_board_works_without_a_script(without_scripts: Page, cup: Table) -> None:
    page = without_scripts
    address = f"/games/{cup.game.uuid}/board/"
    page.goto(f"/login/?next={address}")
    page.get_by_label("Имя пользователя").fill("judge")
    page.get_by_label("Пароль").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Войти").click()
    page.locator('#pad button[value="5"]').click()
    expect(page.locator("#seat-1 .seat__nominates")).to_have_text("→5")
    page.locator("#seat-4 .seat__open").click()
    sheet = page.locator("#seat-sheet")
    expect(sheet).to_contain_text("№4 Онега")
    sheet.get_by_role("button", name="Фол", exact=True).click()
    expect(page.locator(".offer")).to_contain_text("Фол 1: №4 Онега. За что?")
    page.locator('.offer button[value="6.6.3"]').click()
    page.locator("#seat-8 .seat__open").click()
    sheet.get_by_text("Удаление (дисквалифицирующий фол)").click()
    sheet.get_by_role("button", name="6.7.1").click()
    expect(page.get_by_role("alertdialog")).to_contain_text("№8 Тайга удалён")
    page.get_by_role("alertdialog").get_by_role("button", name="Записать").click()
    expect(page.locator("#seat-8 .seat__left")).to_have_text("удалён, д1")
    page.get_by_role("link", name="Журнал").click()
    expect(page.locator(".log__line").first).to_contain_text("Дисквалифицирующий фол: №8 Тайга (п. 6.7.1)")
    assert kinds(cup.game)[-4:] == ["nomination", "foul", "foul_clause", "foul"]
