"""Club evenings come in as results only and give edition A's totals."""

from collections import Counter
from decimal import Decimal

import pytest

from protocols.exchange import formats
from protocols.exchange.evenings import Evening, entries_of
from protocols.rules.fold import replay
from protocols.rules.outcome import outcome, problems
from protocols.rules.points import points_of
from protocols.rules.regulation import EDITION_A
from protocols.rules.state import GameState

from .files import complaints, evening_data, evening_file, raw, refusals


def states_of(content: bytes) -> tuple[Evening, list[GameState]]:
    """The evening, and what follows from the entries of each of its games."""
    evening = formats.read(content)
    assert isinstance(evening, Evening)
    records = entries_of(evening, EDITION_A)
    return evening, [replay(entries, EDITION_A, results_only=True) for entries in records]


@pytest.mark.parametrize(("name", "better"), [("2013-12-07", {"Ёлка": (8, 7)}), ("2013-12-21", {})])
def test_totals_are_the_clubs_but_for_a_penalty_it_forgot(name: str, better: dict[str, tuple[int, int]]) -> None:
    evening, states = states_of(evening_file(name).read_bytes())
    totals: Counter[str] = Counter()
    for game, state in zip(evening.games, states, strict=True):
        assert problems(state) == []
        for seat, points in (points_of(state) or {}).items():
            totals[game.nicknames[seat - 1]] += points.total  # type: ignore[assignment]
    club = {row["nick"]: Decimal(row["total"]) for row in evening_data(name)["computed_totals"]}
    assert {nickname: club[nickname] for nickname in better} == {n: Decimal(old) for n, (old, _) in better.items()}
    assert totals == {**club, **{nickname: Decimal(new) for nickname, (_, new) in better.items()}}


def test_four_fouls_cost_a_point_that_nobody_wrote() -> None:
    _, states = states_of(evening_file("2013-12-07").read_bytes())
    table = points_of(states[2])
    assert table is not None
    assert [table[2].win, table[2].penalty, table[2].total] == [Decimal(0), Decimal(-1), Decimal(-1)]
    assert [len(states[2].seats[seat].fouls) for seat in range(1, 11)] == [0, 4, 2, 2, 2, 2, 0, 1, 2, 1]


def test_a_penalty_written_as_extra_points_counts_once() -> None:
    data = evening_data()
    data["games"][2]["players"][1]["extraScores"] = -1
    _, states = states_of(raw(data))
    table = points_of(states[2])
    assert table is not None and table[2].total == -1


def test_what_a_results_only_game_holds() -> None:
    evening, states = states_of(evening_file("2013-12-07").read_bytes())
    assert [(game.played_on.isoformat(), game.judge) for game in evening.games] == [("2013-12-07", "Судья")] * 3
    ends = [outcome(state) for state in states]
    assert [(end.result, end.reason) for end in ends if end] == [("black", "results_only")] * 3
    assert [game.first_victim for game in evening.games] == [5, None, 7]
    assert [night.victim for state in states for night in state.nights.values()] == [5, 7]
    assert evening.games[2].facts["firstKilledByDay"] == 3
    assert evening.games[2].facts["players"]["5"] == {"likes": 5, "isBest": True}


def test_an_evening_over_the_caps_is_refused_with_each_breach() -> None:
    lines = complaints(evening_file("2014-03-16").read_bytes())
    assert len(lines) == 23
    assert [line for line in lines if "(п. 8.4.1)" in line] == [
        "Игра 2. Доп. баллы у 8 игроков, допустимо не больше 3: №1 Тайга, №2 Лотос, №3 Ёлка, №5 Умка, №6 Жасмин,"
        " №7 Хмель, №8 Филин, №10 Зенит (п. 8.4.1)",
        "Игра 3. Доп. баллы у 7 игроков, допустимо не больше 3: №3 Лотос, №5 Умка, №6 Хмель, №7 Каштан, №8 Жасмин,"
        " №9 Филин, №10 Зенит (п. 8.4.1)",
    ]
    assert [line.partition(":")[0] for line in lines if "(п. 8.4.3)" in line] == [
        "Игра 1. Сумма доп. баллов 7,5, допустимо не больше 2",
        "Игра 2. Сумма доп. баллов 13,5, допустимо не больше 2",
        "Игра 3. Сумма доп. баллов 12, допустимо не больше 2",
    ]
    amounts = [line for line in lines if "(п. 8.4.2)" in line]
    assert amounts[:3] == [
        "Игра 1. №1 Умка: доп. баллы 3,5; допустимо: 0,5; 1 (п. 8.4.2)",
        "Игра 1. №2 Жасмин: доп. баллы 2; допустимо: 0,5; 1 (п. 8.4.2)",
        "Игра 1. №7 Хмель: доп. баллы 2; допустимо: 0,5; 1 (п. 8.4.2)",
    ]
    assert [sum(line.startswith(f"Игра {n}.") for line in amounts) for n in (1, 2, 3)] == [3, 8, 7]


@pytest.mark.parametrize("amount", [0.5, "0.5", "0,5", " 0,50 "])
def test_half_a_point_is_half_a_point_however_it_is_written(amount: object) -> None:
    data = evening_data()
    data["games"][0]["players"][1]["extraScores"] = amount
    _, states = states_of(raw(data))
    table = points_of(states[0])
    assert table is not None and table[2].extra == Decimal("0.5")


@pytest.mark.parametrize(
    ("role", "hits", "points"),
    [("citizen", 3, "1"), ("citizen", 2, "0.5"), ("citizen", 1, "0"), ("sheriff", 3, "0.5"), ("sheriff", 2, "0")],
)
def test_best_move_hits_are_worth_what_edition_a_says(role: str, hits: int, points: str) -> None:
    data = evening_data()
    game = data["games"][0]
    if role == "sheriff":
        game["players"][4]["role"], game["players"][7]["role"] = "sheriff", "citizen"
    game["bestMoveAuthor"], game["bestMoveAccuracy"] = "Астра", hits
    _, states = states_of(raw(data))
    table = points_of(states[0])
    assert table is not None and table[5].best_move == Decimal(points)


def test_a_best_move_by_another_than_the_victim_is_refused() -> None:
    data = evening_data()
    data["games"][0]["bestMoveAuthor"] = "Барс"
    data["games"][1]["bestMoveAuthor"] = "Лотос"
    assert complaints(data) == [
        "Игра 1. №1 Барс назвал лучший ход, но в ночь 1 отстрелен №5 Астра (п. 8.3)",
        "Игра 2. №3 Лотос назвал лучший ход, но в ночь 1 никто не отстрелен (п. 8.3)",
    ]


def test_every_game_of_an_evening_has_its_breaches_named() -> None:
    data = evening_data()
    data["games"][0]["players"][0]["role"] = "mafia"
    data["games"][1]["players"][0]["name"] = "лотос"
    data["games"][2]["players"][1]["fouls"] = 5
    assert refusals(data) == [
        ("role_counts", "A 9.4.1", None),
        ("nickname_twice", "§1", None),
        ("fifth_foul", "A 6.5", 2),
    ]
    lines = complaints(data)
    assert [line[:7] for line in lines] == ["Игра 1.", "Игра 2.", "Игра 3."]
    assert lines[1] == "Игра 2. Один никнейм на нескольких местах: №1 лотос, №3 Лотос (уточнение §1)"


def test_a_name_that_is_not_at_the_table_is_named() -> None:
    data = evening_data()
    data["games"][0]["firstKilledAtNight"] = "Призрак"
    assert complaints(data) == ["В «games[1].firstKilledAtNight» стоит Призрак, а такого игрока за столом нет"]
