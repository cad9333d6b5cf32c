"""Replay and account of a game: who reads them, what they say, and how little they ask the database."""

from __future__ import annotations

import html
import re
import time
from uuid import uuid4

import pytest
from django.test import Client
from pytest_django.fixtures import DjangoAssertNumQueries

from protocols.models import Game, Player, Status
from protocols.rules import entries as e
from protocols.rules.terms import Moment, Penalty, Phase, Role
from protocols.selectors import record_of
from protocols.services.prepare import create_game, seat_players
from protocols.services.record import record_batch
from protocols.services.sign import reopen, seal

from .tables import NICKNAMES, NIGHT_ZERO, ROLES, Table, game_now, later, speech, table
from .test_pages_access import CAST, client_of
from .world import World, world

pytestmark = pytest.mark.django_db
PAGES = ("replay/", "replay/?step=9", "account/", "account.txt")
DAY_TWO = Moment(2, Phase.SPEECHES, 0, 1)


def words(response_text: str) -> str:
    """The text of a page, its spaces one each."""
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response_text))).strip()


def part(text: str, name: str) -> str:
    """What stands in the section of that class, in words."""
    found = re.search(rf'<section class="{name}[ "].*?</section>', text, re.DOTALL)
    assert found is not None
    return words(found[0])


# ---------------------------------------------------------------- who reads it


@pytest.fixture
def cup() -> World:
    """A tournament with a game in every state."""
    return world()


def test_whoever_may_read_the_protocol_may_step_through_the_game(cup: World) -> None:
    clients = {name: client_of(name) for name in CAST}
    found = {
        (state, page): tuple(
            clients[name].get(f"/games/{getattr(cup, state).uuid}/{page}").status_code for name in CAST
        )
        for state in ("prepared", "running", "over", "signed")
        for page in PAGES
    }
    served = (200, 404, 200, 200, 404, 404, 404)  # judge, another judge, head judge, organizer, three strangers
    expected = {(state, page): served for state in ("prepared", "running", "over") for page in PAGES}
    assert found == expected | {("signed", page): (200,) * 7 for page in PAGES}


def test_a_closed_tournament_is_read_by_its_people_alone(cup: World) -> None:
    cup.tournament.is_public = False
    cup.tournament.save()
    for page in PAGES:
        path = f"/games/{cup.signed.uuid}/{page}"
        given = tuple(client_of(name).get(path).status_code for name in CAST)
        assert given == (200, 200, 200, 200, 404, 404, 404)


def test_a_signed_game_that_is_opened_again_is_read_by_its_people_alone(cup: World) -> None:
    reopen(cup.signed, by=cup.people["head"], reason="Описка")
    assert Client().get(f"/games/{cup.signed.uuid}/replay/").status_code == 404
    assert client_of("judge").get(f"/games/{cup.signed.uuid}/replay/").status_code == 200
    seal(cup.signed, revision=cup.signed.revision, by=cup.people["judge"])
    assert Client().get(f"/games/{cup.signed.uuid}/replay/").status_code == 200


def test_nothing_is_written_here(cup: World) -> None:
    client = client_of("judge")
    assert {client.post(f"/games/{cup.running.uuid}/{page}").status_code for page in PAGES} == {405}


def test_the_protocol_leads_to_both_where_there_is_something_to_read(cup: World) -> None:
    judge = client_of("judge")
    for game, leads in ((cup.prepared, False), (cup.running, True), (cup.signed, True)):
        page = judge.get(f"/games/{game.uuid}/").content.decode()
        links = [f'href="/games/{game.uuid}/{name}/"' in page for name in ("replay", "account")]
        assert links == [leads, leads]


# ---------------------------------------------------------------- what must not be known

BEFORE_NIGHT = (NIGHT_ZERO, speech(1), e.Nomination(moment=speech(1).moment, seat=1, target=5))
OPEN = (e.Shot(moment=Moment(1, Phase.NIGHT), target=4), e.Foul(moment=Moment(1, Phase.NIGHT), seat=9))
SECRET = (
    e.Shot(moment=Moment(1, Phase.NIGHT), target=4, shots=((5, 4), (7, 4), (8, 4))),
    e.Check(moment=Moment(1, Phase.DON), by=Role.DON, target=6),
    e.Foul(moment=Moment(1, Phase.DON), seat=9),
    e.Check(moment=Moment(1, Phase.SHERIFF), by=Role.SHERIFF, target=5),
)
MORNING = (speech(2, 2, 1), e.Nomination(moment=DAY_TWO, seat=2, target=7))


def test_a_head_judge_who_plays_reads_what_the_table_saw_and_no_role() -> None:
    read: list[dict[str, str]] = []
    for number, entries in enumerate(((*BEFORE_NIGHT, *OPEN, *MORNING), (ROLES, *BEFORE_NIGHT, *SECRET, *MORNING))):
        if number == 0:
            played = table()
            game = played.game
        else:
            game = create_game(game.stage, played_on=game.played_on, judge=game.judge)
            assert seat_players(game, NICKNAMES).is_written
        later(game, *entries)
        Player.objects.filter(nickname="Лотос").update(user=played.people["head"])
        head = client_of("head")
        paths = [*(f"replay/?step={step}" for step in range(9)), "account/", "account.txt"]
        pages = {path: words(head.get(f"/games/{game.uuid}/{path}").content.decode()) for path in paths}
        read.append({path: page.replace("Игра 2", "Игра 1") for path, page in pages.items()})
    assert game_now(game).status == Status.RUNNING
    assert read[1] == read[0]
    judge = words(client_of("judge").get(f"/games/{game.uuid}/account/").content.decode())
    assert "Мафия: №7 Сокол, №8 Тайга, дон №5 Парус. Шериф: №6 Рубин." in judge
    assert "Дон проверяет №6 Рубин: да, шериф. №9 Умка получает первый фол. Шериф проверяет №5 Парус: чёрный." in judge


def test_roles_show_to_everybody_once_the_protocol_is_signed(cup: World) -> None:
    page = Client().get(f"/games/{cup.signed.uuid}/replay/?step=1").content.decode()
    assert re.findall(r'class="seat__role[^>]*>(.)<', page) == [role.letter for role in cup.roles]
    before = Client().get(f"/games/{cup.signed.uuid}/replay/").content.decode()
    assert "seat__role" not in before


# ---------------------------------------------------------------- one step


@pytest.fixture
def played() -> Table:
    """A game in its first vote."""
    found = table()
    later(
        found.game, ROLES, NIGHT_ZERO, speech(1), speech(2), e.Nomination(moment=speech(2).moment, seat=2, target=1),
        e.Foul(moment=speech(2).moment, seat=4, clause="6.6.2"), speech(3),
        e.Nomination(moment=speech(3).moment, seat=3, target=9),
        e.Turn(moment=Moment(1, Phase.BALLOT)), e.Vote(moment=Moment(1, Phase.BALLOT, 0, 1), target=1, count=4),
    )  # fmt: skip
    return found


def test_a_step_shows_the_table_the_entry_and_its_clause(played: Table) -> None:
    judge = client_of("judge")
    text = judge.get(f"/games/{played.game.uuid}/replay/?step=6").content.decode()
    assert part(text, "moment") == "День 1 · речи 6 из 10 Фол: №4 Онега п. 6.6.2"
    assert '<a class="clause" href="/rules/#A-6.6.2">п. 6.6.2</a>' in text
    spoken = re.findall(r'<li class="seat[^>]*>.*?class="visually-hidden">(.*?)</span>', text, re.DOTALL)
    assert [words(row) for row in spoken] == [
        "№1 Лотос, 0 фолов, на голосовании 1-й, К",
        "№2 Мираж, 0 фолов, выставляет №1, говорит сейчас, К",
        "№3 Норд, 0 фолов, К",
        "№4 Онега, 1 фол, К",
        "№5 Парус, 0 фолов, Д",
        "№6 Рубин, 0 фолов, Ш",
        "№7 Сокол, 0 фолов, Ч",
        "№8 Тайга, 0 фолов, Ч",
        "№9 Умка, 0 фолов, К",
        "№10 Филин, 0 фолов, К",
    ]


def test_the_table_shows_the_tallies_so_far(played: Table) -> None:
    judge = client_of("judge")
    text = judge.get(f"/games/{played.game.uuid}/replay/?step=10").content.decode()
    assert part(text, "moment") == "День 1 · голосование 10 из 10 Голоса за №1 Лотос: 4"
    assert part(text, "ballots") == "День 1 Игрок 1 9 Голосование 4"
    assert re.findall(r'class="seat__votes[^>]*>(.)<', text) == ["4", "·"]


def test_the_list_holds_the_part_of_the_game_and_each_line_its_step(played: Table) -> None:
    path = f"/games/{played.game.uuid}/replay/"
    text = client_of("judge").get(f"{path}?step=6").content.decode()
    lines = re.findall(r'class="told__link" href="([^"]+)"[^>]*?( aria-current="step")?>(.*?)</a>', text)
    assert [(href.removeprefix(path), bool(now), words(line)) for href, now, line in lines] == [
        ("?step=3", False, "Слово: №1 Лотос"),
        ("?step=4", False, "Слово: №2 Мираж"),
        ("?step=5", False, "№2 Мираж выставляет: №1 Лотос"),
        ("?step=6", True, "Фол: №4 Онега"),
        ("?step=7", False, "Слово: №3 Норд"),
        ("?step=8", False, "№3 Норд выставляет: №9 Умка"),
        ("?step=9", False, "Начато: голосование"),
        ("?step=10", False, "Голоса за №1 Лотос: 4"),
    ]
    jumps = re.findall(r'class="parts__link"[^>]* href="([^"]+)"[^>]*?( aria-current="true")?>(.*?)</a>', text)
    assert [(href.removeprefix(path), bool(now), line) for href, now, line in jumps] == [
        ("?step=1", False, "До игры"), ("?step=2", False, "Ночь 0"), ("?step=3", True, "День 1"),
    ]  # fmt: skip
    moves = re.findall(r'id="step-(\w+)" (?:href="([^"]+)"|role="link")', text)
    assert [(name, href.removeprefix(path)) for name, href in moves] == [
        ("start", "?step=0"), ("back", "?step=5"), ("on", "?step=7"), ("end", "?step=10"),
    ]  # fmt: skip


def test_a_night_tells_who_shot_what_the_checks_found_and_the_hits_of_the_best_move(cup: World) -> None:
    text = Client().get(f"/games/{cup.signed.uuid}/replay/?step=23").content.decode()
    lines = [words(line) for line in re.findall(r'<li class="told__line">(.*?)</li>', text, re.DOTALL)]
    assert lines == [
        "Отстрел: №4 Онега (5→4, 7→4, 8→4)",
        "Проверка дона: №3 Норд — нет",
        "Проверка шерифа: №9 Умка — красный",
        "Лучший ход: 3, 5, 6 — чёрных среди них 1",
    ]


def test_buttons_that_lead_nowhere_keep_their_place(played: Table) -> None:
    client, path = client_of("judge"), f"/games/{played.game.uuid}/replay/"
    for address, dead in ((path, ["start", "back"]), (f"{path}?step=10", ["on", "end"]), (f"{path}?step=99", None)):
        text = client.get(address).content.decode()
        found = re.findall(r'id="step-(\w+)" role="link" tabindex="0" aria-disabled="true"', text)
        assert found == (dead or ["on", "end"])


@pytest.mark.parametrize("step", ["-1", "x", "1.5", "", "999999", "٣"])
def test_what_is_no_step_is_not_found(played: Table, step: str) -> None:
    client = client_of("judge")
    assert client.get(f"/games/{played.game.uuid}/replay/", {"step": step}).status_code == 404


def test_the_script_gets_the_scene_alone_and_the_browser_the_page(played: Table) -> None:
    client, path = client_of("judge"), f"/games/{played.game.uuid}/replay/?step=6"
    alone = client.get(path, headers={"HX-Request": "true"})
    assert alone.content.decode().startswith('<div id="said"')
    again = client.get(path, headers={"HX-Request": "true", "HX-History-Restore-Request": "true"})
    assert again.content.decode().startswith("<!DOCTYPE html>")
    assert "no-store" in alone["Cache-Control"]


def test_what_was_struck_set_aside_or_written_late_says_so() -> None:
    seen = table()
    first = speech(1).moment
    later(
        seen.game, NIGHT_ZERO, speech(1), e.Nomination(moment=first, seat=1, target=5),
        e.Withdrawal(moment=first, seat=1), speech(2), e.Foul(moment=first, seat=7),
    )  # fmt: skip
    game = Game.objects.select_related("tournament", "judge").get(pk=seen.game.pk)
    strike = e.Strike(moment=speech(2).moment, of=3, text="Ослышался")
    answer = record_batch(
        [strike], game=game, revision=6, by=seen.people["judge"], uuid=uuid4(), confirmed=True
    )  # fmt: skip
    assert answer.is_written
    judge, path = client_of("judge"), f"/games/{game.uuid}/replay/"
    text = judge.get(f"{path}?step=3").content.decode()
    lines = [words(line) for line in re.findall(r'<li class="told__line">(.*?)</li>', text, re.DOTALL)]
    assert [re.sub(r"\d\d:\d\d:\d\d", "…", line) for line in lines] == [
        "Слово: №1 Лотос",
        "№1 Лотос выставляет: №5 Парус зачёркнуто …, Соколова: Ослышался",
        "№1 Лотос снимает кандидатуру больше не в силе",
        "Фол: №7 Сокол вписано позже",
        "Слово: №2 Мираж",
    ]
    assert "<s>№1 Лотос выставляет: №5 Парус</s>" in text
    assert part(text, "moment") == (
        "День 1 · речи 3 из 5 №1 Лотос снимает кандидатуру Не в силе. №1 Лотос сегодня никого не выставлял уточнение §2"
    )
    late = part(judge.get(f"{path}?step=4").content.decode(), "moment")
    assert re.fullmatch(r"День 1 · речи 4 из 5 Фол: №7 Сокол Вписано позже: \d\d:\d\d:\d\d, Соколова", late)


# ---------------------------------------------------------------- games without a course


def test_a_game_with_results_only_says_that_there_is_no_replay(cup: World) -> None:
    game = create_game(cup.stage, played_on=cup.signed.played_on, judge=cup.people["judge"], results_only=True)
    client = client_of("judge")
    said = {page: client.get(f"/games/{game.uuid}/{page}") for page in PAGES}
    assert [response.status_code for response in said.values()] == [200, 200, 200, 404]
    assert "Об этой игре записаны только результаты: пройти её по шагам нельзя." in words(
        said["replay/"].content.decode()
    )
    assert "Об этой игре записаны только результаты: рассказать её ход нельзя." in words(
        said["account/"].content.decode()
    )


def test_a_game_not_begun_shows_the_ten_at_the_table(cup: World) -> None:
    text = client_of("judge").get(f"/games/{cup.prepared.uuid}/replay/").content.decode()
    assert part(text, "moment") == "До игры 0 из 0 Записей пока нет."
    assert re.findall(r'class="seat__name"[^>]*>([^<]+)<', text) == list(cup.nicknames)


# ---------------------------------------------------------------- the cost


def test_pages_ask_as_often_for_a_long_game_as_for_a_short_one(
    cup: World, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    judge = client_of("judge")
    for game, client, more in ((cup.prepared, judge, 2), (cup.running, judge, 2), (cup.signed, Client(), 1)):
        authors = 0 if game == cup.prepared else 1
        for page, queries in (("replay/?step=30", 2 + authors), ("account/", 2), ("account.txt", 2)):
            with django_assert_num_queries(queries + more):
                client.get(f"/games/{game.uuid}/{page}")


def test_a_step_of_a_game_of_200_entries_takes_less_than_50_ms(cup: World) -> None:
    game = cup.running
    fouls = [e.Foul(moment=record_of(game).state.moment, seat=n % 10 + 1, penalty=Penalty.WARNING) for n in range(160)]
    later(game, *fouls)
    client, taken = client_of("judge"), []
    for step in (0, 20, 100, 199, 200):
        client.get(f"/games/{game.uuid}/replay/?step={step}")
        begun = time.thread_time()  # other work on the machine is not counted
        text = client.get(f"/games/{game.uuid}/replay/?step={step}", headers={"HX-Request": "true"}).content.decode()
        taken.append(time.thread_time() - begun)
        assert f"{step} из 200" in text
    assert max(taken) < 0.05  # seconds
