"""Fifteen rules that a file or a hand can break: each keeps a game from being signed, with its own message (A 9.9)."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from protocols.models import Game, Player, Seat, SignedSheet, Stage
from protocols.rules import entries as e
from protocols.rules.terms import SETUP, Moment, Penalty, Phase, Result, Role
from protocols.services.errors import NotReady
from protocols.services.prepare import create_game, seat_players
from protocols.services.sign import seal, sign
from protocols.services.verify import differences
from protocols.wording import problem_words

from .broken import (
    BEGUN,
    FALLEN,
    MINUTE,
    NIGHT,
    SECOND,
    SPOKEN,
    VOTED,
    best,
    check,
    dealt,
    defeat,
    fouls,
    no_checks,
    shot,
    stored,
    tally,
    words,
)
from .conftest import NICKNAMES, PASSWORD, Cast
from .play import NIGHT_ZERO, extra, nominate, speech, vote

Entries = Sequence[e.Entry]
BALLOT = Moment(1, Phase.BALLOT, 0, 2)
SECOND_DAY: Entries = [*VOTED, *FALLEN, shot(4), speech(2, day=2, step=1)]
TIED: Entries = [*SPOKEN, tally(5, 5, 0, 1), tally(9, 5, 0, 2)]
TIED_TWICE: Entries = [*TIED, tally(5, 5, 1, 1), tally(9, 5, 1, 2)]
FOUR: Entries = [
    *BEGUN, speech(1), nominate(1, 5), speech(2), nominate(2, 9), speech(3), nominate(3, 6), speech(4), nominate(4, 2),
    *(tally(seat, count, 0, step) for step, (seat, count) in enumerate([(5, 3), (9, 3), (6, 3), (2, 1)], 1)),
    tally(5, 3, 1, 1), tally(9, 3, 1, 2),
]  # fmt: skip
QUESTION = Moment(1, Phase.RAISE_ALL)
THREE_EXTRAS: Entries = [*BEGUN, speech(1), defeat(MINUTE), extra(1, 500), extra(2, 500), extra(3, 500)]


class Broken(NamedTuple):
    """What is written, why it is not signed, and the same written right."""

    broken: Entries
    why: list[str]
    mended: Entries


CASES: dict[str, Broken] = {
    "nobody speaks after having been voted out": Broken(
        [*SECOND_DAY, speech(9, day=2, step=2), defeat(Moment(2, Phase.SPEECHES, 0, 2))],
        ["Запись 12 (ход игры, День 2 · речи): №9 Ирис уже не за столом (выведен голосованием, день 1) (уточнение §1)"],
        [*SECOND_DAY, speech(3, day=2, step=2), defeat(Moment(2, Phase.SPEECHES, 0, 2))],
    ),
    "nobody is nominated after having been shot": Broken(
        [*SECOND_DAY, e.Nomination(moment=SECOND, seat=2, target=4), defeat(SECOND)],
        ["Запись 12 (выставление, День 2 · речи): №4 Гранит уже не за столом (отстрел, ночь 1) (уточнение §1)"],
        [*SECOND_DAY, e.Nomination(moment=SECOND, seat=2, target=3), defeat(SECOND)],
    ),
    "nobody removed has last words": Broken(
        [*VOTED, e.Foul(moment=BALLOT, seat=9, penalty=Penalty.DISQUALIFYING), words(9), defeat(words(9).moment)],
        ["Запись 10 (ход игры, День 1 · последнее слово): №9 Ирис уже не за столом (удалён, день 1) (уточнение §1)"],
        [*VOTED, words(9), e.Foul(moment=words(9).moment, seat=9, penalty=Penalty.DISQUALIFYING),
         defeat(words(9).moment)],
    ),
    "nobody removed is given a foul": Broken(
        [*BEGUN, speech(1), e.Foul(moment=MINUTE, seat=4, penalty=Penalty.DISQUALIFYING), *fouls(4, 1), defeat(MINUTE)],
        ["Запись 5 (фол, День 1 · речи): №4 Гранит уже не за столом (удалён, день 1) (уточнение §1)"],
        [*BEGUN, speech(1), *fouls(4, 1), e.Foul(moment=MINUTE, seat=4, penalty=Penalty.DISQUALIFYING), defeat(MINUTE)],
    ),
    "a speaker nominates once a day": Broken(
        [*SPOKEN[:4], nominate(1, 6), *SPOKEN[4:], defeat(Moment(1, Phase.SPEECHES, 0, 2))],
        ["День 1: №1 Ёлка 7 выставляет дважды (№5 Дельта, №6 Астра); за день — одна кандидатура (уточнение §2)"],
        [*SPOKEN[:4], e.Withdrawal(moment=MINUTE, seat=1), nominate(1, 6), *SPOKEN[4:],
         defeat(Moment(1, Phase.SPEECHES, 0, 2))],
    ),
    "a nominee is nominated once a day": Broken(
        [*SPOKEN, speech(3), nominate(3, 9), defeat(Moment(1, Phase.SPEECHES, 0, 3))],
        ["День 1: №9 Ирис выставлен дважды (уточнение §2)"],
        [*SPOKEN, speech(3), nominate(3, 10), defeat(Moment(1, Phase.SPEECHES, 0, 3))],
    ),
    "the tallies sum to the living": Broken(
        [*SPOKEN, vote(5, 4, 1), vote(9, 5, 2), defeat(BALLOT)],
        ["День 1, голосование (№5 Дельта, №9 Ирис): всего голосов 9, а за столом 10, у каждого один голос (п. 9.5)"],
        [*VOTED, defeat(BALLOT)],
    ),
    "a player votes once in a ballot": Broken(
        [*SPOKEN, tally(5, 4, 0, 1, (1, 2, 3, 4)), tally(9, 6, 0, 2, (1, 5, 6, 7, 8, 9)), defeat(BALLOT)],
        ["День 1, голосование: №1 Ёлка 7 голосует дважды (уточнение §3)"],
        [*SPOKEN, tally(5, 4, 0, 1, (1, 2, 3, 4)), tally(9, 6, 0, 2, (5, 6, 7, 8, 9, 10)), defeat(BALLOT)],
    ),
    "as many players are named as votes are counted": Broken(
        [*SPOKEN, tally(5, 4, 0, 1, (1, 2, 3)), defeat(Moment(1, Phase.BALLOT, 0, 1))],
        ["День 1, голосование: голосов за №5 Дельта — 4, а названо игроков: 3 (п. 9.5)"],
        [*SPOKEN, tally(5, 4, 0, 1, (1, 2, 3, 4)), defeat(Moment(1, Phase.BALLOT, 0, 1))],
    ),
    "a candidate is tallied once": Broken(
        [*VOTED[:7], tally(5, 1, 0, 1), defeat(Moment(1, Phase.BALLOT, 0, 1))],
        ["День 1, голосование: голоса за №5 Дельта записаны дважды (п. 9.5)"],
        [*VOTED[:7], defeat(Moment(1, Phase.BALLOT, 0, 1))],
    ),
    "who is for raising is counted once": Broken(
        [*TIED_TWICE, e.RaiseAll(moment=QUESTION, count=10, voters=(1, 1)), defeat(QUESTION)],
        ["День 1: №1 Ёлка 7 посчитан за подъём дважды (уточнение §3)"],
        [*TIED_TWICE, e.RaiseAll(moment=QUESTION, count=2, voters=(1, 2)), defeat(QUESTION)],
    ),
    "votes are for the nominated only": Broken(
        [*SPOKEN, vote(5, 4, 1), vote(6, 6, 2), defeat(BALLOT)],
        ["День 1, голосование: записаны голоса (6) за №6 Астра, а эта кандидатура не выставлена. "
         "Голосуют за: №5 Дельта, №9 Ирис (уточнение §3)"],
        [*VOTED, defeat(BALLOT)],
    ),
    "a revote is among the leaders only": Broken(
        [*TIED, tally(5, 4, 1, 1), tally(6, 6, 1, 2), defeat(Moment(1, Phase.BALLOT, 1, 2))],
        ["День 1, переголосование: записаны голоса (6) за №6 Астра — не из набравших больше всех. "
         "Переголосуют за: №5 Дельта, №9 Ирис (уточнение §3)"],
        [*TIED, tally(5, 4, 1, 1), tally(9, 6, 1, 2), defeat(Moment(1, Phase.BALLOT, 1, 2))],
    ),
    "one nominee of day 1 is not voted on": Broken(
        [*SPOKEN[:4], vote(5, 10, 1), *FALLEN, shot(4), speech(2, day=2, step=1), defeat(SECOND)],
        ["Подсчитаны голоса за №5 Дельта, а в день 1 единственная кандидатура не голосуется (уточнение §3)"],
        [*SPOKEN[:4], *FALLEN, shot(4), speech(2, day=2, step=1), defeat(SECOND)],
    ),
    "who leaves is the leader": Broken(
        [*VOTED, words(5), *FALLEN, shot(4), speech(2, day=2, step=1), defeat(SECOND)],
        ["День 1: записано последнее слово №5 Дельта, а по голосам уходит: №9 Ирис (уточнение §3)"],
        [*VOTED, words(9), *FALLEN, shot(4), speech(2, day=2, step=1), defeat(SECOND)],
    ),
    "who leaves is raised by over half": Broken(
        [*TIED_TWICE, e.RaiseAll(moment=QUESTION, count=5, raised=True), defeat(QUESTION)],
        ["День 1: №5 Дельта, №9 Ирис подняты голосами 5 из 10, а нужно больше половины (уточнение §3)"],
        [*TIED_TWICE, e.RaiseAll(moment=QUESTION, count=6, raised=True), defeat(QUESTION)],
    ),
    "who stays was not raised by over half": Broken(
        [*TIED_TWICE, e.RaiseAll(moment=QUESTION, count=6, raised=False), defeat(QUESTION)],
        ["День 1: №5 Дельта, №9 Ирис не подняты, хотя за подъём 6 из 10 — больше половины (уточнение §3)"],
        [*TIED_TWICE, e.RaiseAll(moment=QUESTION, raised=False), defeat(QUESTION)],
    ),
    "a full tie divides the living": Broken(
        [*FOUR, tally(6, 3, 1, 3), defeat(Moment(1, Phase.BALLOT, 1, 3))],
        ["День 1, переголосование: №5 Дельта, №9 Ирис, №6 Астра не могли набрать поровну по 3: "
         "10 голосов на 3 не делится (уточнение §3)"],
        [*FOUR, tally(6, 4, 1, 3), defeat(Moment(1, Phase.BALLOT, 1, 3))],
    ),
    "nothing is counted on a day without a vote": Broken(
        [*SPOKEN, e.Foul(moment=Moment(1, Phase.SPEECHES, 0, 2), seat=10, penalty=Penalty.DISQUALIFYING),
         vote(5, 4, 1), vote(9, 5, 2), *FALLEN, shot(4), speech(2, day=2, step=1), defeat(SECOND)],
        ["День 1: голоса подсчитаны, а голосования нет: №10 Клён удалён (п. 7.1)"],
        [*SPOKEN, e.Foul(moment=Moment(1, Phase.SPEECHES, 0, 2), seat=10, penalty=Penalty.DISQUALIFYING),
         *FALLEN, shot(4), speech(2, day=2, step=1), defeat(SECOND)],
    ),
    "nobody is killed by shots that don't agree": Broken(
        [*VOTED, *FALLEN, shot(4, (5, 4), (7, 3)), defeat(NIGHT)],
        ["Ночь 1: убит №4 Гранит, а выстрелы чёрных в него не сошлись: 5→4, 7→3 (уточнение §4)"],
        [*VOTED, *FALLEN, shot(None, (5, 4), (7, 3)), defeat(NIGHT)],
    ),
    "whom all blacks shoot is killed": Broken(
        [*VOTED, *FALLEN, shot(None, (5, 4), (7, 4)), defeat(NIGHT)],
        ["Ночь 1: записан промах, а выстрелы всех чёрных сошлись: 5→4, 7→4 (уточнение §4)"],
        [*VOTED, *FALLEN, shot(4, (5, 4), (7, 4)), defeat(NIGHT)],
    ),
    "a night has one shot": Broken(
        [*VOTED, *FALLEN, shot(4), shot(None), defeat(NIGHT)],
        ["Ночь 1: отстрел за ночь один, а записано 2: №4 Гранит, промах (уточнение §4)"],
        [*VOTED, *FALLEN, shot(4), defeat(NIGHT)],
    ),
    "there is no fifth foul": Broken(
        [*BEGUN, speech(1), *fouls(4, 5), defeat(MINUTE)],
        ["У игрока №4 Гранит фолов: 5; с четвёртым игрок удаляется, пятого не бывает (п. 6.5)"],
        [*BEGUN, speech(1), *fouls(4, 4), defeat(MINUTE)],
    ),
    "four fouls mean left": Broken(
        [*BEGUN, speech(1), *fouls(4, 3), *fouls(4, 1, clause="6.7.1"), defeat(MINUTE)],
        ["Запись 7 (фол) больше не в силе: Пункт 6.7.1 — не для этого наказания (п. 6.6)",
         "У игрока №4 Гранит четыре фола, но он не удалён (п. 6.5)"],
        [*BEGUN, speech(1), *fouls(4, 3), *fouls(4, 1, clause="6.6.1"), defeat(MINUTE)],
    ),
    "the winner agrees with the living": Broken(
        [*BEGUN, speech(1), e.GameOver(moment=MINUTE, result=Result.BLACK), defeat(MINUTE)],
        ["Записано: победа чёрных; но за столом было красных — 7, чёрных — 3, и ни один пункт такого конца не даёт "
         "(п. 4.6.1)"],
        [*BEGUN, speech(1), defeat(MINUTE)],
    ),
    "a best move is that of night 1's victim": Broken(
        [*VOTED, *FALLEN, shot(None), best(5, 7, 9), defeat(best().moment)],
        ["Лучший ход (5, 7, 9) ничей: в ночь 1 никто не отстрелен (п. 8.3)"],
        [*VOTED, *FALLEN, shot(4), best(5, 7, 9), defeat(best().moment)],
    ),
    "a best move is three different seats": Broken(
        [*VOTED, *FALLEN, shot(4), best(5, 7, 7), defeat(best().moment)],
        ["Лучший ход игрока №4 Гранит — три разных места, кроме своего; записано: 5, 7, 7 (п. 8.3)"],
        [*VOTED, *FALLEN, shot(4), best(5, 7, 9), defeat(best().moment)],
    ),
    "a best move doesn't name the own seat": Broken(
        [*VOTED, *FALLEN, shot(4), best(4, 5, 7), defeat(best().moment)],
        ["Лучший ход игрока №4 Гранит — три разных места, кроме своего; записано: 4, 5, 7 (п. 8.3)"],
        [*VOTED, *FALLEN, shot(4), best(1, 5, 7), defeat(best().moment)],
    ),
    "a best move is named once": Broken(
        [*VOTED, *FALLEN, shot(4), best(5, 7, 9), best(1, 2, 3), defeat(best().moment)],
        ["У игрока №4 Гранит записан второй лучший ход: 1, 2, 3 (п. 8.3)"],
        [*VOTED, *FALLEN, shot(4), best(5, 7, 9), defeat(best().moment)],
    ),
    "nobody removed names a best move": Broken(
        [*VOTED, *FALLEN, shot(4), e.Foul(moment=NIGHT, seat=4, penalty=Penalty.DISQUALIFYING), best(5, 7, 9),
         defeat(best().moment)],
        ["№4 Гранит удалён до того, как назвал лучший ход (п. 8.3)"],
        [*VOTED, *FALLEN, shot(4), best(5, 7, 9),
         e.Foul(moment=best().moment, seat=4, penalty=Penalty.DISQUALIFYING), defeat(best().moment)],
    ),
    "extra points are of the amounts allowed": Broken(
        [*THREE_EXTRAS, extra(3, 700)],
        ["Доп. баллы 0,7 для №3 Вихрь: столько дать нельзя (п. 8.4.2)"],
        [*THREE_EXTRAS, extra(3, 1000)],
    ),
    "extra points are for three players": Broken(
        [*THREE_EXTRAS, extra(4, 500)],
        ["Доп. баллы даны 4 игрокам (№1 Ёлка 7, №2 Барс, №3 Вихрь, №4 Гранит); можно не больше чем 3 (п. 8.4.1)"],
        [*THREE_EXTRAS[:-1], extra(4, 500)],
    ),
    "extra points come to two": Broken(
        [*THREE_EXTRAS, extra(1, 1000), extra(2, 1000)],
        ["Доп. баллов в сумме 2,5 (№1 Ёлка 7, №2 Барс, №3 Вихрь); за игру можно не больше 2 (п. 8.4.3)"],
        [*THREE_EXTRAS, extra(1, 1000)],
    ),
}  # fmt: skip


def refused(game: Game, cast: Cast) -> list[str]:
    """Why the game is not signed, by either way, in words."""
    with pytest.raises(NotReady) as caught:
        seal(game, revision=game.revision, by=cast.head_judge)
    with pytest.raises(NotReady) as again:
        sign(game, revision=game.revision, by=cast.head_judge, password=PASSWORD)
    assert SignedSheet.objects.filter(game=game).count() == 0
    assert again.value.problems == caught.value.problems
    return [problem_words(problem, caught.value.names) for problem in caught.value.problems]


def signs(game: Game, cast: Cast) -> bool:
    """Whether the game is signed, and all that is stored of it agrees."""
    seal(game, revision=game.revision, by=cast.head_judge)
    return differences(Game.objects.get(pk=game.pk)) == []


def another(stage: Stage, cast: Cast) -> Game:
    """A second game of the same ten."""
    made = create_game(stage, played_on=stage.tournament.starts_on, judge=cast.judge)
    seat_players(made, NICKNAMES)
    return made


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_what_is_broken_is_not_signed_and_mended_it_is(game: Game, stage: Stage, cast: Cast, case: Broken) -> None:
    assert refused(stored(game, cast.judge, case.broken), cast) == case.why
    assert signs(stored(another(stage, cast), cast.judge, case.mended), cast)


# ---------------------------------------------------------------- what no row can break, and who sits there


def test_roles_are_six_two_one_and_one(game: Game, stage: Stage, cast: Cast) -> None:
    course = [NIGHT_ZERO, speech(1), defeat(MINUTE)]
    with no_checks("entry_roles"):
        stored(game, cast.judge, [dealt("КККККЧЧЧШД"), *course])
    assert refused(game, cast) == [
        "Роли не сходятся: нужны 6 К, 2 Ч, 1 Ш и 1 Д; записаны: 5 К, 3 Ч, 1 Ш, 1 Д (п. 9.4.1)"
    ]
    assert signs(stored(another(stage, cast), cast.judge, [dealt("ККККЧКДКЧШ"), *course]), cast)


def test_ten_different_people_play(game: Game, cast: Cast) -> None:
    stored(game, cast.judge, [*BEGUN, speech(1), defeat(MINUTE), e.SeatCorrection(moment=SETUP, seat=2, target=4)])
    Seat.objects.filter(game=game, number=3).update(nickname="барс")
    assert refused(game, cast) == [
        "№3 барс, №4 Барс: это один и тот же человек; за столом играют десять разных людей (уточнение §1)"
    ]
    Seat.objects.filter(game=game, number=3).update(nickname="Вихрь")
    assert signs(game, cast)


@pytest.mark.parametrize("change", [{"judge": "player"}, {"judge_name": "барс"}], ids=["login", "name"])
def test_the_judge_is_no_player_of_the_table(game: Game, cast: Cast, change: dict[str, Any]) -> None:
    stored(game, cast.judge, [*BEGUN, speech(1), defeat(MINUTE)])
    was = {name: getattr(game, name) for name in change}
    now = {name: getattr(cast, value) if name == "judge" else value for name, value in change.items()}
    Game.objects.filter(pk=game.pk).update(**now)
    assert refused(Game.objects.get(pk=game.pk), cast) == [
        "№2 Барс — судья этой игры; судья не играет за столом, который судит (уточнение §1)"
    ]
    Game.objects.filter(pk=game.pk).update(**was)
    assert signs(Game.objects.get(pk=game.pk), cast)


def test_who_signs_is_no_player_of_the_table(game: Game, cast: Cast) -> None:
    stored(game, cast.judge, [*BEGUN, speech(1), defeat(MINUTE)])
    Player.objects.filter(nickname="Жук").update(user=cast.head_judge)
    assert refused(game, cast) == ["№7 Жук — судья этой игры; судья не играет за столом, который судит (уточнение §1)"]
    assert seal(game, revision=game.revision, by=cast.judge).signed_by == cast.judge


# ---------------------------------------------------------------- what is no breach


def test_what_the_departed_still_do_is_no_breach(game: Game, cast: Cast) -> None:
    morning = Moment(2, Phase.VICTIM_WORDS, 0, 1)
    course = [
        *VOTED, words(9), *fouls(9, 0), e.Foul(moment=words(9).moment, seat=9), *FALLEN, shot(7, (5, 7), (7, 7)),
        check(Role.DON, 3), check(Role.SHERIFF, 9), best(1, 5, 9), e.Turn(moment=morning, seat=7),
        e.Foul(moment=morning, seat=7), speech(2, day=2, step=1),
        e.Foul(moment=SECOND, seat=5, penalty=Penalty.DISQUALIFYING), extra(7, 500), extra(9, 500),
    ]  # fmt: skip
    assert signs(stored(game, cast.judge, course), cast)


def test_what_is_not_known_is_no_breach(game: Game, cast: Cast) -> None:
    tied = [*TIED_TWICE, e.RaiseAll(moment=QUESTION, raised=True), *fouls(1, 2), defeat(QUESTION)]
    assert signs(stored(game, cast.judge, tied), cast)


def test_every_broken_rule_is_named_at_once(game: Game, cast: Cast) -> None:
    course = [*BEGUN, speech(1), *fouls(4, 5), nominate(1, 5), nominate(1, 6), defeat(MINUTE), extra(3, 700)]
    assert refused(stored(game, cast.judge, course), cast) == [
        "День 1: №1 Ёлка 7 выставляет дважды (№5 Дельта, №6 Астра); за день — одна кандидатура (уточнение §2)",
        "У игрока №4 Гранит фолов: 5; с четвёртым игрок удаляется, пятого не бывает (п. 6.5)",
        "Доп. баллы 0,7 для №3 Вихрь: столько дать нельзя (п. 8.4.2)",
    ]
