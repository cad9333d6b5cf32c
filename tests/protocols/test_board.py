"""The board's address and that of its taps: who may, what is written, and the four answers and no more."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from protocols.models import Entry, Game
from protocols.rules import entries as e
from protocols.rules.terms import Moment, Penalty, Phase
from protocols.selectors import record_of
from protocols.services.sign import seal
from tests.storage.play import CLAIM

from .markup import Form, Page
from .tables import (
    FIRST,
    NIGHT_ZERO,
    ROLES,
    Table,
    board,
    game_now,
    kinds,
    later,
    pad,
    page_of,
    press,
    real_game,
    speech,
    table,
    tap,
)

START = ["roles", "turn", "turn"]


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


def foul_form(page: Page) -> Form:
    """The ordinary foul of the seat's sheet."""
    return next(form for form in page.of_kind("foul") if ("penalty", "foul") in form.fields)


# ---------------------------------------------------------------- who may


@pytest.mark.parametrize(
    ("name", "read", "written"),
    [
        ("judge", 200, 200), ("head", 200, 200), ("organizer", 200, 403), ("other", 403, 403),
        ("foreign", 404, 404), ("plain", 404, 404),
    ],
)  # fmt: skip
def test_who_reads_and_who_writes(client: Client, cup: Table, game: Game, name: str, read: int, written: int) -> None:
    client.force_login(cup.people["judge"])
    form = foul_form(board(client, game, "?seat=4"))
    client.force_login(cup.people[name])
    assert client.get(f"/games/{game.uuid}/board/").status_code == read
    assert tap(client, game, form).status_code == written
    assert kinds(game).count("foul") == (1 if written == 200 else 0)


def test_whoever_only_watches_has_no_controls(client: Client, cup: Table, game: Game) -> None:
    client.force_login(cup.people["organizer"])
    page = board(client, game)
    assert [form.action for form in page.forms if "entries" in form.action] == []
    assert page.first("panel__main") == "Вы только наблюдаете за столом"


def test_without_a_login_the_board_asks_for_one(client: Client, game: Game) -> None:
    response = client.get(f"/games/{game.uuid}/board/")
    assert (response.status_code, response.headers["Location"]) == (302, f"/login/?next=/games/{game.uuid}/board/")


def test_roles_stand_nowhere_but_behind_the_hold(judge: Client, game: Game) -> None:
    page = board(judge, game, "?log=all")
    assert page.by_class["seat__role"] == list("ККККДШЧЧКК")
    without = [words for css, words in page.by_class.items() if not css.startswith("seat")]
    assert [word for words in without for word in words if word in list("КЧШД")] == []


# ---------------------------------------------------------------- written


def test_a_foul_is_one_tap_and_its_reasons_are_offered(judge: Client, game: Game) -> None:
    response = tap(judge, game, foul_form(board(judge, game, "?seat=4")))
    page = page_of(response)
    assert response.status_code == 200
    assert "<html" not in response.content.decode()
    assert kinds(game) == ["roles", "turn", "turn", "foul"]
    assert page.first("offer__label").startswith("Фол 1: №4 Онега. За что?")
    assert [button.value for button in page.form_with(("kind", "foul_clause"), ("of", "4")).buttons] == [
        f"6.6.{n}" for n in range(1, 8)
    ]


def test_the_reason_is_added_to_the_foul(judge: Client, game: Game) -> None:
    page = page_of(tap(judge, game, foul_form(board(judge, game, "?seat=4"))))
    tap(judge, game, page.form_with(("kind", "foul_clause"), ("of", "4")), {"clause": "6.6.4"})
    state = record_of(game).state
    assert state.clause_of(state.seats[4].fouls[0]) == "6.6.4"


def test_without_a_script_the_tap_leads_back_to_the_board(judge: Client, game: Game) -> None:
    response = tap(judge, game, foul_form(board(judge, game, "?seat=4")), quick=False)
    assert (response.status_code, response.headers["Location"]) == (303, f"/games/{game.uuid}/board/?reason=4")
    page = board(judge, game, "?reason=4")
    assert page.first("offer__label").startswith("Фол 1: №4 Онега")


def test_a_double_tap_writes_one_entry(judge: Client, game: Game) -> None:
    form = foul_form(board(judge, game, "?seat=4"))
    assert [tap(judge, game, form).status_code for _ in range(2)] == [200, 200]
    assert kinds(game).count("foul") == 1


def test_a_tap_takes_eight_queries_at_most(
    judge: Client, game: Game, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    form = foul_form(board(judge, game, "?seat=4"))
    # login 2, the game with who looks and the nicknames, the entries, and the write: BEGIN, UPDATE, INSERT, COMMIT,
    # of which PostgreSQL has one, between the two savepoints of a test
    with django_assert_num_queries(4 + CLAIM):
        tap(judge, game, form)


def test_a_late_tap_in_a_long_game_takes_no_more(
    judge: Client, cup: Table, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    later(cup.game, *real_game()[:40])
    form = foul_form(board(judge, cup.game, "?seat=2"))
    with django_assert_num_queries(4 + CLAIM):
        assert tap(judge, cup.game, form).status_code == 200


def test_a_nomination_is_one_tap_and_gets_its_place_on_the_ballot(judge: Client, game: Game) -> None:
    page = page_of(press(judge, game, "nomination", "5"))
    assert page.by_class["seat__nominates"] == ["→5"]
    assert page.by_class["seat__ballot"] == ["1"]
    assert page.first("panel__hint") == "выставил №5"


def test_undo_names_what_it_undoes_and_takes_it_back(judge: Client, game: Game) -> None:
    page = page_of(press(judge, game, "nomination", "5"))
    assert page.first("undo") == "↶ выставлен №5"
    tap(judge, game, page.form_with(("kind", "strike"), ("of", "4")))
    state = record_of(game).state
    assert state.days[1].nominations == []
    assert board(judge, game).first("undo") == "↶ слово №1"


def test_the_minute_is_timed_from_when_it_was_written(judge: Client, game: Game) -> None:
    html = judge.get(f"/games/{game.uuid}/board/").content.decode()
    turn = Entry.objects.get(game=game, revision=3)
    assert f'data-seconds="60" data-deadline="{round(turn.recorded_at.timestamp() * 1000) + 60_000}"' in html


def test_votes_by_name_are_counted(judge: Client, game: Game) -> None:
    press(judge, game, "nomination", "5")
    later(game, speech(2), e.Nomination(moment=Moment(1, Phase.SPEECHES, 0, 2), seat=2, target=6),
                           e.Turn(moment=Moment(1, Phase.BALLOT)))  # fmt: skip
    page = board(judge, game, "?voters=1")
    form = next(form for form in page.of_kind("vote") if form.attributes.get("id") == "pad")
    data = form.sent() | {"voters": ["1", "4", "7"]}
    assert judge.post(f"/games/{game.uuid}/entries/", data, headers={"HX-Request": "true"}).status_code == 200
    tally = record_of(game).state.days[1].ballots[0].tallies[5]
    assert (tally.count, tally.voters) == (3, (1, 4, 7))


# ---------------------------------------------------------------- refused, malformed, too late


def test_a_refusal_says_why_and_what_is_allowed_instead(judge: Client, game: Game) -> None:
    press(judge, game, "nomination", "5")
    later(game, speech(2))
    response = press(judge, game, "nomination", "5")
    page = page_of(response)
    assert response.status_code == 422
    assert page.first("rule__words") == (
        "✕ №5 Парус уже выставлен игроком №1 Лотос. Можно выставить: 1, 2, 3, 4, 6, 7, 8, 9, 10 (уточнение §2)"
    )
    assert page.first("panel__prompt") == "Говорит №2 Мираж"  # the fresh board stands under it


def test_a_refusal_without_a_script_is_a_whole_page(judge: Client, game: Game) -> None:
    press(judge, game, "nomination", "5")
    response = tap(judge, game, pad(board(judge, game), "nomination"), {"target": "6"}, quick=False)
    assert response.status_code == 422
    assert "<html" in response.content.decode()
    assert "№1 Лотос сегодня уже выставил: №5 Парус. Одно выставление в день" in page_of(response).text


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"seat": "11"}, "Место: Такого игрового места нет; места от 1 до 10."),
        ({"seat": "пять"}, "«пять» — не игровое место"),
        ({"kind": "poem"}, "Такого вида записи нет."),
        ({"moment": "9.9"}, "Такого момента игры нет: 9.9"),
        ({"moment": ""}, "Не указан момент игры."),
        ({"uuid": "7"}, "Введите правильный UUID."),
        ({"penalty": "whip"}, "whip"),
    ],
)
def test_what_no_board_sends_is_told_and_not_written(
    judge: Client, game: Game, typed: dict[str, str], words: str
) -> None:
    response = tap(judge, game, foul_form(board(judge, game, "?seat=4")), typed)
    assert response.status_code == 422
    assert words in page_of(response).text
    assert kinds(game) == ["roles", "turn", "turn"]


def test_somebody_faster_leaves_the_fresh_board_and_the_entry_to_be_written_again(
    judge: Client, cup: Table, game: Game
) -> None:
    form = foul_form(board(judge, game, "?seat=4"))
    press(judge, game, "nomination", "5")
    response = tap(judge, game, form)
    page = page_of(response)
    assert response.status_code == 409
    assert page.first("rule__words") == "Кто-то успел раньше. Вот доска, как она есть сейчас"
    assert page.first("drawer__lines") == "№1 Лотос выставляет: №5 Парус"
    assert kinds(game).count("foul") == 0
    again = next(form for form in page.of_kind("foul") if form.buttons[0].label == "Записать теперь")
    assert tap(judge, game, again).status_code == 200
    assert kinds(game).count("foul") == 1


def test_an_address_that_is_no_tap_is_not_answered_by_get(judge: Client, game: Game) -> None:
    assert judge.get(f"/games/{game.uuid}/entries/").status_code == 405


# ---------------------------------------------------------------- asked first


def test_the_fourth_foul_says_what_it_will_do_before_it_does(judge: Client, game: Game) -> None:
    later(game, *[e.Foul(moment=FIRST, seat=4)] * 3)
    page = board(judge, game, "?seat=4")
    form = page.form_with(("kind", "foul"), ("penalty", "foul"), ("ask", "1"))
    assert form.buttons[0].label == "Четвёртый фол: удаление держите"
    response = tap(judge, game, form)
    asked = page_of(response)
    assert response.status_code == 200
    assert asked.first("drawer__lines") == (
        "Четвёртый фол: №4 Онега покидает стол без последнего слова (п. 6.5) "
        "Голосования в день 1 нет: №4 Онега удалён (п. 7.1)"
    )
    assert kinds(game).count("foul") == 3
    assert tap(judge, game, asked.form_with(("kind", "foul"), ("sure", "1"))).status_code == 200
    assert record_of(game).state.seats[4].removed is not None


def test_a_correction_is_asked_about_where_the_form_asks(judge: Client, game: Game) -> None:
    form = foul_form(board(judge, game, "?seat=4"))
    ballot = {"kind": "ballot", "moment": "1.31.0.0", "count_5": "3", "ask": "1"}
    assert tap(judge, game, form, ballot).status_code == 200
    replacing = {"penalty": "disqualifying", "clause": "6.7.1", "replaces": "3", "ask": "1"}
    asked = page_of(tap(judge, game, form, replacing))
    assert kinds(game) == START
    assert tap(judge, game, asked.form_with(("replaces", "3"), ("sure", "1"))).status_code == 200
    assert kinds(game) == [*START, "strike", "foul"]


def test_a_hold_writes_the_removal_at_once(judge: Client, game: Game) -> None:
    page = board(judge, game, "?seat=8")
    form = page.form_with(("kind", "foul"), ("penalty", "disqualifying"))
    response = tap(judge, game, form, {"sure": "1", "clause": "6.7.4"})
    assert page_of(response).first("rule__words") == (
        "№8 Тайга удалён и покидает стол без последнего слова (п. 6.7.4). "
        "Голосования в день 1 нет: №8 Тайга удалён (п. 7.1)"
    )


def test_a_team_defeat_is_asked_about_with_its_result(judge: Client, game: Game) -> None:
    page = board(judge, game, "?seat=7")
    form = page.form_with(("kind", "foul"), ("penalty", "team_defeat"))
    asked = page_of(tap(judge, game, form, {"clause": "6.8.1"}))
    assert "Победа красных: другой команде присуждено поражение за нарушение (п. 6.8.1)" in asked.first("drawer__lines")


def test_a_departed_player_gets_only_what_is_still_allowed(judge: Client, game: Game) -> None:
    later(game, e.Foul(moment=FIRST, seat=4, penalty=Penalty.DISQUALIFYING, clause="6.7.4"))
    html = judge.get(f"/games/{game.uuid}/board/?seat=4").content.decode()
    assert 'data-off="disqualifying foul"' in html
    assert 'data-act="disqualifying" hidden' in html
    assert 'data-act="foul" data-ordinary hidden' in html


def test_a_strike_by_which_others_fall_names_them_and_asks(judge: Client, game: Game) -> None:
    press(judge, game, "nomination", "5")
    nominate = e.Nomination(moment=Moment(1, Phase.SPEECHES, 0, 2), seat=2, target=6)
    vote = e.Vote(moment=Moment(1, Phase.BALLOT, 0, 1), target=5, count=3)
    later(game, speech(2), nominate, vote)
    strike = board(judge, game, "?open=entry&of=4").of_kind("strike")[-1]
    asked = page_of(tap(judge, game, strike))
    assert asked.by_class["drawer__title"][-1] == "Зачёркнуто: №1 Лотос выставляет: №5 Парус — что из этого следует:"
    assert asked.first("drawer__lines") == (
        "Выставлены в день 1: 5, 6 → 6 День 1, голосование: №5 — 3 → больше не считается Больше не в силе: 7. Голоса "
        "за №5 Парус: 3 — В день 1 единственного кандидата (№6 Рубин) не голосуют: наступает ночь (уточнение §3)"
    )
    assert kinds(game)[-1] == "vote"
    again = next(form for form in asked.of_kind("strike") if ("confirmed", "1") in form.fields)
    assert tap(judge, game, again).status_code == 200
    assert kinds(game)[-1] == "strike"
    assert "больше не в силе" in board(judge, game, "?log=all").first("log__fallen")


# ---------------------------------------------------------------- after the end


def test_a_signed_game_is_only_read(judge: Client, cup: Table) -> None:
    form = foul_form(board(judge, cup.game, "?seat=4"))
    later(cup.game, *real_game())
    game = game_now(cup.game)
    seal(game, revision=game.revision, by=cup.people["judge"])
    page = board(judge, game)
    assert [form.action for form in page.forms if "entries" in form.action] == []
    assert page.first("panel__main") == "Подписанный протокол →"
    response = tap(judge, game, form)
    assert response.status_code == 422
    assert "Протокол подписан. Открыть его снова может только главный судья" in page_of(response).text


def test_a_finished_game_leads_to_its_end(judge: Client, cup: Table) -> None:
    later(cup.game, *real_game())
    page = board(judge, cup.game)
    assert page.first("panel__prompt") == "Победа чёрных: чёрных за столом не меньше, чем красных (п. 4.6.1)"
    assert page.first("main__label") == "Завершить протокол →"


@pytest.mark.parametrize(
    "query",
    ["seat=4", "open=menu", "open=nonsense", "step=sheriff", "seat=99&of=-1", "log=all", "open=correct&of=9999"],
)
def test_any_address_shows_the_board(judge: Client, game: Game, query: str) -> None:
    board(judge, game, f"?{query}")
