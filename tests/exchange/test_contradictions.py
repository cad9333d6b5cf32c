"""A file that contradicts itself or the rules is refused, each contradiction with its seat, nickname and clause."""

from typing import Any

import pytest

from protocols.exchange import formats
from protocols.exchange.mafiaratings import GameLog
from protocols.exchange.playback import played
from protocols.rules import entries as e
from protocols.rules.regulation import EDITION_A, EDITION_B, FEDERATION
from protocols.rules.terms import AFTER, HowLeft, Penalty

from .expected import GAMES
from .files import complaints, game_data, raw, refusals


def _players(data: Any) -> dict[int, Any]:
    return dict(enumerate(data["players"], 1))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("regulation", [FEDERATION, EDITION_A, EDITION_B], ids=["F", "A", "B"])
def test_the_real_games_contradict_no_regulation(name: str, regulation: Any) -> None:
    assert complaints(game_data(name), regulation) == []


# ---------------------------------------------------------------- the table


def test_an_eleventh_player_is_named() -> None:
    data = game_data()
    data["players"].append({"name": "Лишний"})
    assert complaints(data) == ["За столом 11 игроков, а играют десять: №11 Лишний (уточнение §1)"]


def test_nine_players_are_no_table() -> None:
    data = game_data()
    del data["players"][4]
    assert complaints(data) == ["За столом 9 игроков, а играют десять (уточнение §1)"]


def test_one_player_has_one_seat_whatever_the_case_of_the_letters() -> None:
    data = game_data()
    _players(data)[7]["name"] = "рубин"
    assert complaints(data) == ["Один никнейм на нескольких местах: №6 Рубин, №7 рубин (уточнение §1)"]


def test_a_game_does_not_end_before_it_begins() -> None:
    data = game_data()
    data["startTime"], data["endTime"] = 1_700_000_000, 1_699_996_400
    assert complaints(data) == [
        "Игра кончилась раньше, чем началась: начало 15 ноября 2023, 01:13:20, конец 15 ноября 2023, 00:13:20 (п. 9.2)"
    ]


def test_a_game_that_ends_as_it_begins_is_taken() -> None:
    data = game_data()
    data["startTime"] = data["endTime"] = 1_700_000_000
    assert complaints(data) == []


def test_roles_are_six_two_one_one() -> None:
    data = game_data()
    _players(data)[1]["role"] = "maf"
    assert refusals(data) == [("role_counts", "A 9.4.1", None)]


def test_contradictions_are_named_all_at_once() -> None:
    data = game_data()
    players = _players(data)
    players[7]["name"] = "Рубин"
    players[8]["shooting"][0] = 5
    players[9]["legacy"] = [1, 2, 3]
    players[1]["voting"][2] = None
    data["winner"] = "civ"
    assert complaints(data) == [
        "Один никнейм на нескольких местах: №6 Рубин, №7 Рубин (уточнение §1)",
        "Ночь 1: отстрелен №4 Онега, но чёрные стреляли в разных: 5→4, 7→4, 8→5 (уточнение §4)",
        "№9 Умка назвал лучший ход, но в ночь 1 отстрелен №4 Онега (п. 8.3)",
        "День 3, голосование: голосов 6, а за столом 7; нет голоса: №1 Лотос (п. 9.5)",
        "В файле — «победа красных», а по ходу игры: Победа чёрных: чёрных за столом не меньше, чем красных (п. 4.6.1)",
    ]


# ---------------------------------------------------------------- the day


def test_whoever_left_neither_nominates_nor_is_nominated() -> None:
    data = game_data()
    _players(data)[4]["nominating"] = [None, 8]
    assert refusals(data) == [("has_left", "§1", 4)]
    assert complaints(data) == ["День 2 · речи: №4 Онега уже не за столом (отстрел, ночь 1) (уточнение §1)"]
    data = game_data()
    _players(data)[1]["nominating"][1] = 4
    assert refusals(data) == [("has_left", "§1", 4), ("vote_for_other", "§3", 5)]


def test_one_seat_is_nominated_once() -> None:
    data = game_data()
    _players(data)[1]["nominating"][1] = 8
    assert refusals(data) == [("already_nominated", "§2", 8), ("vote_for_other", "§3", 5)]


def test_the_votes_of_a_ballot_sum_to_the_living() -> None:
    data = game_data()
    _players(data)[1]["voting"][2] = None
    assert complaints(data) == ["День 3, голосование: голосов 6, а за столом 7; нет голоса: №1 Лотос (п. 9.5)"]


def test_whoever_left_has_no_vote() -> None:
    data = game_data()
    _players(data)[4]["voting"].append(5)
    assert complaints(data) == ["День 2, голосование: №4 Онега голосует, уже покинув стол (уточнение §1)"]


def test_a_vote_is_for_a_candidate() -> None:
    data = game_data()
    _players(data)[1]["voting"][2] = 9
    assert complaints(data) == [
        "День 3, голосование: №1 Лотос голосует за №9 Умка, а эта кандидатура не выставлена (уточнение §3)"
    ]


def test_a_revote_that_must_have_been_is_in_the_file() -> None:
    data = game_data()
    for player in data["players"]:
        player["voting"][0] = player["voting"][0][0]
    assert complaints(data) == ["День 1: в файле нет голосов (переголосование: №1 Лотос, №3 Норд) (уточнение §3)"]


def test_a_revote_after_a_decided_ballot_is_refused() -> None:
    data = game_data("don-and-sheriff-checks")
    for player in data["players"]:
        if len(player.get("voting", [])) > 1:
            player["voting"][1] = [player["voting"][1], 8]
    assert refusals(data) == [("vote_decided", "§3", None)]


def test_there_is_no_vote_on_day_1_with_one_nominee() -> None:
    data = game_data("fourth-foul-during-the-vote")
    for player in data["players"]:
        player["voting"] = [2, *player.get("voting", [None])[1:]]
    assert refusals(data) == [("single_nominee", "§3", 2)]


def test_of_two_tied_both_rise_or_none() -> None:
    data = game_data("raise-all-5-5-on-day-1")
    del data["players"][0]["death"]
    assert complaints(data)[0] == (
        "День 1: из поделивших голоса (№1 Парус, №2 Сокол) ушли не все: №2 Сокол (уточнение §3)"
    )


def test_a_raise_all_count_in_the_file_is_taken_and_compared_with_who_left() -> None:
    data = game_data()
    for seat, player in _players(data).items():
        player["voting"][0].append(seat <= 5)
    log = formats.read(raw(data))
    assert isinstance(log, GameLog)
    answers = [entry for entry in played(log, FEDERATION).entries if isinstance(entry, e.RaiseAll)]
    assert [(answer.count, answer.voters) for answer in answers] == [(5, (1, 2, 3, 4, 5))]
    _players(data)[6]["voting"][0][-1] = True
    assert complaints(data) == [
        "№1 Лотос: по файлу — выведен голосованием, день 5, по правилам — поднят, день 1 (уточнение §3)",
        "№3 Норд: по файлу — отстрел, ночь 3, по правилам — поднят, день 1 (уточнение §3)",
    ]


# ---------------------------------------------------------------- the night


def test_a_victim_was_shot_by_all_blacks_alike() -> None:
    data = game_data()
    _players(data)[8]["shooting"][0] = 5
    assert complaints(data) == ["Ночь 1: отстрелен №4 Онега, но чёрные стреляли в разных: 5→4, 7→4, 8→5 (уточнение §4)"]


def test_whoever_all_blacks_shot_is_not_at_the_table() -> None:
    data = game_data()
    del _players(data)[4]["death"]
    assert complaints(data) == ["№4 Онега: по файлу — за столом, по правилам — отстрел, ночь 1 (уточнение §4)"]


def test_a_shot_that_is_not_in_the_file_is_unknown_and_the_others_are_kept() -> None:
    data = game_data()
    _players(data)[8]["shooting"][0] = None
    log = formats.read(raw(data))
    assert isinstance(log, GameLog)
    game = played(log, FEDERATION)
    shots = [entry for entry in game.entries if isinstance(entry, e.Shot)]
    assert (shots[0].target, shots[0].shots) == (4, ())
    assert (shots[1].target, shots[1].shots) == (6, ((7, 6), (8, 6)))


def test_one_night_has_one_check_of_the_don() -> None:
    data = game_data()
    _players(data)[7]["don"] = 1
    assert refusals(data) == [("already_checked", "§4", 3)]


def test_a_check_of_a_night_that_was_not_played_is_named() -> None:
    data = game_data()
    _players(data)[7]["don"] = 9
    assert complaints(data) == [
        "В файле записано то, чего уже не могло быть: проверка дона, ночь 9 — №7 Сокол (уточнение §2)"
    ]


@pytest.mark.parametrize(
    ("seats", "code"),
    [([3, 3, 6], "best_move_repeated"), ([3, 4, 6], "best_move_own"), ([3, 5], "best_move_three")],
)
def test_a_best_move_names_three_other_seats(seats: list[int], code: str) -> None:
    data = game_data()
    _players(data)[4]["legacy"] = seats
    assert refusals(data) == [(code, "A 8.3", 4)]


def test_only_the_first_nights_victim_has_a_best_move() -> None:
    data = game_data()
    _players(data)[9]["legacy"] = [1, 2, 3]
    assert complaints(data) == ["№9 Умка назвал лучший ход, но в ночь 1 отстрелен №4 Онега (п. 8.3)"]


def test_after_a_raise_of_two_on_day_1_the_federation_has_no_best_move() -> None:
    data = game_data("raise-all-5-5-on-day-1")
    _players(data)[6]["legacy"] = [3, 9, 10]
    assert refusals(data) == [("best_move_void", "ФИИМ", 6)]
    assert complaints(data, EDITION_A) == []


# ---------------------------------------------------------------- fouls and removals


def test_four_fouls_and_still_at_the_table_is_a_contradiction() -> None:
    data = game_data()
    _players(data)[2]["warnings"].append({"round": 4, "time": "speaking", "speaker": 7})
    assert complaints(data)[0] == ("№2 Мираж: по файлу — за столом, по правилам — удалён, 4 фола, день 5 (п. 6.5)")


def test_four_fouls_kept_as_a_number_and_still_at_the_table_is_a_contradiction() -> None:
    data = game_data()
    _players(data)[2]["warnings"] = 4
    assert complaints(data) == ["№2 Мираж: фолов 4, а по файлу — за столом (п. 6.5)"]
    _players(data)[2]["warnings"] = 3
    _players(data)[4]["warnings"] = 4  # shot in night 1: the fourth may have come after that, and only costs points
    assert complaints(data) == []


def test_a_fourth_foul_after_the_end_leaves_nobody_at_the_table() -> None:
    data = game_data()
    _players(data)[2]["warnings"].append({"round": 4, "time": "end"})
    assert complaints(data) == []


@pytest.mark.parametrize(
    ("seat", "time", "is_named"),
    [
        (1, {"round": 4, "time": "speaking", "speaker": 7}, True),
        (1, {"round": 3, "time": "day kill speaking", "speaker": 10}, True),
        (1, {"round": 4, "time": "day kill speaking", "speaker": 1}, False),
        (2, {"round": 4, "time": "speaking", "speaker": 7}, True),
        (2, {"round": 4, "time": "end"}, False),
    ],
)
def test_four_fouls_of_somebody_who_left_otherwise_are_named_where_the_game_cant_be_played(
    seat: int, time: dict[str, object], is_named: bool
) -> None:
    data = game_data()
    players = _players(data)
    players[3]["role"] = "maf"  # three such: the rules can't play the game at all
    players[seat]["warnings"].append(time)
    said = {1: "№1 Лотос: фолов 4, а по файлу — выведен голосованием, день 5 (п. 6.5)",
            2: "№2 Мираж: фолов 4, а по файлу — за столом (п. 6.5)"}  # fmt: skip
    assert [line for line in complaints(data) if "фол" in line] == ([said[seat]] if is_named else [])


def test_a_fifth_foul_is_refused() -> None:
    data = game_data("fourth-foul-during-the-vote")
    _players(data)[10]["warnings"].append({"round": 2, "time": "voting", "votingRound": 0, "nominee": 3})
    assert refusals(data) == [("fifth_foul", "A 6.5", 10)]


def test_removed_for_fouls_with_fewer_than_four_is_a_contradiction() -> None:
    data = game_data("fourth-foul-during-the-vote")
    del _players(data)[10]["warnings"][0]
    assert complaints(data)[0] == (
        "№10 Ягуар: по файлу — удалён, 4 фола, день 3, по правилам — за столом (уточнение §1)"
    )


@pytest.mark.parametrize("time", [{"votingRound": 0, "nominee": 9}, {"votingRound": 1, "speaker": 9}])
def test_a_vote_that_a_removal_voided_is_in_no_file_however_far_it_had_come(time: dict[str, int]) -> None:
    data = game_data("fourth-foul-during-the-vote")
    moment = {"round": 2, "time": "voting", **time}
    _players(data)[10]["warnings"][3] = moment
    _players(data)[10]["death"]["time"] = moment
    assert complaints(data) == []


def test_a_removal_needs_its_moment() -> None:
    data = game_data()
    _players(data)[1]["death"] = {"round": 3, "type": "kickOut"}
    assert complaints(data) == [
        "№1 Лотос: удалён, день 4, но в файле не сказано, в какой момент (уточнение §1)",
        "День 5, голосование: №1 Лотос голосует, уже покинув стол (уточнение §1)",
    ]


def test_fouls_kept_as_a_number_stand_after_the_game() -> None:
    data = game_data()
    _players(data)[1]["warnings"] = 3
    log = formats.read(raw(data))
    assert isinstance(log, GameLog)
    fouls = [entry for entry in played(log, FEDERATION).entries if isinstance(entry, e.Foul) and entry.seat == 1]
    assert [foul.moment for foul in fouls] == [AFTER] * 3


def _ends_in_the_first_minute_of_day_5(death: str) -> Any:
    data = game_data()
    for player in data["players"]:
        for name in ("voting", "nominating"):
            del player.get(name, [])[4:]
    time = {"round": 4, "time": "speaking", "speaker": 1}
    _players(data)[1]["death"] = {"round": 4, "type": death, "time": time}
    return data


@pytest.mark.parametrize(("death", "clause"), [("kickOut", ""), ("giveUp", "6.7.1")], ids=["removed", "left the table"])
def test_a_removal_is_a_disqualifying_foul(death: str, clause: str) -> None:
    log = formats.read(raw(_ends_in_the_first_minute_of_day_5(death)))
    assert isinstance(log, GameLog)
    game = played(log, FEDERATION)
    (foul,) = [entry for entry in game.entries if isinstance(entry, e.Foul) and entry.penalty != Penalty.FOUL]
    assert (foul.seat, foul.penalty, foul.clause) == (1, Penalty.DISQUALIFYING, clause)
    left = game.state.seats[1].left
    assert left is not None and left.how == HowLeft.DISQUALIFIED
    assert game.state.derived is not None and game.state.derived.reason == "blacks_not_fewer"


def test_a_player_who_brings_defeat_on_the_team_ends_the_game() -> None:
    log = formats.read(raw(_ends_in_the_first_minute_of_day_5("teamKickOut")))
    assert isinstance(log, GameLog)
    game = played(log, FEDERATION)
    assert game.state.derived is not None
    assert (game.state.derived.reason, game.state.derived.seat) == ("team_defeat", 1)
    assert game.state.derived.result == "black"


# ---------------------------------------------------------------- beyond what can be played


def test_what_follows_a_contradiction_is_held_against_the_file_itself() -> None:
    data = game_data()
    players = _players(data)
    players[1]["role"] = "maf"  # three such: the rules can't play the game at all
    players[8]["shooting"][0] = 5
    players[9]["legacy"] = [1, 2, 3]
    players[2]["warnings"] = 4
    players[7]["voting"][2] = None
    data["players"][0]["voting"][0] = data["players"][0]["voting"][0][0]
    data["winner"] = "civ"
    assert complaints(data) == [
        "До игры: Роли не сходятся: нужно 6 К, 2 Ч, 1 Ш и 1 Д; выбрано: 5 К, 3 Ч, 1 Ш, 1 Д (п. 9.4.1)",
        "Ночь 1: отстрелен №4 Онега, но чёрные стреляли в разных: 5→4, 7→4, 8→5 (уточнение §4)",
        "День 1, переголосование: голосов 9, а за столом 10; нет голоса: №1 Лотос (п. 9.5)",
        "День 3, голосование: голосов 6, а за столом 7; нет голоса: №7 Сокол (п. 9.5)",
        "№2 Мираж: фолов 4, а по файлу — за столом (п. 6.5)",
        "№9 Умка назвал лучший ход, но в ночь 1 отстрелен №4 Онега (п. 8.3)",
        "В файле — «победа красных», а в конце за столом красных — 1, чёрных — 1 (п. 4.6.1)",
    ]


def test_a_later_leader_who_stays_and_a_later_agreed_shot_are_named_too() -> None:
    data = game_data()
    players = _players(data)
    players[1]["role"] = "sheriff"
    del players[8]["death"]
    del players[6]["death"]
    assert complaints(data)[1:] == [
        "Ночь 2: все чёрные стреляли в №6 Рубин, а по файлу — за столом (уточнение §4)",
        "День 3, голосование: голосов 7, а за столом 8; нет голоса: №6 Рубин (п. 9.5)",
        "День 4, голосование: голосов 5, а за столом 7; нет голоса: №6 Рубин, №8 Тайга (п. 9.5)",
        "День 5, голосование: голосов 3, а за столом 5; нет голоса: №6 Рубин, №8 Тайга (п. 9.5)",
    ]


# ---------------------------------------------------------------- the end


@pytest.mark.parametrize(("winner", "words"), [("civ", "победа красных"), ("tie", "ничья")])
def test_the_declared_winner_is_the_one_that_follows(winner: str, words: str) -> None:
    data = game_data()
    data["winner"] = winner
    assert complaints(data) == [
        f"В файле — «{words}», а по ходу игры: Победа чёрных: чёрных за столом не меньше, чем красных (п. 4.6.1)"
    ]


def test_a_game_that_is_not_over_has_no_winner() -> None:
    data = game_data()
    for player in data["players"]:
        for name in ("voting", "nominating"):
            del player.get(name, [])[4:]
    del _players(data)[1]["death"]
    assert complaints(data) == [
        "В файле — «победа чёрных», но игра в нём не окончена: за столом красных — 2, чёрных — 1 (п. 4.6.1)"
    ]


def test_nothing_is_played_after_the_end() -> None:
    data = game_data()
    _players(data)[2]["nominating"].append(7)
    _players(data)[7]["warnings"] = [{"round": 5, "time": "speaking", "speaker": 2}]
    assert complaints(data) == [
        "В файле записано то, чего уже не могло быть: выставления, день 6 — №2 Мираж (уточнение §2)",
        "№7 Сокол: фол в момент, которого в игре не было (день 6) (уточнение §2)",
    ]
