"""Over the judge's shoulder: who is who is seen under a finger, or under a key that is held, and nowhere else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from protocols.models import Game
from protocols.rules import entries as e
from protocols.rules.terms import ROLE_OF_LETTER, Moment, Penalty, Phase, Role
from protocols.services.prepare import create_game, seat_players
from tests.protocols.tables import FIRST, NICKNAMES, NIGHT_ZERO, ROLES, Table, later, speech, table
from tests.protocols.world import PLAYED_ON

from .playing import CACHED

pytestmark = pytest.mark.django_db(transaction=True)

OTHERS = replace(ROLES, roles=tuple(ROLE_OF_LETTER[letter] for letter in "КДШЧКККККЧ"))
NIGHT = Moment(1, Phase.NIGHT)
SHOT = [NIGHT_ZERO, speech(1), e.Turn(moment=NIGHT), e.Shot(moment=NIGHT, target=1)]
DON = [*SHOT, e.Check(moment=Moment(1, Phase.DON), by=Role.DON, target=6)]
SHERIFF = [*DON, e.Check(moment=Moment(1, Phase.SHERIFF), by=Role.SHERIFF, target=7)]
DAY = [
    *SHERIFF, e.BestMove(moment=Moment(1, Phase.BEST_MOVE), seats=(2, 3, 10)),
    e.Turn(moment=Moment(2, Phase.VICTIM_WORDS, 0, 1), seat=1), speech(2, 2, 1),
]  # fmt: skip
SIGHTS = {
    "day": (DAY, "board/"),
    "shot": (SHOT[:-1], "board/"),
    "don": (SHOT, "board/"),
    "the don's answer": (DON, "board/"),
    "the sheriff's answer": (SHERIFF, "board/"),
    "who shot at whom": (SHOT[:-1], "board/?open=shooters"),
    "log": (DAY, "board/?log=all"),
    "roles to correct": (DAY, "board/?open=roles"),
    "menu": (DAY, "board/?open=menu"),
    "protocol so far": (DAY, ""),
    "preparation": (DAY, "prepare/"),
}
PASSING = "h1, .board__title, #menu-title, .timer, .log__meta, .page-head, .prepare__summary, .sheet__head"
"""What differs between any two games: their numbers and times."""


@pytest.fixture
def cup(transactional_db: None) -> Table:
    """A game that is prepared."""
    return table("F")


def _another(cup: Table) -> Game:
    game = create_game(cup.game.stage, played_on=PLAYED_ON, judge=cup.people["judge"], number=1, table_number=2)
    assert seat_players(game, NICKNAMES, confirm_new=True).is_written
    return game


def _opened(page: Page, cup: Table, live_server: LiveServer, game: Game, path: str) -> Page:
    client = Client()
    client.force_login(cup.people["judge"])
    name = settings.SESSION_COOKIE_NAME
    page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": live_server.url}])
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"/games/{game.uuid}/{path}")
    page.add_style_tag(url="/static/css/board.css")  # a load that is waited for: everything stands in its place
    hide = "passing => document.querySelectorAll(passing).forEach((each) => { each.style.visibility = 'hidden'; })"
    page.evaluate(hide, PASSING)
    page.evaluate("document.fonts.ready")
    return page


@pytest.mark.parametrize("sight", SIGHTS)
def test_two_games_in_which_others_are_the_mafia_look_the_same(
    phone: Page, cup: Table, live_server: LiveServer, sight: str
) -> None:
    written, path = SIGHTS[sight]
    other = _another(cup)
    later(cup.game, ROLES, *written)
    later(other, OTHERS, *written)
    seen, heard = [], []
    for game in (cup.game, other):
        page = _opened(phone, cup, live_server, game, path)
        seen.append(page.screenshot(full_page=True, animations="disabled", caret="hide"))
        heard.append(page.locator("main").inner_text())
    assert heard[0] == heard[1].replace("стол 2", "стол 1")
    assert seen[0] == seen[1]


def test_a_finger_shows_the_roles_as_long_as_it_stays(phone: Page, cup: Table, live_server: LiveServer) -> None:
    later(cup.game, ROLES, *DAY)
    page = _opened(phone, cup, live_server, cup.game, "board/")
    letters = page.locator(".seat__role")
    expect(letters.first).not_to_be_visible()
    page.get_by_role("button", name="Держите, чтобы увидеть роли").hover()
    page.mouse.down()
    expect(letters.first).to_be_visible()
    assert letters.all_inner_texts() == list("ККККДШЧЧКК")
    page.mouse.up()
    expect(letters.first).not_to_be_visible()


@pytest.mark.parametrize(
    ("written", "path", "button", "shown", "text"),
    [
        (DAY, "board/", "Держите, чтобы увидеть роли", ".seat__role >> nth=4", "Д"),
        (DON, "board/", "Ответ дону о №6", ".answer", "да, шериф\nобычай: кивок"),
        (SHERIFF, "board/", "Ответ шерифу о №7", ".answer", "чёрный\nобычай: большой палец вниз"),
        (DAY, "", "Держите, чтобы увидеть роли", ".sheet__role >> nth=4", "Д"),
    ],
    ids=["roles", "the don's answer", "the sheriff's answer", "protocol so far"],
)
def test_the_space_bar_shows_them_as_a_finger_does(
    laptop: Page,
    cup: Table,
    live_server: LiveServer,
    written: list[e.Entry],
    path: str,
    button: str,
    shown: str,
    text: str,
) -> None:
    later(cup.game, ROLES, *written)
    page = _opened(laptop, cup, live_server, cup.game, path)
    place = page.locator(shown)
    page.get_by_role("button", name=button).focus()
    expect(place).not_to_be_visible()
    page.keyboard.down("Space")
    expect(place).to_be_visible()
    expect(place).to_have_text(text.replace("\n", ""))
    page.keyboard.up("Space")
    expect(place).not_to_be_visible()


def test_letters_that_are_corrected_show_under_a_finger_and_in_the_row_that_is_touched(
    phone: Page, cup: Table, live_server: LiveServer
) -> None:
    later(cup.game, ROLES, *DAY)
    page = _opened(phone, cup, live_server, cup.game, "board/?open=roles")
    dark = """[...document.querySelectorAll('.letters')].map((row) => [...row.querySelectorAll('.letter')]
        .filter((each) => getComputedStyle(each).backgroundColor !== 'rgba(0, 0, 0, 0)').length)"""
    assert page.evaluate(dark) == [0] * 10
    page.get_by_role("button", name="Держите, чтобы увидеть роли").and_(page.locator("[data-peek=letters]")).hover()
    page.mouse.down()
    assert page.evaluate(dark) == [1] * 10
    page.mouse.up()
    page.locator('input[name="role_4"][value="Ч"]').check(force=True)
    assert page.evaluate(dark) == [0, 0, 0, 1, 0, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("gone", [(), (5,), (6,), (5, 6)], ids=["nobody", "the don", "the sheriff", "both"])
def test_without_a_network_the_night_sounds_the_same_whoever_has_left(
    phone: Page, cup: Table, live_server: LiveServer, gone: tuple[int, ...]
) -> None:
    removals = [e.Foul(moment=FIRST, seat=seat, penalty=Penalty.DISQUALIFYING, clause="6.7.4") for seat in gone]
    later(cup.game, ROLES, NIGHT_ZERO, speech(1), *removals, e.Turn(moment=NIGHT))
    page = _opened(phone, cup, live_server, cup.game, "board/")
    page.evaluate(CACHED, f"/games/{cup.game.uuid}/board/")
    page.context.set_offline(True)
    page.locator('#pad button[value="miss"]').click()
    don, sheriff, *morning = (
        "Мафия засыпает. Просыпается дон и ищет шерифа.",
        "Дон засыпает. Просыпается шериф и проверяет одного игрока.",
        "Шериф засыпает.",
        "Доброе утро, город. Этой ночью никто не убит.",
    )
    heard = page.locator(".panel__says p")
    waits: list[str] = []  # what is said before the next check
    for seat, call in ((5, don), (6, sheriff)):
        waits.append(call)
        if seat not in gone:
            expect(heard).to_have_text(waits)
            waits = []
            page.locator('#pad button[value="2"]').click()
    expect(heard).to_have_text([*waits, *morning])
