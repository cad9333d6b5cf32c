"""The time on the board: the same after a reload, under a wrong clock, and on a second device."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from protocols.board.timing import milliseconds, timer_of
from protocols.rules.agenda import next_step
from protocols.selectors import record_of
from tests.protocols.tables import NIGHT_ZERO, ROLES, Table, game_now, later, speech, table

from .judging import Judge

pytestmark = pytest.mark.django_db(transaction=True)
CLOSE = 200  # ms
HOUR = 3_600_000  # ms

# Another clock of the device; performance.now(), which nobody can set, stays as it is.
SHIFTED = """
(() => {
  const Real = Date;
  const now = Real.now.bind(Real);
  window.shift = SHIFT;
  Real.now = () => now() + window.shift;
  const construct = (Date, given) => given.length ? new Date(...given) : new Date(Real.now());
  window.Date = new Proxy(Real, { construct });
})();
"""
# What would be heard and felt.
LISTENED = """
window.told = [];
document.addEventListener("clock:told", (event) => window.told.push(event.detail));
window.tones = 0;
const made = AudioContext.prototype.createOscillator;
AudioContext.prototype.createOscillator = function () { window.tones += 1; return made.call(this); };
window.shakes = [];
Object.defineProperty(navigator, "vibrate", { value: (pattern) => window.shakes.push(pattern) });
"""


@pytest.fixture
def cup(transactional_db: None) -> Table:
    """A game in its first minute."""
    cup = table("F")
    later(cup.game, ROLES, NIGHT_ZERO, speech(1))
    return cup


@pytest.fixture
def other_device(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """The assistant's tablet."""
    context = browser.new_context(base_url=live_server.url, locale="ru-RU", viewport={"width": 820, "height": 1180})
    context.set_default_timeout(10_000)
    yield context.new_page()
    context.close()


def left_of(cup: Table) -> int:
    """What is left by the server's clock, in ms."""
    record = record_of(game_now(cup.game))
    timer = timer_of(record, next_step(record.state))
    assert timer is not None
    return timer.left if timer.left is not None else (timer.deadline or 0) - milliseconds(timezone.now())


def error_of(page: Page, cup: Table) -> int:
    """By how much the screen differs from the server, in ms.

    The asking itself costs some, on a busy machine many; a clock that is wrong is so at each of three askings.
    """
    return min(_asked(page, cup) for _ in range(3))


def _asked(page: Page, cup: Table) -> int:
    shown = page.evaluate("""() => new Promise((done) => {
      const timer = document.querySelector("[data-timer]");
      const watch = new MutationObserver(() => { watch.disconnect(); done(Number(timer.dataset.ms)); });
      watch.observe(timer, { attributes: true, attributeFilter: ["data-ms"] });
      setTimeout(() => done(Number(timer.dataset.ms)), 300);  // one that stands still
    })""")
    return abs(int(shown) - left_of(cup))


def test_a_reload_shows_the_same_time(phone: Page, cup: Table) -> None:
    Judge(phone, cup.game)
    for _ in range(3):
        phone.reload()
        assert error_of(phone, cup) < CLOSE


@pytest.mark.parametrize("shift", [HOUR, -HOUR], ids=["ahead", "behind"])
def test_a_wrong_clock_of_the_device_changes_nothing(phone: Page, cup: Table, shift: int) -> None:
    phone.add_init_script(SHIFTED.replace("SHIFT", str(shift)))
    Judge(phone, cup.game)
    assert error_of(phone, cup) < CLOSE
    phone.reload()
    assert error_of(phone, cup) < CLOSE


def test_a_clock_set_while_the_time_runs_changes_nothing(phone: Page, cup: Table) -> None:
    phone.add_init_script(SHIFTED.replace("SHIFT", "Number(sessionStorage.shift ?? 0)"))
    Judge(phone, cup.game)
    phone.evaluate("window.shift = sessionStorage.shift = -3600000")
    assert error_of(phone, cup) < CLOSE
    phone.evaluate("window.shift = sessionStorage.shift = 3600000")
    phone.wait_for_timeout(500)
    assert error_of(phone, cup) < CLOSE
    phone.reload()
    assert error_of(phone, cup) < CLOSE


def test_a_first_minute_begun_under_a_wrong_clock_is_whole(phone: Page, transactional_db: None) -> None:
    cup = table("F")
    phone.add_init_script(SHIFTED.replace("SHIFT", str(HOUR)))
    judge = Judge(phone, cup.game)
    judge.next()
    assert error_of(phone, cup) < CLOSE
    assert 55_000 < left_of(cup) <= 60_000


def test_a_pause_and_five_seconds_are_seen_on_the_other_device_and_after_a_reload(
    phone: Page, other_device: Page, cup: Table
) -> None:
    Judge(phone, cup.game)
    Judge(other_device, cup.game, "head")
    pause = phone.locator("[data-timer-pause]")
    pause.click()
    expect(pause).to_have_attribute("aria-pressed", "true")
    expect(other_device.locator("[data-timer-pause]")).to_have_attribute("aria-pressed", "true", timeout=3000)
    assert error_of(phone, cup) < CLOSE
    assert error_of(other_device, cup) < CLOSE
    stood = left_of(cup)

    other_device.get_by_role("button", name="+5 секунд").click()
    other_device.get_by_role("button", name="+5 секунд").click()
    other_device.get_by_role("button", name="−5 секунд").click()
    expect(phone.locator("[data-timer]")).to_have_attribute("data-ms", str(stood + 5000), timeout=3000)
    phone.reload()
    expect(phone.locator("[data-timer]")).to_have_attribute("data-ms", str(stood + 5000))

    phone.locator("[data-timer-pause]").click()
    expect(other_device.locator("[data-timer-pause]")).to_have_attribute("aria-pressed", "false", timeout=3000)
    assert stood + 5000 - 4000 < left_of(cup) < stood + 5000
    assert error_of(phone, cup) < CLOSE
    assert error_of(other_device, cup) < CLOSE


def test_the_boards_pulse_brings_the_clock_along(phone: Page, other_device: Page, cup: Table) -> None:
    """What the other device sets is seen though the clock's own address is never asked with success."""
    Judge(phone, cup.game)
    other_device.route("**/clock/", lambda route: route.abort())
    Judge(other_device, cup.game, "head")
    phone.locator("[data-timer-pause]").click()
    expect(other_device.locator("[data-timer-pause]")).to_have_attribute("aria-pressed", "true")
    assert error_of(other_device, cup) < CLOSE


def test_without_a_network_the_device_keeps_the_time_and_tells_it_later(phone: Page, cup: Table) -> None:
    Judge(phone, cup.game)
    phone.context.set_offline(True)
    phone.locator("[data-timer-pause]").click()
    expect(phone.locator("[data-timer-pause]")).to_have_attribute("aria-pressed", "true")
    stood = int(phone.locator("[data-timer]").get_attribute("data-ms") or 0)
    phone.wait_for_timeout(1000)
    assert record_of(game_now(cup.game)).game.revision == 3
    phone.context.set_offline(False)
    phone.wait_for_timeout(3000)
    assert left_of(cup) == stood


def test_the_warning_and_the_end_are_heard_and_felt(phone: Page, cup: Table) -> None:
    phone.add_init_script(LISTENED)
    Judge(phone, cup.game)
    for _ in range(9):
        phone.get_by_role("button", name="−5 секунд").click()
    assert phone.evaluate("window.told") == []
    phone.get_by_role("button", name="−5 секунд").click()
    expect(phone.locator("#said")).to_have_text("осталось десять секунд")
    expect(phone.locator(".timer--ending")).to_be_visible()
    phone.get_by_role("button", name="−5 секунд").click()
    expect(phone.locator(".timer--over")).to_be_visible()
    expect(phone.locator("#said")).to_have_text("время вышло")
    assert phone.evaluate("[window.told, window.tones, window.shakes]") == [
        ["warning", "end"], 4, [120, [250, 120, 250]],
    ]  # fmt: skip


def test_a_muted_device_stays_mute_after_a_reload(phone: Page, cup: Table) -> None:
    phone.add_init_script(LISTENED)
    Judge(phone, cup.game)
    phone.get_by_label("Меню").click()
    phone.get_by_role("button", name="Звук и вибрация").click()
    phone.reload()
    expect(phone.locator(".timer--mute")).to_be_visible()
    for _ in range(11):
        phone.get_by_role("button", name="−5 секунд").click()
    expect(phone.locator(".timer--over")).to_be_visible()
    assert phone.evaluate("[window.told, window.tones, window.shakes]") == [["warning", "end"], 0, []]
