"""The board however late: what follows is shown before it is written, what fell is marked and can be put right."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from protocols.models import Game
from protocols.rules import entries as e
from protocols.rules.state import GameState
from protocols.rules.terms import HowLeft, Moment, Penalty, Phase
from protocols.selectors import record_of

from .markup import Page
from .tables import (
    FIRST,
    NIGHT_ZERO,
    ROLES,
    Table,
    board,
    game_now,
    kinds,
    later,
    page_of,
    real_game,
    speech,
    table,
    tap,
)  # fmt: skip

SECOND = Moment(1, Phase.SPEECHES, 0, 2)
NIGHT = Moment(1, Phase.NIGHT)
NO_TALLY = "Ночь ещё не наступает: не закончено голосование. Нет голосов за: №7 Сокол (уточнение §3)"


@pytest.fixture
def cup(db: None) -> Table:
    """A table with everybody round it."""
    return table()


@pytest.fixture
def game(cup: Table) -> Game:
    """Its game on day 2: 5 and 6 were nominated by 1 and 2, 5 was voted out, 9 was shot."""
    later(cup.game, ROLES, NIGHT_ZERO, speech(1), e.Nomination(moment=FIRST, seat=1, target=5), speech(2),
        e.Nomination(moment=SECOND, seat=2, target=6), speech(3),
        e.Vote(moment=Moment(1, Phase.BALLOT, 0, 1), target=5, count=6),
        e.Vote(moment=Moment(1, Phase.BALLOT, 0, 2), target=6, count=4),
        e.Turn(moment=NIGHT), e.Shot(moment=NIGHT, target=9),
        e.Turn(moment=Moment(2, Phase.SPEECHES, 0, 1), seat=2))  # fmt: skip
    return cup.game


@pytest.fixture
def judge(client: Client, cup: Table) -> Client:
    """The judge's browser."""
    client.force_login(cup.people["judge"])
    return client


def lines_of(page: Page) -> list[str]:
    """What the question says will follow."""
    return page.by_class["drawer__item"]


def write(judge: Client, game: Game, query: str, kind: str, typed: dict[str, str]) -> Page:
    """Opens a form from the log, sends it, and answers yes to what is asked."""
    form = next(f for f in board(judge, game, query).of_kind(kind) if f.attributes.get("class") == "opened")
    answer = page_of(tap(judge, game, form, typed))
    sure = [f for f in answer.of_kind(kind) if ("sure", "1") in f.fields]
    return page_of(tap(judge, game, sure[0])) if sure else answer


def voted(state: GameState) -> list[object]:
    """The ballots and decisions of all days."""
    return [(day.number, day.ballots, day.decision) for day in state.days.values()]


# ---------------------------------------------------------------- what is offered


@pytest.mark.parametrize(
    ("of", "offered"),
    [
        (4, ["Решение судьи о голосовании", "Снятие кандидатуры"]),  # seat 1 has nominated
        (7, ["Выставление", "Решение судьи о голосовании"]),
        (10, []),
        (11, ["Лучший ход", "Проверка шерифа"]),  # the don was voted out
    ],
)
def test_only_what_the_rules_take_at_that_moment_is_offered(
    judge: Client, game: Game, of: int, offered: list[str]
) -> None:
    links = board(judge, game, f"?open=late&of={of}").by_class["menu__item"]
    assert sorted(link for link in links if link in MENU) == offered


MENU = {
    "Выставление", "Снятие кандидатуры", "Решение судьи о голосовании", "Лучший ход", "Проверка дона",
    "Проверка шерифа", "Отстрел", "Голосование",
}  # fmt: skip


def test_a_line_leads_to_what_was_missed_before_and_after_it(judge: Client, game: Game) -> None:
    page = board(judge, game, "?open=entry&of=5").by_class["menu__item"]
    assert page[-2:] == ["Вписать пропущенное перед ней", "Вписать пропущенное после неё"]


def test_a_late_nomination_may_only_be_the_speakers_and_of_the_living_not_nominated(judge: Client, game: Game) -> None:
    form = next(f for f in board(judge, game, "?open=late&of=7&write=nomination").of_kind("nomination")
                if f.attributes.get("class") == "opened")  # fmt: skip
    assert ("seat", "3") in form.fields
    assert form.options["target"] == ["", "1", "2", "3", "4", "7", "8", "9", "10"]


# ---------------------------------------------------------------- written in


def test_a_forgotten_check_is_written_in_without_a_question(judge: Client, game: Game) -> None:
    write(judge, game, "?open=late&of=11&write=sheriff", "check", {"target": "8"})
    assert record_of(game).state.nights[1].sheriff_check == 8
    assert kinds(game)[-1] == "check"


def test_a_forgotten_best_move_is_written_in(judge: Client, game: Game) -> None:
    write(judge, game, "?open=late&of=11&write=best_move", "best_move", {"seats": "6 7 8"})
    move = record_of(game).state.best_move
    assert move is not None
    assert (move.seats, move.moment) == ((6, 7, 8), Moment(1, Phase.BEST_MOVE))


def test_a_forgotten_minute_is_written_in(judge: Client, game: Game) -> None:
    write(judge, game, "?open=late&of=7&write=speech", "turn", {})
    assert record_of(game).state.days[1].speeches == {1: 1, 2: 2, 3: 3, 4: 4}


def test_a_withdrawal_takes_its_nomination_and_names_what_falls(judge: Client, game: Game) -> None:
    page = write(judge, game, "?open=late&of=6&write=withdrawal", "withdrawal", {"seat": "2"})
    assert record_of(game).state.days[1].nominations == [(1, 5)]
    assert page.first("rule__words").startswith(
        "! Не в силе 2 записи, первая: Голоса за №5 Парус: 6 — В день 1 единственного кандидата (№5 Парус) не голосуют"
    )


def test_a_forgotten_nomination_is_asked_about_then_the_vote_is_written_anew(judge: Client, game: Game) -> None:
    form = next(f for f in board(judge, game, "?open=late&of=7&write=nomination").of_kind("nomination")
                if f.attributes.get("class") == "opened")  # fmt: skip
    asked = page_of(tap(judge, game, form, {"target": "7"}))
    assert asked.by_class["drawer__title"][-1] == "№3 Норд выставляет: №7 Сокол — что из этого следует:"
    assert lines_of(asked) == [
        "№5 Парус возвращается за стол; было: выведен голосованием, день 1",
        "№9 Умка возвращается за стол; было: отстрел, ночь 1",
        "Выставлены в день 1: 5, 6 → 5, 6, 7",
        "День 1, кто уходит по голосованию: №5 Парус → не решено (уточнение §3)",
        "Ночь 1: отстрел не записан",
        f"Больше не в силе: 10. Наступает ночь 1 — {NO_TALLY}",
        f"Больше не в силе: 11. Отстрел: №9 Умка — {NO_TALLY}",
        f"Больше не в силе: 12. Слово: №2 Мираж — {NO_TALLY}",
    ]
    assert kinds(game)[-1] == "turn"
    assert tap(judge, game, asked.form_with(("kind", "nomination"), ("sure", "1"))).status_code == 200
    fallen = board(judge, game, "?open=fallen")
    assert fallen.by_class["menu__item"][-3:] == [
        f"10. Наступает ночь 1 — {NO_TALLY}",
        f"11. Отстрел: №9 Умка — {NO_TALLY}",
        f"12. Слово: №2 Мираж — {NO_TALLY}",
    ]
    write(judge, game, "?open=late&of=13&write=tally", "ballot", {"count_5": "6", "count_6": "3", "count_7": "1"})
    state = record_of(game).state
    assert (state.set_aside, state.living) == ([], [1, 2, 3, 4, 6, 7, 8, 10])


# ---------------------------------------------------------------- a consequence missed at the table


def test_a_late_fourth_foul_is_dated_when_noticed_and_leads_to_a_ruling_in_one_tap(judge: Client, game: Game) -> None:
    later(game, *(e.Foul(moment=FIRST, seat=10) for _ in range(3)))
    form = next(
        f for f in board(judge, game, "?open=late&of=5").of_kind("foul") if f.attributes.get("class") == "opened"
    )
    asked = page_of(tap(judge, game, form, {"seat": "10", "penalty": "foul"}))
    assert lines_of(asked) == [
        "№10 Филин уходит из-за стола: удалён, 4 фола, день 2 (п. 6.5)",
        "Фолы №10 Филин: 3 → 4",
        "Голосования в день 2 нет: №10 Филин удалён (п. 7.1)",
        "Понадобится решение судьи: №10 Филин удалён с момента «День 1 · речи», а замечено это позже; голосования и "
        "отстрелы в силе (уточнение §5)",
    ]
    page = page_of(tap(judge, game, asked.form_with(("kind", "foul"), ("sure", "1"))))
    state = record_of(game).state
    left = state.seats[10].left
    assert left is not None
    assert (left.how, left.moment) == (HowLeft.FOULS, Moment(2, Phase.SPEECHES, 0, 1))
    assert state.days[1].decision is not None  # what was voted and shot stays
    assert state.nights[1].victim == 9
    assert "rule--due" in page.by_class
    html = judge.get(f"/games/{game.uuid}/board/").content.decode()
    assert f'<a href="/games/{game.uuid}/board/?open=ruling"' in html
    ruled = write(judge, game, "?open=ruling", "ruling", {"about": "stands", "text": "Замечено после игры"})
    assert "rule--due" not in ruled.by_class


def test_a_removal_written_in_after_the_end_changes_only_the_points(judge: Client, cup: Table) -> None:
    later(cup.game, *real_game())
    game = cup.game
    end = game_now(game).revision
    before = record_of(game).state
    entry = next(v for v in before.notices if v.code == "shot")
    form = next(f for f in board(judge, game, f"?open=late&of={entry.revision}").of_kind("foul")
                if f.attributes.get("class") == "opened")  # fmt: skip
    asked = page_of(tap(judge, game, form, {"seat": "2", "penalty": Penalty.DISQUALIFYING.value, "clause": "6.7.4"}))
    assert lines_of(asked) == [
        "№2 Мираж удаляется: действует только штраф (п. 6.7.4)",
        "Понадобится решение судьи: №2 Мираж удалён с момента «Ночь 1 · отстрел», а замечено это позже; голосования и "
        "отстрелы в силе (уточнение §5)",
        "Баллы №2 Мираж: 0 → −0,5",
    ]
    assert game_now(game).revision == end
    assert tap(judge, game, asked.form_with(("kind", "foul"), ("sure", "1"))).status_code == 200
    after = record_of(game).state
    assert (after.living, after.derived, voted(after)) == (before.living, before.derived, voted(before))


# ---------------------------------------------------------------- undo and redo


def redo_of(page: Page) -> str:
    """What the redo button says it brings back; empty where there is none."""
    return next((b.aria for f in page.forms if f.attributes.get("class") == "panel__redo" for b in f.buttons), "")


def press_bar(judge: Client, game: Game, name: str) -> None:
    """One tap on undo or redo."""
    form = next(f for f in board(judge, game).forms if f.attributes.get("class") == f"panel__{name}")
    assert tap(judge, game, form).status_code == 200


def test_several_steps_are_undone_and_redone_one_tap_each(judge: Client, game: Game) -> None:
    before = record_of(game).state
    assert redo_of(board(judge, game)) == ""
    for _ in range(3):
        press_bar(judge, game, "undo")
    assert record_of(game).state.moment == Moment(1, Phase.BALLOT, 0, 2)
    assert redo_of(board(judge, game)) == "Вернуть отменённое: ночь"
    for _ in range(3):
        press_bar(judge, game, "redo")
    after = record_of(game).state
    after.revision = before.revision
    assert after == before
    assert redo_of(board(judge, game)) == ""


def test_after_a_redo_the_undo_and_the_redo_go_on(judge: Client, game: Game) -> None:
    press_bar(judge, game, "undo")
    press_bar(judge, game, "undo")
    press_bar(judge, game, "redo")
    press_bar(judge, game, "undo")
    assert redo_of(board(judge, game)) == "Вернуть отменённое: отстрел №9"
    press_bar(judge, game, "redo")
    assert redo_of(board(judge, game)) == "Вернуть отменённое: слово №2"


def test_a_correction_is_undone_and_redone_as_a_whole(judge: Client, game: Game) -> None:
    form = board(judge, game, "?open=correct&of=11").form_with(("kind", "shot"), ("replaces", "11"))
    asked = page_of(tap(judge, game, form, {"target": "7", "reason": "ослышалась"}))
    tap(judge, game, asked.form_with(("kind", "shot"), ("sure", "1")))
    victims = [record_of(game).state.nights[1].victim]
    for name in ("undo", "redo", "undo"):
        press_bar(judge, game, name)
        victims.append(record_of(game).state.nights[1].victim)
    assert victims == [7, 9, 7, 9]
    assert record_of(game).state.set_aside == []


def test_nothing_is_redone_once_something_else_is_written(judge: Client, game: Game) -> None:
    press_bar(judge, game, "undo")
    later(game, e.Foul(moment=record_of(game).state.moment, seat=4))
    assert redo_of(board(judge, game)) == ""


# ---------------------------------------------------------------- what stays readable


def test_a_strike_says_who_when_and_why(judge: Client, game: Game) -> None:
    form = next(f for f in board(judge, game, "?open=entry&of=12").of_kind("strike") if ("of", "12") in f.fields
                and f.attributes.get("class") == "opened")  # fmt: skip
    assert tap(judge, game, form, {"text": "не тот игрок"}).status_code == 200
    struck = board(judge, game).first("log__struck")
    assert struck.startswith("зачёркнуто ")
    assert struck.endswith(" Соколова: не тот игрок")
    assert board(judge, game).by_class["log__line"][0].startswith("13 Зачёркнуто: Слово: №2 Мираж. не тот игрок")


def test_the_finish_page_leads_to_each_entry_that_fell(judge: Client, game: Game) -> None:
    write(judge, game, "?open=late&of=6&write=withdrawal", "withdrawal", {"seat": "2"})
    page = judge.get(f"/games/{game.uuid}/finish/").content.decode()
    assert f"/games/{game.uuid}/board/?open=entry&amp;of=8" in page
    opened = board(judge, game, "?open=entry&of=8")
    assert any(line.startswith("Больше не в силе: В день 1") for line in opened.by_class["drawer__line"])
    assert "Исправить" in opened.by_class["menu__item"]


def test_an_ordinary_tap_costs_as_many_queries_as_before(judge: Client, game: Game) -> None:
    form = next(f for f in board(judge, game).of_kind("nomination") if f.attributes.get("id") == "pad")
    tap(judge, game, form, {"target": "3"})
    form = next(f for f in board(judge, game, "?seat=4").of_kind("foul") if ("penalty", "warning") in f.fields)
    with CaptureQueriesContext(
        connection,
    ) as caught:
        tap(judge, game, form)
    assert len(caught) <= 8 + 2  # a test wraps every write in a savepoint
