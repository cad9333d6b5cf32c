"""What stands written is put right: from the log, and from the menu for what is rare."""

from __future__ import annotations

import pytest
from django.test import Client

from protocols.models import Game
from protocols.rules import entries as e
from protocols.rules.terms import Moment, Penalty, Phase
from protocols.selectors import record_of

from .tables import FIRST, NIGHT_ZERO, ROLES, Table, board, game_now, kinds, later, page_of, speech, table, tap


@pytest.fixture
def cup(db: None) -> Table:
    """A table with everybody round it."""
    return table()


@pytest.fixture
def game(cup: Table) -> Game:
    """Its game in the minute of seat 1, roles known."""
    later(cup.game, ROLES, NIGHT_ZERO, speech(1))
    return cup.game


@pytest.fixture
def judge(client: Client, cup: Table) -> Client:
    """The judge's browser."""
    client.force_login(cup.people["judge"])
    return client


# ---------------------------------------------------------------- put right later


def voted(game: Game) -> None:
    """Two nominees and their tallies, 6 and 4."""
    first, second = Moment(1, Phase.BALLOT, 0, 1), Moment(1, Phase.BALLOT, 0, 2)
    minute = Moment(1, Phase.SPEECHES, 0, 2)
    later(game, e.Nomination(moment=FIRST, seat=1, target=5), speech(2), e.Nomination(moment=minute, seat=2, target=6),
        e.Vote(moment=first, target=5, count=6), e.Vote(moment=second, target=6, count=4))  # fmt: skip


def test_tallies_are_corrected_together_and_the_decision_follows(judge: Client, game: Game) -> None:
    voted(game)
    assert record_of(game).state.living == [1, 2, 3, 4, 6, 7, 8, 9, 10]
    form = board(judge, game, "?open=correct&of=7").form_with(("kind", "ballot"))
    asked = page_of(tap(judge, game, form, {"count_5": "4", "count_6": "6"}))
    assert asked.by_class["drawer__title"][-1] == "Голоса голосования — что из этого следует:"
    assert asked.first("drawer__lines") == (
        "№5 Парус возвращается за стол; было: выведен голосованием, день 1 №6 Рубин уходит из-за стола: выведен "
        "голосованием, день 1 (уточнение §3) День 1, голосование: №5 — 6, №6 — 4 → №5 — 4, №6 — 6 День 1, кто уходит "
        "по голосованию: №5 Парус → №6 Рубин (уточнение §3)"
    )
    assert tap(judge, game, asked.form_with(("kind", "ballot"), ("sure", "1"))).status_code == 200
    assert kinds(game)[-4:] == ["strike", "strike", "vote", "vote"]
    assert record_of(game).state.living == [1, 2, 3, 4, 5, 7, 8, 9, 10]
    assert record_of(game).state.set_aside == []


def test_corrected_tallies_that_dont_add_up_are_refused(judge: Client, game: Game) -> None:
    voted(game)
    form = board(judge, game, "?open=correct&of=7").form_with(("kind", "ballot"))
    response = tap(judge, game, form, {"count_5": "4", "count_6": "4"})
    assert response.status_code == 422
    assert "За №6 Рубин — 4 не сходится" in page_of(response).text
    assert kinds(game)[-1] == "vote"


def test_a_correction_that_changes_nothing_writes_nothing(judge: Client, game: Game) -> None:
    voted(game)
    form = board(judge, game, "?open=correct&of=7").form_with(("kind", "ballot"))
    assert tap(judge, game, form).status_code == 200
    assert kinds(game)[-1] == "vote"


def test_a_nominee_is_corrected_in_place(judge: Client, game: Game) -> None:
    voted(game)
    later(game, e.Strike(moment=FIRST, of=8), e.Strike(moment=FIRST, of=7))
    form = board(judge, game, "?open=correct&of=4").form_with(("kind", "nomination"), ("replaces", "4"))
    assert tap(judge, game, form, {"target": "9"}).status_code == 200
    assert record_of(game).state.days[1].nominations == [(1, 9), (2, 6)]


def test_a_foul_given_to_the_wrong_seat_is_moved(judge: Client, game: Game) -> None:
    later(game, e.Foul(moment=FIRST, seat=4))
    form = board(judge, game, "?open=correct&of=4").form_with(("kind", "foul"), ("replaces", "4"))
    assert tap(judge, game, form, {"seat": "3", "clause": "6.6.2"}).status_code == 200
    seats = record_of(game).state.seats
    assert ([len(seats[n].fouls) for n in (3, 4)], seats[3].fouls[0].clause) == ([1, 0], "6.6.2")


def test_a_forgotten_foul_is_written_in_where_it_happened(judge: Client, game: Game) -> None:
    voted(game)
    form = board(judge, game, "?open=late&of=5").form_with(("kind", "foul"), ("follows", "5"))
    assert tap(judge, game, form, {"seat": "3", "penalty": "foul"}).status_code == 200
    foul = record_of(game).state.seats[3].fouls[0]
    assert foul.moment == Moment(1, Phase.SPEECHES, 0, 2)
    line = board(judge, game).by_class["log__line"][0]
    assert line.startswith("9 Фол: №3 Норд День 1 · речи · вписано позже")


# ---------------------------------------------------------------- the menu


def test_roles_are_corrected_from_the_menu(judge: Client, game: Game) -> None:
    form = board(judge, game, "?open=roles").form_with(("kind", "roles"))
    assert [value for name, value in form.fields if name.startswith("role_")] == list("ККККДШЧЧКК")
    assert tap(judge, game, form, {"role_1": "Ч", "role_7": "К"}).status_code == 200
    assert "".join(role.letter for role in record_of(game).state.roles.roles) == "ЧКККДШКЧКК"  # type: ignore[union-attr]


def test_wrong_counts_of_roles_are_refused_with_the_clause(judge: Client, game: Game) -> None:
    form = board(judge, game, "?open=roles").form_with(("kind", "roles"))
    response = tap(judge, game, form, {"role_1": "Ч"})
    assert response.status_code == 422
    assert "нужно 6 К, 2 Ч, 1 Ш и 1 Д; выбрано: 5 К, 3 Ч, 1 Ш, 1 Д (п. 9.4.1)" in page_of(response).text


@pytest.mark.parametrize(
    ("opened", "kind", "filled", "why"),
    [
        ("chairs", "seat_correction", {"seat": "3", "target": "3"}, "Выберите два разных места"),
        ("ruling", "ruling", {"about": "stands", "text": " "}, "Укажите причину: она печатается в протоколе"),
        ("broken", "game_over", {"result": "annulled", "text": ""}, "Укажите причину: она печатается в протоколе"),
        ("late&of=3&write=foul", "foul", {"seat": "12"}, "Место: Такого игрового места нет"),
    ],
)
def test_what_is_refused_stays_open_as_it_was_filled(
    judge: Client, game: Game, opened: str, kind: str, filled: dict[str, str], why: str
) -> None:
    before = kinds(game)
    opened, asked = opened.partition("&")[0], f"?open={opened}"
    form = board(judge, game, asked).form_with(("kind", kind), ("opened", opened))
    answer = tap(judge, game, form, filled)
    page = page_of(answer)
    assert (answer.status_code, kinds(game)) == (422, before)
    again = page.form_with(("kind", kind), ("opened", opened))
    shown = {name: value for name, value in again.fields if name in filled}
    assert shown == {**filled, **({"seat": ""} if filled.get("seat") == "12" else {})}  # a list offers no such seat
    assert page.by_class["message--error"][-1].startswith(why)
    assert tap(judge, game, again, filled).status_code == 422  # and still


def test_two_in_each_others_chairs_change_names(judge: Client, game: Game) -> None:
    form = board(judge, game, "?open=chairs").form_with(("kind", "seat_correction"))
    assert tap(judge, game, form, {"seat": "1", "target": "2"}).status_code == 200
    assert board(judge, game).by_class["seat__name"][:2] == ["Мираж", "Лотос"]


def test_a_broken_off_game_needs_its_reason(judge: Client, game: Game) -> None:
    form = board(judge, game, "?open=broken").form_with(("kind", "game_over"))
    refused = tap(judge, game, form, {"result": "replay"})
    assert refused.status_code == 422
    assert "Укажите причину: она печатается в протоколе" in page_of(refused).text
    asked = page_of(tap(judge, game, form, {"result": "replay", "text": "Погас свет"}))
    assert tap(judge, game, asked.form_with(("kind", "game_over"), ("sure", "1"))).status_code == 200
    assert game_now(game).status == "over"
    assert board(judge, game).first("panel__prompt") == "Игра переигрывается: игра прервана (п. 9.7). Погас свет"


def test_the_end_is_declared_while_roles_are_unknown(judge: Client, cup: Table) -> None:
    game = cup.game
    later(game, NIGHT_ZERO, speech(1))
    form = board(judge, game, "?open=over").form_with(("kind", "game_over"))
    assert tap(judge, game, form, {"sure": "1", "result": "red", "time": "21:40"}).status_code == 200
    assert board(judge, game).first("panel__prompt") == "Победа красных: объявлено судьёй (п. 9.7)"


def test_a_hint_from_the_hall_names_no_seat(judge: Client, game: Game) -> None:
    form = board(judge, game, "?open=hall").form_with(("kind", "foul"), ("clause", "6.8.4"))
    assert tap(judge, game, form, {"sure": "1", "team": "black"}).status_code == 200
    assert board(judge, game).first("panel__prompt").startswith("Победа красных")


def test_a_ruling_restores_a_vote(judge: Client, game: Game) -> None:
    foul = e.Foul(moment=FIRST, seat=4, penalty=Penalty.DISQUALIFYING, clause="6.7.4")
    later(game, e.Nomination(moment=FIRST, seat=1, target=5), foul)
    form = board(judge, game, "?open=ruling").form_with(("kind", "ruling"))
    response = tap(judge, game, form, {"about": "vote_held", "text": "Удаление ошибочно"})
    assert response.status_code == 200
    assert page_of(response).first("rule__words") == (
        "Голосование дня 1 проводится по решению судьи: Удаление ошибочно (уточнение §5)"
    )


def test_the_game_is_handed_over_by_a_link(judge: Client, game: Game) -> None:
    assert f'href="/games/{game.uuid}/hand-over/"' in judge.get(f"/games/{game.uuid}/board/").content.decode()


def test_shots_are_written_shooter_by_shooter_without_telling_who_they_are(judge: Client, game: Game) -> None:
    later(game, e.Turn(moment=Moment(1, Phase.NIGHT)))
    page = board(judge, game, "?open=shooters")
    form = next(form for form in page.of_kind("shot") if form.attributes.get("class") == "opened")
    assert page.by_class["form-label"][-3:] == ["Стрелок 1", "Стрелок 2", "Стрелок 3"]
    assert [name for name, _value in form.fields if name.startswith("by_")] == ["by_5", "by_7", "by_8"]
    assert tap(judge, game, form, {"by_5": "4", "by_7": "4", "by_8": "3"}).status_code == 200
    shot = record_of(game).state.nights[1].shot
    assert shot is not None
    assert (shot.target, shot.shots) == (None, ((5, 4), (7, 4), (8, 3)))
    assert "5→4" not in board(judge, game, "?log=all").text  # the log lies open on the table


def test_only_the_head_judge_is_offered_a_removal_from_the_tournament(client: Client, cup: Table, game: Game) -> None:
    for name, offered in (("judge", False), ("head", True)):
        client.force_login(cup.people[name])
        assert ("и с турнира (п. 6.3)" in board(client, game, "?seat=4").text) == offered
    form = board(client, game, "?seat=4").form_with(("kind", "foul"), ("penalty", "disqualifying"))
    typed = {"sure": "1", "clause": "6.7.4", "from_tournament": "1"}
    assert tap(client, game, form, typed).status_code == 200
    assert record_of(game).state.seats[4].from_tournament


def test_a_struck_entry_is_brought_back_from_its_line(judge: Client, game: Game) -> None:
    later(game, e.Foul(moment=FIRST, seat=4))
    assert tap(judge, game, board(judge, game, "?open=entry&of=4").of_kind("strike")[-1]).status_code == 200
    assert len(record_of(game).state.seats[4].fouls) == 0
    page = board(judge, game, "?open=entry&of=4")
    back = page.of_kind("strike")[-1]
    assert back.buttons[0].label == "Вернуть"
    assert tap(judge, game, back).status_code == 200
    assert len(record_of(game).state.seats[4].fouls) == 1
