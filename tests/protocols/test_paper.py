"""A game typed in from a filled form: numbers become entries, and an error names day, ballot, seat and clause."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client

from protocols.models import Game
from protocols.rules import entries as e
from protocols.rules.outcome import outcome
from protocols.rules.points import best_move_hits, best_move_victim
from protocols.rules.state import GameState
from protocols.rules.terms import SEATS
from protocols.selectors import record_of
from protocols.services.regulations import write_regulation
from tests.exchange.expected import FULL_BLACK_WIN, Expected

from .markup import Page
from .tables import LETTERS, NIGHT_ZERO, ROLES, Table, game_now, kinds, later, page_of, speech, table


@pytest.fixture
def cup(db: None) -> Table:
    """Under the Federation's regulation."""
    return table("F")


@pytest.fixture
def judge(client: Client, cup: Table) -> Client:
    """The judge's browser."""
    client.force_login(cup.people["judge"])
    return client


def address(game: Game) -> str:
    """The page."""
    return f"/games/{game.uuid}/paper/"


def blank(game: Game, **typed: str) -> dict[str, str]:
    """What the page sends when nothing is typed but this, the roles apart."""
    roles = {f"role_{seat}": LETTERS[seat - 1] for seat in SEATS}
    return {"uuid": str(uuid4()), "revision": str(game_now(game).revision), "days": "4", **roles, **typed}


def send(client: Client, game: Game, **typed: str) -> HttpResponse:
    """Posts the paper."""
    response = client.post(address(game), blank(game, **typed))
    assert isinstance(response, HttpResponse)
    return response


def state_of(game: Game) -> GameState:
    """The state that follows from the record."""
    return record_of(game_now(game)).state


def errors(response: HttpResponse) -> str:
    """What the page says is wrong."""
    assert response.status_code == 422
    return page_of(response).first("paper__errors")


def sheet_of(game: Expected) -> dict[str, str]:
    """A real game as a judge would have it on paper."""
    typed = {f"role_{seat}": letter for seat, letter in enumerate(game.roles.split(), start=1)}
    for day, nominations in game.nominations.items():
        pairs = [pair.split(">") for pair in nominations.split()]
        typed[f"nominees_{day}"] = " ".join(target for _by, target in pairs)
    for (day, ballot), voters in game.ballots.items():
        typed[f"tallies_{day}_{ballot}"] = _row(len(who.split()) for who in voters.values())
    for day, raised in game.raised.items():
        typed[f"raise_{day}"] = "да" if raised else "нет"
    for night, shots in game.shots.items():
        targets = {pair.split(">")[1] for pair in shots.split()}
        typed[f"shot_{night}"] = targets.pop() if len(targets) == 1 else "-"
    for night, (don, sheriff) in game.checks.items():
        typed[f"don_{night}"], typed[f"sheriff_{night}"] = str(don or ""), str(sheriff or "")
    for seat, fouls in game.fouls.items():
        typed[f"fouls_{seat}"] = str(len(fouls))
    typed["best_move"] = _row(game.best_move or ())
    typed["result"] = game.winner
    return typed | {"days": str(max(game.nominations)), "time": "21.40"}


def _row(numbers: Iterable[int]) -> str:
    return " ".join(str(number) for number in numbers)


# ---------------------------------------------------------------- whole games


def test_a_real_game_typed_in_ends_as_it_was_played(judge: Client, cup: Table) -> None:
    response = send(judge, cup.game, **sheet_of(FULL_BLACK_WIN))
    assert (response.status_code, response.headers["Location"]) == (302, f"/games/{cup.game.uuid}/finish/")
    state = state_of(cup.game)
    exits = {
        seat: f"{player.left.how} {'night' if player.left.moment.is_night else 'day'} {player.left.moment.day}"
        for seat, player in state.seats.items()
        if player.left
    }
    assert exits == FULL_BLACK_WIN.exits
    end = outcome(state)
    assert end is not None
    assert (end.result, end.reason) == ("black", "blacks_not_fewer")
    assert state.best_move is not None
    assert state.best_move.seats == FULL_BLACK_WIN.best_move
    assert {seat: len(state.seats[seat].fouls) for seat in FULL_BLACK_WIN.fouls} == {
        seat: len(fouls) for seat, fouls in FULL_BLACK_WIN.fouls.items()
    }
    game = game_now(cup.game)
    assert (game.from_paper, game.status) == (True, "over")
    assert state.set_aside == []


def test_who_nominated_whom_is_unknown_and_not_invented(judge: Client, cup: Table) -> None:
    send(judge, cup.game, **sheet_of(FULL_BLACK_WIN))
    assert {by for day in state_of(cup.game).days.values() for by, _target in day.nominations} == {None}


def test_what_was_typed_stands_on_the_page_again(judge: Client, cup: Table) -> None:
    typed = sheet_of(FULL_BLACK_WIN)
    send(judge, cup.game, **typed)
    page = page_of(judge.get(address(cup.game)))  # type: ignore[arg-type]
    fields = dict(next(form for form in page.forms if form.action == address(cup.game)).fields)
    kept = {name: fields.get(name, "") for name in typed if name not in ("days", "time")}
    assert kept == {name: "—" if value == "-" else value for name, value in typed.items() if name in kept}


def test_a_mistake_of_typing_is_put_right_by_typing_it_again(judge: Client, cup: Table) -> None:
    typed = sheet_of(FULL_BLACK_WIN)
    send(judge, cup.game, **typed)
    assert send(judge, cup.game, **{**typed, "best_move": "5 7 8"}).status_code == 302
    state = state_of(cup.game)
    assert state.best_move is not None
    assert state.best_move.seats == (5, 7, 8)
    assert len([kind for kind in kinds(cup.game) if kind == "strike"]) > 20  # nothing is taken out of the record


def test_a_half_filled_paper_goes_on_at_the_board(judge: Client, cup: Table) -> None:
    response = send(judge, cup.game, nominees_1="5 9", tallies_1_0="6", shot_1="1")
    assert response.headers["Location"] == f"/games/{cup.game.uuid}/board/"
    assert state_of(cup.game).living == [2, 3, 4, 6, 7, 8, 9, 10]


def test_fouls_of_a_game_that_is_not_over_are_written_too(judge: Client, cup: Table) -> None:
    assert send(judge, cup.game, fouls_4="2", clauses_4="6.6.1").status_code == 302
    assert [foul.clause for foul in state_of(cup.game).seats[4].fouls] == ["6.6.1", ""]


def test_a_stalemate_is_complete_with_its_last_night(client: Client, db: None) -> None:
    found = table("A")
    client.force_login(found.people["judge"])
    days = {f"shot_{night}": "промах" for night in (1, 2, 3)}
    assert send(client, found.game, result="red", **days).status_code == 302
    end = outcome(state_of(found.game))
    assert end is not None
    assert (end.result, end.reason, end.clause) == ("red", "three_days", "A 7.3")


def test_without_roles_the_judges_word_ends_the_game(judge: Client, cup: Table) -> None:
    roles = {f"role_{seat}": "" for seat in SEATS}
    assert send(judge, cup.game, result="black", nominees_1="5 9", tallies_1_0="6 4", **roles).status_code == 302
    end = outcome(state_of(cup.game))
    assert end is not None
    assert (end.result, end.reason) == ("black", "declared")


# ---------------------------------------------------------------- removals


@pytest.mark.parametrize(
    ("when", "tallies", "cancelled"),
    [("speeches", "", True), ("vote", "3", True), ("after", "6 4", False)],
)
def test_a_removal_by_day_cancels_the_vote_that_is_not_decided(
    judge: Client, cup: Table, when: str, tallies: str, cancelled: bool
) -> None:
    removal = {"fouls_4": "4", "out_day_4": "1", "out_when_4": when, "clauses_4": "6.6.1, 6.6.3"}
    response = send(judge, cup.game, nominees_1="5 9", tallies_1_0=tallies, **removal)
    assert response.status_code == 302
    state = state_of(cup.game)
    assert (state.days[1].cancelled is not None) == cancelled
    assert [foul.clause for foul in state.seats[4].fouls] == ["6.6.1", "6.6.3", "", ""]
    assert [ballot.void for ballot in state.days[1].ballots] == ([cancelled] if tallies else [])


def test_a_removal_at_night_cancels_the_next_days_vote(judge: Client, cup: Table) -> None:
    removal = {"out_4": "6.7.2", "out_day_4": "1", "out_when_4": "night"}
    assert send(judge, cup.game, nominees_1="5", shot_1="1", nominees_2="6 7", **removal).status_code == 302
    state = state_of(cup.game)
    assert state.seats[4].removed is not None
    assert state.seats[4].removed.clause == "A 6.7.2"
    assert state.days[2].cancelled is not None


def test_a_removal_placed_in_a_vote_already_decided_is_told(judge: Client, cup: Table) -> None:
    removal = {"fouls_4": "4", "out_day_4": "1", "out_when_4": "vote"}
    response = send(judge, cup.game, nominees_1="5 9", tallies_1_0="6 4", **removal)
    assert errors(response).startswith("№4 Онега: №4 Онега: голосование записано до конца")


def test_a_team_defeat_ends_the_paper(judge: Client, cup: Table) -> None:
    defeat = {"defeat_clause": "6.8.1", "defeat_seat": "5", "defeat_day": "1"}
    assert send(judge, cup.game, nominees_1="5", **defeat, result="red").status_code == 302
    end = outcome(state_of(cup.game))
    assert end is not None
    assert (end.result, end.clause) == ("red", "A 6.8.1")


# ---------------------------------------------------------------- what can't be


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"nominees_1": "5 9", "tallies_1_0": "6 5"},
         "День 1, голосование: За №9 Умка не может быть голосов: 5. Осталось не больше 4 из 10 (п. 9.5)"),
        ({"nominees_1": "5 9", "tallies_1_0": "6 3"},
         "День 1, голосование: За №9 Умка — 3 не сходится: кто не голосовал, тот за последнего, значит 4 "
         "(за столом 10) (п. 9.5)"),
        ({"nominees_1": "5 9 5"},
         "День 1, кандидаты: №5 Парус уже выставлен. Можно выставить: 1, 2, 3, 4, 6, 7, 8, 10 (уточнение §2)"),
        ({"nominees_1": "5 9", "tallies_1_0": "1 2 3"},
         "День 1, голосование: На этом голосовании кандидаты: №5 Парус, №9 Умка. Записано чисел: 3 (п. 9.5)"),
        ({"nominees_1": "5", "tallies_1_0": "10"},
         "День 1, голосование: В день 1 единственного кандидата (№5 Парус) не голосуют: наступает ночь (уточнение §3)"),
        ({"tallies_2_0": "10", "shot_1": "1"},
         "День 2, голосование: В день 2 никто не выставлен, голосования нет: наступает ночь (уточнение §3)"),
        ({"nominees_1": "5 9", "tallies_1_0": "6 4", "tallies_1_1": "5 5"},
         "День 1, переголосование: Голосование решено: уходит №5 Парус (уточнение §3)"),
        ({"nominees_1": "5 9", "tallies_1_0": "5 5", "shot_1": "1"},
         "Ночь 1, отстрел: Ночь ещё не наступает: не закончено переголосование. Нет голосов за: №5 Парус, №9 Умка "
         "(уточнение §3)"),
        ({"nominees_1": "5 9", "tallies_1_0": "6 4", "shot_1": "1", "nominees_2": "5"},
         "День 2, кандидаты: №5 Парус уже не за столом (выведен голосованием, день 1) (уточнение §1)"),
        ({"shot_1": "1", "best_move": "3 3 5"},
         "Лучший ход: В лучшем ходе игрока №1 Лотос три места должны быть разными; записано: 3, 3, 5 (п. 8.3)"),
        ({"best_move": "3 4 5", "shot_1": "-"},
         "Лучший ход: В ночь 1 был промах: в графе «Лучший ход» прочерк, его никто не называет (п. B-P6)"),
        ({"role_1": "Ч"},
         "№1 Лотос: Роли не сходятся: нужно 6 К, 2 Ч, 1 Ш и 1 Д; выбрано: 5 К, 3 Ч, 1 Ш, 1 Д (п. 9.4.1)"),
        ({"result": "red", "nominees_1": "5"},
         "Итог: По правилам игра не окончена: за столом красных — 7, чёрных — 3 (п. 4.6.1)"),
        ({"role_3": ""}, "№3 Норд: Укажите роль: К, Ч, Ш или Д."),
        ({"fouls_4": "4"}, "№4 Онега: Удалён: укажите, в какой день и когда."),
        ({"clauses_4": "6.9.9", "fouls_4": "1"}, "№4 Онега: Такого пункта фолов нет: 6.9.9."),
        ({"clauses_4": "6.6.1 6.6.2", "fouls_4": "1"}, "№4 Онега: Пунктов записано больше, чем фолов."),
        ({"nominees_1": "5 девять"}, "День 1, кандидаты: «5 девять»: нужны числа от 0 до 10."),
        ({"shot_1": "1", "shot_2": "11"}, "Ночь 2, отстрел: Такого игрового места нет; места от 1 до 10."),
        ({"raise_1": "может быть"}, "День 1, подъём: Запишите, сколько было «за», или «да», или «нет»."),
    ],
)  # fmt: skip
def test_what_cant_be_is_named_and_nothing_is_written(
    judge: Client, cup: Table, typed: dict[str, str], words: str
) -> None:
    response = send(judge, cup.game, **typed)
    assert errors(response) == words
    assert kinds(cup.game) == []
    fields = dict(next(form for form in page_of(response).forms if form.action == address(cup.game)).fields)
    assert {name: fields.get(name, "") for name in typed} == typed  # everything typed is still there


def after_a_miss(cup: Table) -> None:
    """The tournament gives the best move to the first player shot after a miss."""
    rules = replace(cup.game.tournament.rules, best_move_after_miss=True)
    write_regulation(cup.game.tournament, rules, name="После промаха", by=cup.people["organizer"])


def test_after_a_miss_the_best_move_on_paper_is_that_of_the_first_player_shot(judge: Client, cup: Table) -> None:
    after_a_miss(cup)
    assert send(judge, cup.game, shot_1="-", shot_2="4", best_move="5 7 9").status_code == 302
    state = state_of(cup.game)
    assert (state.best_move is not None, best_move_victim(state), best_move_hits(state)) == (True, 4, 2)


def test_a_best_move_on_paper_of_nobody_is_named(judge: Client, cup: Table) -> None:
    after_a_miss(cup)
    assert errors(send(judge, cup.game, shot_1="-", best_move="5 7 9")) == (
        "Лучший ход: После промаха лучший ход делает первый отстреленный; пока никто не отстрелен (п. 8.3)"
    )


EVERYTHING_WRONG = [
    ({"nominees_1": "5 9", "tallies_1_0": "6 5", "shot_1": "1", "nominees_2": "1 3", "best_move": "3 3 5"},
     ["День 1, голосование: За №9 Умка не может быть голосов: 5. Осталось не больше 4 из 10 (п. 9.5)",
      "День 2, кандидаты: №1 Лотос уже не за столом (отстрел, ночь 1) (уточнение §1)",
      "Лучший ход: В лучшем ходе игрока №1 Лотос три места должны быть разными; записано: 3, 3, 5 (п. 8.3)"]),
    ({"role_1": "Ч", "nominees_1": "5 9 5 9", "shot_1": "2", "nominees_2": "3 4", "tallies_2_0": "3 3 3"},
     ["№1 Лотос: Роли не сходятся: нужно 6 К, 2 Ч, 1 Ш и 1 Д; выбрано: 5 К, 3 Ч, 1 Ш, 1 Д (п. 9.4.1)",
      "День 1, кандидаты: №5 Парус уже выставлен. Можно выставить: 1, 2, 3, 4, 6, 7, 8, 10 (уточнение §2)",
      "День 1, кандидаты: №9 Умка уже выставлен. Можно выставить: 1, 2, 3, 4, 6, 7, 8, 10 (уточнение §2)",
      "День 2, голосование: На этом голосовании кандидаты: №3 Норд, №4 Онега. Записано чисел: 3 (п. 9.5)"]),
    ({"role_3": "", "shot_2": "11", "nominees_1": "5 девять", "shot_1": "1", "best_move": "1 2 3", "fouls_4": "4"},
     ["№3 Норд: Укажите роль: К, Ч, Ш или Д.", "№4 Онега: Удалён: укажите, в какой день и когда.",
      "День 1, кандидаты: «5 девять»: нужны числа от 0 до 10.",
      "Ночь 2, отстрел: Такого игрового места нет; места от 1 до 10.",
      "Лучший ход: №1 Лотос не может назвать в лучшем ходе себя (п. 8.3)"]),
    ({"shot_2": "3", "nominees_2": "5 5"},
     ["Ночь 1, отстрел: Сначала запишите отстрел или промах ночи 1 (уточнение §4)",
      "День 2, кандидаты: №5 Парус уже выставлен. Можно выставить: 1, 2, 3, 4, 6, 7, 8, 9, 10 (уточнение §2)"]),
]  # fmt: skip


@pytest.mark.parametrize(("typed", "lines"), EVERYTHING_WRONG, ids=["1", "2", "3", "4"])
def test_whatever_cant_be_is_named_at_once_at_the_head_and_in_its_place(
    judge: Client, cup: Table, typed: dict[str, str], lines: list[str]
) -> None:
    response = send(judge, cup.game, **typed)
    page = page_of(response)
    assert sorted(page.by_class["paper__error"]) == sorted(lines)
    in_place = page.by_class["invalid-feedback"]
    assert sorted(in_place) == sorted(line.split(": ", 1)[1] for line in lines)
    assert kinds(cup.game) == []
    fields = dict(next(form for form in page.forms if form.action == address(cup.game)).fields)
    assert {name: fields.get(name, "") for name in typed} == typed


def test_what_only_follows_from_another_mistake_is_not_held_against_the_paper(judge: Client, cup: Table) -> None:
    """With the vote of day 1 unreadable nobody knows how many voted on day 2, nor who won."""
    typed = sheet_of(FULL_BLACK_WIN)
    response = send(judge, cup.game, **{**typed, "tallies_1_0": "5 4 0 0 0 0 0 0 0 0"})
    assert [line.split(":")[0] for line in page_of(response).by_class["paper__error"]] == ["День 1, голосование"]


def test_after_the_end_one_row_is_blamed_and_not_all(judge: Client, cup: Table) -> None:
    typed = {"shot_1": "1", "defeat_clause": "6.8.1", "defeat_seat": "5", "defeat_day": "1", "nominees_2": "2 3"}
    response = send(judge, cup.game, **typed, tallies_2_0="4 5", shot_2="4", nominees_3="6 7")
    assert [line.split(":")[0] for line in page_of(response).by_class["paper__error"]] == ["Ночь 1, отстрел"]


def test_the_winner_on_paper_is_compared_with_the_record(judge: Client, cup: Table) -> None:
    response = send(judge, cup.game, **{**sheet_of(FULL_BLACK_WIN), "result": "red"})
    assert errors(response) == "Итог: По записям итог другой: победа чёрных (п. 9.7)"


def test_one_more_day_keeps_what_is_typed(judge: Client, cup: Table) -> None:
    response = judge.post(address(cup.game), blank(cup.game, nominees_4="1 2", add_day="1"))
    page = Page(response.content.decode())
    assert (response.status_code, page.by_class["day__title"][-1]) == (200, "Голосование 5")
    assert ("nominees_4", "1 2") in page.forms[-1].fields
    assert page.first("paper__errors") == ""


def test_what_follows_is_told_while_it_is_typed(judge: Client, cup: Table) -> None:
    response = judge.post(address(cup.game), blank(cup.game, nominees_1="5 9", tallies_1_0="5 5", check="1"))
    page = Page(response.content.decode())
    assert response.status_code == 200
    assert page.first("check__days") == (
        "День 1 Поровну: №5 Парус, №9 Умка. По 30 секунд и переголосование между ними (уточнение §3)"
    )
    assert kinds(cup.game) == []


def test_a_game_kept_on_the_board_is_corrected_there(judge: Client, cup: Table) -> None:
    later(cup.game, ROLES, NIGHT_ZERO, speech(1))
    response = send(judge, cup.game, nominees_1="5 9")
    assert response.status_code == 422
    assert "Эта игра ведётся на доске" in page_of(response).text
    assert kinds(cup.game) == ["roles", "turn", "turn"]


def test_somebody_faster_keeps_what_was_typed(judge: Client, cup: Table) -> None:
    typed = blank(cup.game, nominees_1="5 9")
    later(cup.game, e.SeatCorrection(moment=ROLES.moment, seat=1, target=2))
    response = judge.post(address(cup.game), typed)
    assert response.status_code == 409
    assert ("nominees_1", "5 9") in Page(response.content.decode()).forms[-1].fields
    assert kinds(cup.game) == ["seat_correction"]


@pytest.mark.parametrize(
    ("name", "status"), [("head", 200), ("organizer", 403), ("other", 403), ("foreign", 404), ("plain", 404)]
)
def test_who_types_in(client: Client, cup: Table, name: str, status: int) -> None:
    client.force_login(cup.people[name])
    assert client.get(address(cup.game)).status_code == status
    assert client.post(address(cup.game), blank(cup.game)).status_code == (302 if status == 200 else status)
