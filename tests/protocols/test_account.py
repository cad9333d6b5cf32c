"""The account of a game: plain sentences, one an event, by days and nights."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.contrib.auth.models import User
from django.test import Client

from protocols.rules import entries as e
from protocols.rules.terms import AFTER, Moment, Penalty, Phase
from protocols.services.importing import Target, import_file
from protocols.services.prepare import create_tournament

from .tables import NIGHT_ZERO, ROLES, Table, later, speech, table
from .test_pages_access import client_of
from .test_replay_pages import words
from .world import GAMES

pytestmark = pytest.mark.django_db

FOURTH_FOUL = """\
Кубок
Финал. Игра 1, стол 1
26 января 2020. Судья: Анна Соколова

До игры
За столом: №1 Филин, №2 Шторм, №3 Умка, №4 Лотос, №5 Юнга, №6 Норд, №7 Эхо, №8 Гранит, №9 Парус, №10 Ягуар.
Мафия: №3 Умка, №5 Юнга, дон №9 Парус. Шериф: №8 Гранит.

День 1
День открывает №1 Филин.
№1 Филин получает первый фол.
№9 Парус выставляет №2 Шторм.
В день 1 один кандидат (№2 Шторм): голосование не проводится (уточнение §3).

Ночь 1
Мафия (3, 5, 9) стреляет; уходит №2 Шторм.
Дон проверяет №8 Гранит: да, шериф.
Шериф проверяет №4 Лотос: красный.
Лучший ход №2 Шторм: 1, 3, 8 — чёрных среди них 1.

День 2
День открывает №3 Умка.
№3 Умка выставляет №5 Юнга.
№4 Лотос выставляет №1 Филин.
№5 Юнга выставляет №8 Гранит.
№7 Эхо выставляет №10 Ягуар.
№8 Гранит выставляет №7 Эхо.
№4 Лотос получает первый фол.
Голосование: №5 — 3 (1, 3, 6), №1 — 2 (8, 9), №8 — 0, №10 — 1 (7), №7 — 3 (4, 5, 10); поровну у №5, №7.
№7 Эхо получает первый фол.
Переголосование: №5 — 1 (6), №7 — 8 (1, 3, 4, 5, 7, 8, 9, 10); уходит №7 Эхо.

Ночь 2
Мафия (3, 5, 9) стреляет; уходит №8 Гранит.
Шериф проверяет №3 Умка: чёрный.

День 3
День открывает №4 Лотос.
№4 Лотос выставляет №3 Умка.
№5 Юнга выставляет №9 Парус.
№5 Юнга получает первый фол.
№3 Умка получает первый фол.
№5 Юнга получает второй фол.
№10 Ягуар получает первый фол.
№10 Ягуар получает второй фол.
№10 Ягуар получает третий фол и теряет свою следующую минуту (п. 6.4).
№3 Умка выставляет №1 Филин.
Во время голосования №10 Ягуар получает четвёртый фол и покидает стол без последнего слова (п. 6.5); \
голосования в этот день нет (п. 7.1).

Результат
Победа чёрных: чёрных за столом не меньше, чем красных (п. 4.6.1).
"""


def test_the_account_of_a_real_game() -> None:
    name = "fourth-foul-during-the-vote.json"
    raw = (GAMES / name).read_bytes()
    judge = User.objects.create_user("judge", first_name="Анна", last_name="Соколова")
    create_tournament(title="Кубок", slug="cup", starts_on=date(2020, 1, 26), regulation="F", by=judge)
    target = Target(tournament="cup", stage="Финал", judge=judge)
    (game,) = import_file(raw, name=name, target=target, sign=True).games
    response = Client().get(f"/games/{game.uuid}/account.txt")
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert response["Content-Disposition"].startswith("attachment; filename*=UTF-8''%D0%A5%D0%BE%D0%B4%20")
    assert response.content.decode("utf-8") == FOURTH_FOUL
    page = Client().get(f"/games/{game.uuid}/account/").content.decode()
    lines = [words(line) for line in re.findall(r"data-line>(.*?)</", page)]
    assert lines == [line for line in FOURTH_FOUL.splitlines() if line]


def account_of(seen: Table) -> list[str]:
    """The account's lines after the three of its head."""
    text = client_of("judge").get(f"/games/{seen.game.uuid}/account.txt").content.decode()
    return [line for line in text.splitlines()[4:] if line]


def test_the_account_of_what_seldom_happens() -> None:
    seen = table()
    ballot = Moment(1, Phase.BALLOT, 0, 1)
    later(
        seen.game, NIGHT_ZERO, speech(1), e.Nomination(moment=speech(1).moment, seat=1, target=5),
        e.Foul(moment=speech(1).moment, seat=4, penalty=Penalty.WARNING, clause="6.3"), speech(2),
        e.Nomination(moment=speech(2).moment, seat=2, target=9), e.Withdrawal(moment=speech(2).moment, seat=2),
        e.Nomination(moment=speech(2).moment, seat=2, target=8),
        e.Turn(moment=Moment(1, Phase.BALLOT)), e.Vote(moment=ballot, target=5, count=3),
        e.Foul(moment=ballot, seat=10, penalty=Penalty.DISQUALIFYING, clause="6.7.4", text="Брань."),
        e.Turn(moment=Moment(1, Phase.NIGHT)), e.Shot(moment=Moment(1, Phase.NIGHT)),
        e.ExtraPoints(moment=AFTER, seat=1, points=200), e.ExtraPoints(moment=AFTER, seat=1, points=300),
        e.FoulClause(moment=AFTER, of=4, clause="6.6.1"),
    )  # fmt: skip
    assert account_of(seen) == [
        "До игры",
        "За столом: №1 Лотос, №2 Мираж, №3 Норд, №4 Онега, №5 Парус, №6 Рубин, №7 Сокол, №8 Тайга, №9 Умка, №10 Филин.",
        "Ночь 0",
        "Игра начинается, чёрные знакомятся.",
        "День 1",
        "День открывает №1 Лотос.",
        "№1 Лотос выставляет №5 Парус.",
        "№4 Онега получает устное предупреждение (п. 6.6.1).",
        "№2 Мираж выставляет №9 Умка.",
        "№2 Мираж снимает кандидатуру.",
        "№2 Мираж выставляет №8 Тайга.",
        "Голосование прервано: №5 — 3.",
        "Во время голосования №10 Филин получает дисквалифицирующий фол (п. 6.7.4) и покидает стол без последнего "
        "слова; голосования в этот день нет (п. 7.1). Брань.",
        "Ночь 1",
        "Мафия промахивается.",
        "После игры",
        "Доп. баллы, №1 Лотос: +0,3.",
    ]


def test_the_account_of_a_raised_table_and_of_a_third_foul_served() -> None:
    seen = table("A")
    ballots, third = (Moment(1, Phase.BALLOT, 0), Moment(1, Phase.BALLOT, 1)), speech(1).moment
    later(
        seen.game, ROLES, NIGHT_ZERO, speech(1), e.Nomination(moment=third, seat=1, target=1),
        *(e.Foul(moment=third, seat=3) for _ in range(3)),
        speech(2), e.Nomination(moment=speech(2).moment, seat=2, target=2), speech(3),
        *(e.Vote(moment=ballot._replace(step=seat), target=seat, count=5) for ballot in ballots for seat in (1, 2)),
        e.RaiseAll(moment=Moment(1, Phase.RAISE_ALL), count=6),
    )  # fmt: skip
    assert account_of(seen)[5:] == [
        "День 1",
        "День открывает №1 Лотос.",
        "№1 Лотос выставляет №1 Лотос.",
        "№3 Норд получает первый фол.",
        "№3 Норд получает второй фол.",
        "№3 Норд получает третий фол и теряет свою следующую минуту (п. 6.4).",
        "№2 Мираж выставляет №2 Мираж.",
        "№3 Норд — без слова, выставить может (п. 6.4).",
        "Голосование: №1 — 5, №2 — 5; поровну у №1, №2.",
        "Переголосование: №1 — 5, №2 — 5; снова поровну у №1, №2.",
        "За подъём — 6 из 10; уходят №1 Лотос, №2 Мираж.",
    ]
