"""What a tap sends becomes a value of the rules, however it is written."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.http import QueryDict

from protocols.forms.corrections import tap_of
from protocols.rules import entries as e
from protocols.rules.terms import AFTER, SETUP, Moment, Penalty, Phase, Result, Role, RulingAbout, Team

MOMENT = Moment(2, Phase.BALLOT, 0, 1)


def form(kind: str, **fields: Any) -> Any:
    """A form as it was posted."""
    data = QueryDict(mutable=True)
    data.update({"kind": kind, "uuid": str(uuid4()), "revision": "7", "moment": "2.31.0.1"})
    for name, value in fields.items():
        data.setlist(name, value if isinstance(value, list) else [value])
    return tap_of(data)


@pytest.mark.parametrize(
    ("kind", "fields", "value"),
    [
        ("turn", {"seat": "4"}, e.Turn(moment=MOMENT, seat=4)),
        ("turn", {}, e.Turn(moment=MOMENT)),
        ("foul", {"seat": "4"}, e.Foul(moment=MOMENT, seat=4)),
        (
            "foul",
            {"penalty": "team_defeat", "team": "red", "clause": "6.8.4"},
            e.Foul(moment=MOMENT, seat=None, penalty=Penalty.TEAM_DEFEAT, clause="6.8.4", team=Team.RED),
        ),
        ("foul_clause", {"of": "3", "clause": "6.6.1"}, e.FoulClause(moment=AFTER, of=3, clause="6.6.1")),
        ("nomination", {"seat": "1", "target": "5"}, e.Nomination(moment=MOMENT, seat=1, target=5)),
        ("nomination", {"target": "5"}, e.Nomination(moment=MOMENT, seat=None, target=5)),
        ("withdrawal", {"seat": "1"}, e.Withdrawal(moment=MOMENT, seat=1)),
        ("vote", {"target": "5", "count": "0"}, e.Vote(moment=MOMENT, target=5, count=0)),
        (
            "vote", {"target": "5", "voters": ["1", "4"], "by_name": "1"},
            e.Vote(moment=MOMENT, target=5, count=2, voters=(1, 4)),
        ),
        ("vote", {"target": "5", "by_name": "1"}, e.Vote(moment=MOMENT, target=5, count=0, voters=())),
        ("raise_all", {"count": "6"}, e.RaiseAll(moment=MOMENT, count=6)),
        ("raise_all", {"raised": "false"}, e.RaiseAll(moment=MOMENT, raised=False)),
        ("shot", {"target": "miss"}, e.Shot(moment=MOMENT)),
        ("shot", {"target": "4"}, e.Shot(moment=MOMENT, target=4)),
        ("shot", {"by_5": "4", "by_7": "4"}, e.Shot(moment=MOMENT, target=4, shots=((5, 4), (7, 4)))),
        ("shot", {"by_5": "4", "by_7": "3"}, e.Shot(moment=MOMENT, shots=((5, 4), (7, 3)))),
        ("shot", {"by_5": "4", "by_7": ""}, e.Shot(moment=MOMENT, shots=((5, 4),))),
        ("check", {"by": "don", "target": "4"}, e.Check(moment=MOMENT, by=Role.DON, target=4)),
        ("best_move", {"seats": ["3", "5", "6"]}, e.BestMove(moment=MOMENT, seats=(3, 5, 6))),
        ("best_move", {"seats": "3, 5 ,6"}, e.BestMove(moment=MOMENT, seats=(3, 5, 6))),
        ("extra_points", {"seat": "4", "points": "0,5"}, e.ExtraPoints(moment=AFTER, seat=4, points=500)),
        ("extra_points", {"seat": "4", "points": "0.5"}, e.ExtraPoints(moment=AFTER, seat=4, points=500)),
        ("extra_points", {"seat": "4", "points": "−0,25"}, e.ExtraPoints(moment=AFTER, seat=4, points=-250)),
        ("speech_mark", {"seat": "4", "points": "4½".replace("4½", "4,5")},
         e.SpeechMark(moment=AFTER, seat=4, points=4500)),
        ("seat_correction", {"seat": "1", "target": "2"}, e.SeatCorrection(moment=SETUP, seat=1, target=2)),
        (
            "game_over", {"result": "replay", "text": "Погас свет"},
            e.GameOver(moment=MOMENT, result=Result.REPLAY, text="Погас свет"),
        ),
        (
            "ruling", {"about": "stands", "result": "red", "text": "спор"},
            e.Ruling(moment=MOMENT, about=RulingAbout.STANDS, text="спор"),
        ),
        ("strike", {"of": "3"}, e.Strike(moment=MOMENT, of=3)),
    ],
)  # fmt: skip
def test_a_tap_as_a_value(kind: str, fields: dict[str, Any], value: e.Entry) -> None:
    read = form(kind, **fields)
    assert read.is_valid(), read.errors
    assert read.value() == value


@pytest.mark.parametrize(
    ("clock", "year"), [("2024-01-05T21:40", 2024), ("0001-01-01T00:00", None), ("9999-12-31T23:59", None)]
)
def test_a_device_whose_clock_is_astray_has_no_time(clock: str, year: int | None) -> None:
    read = form("strike", of="3", device_time=clock)
    assert read.is_valid(), read.errors
    assert (read.cleaned_data["device_time"] and read.cleaned_data["device_time"].year) == year


def test_roles_come_letter_by_letter_or_all_at_once() -> None:
    letters = {f"role_{seat}": letter for seat, letter in enumerate("ккккдшччкк", start=1)}
    one, other = form("roles", **letters), form("roles", roles="КККК ДШЧЧ КК")
    assert one.is_valid() and other.is_valid()
    assert one.value() == other.value()


@pytest.mark.parametrize(
    ("kind", "fields", "words"),
    [
        ("roles", {"role_1": "К"}, "Нет роли (К, Ч, Ш или Д) на местах: 2, 3, 4, 5, 6, 7, 8, 9, 10"),
        ("vote", {"target": "5"}, "Голоса: Запишите, сколько голосов."),
        ("vote", {"target": "5", "count": "11"}, "Голоса: Убедитесь, что это значение меньше либо равно 10."),
        ("shot", {}, "Отстрел: Выберите место или промах."),
        ("shot", {"target": "12"}, "Отстрел: Такого игрового места нет; места от 1 до 10."),
        ("best_move", {"seats": "3 5 шесть"}, "Лучший ход: «3 5 шесть»: нужны числа от 0 до 10."),
        ("extra_points", {"seat": "4", "points": "много"},
         "Доп. баллы: «много» — не число баллов; пишите, например, 0,5."),
        ("extra_points", {"seat": "4", "points": "0,0001"},
         "Доп. баллы: «0,0001» — не число баллов; пишите, например, 0,5."),
        ("nomination", {"seat": "1"}, "Кого выставляют: Обязательное поле."),
        ("ballot", {}, "Запишите, сколько голосов."),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_told(kind: str, fields: dict[str, Any], words: str) -> None:
    read = form(kind, **fields)
    assert not read.is_valid()
    assert read.error_lines() == [words]
