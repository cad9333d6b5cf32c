"""What is no such file gets one clear line."""

from typing import Any

import pytest

from protocols.exchange.game_file import read_instant
from protocols.exchange.reading import Part, Unreadable

from .files import complaints, evening_data, game_data, raw

OTHER = "Файл — JSON, но не запись игры, не игра mafiaratings и не клубный вечер"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "Файл пуст"),
        (b" \n\t", "Файл пуст"),
        (b" " * 2_000_001, "Файл больше 2 МБ"),
        ("игра".encode("cp1251"), "Файл — не текст в кодировке UTF-8 (байт 0)"),
        ('{"winner": "civ"}'.encode("utf-16"), "Файл — не текст в кодировке UTF-8 (байт 0)"),
        ('{"winner": "civ"}'.encode("utf-16-le"), "Файл — не текст в кодировке UTF-8 (байт 0)"),
        (b"winner: civ", "Файл — не JSON (строка 1, столбец 1)"),
        (b'{"winner": "civ",\n"players": [', "Файл — не JSON (строка 2, столбец 13)"),
        (b'{"a": NaN}', "Файл — не JSON (строка 1, столбец 1)"),
        (b"1" * 5000, "Файл — не JSON (строка 1, столбец 1)"),
        (b'{"a": 1, "a": 2}', "В файле дважды в одном месте стоит «a»"),
        (b'{"a": "\\u0000"}', "В файле есть символ, недопустимый в тексте"),
        (b'{"a": "\\ud800"}', "В файле есть символ, недопустимый в тексте"),
        (b"[" * 100_000, "Файл — не игра: списки вложены слишком глубоко"),
        (b'{"a": ' + b"[" * 30 + b"]" * 30 + b"}", "Файл — не игра: списки вложены слишком глубоко"),
        (b"[]", OTHER),
        (b"7", OTHER),
        (b'{"standings": []}', OTHER),
        (b'{"players": []}', "В файле нет «winner»"),
        (b'{"players": {}, "winner": "civ"}', "В «players» не может стоять {}"),
        (b'{"games": []}', "В «games» не может стоять []"),
    ],
    ids=range(21),
)
def test_bytes_that_are_no_game(content: bytes, words: str) -> None:
    assert complaints(content) == [words]


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("name", 5, "В «players[3].name» не может стоять 5"),
        ("name", "", 'В «players[3].name» не может стоять ""'),
        ("name", "я" * 41, 'В «players[3].name» не может стоять "' + "я" * 38 + "…"),
        ("role", "town", 'В «players[3].role» не может стоять "town"'),
        ("role", ["don"], 'В «players[3].role» не может стоять ["don"]'),
        ("voting", 4, "В «players[3].voting» не может стоять 4"),
        ("voting", [11], "В «players[3].voting[1]» не может стоять 11"),
        ("voting", [True], "В «players[3].voting[1]» не может стоять true"),
        ("voting", [[True]], "В «players[3].voting[1]» не может стоять [true]"),
        ("voting", [["4"]], 'В «players[3].voting[1][1]» не может стоять "4"'),
        ("nominating", [None] * 61, "Список «players[3].nominating» слишком длинный: не больше 60"),
        ("death", "night", 'В «players[3].death» не может стоять "night"'),
        ("death", {"round": 1}, "В файле нет «players[3].death.type»"),
        ("death", {"round": -1, "type": "night"}, "В «players[3].death.round» не может стоять -1"),
        ("death", {"round": 1, "type": "techFouls"}, 'В «players[3].death.type» не может стоять "techFouls"'),
        ("don", 1.5, 'В «players[3].don» не может стоять "1.5"'),
        ("warnings", [{"round": 1}], "В файле нет «players[3].warnings[1].time»"),
        ("warnings", [{"round": 1, "time": "noon"}], 'В «players[3].warnings[1].time» не может стоять "noon"'),
    ],
    ids=range(18),
)
def test_a_value_out_of_place_is_named_with_its_path(name: str, value: Any, words: str) -> None:
    data = game_data()
    data["players"][2][name] = value
    assert complaints(data) == [words]


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("extraScores", "много", 'В «games[1].players[3].extraScores» не может стоять "много"'),
        ("extraScores", 0.0001, 'В «games[1].players[3].extraScores» не может стоять "0.0001"'),
        ("fouls", 2.5, 'В «games[1].players[3].fouls» не может стоять "2.5"'),
        ("role", "maniac", 'В «games[1].players[3].role» не может стоять "maniac"'),
    ],
    ids=range(4),
)
def test_a_value_out_of_place_in_an_evening_is_named_with_its_path(name: str, value: Any, words: str) -> None:
    data = evening_data()
    data["games"][0]["players"][2][name] = value
    assert complaints(data) == [words]


def test_a_byte_order_mark_does_no_harm() -> None:
    assert complaints(b"\xef\xbb\xbf" + raw(game_data())) == []


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00.000000+00:00", "9999-12-31T23:59:59.000000+00:00"])
def test_a_moment_at_the_ends_of_time_is_none_of_a_game(text: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read_instant(Part(text, "game.ended_at"))
    assert (caught.value.code, caught.value.params["path"]) == ("wrong_value", "game.ended_at")
    assert read_instant(Part("2024-01-05T18:40:00.000000+00:00", "")).year == 2024
