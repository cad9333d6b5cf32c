"""What is photographed: one game in its telling states, told by the agenda and a few taps of its judge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Page, expect

from protocols.models import Game, MemberRole
from protocols.rules import entries as e
from protocols.rules.agenda import next_step
from protocols.rules.terms import Moment, Penalty, Role
from protocols.selectors import record_of
from protocols.services.prepare import add_stage, appoint, create_game, create_tournament, seat_players
from tests.browser.playing import written
from tests.protocols.tables import ROLES, game_now, later, real_game
from tests.protocols.world import PLAYED_ON, person

NICKNAMES = ["Астра", "Барс", "Вольный каменщик", "Дельта", "Ёлка", "Зенит", "Искра", "Кит", "Лунный свет", "Мята"]
RAISED_BY = 3  # fewer than half


@dataclass(frozen=True)
class Scene:
    """A state of the game, the page it is seen on, and what is tapped or held there before the picture."""

    name: str
    state: str
    act: Callable[[Page], None] = lambda page: None
    path: str = "board/"
    least_width: int = 0


def _held(selector: str) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        box = page.locator(selector).bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()

    return act


def _tapped(selector: str) -> Callable[[Page], None]:
    return lambda page: page.locator(selector).click()


def _refused(page: Page) -> None:
    page.locator('#pad button[aria-disabled="true"]').first.click(force=True)
    page.locator(".rule--refused").wait_for()


def _foul(page: Page) -> None:
    page.locator('[data-foul="8"]').click()
    page.locator(".offer").wait_for()


def _pending(page: Page) -> None:
    page.context.set_offline(True)
    page.locator('[data-foul="8"]').click()
    page.locator("#next").click()
    expect(page.locator("[data-saved]")).to_have_attribute("data-waiting", "2")


def _struck(page: Page) -> None:
    page.locator(".opened .button").first.click()
    page.locator(".drawer--question").wait_for()


SCENES = [
    Scene("Подготовка", "seated", path="prepare/"),
    Scene("Роли", "seated", path="board/?open=roles"),
    Scene("Ночь 0", "night 0"),
    Scene("День 1: речь, фолы, выставления", "speech"),
    Scene("Фол дан: причины на восемь секунд", "speech", _foul),
    Scene("Карточка места", "speech", _tapped("#seat-6 .seat__open")),
    Scene("Отказ: уже выставлен", "speech", _refused),
    Scene("Без сети: две записи ждут", "speech", _pending),
    Scene("Голосование: подсчёт", "tally"),
    Scene("Ничья: слово перед переголосованием", "tie"),
    Scene("Подъём: сколько рук", "raise all"),
    Scene("Ночь 1: выстрел", "shot"),
    Scene("Проверка дона: палец не держит", "don's answer"),
    Scene("Проверка дона: палец держит", "don's answer", _held('[data-peek="answer"]')),
    Scene("Лучший ход", "best move"),
    Scene("День 2: кто вышел и почему", "day 2"),
    Scene("Роли: палец держит", "day 2", _held('[data-peek="roles"]')),
    Scene("Журнал и голоса", "day 2", path="board/?open=log"),
    Scene("Правка, от которой зависят другие", "tie", _struck, path="board/?open=entry&of=4"),
    Scene("Конец", "over"),
    Scene("Завершение", "over", path="finish/"),
    Scene("С бумаги", "seated", path="paper/"),
    Scene("Экран зала", "hall", path="screen/", least_width=1000),
    Scene("Поверх трансляции", "hall", path="screen/?overlay=1", least_width=1000),
]


class Story:
    """The games of the pictures: one a state, each written as far as the state needs."""

    def __init__(self) -> None:
        self.judge = person("judge", "Соколова")
        organizer = person("organizer", "Орлова")
        self.cup = create_tournament(title="Кубок", starts_on=PLAYED_ON, regulation="F", by=organizer, slug="cup")
        appoint(self.cup, self.judge, MemberRole.JUDGE)
        self.stage = add_stage(self.cup, name="Отборочная")
        self.written: dict[str, list[e.Entry]] = {}
        self._tell()

    def _new(self, table: int = 3) -> Game:
        game = create_game(self.stage, played_on=PLAYED_ON, judge=self.judge, table_number=table)
        assert seat_players(game, NICKNAMES, confirm_new=True).is_written
        return game

    def _keep(self, state: str, game: Game) -> None:
        self.written[state] = written(game)

    def game(self, state: str) -> Game:
        """A game of its own in that state; what is tapped on it is seen on no other picture."""
        game = self._new(1 if state == "hall" else 3)
        if self.written[state]:
            later(game, *self.written[state])
        return game

    def _tell(self) -> None:
        game = self._new(9)
        self._keep("seated", game)
        later(game, ROLES)
        _turn(game)
        self._keep("night 0", game)
        _turn(game)
        _nominate(game, 5)
        _fouls(game, 6, 3)
        _fouls(game, 2, 1)
        _turn(game)
        _nominate(game, 9)
        _fouls(game, 9, 2)
        _turn(game)
        _turn(game)
        _nominate(game, 1)
        self._keep("speech", game)
        self._keep("hall", game)
        _turn_until(game, "tally")
        _tally(game, 4)
        self._keep("tally", game)
        _tally(game, 4)
        _tally(game, 2)
        _turn(game)
        self._keep("tie", game)
        _turn_until(game, "tally")
        _tally(game, 5)
        _tally(game, 5)
        self._keep("raise all", game)
        step = next_step(record_of(game_now(game)).state)
        later(game, e.RaiseAll(moment=step.moment, count=RAISED_BY))
        _turn_until(game, "shot")
        self._keep("shot", game)
        later(game, e.Shot(moment=_moment(game), target=2))
        later(game, e.Check(moment=_moment(game), by=Role.DON, target=6))
        self._keep("don's answer", game)
        later(game, e.Check(moment=_moment(game), by=Role.SHERIFF, target=7))
        self._keep("best move", game)
        later(game, e.BestMove(moment=_moment(game), seats=(5, 7, 8)))
        _turn_until(game, "speech")
        _turn(game)
        now = record_of(game_now(game)).state.moment
        later(game, e.Foul(moment=now, seat=6, clause="6.6.1"))
        later(game, e.Foul(moment=now, seat=10, penalty=Penalty.DISQUALIFYING, clause="6.7.4"))
        self._keep("day 2", game)
        self.written["over"] = real_game()


def _moment(game: Game) -> Moment:
    return next_step(record_of(game_now(game)).state).moment


def _turn(game: Game) -> None:
    step = next_step(record_of(game_now(game)).state)
    assert step.is_turn, step
    later(game, e.Turn(moment=step.moment, seat=step.seat))


def _turn_until(game: Game, code: str) -> None:
    while next_step(record_of(game_now(game)).state).code != code:
        _turn(game)


def _nominate(game: Game, target: int) -> None:
    state = record_of(game_now(game)).state
    later(game, e.Nomination(moment=state.moment, seat=state.moment.step, target=target))


def _fouls(game: Game, seat: int, number: int) -> None:
    moment = record_of(game_now(game)).state.moment
    later(game, *[e.Foul(moment=moment, seat=seat)] * number)


def _tally(game: Game, count: int) -> None:
    step = next_step(record_of(game_now(game)).state)
    assert step.seat is not None
    later(game, e.Vote(moment=step.moment, target=step.seat, count=count))
