"""A judge's own games with the next thing to do, the protocol as a page, and a game that changes hands."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.formats import date_format

from protocols.models import Game, MemberRole, Status
from protocols.rules import entries as e
from protocols.rules.terms import Moment, Phase
from protocols.selectors import record_of
from protocols.services.prepare import appoint, create_game
from protocols.services.sign import reopen, seal
from protocols.sheet_check import in_groups

from .test_pages_access import client_of
from .test_pages_tournaments import messages_of, text_of
from .world import World, game_of, world, write

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup() -> World:
    """The tournament and its games."""
    return world()


def due_in(page: str) -> list[tuple[str, str, str]]:
    """Of each game that waits for the judge: its title, its main link's words and where it leads."""
    cards = page.split('<article class="duty duty--due">')[1:]
    found = []
    for card in cards:
        title = re.findall(r'<h2 class="duty__title">([^<]+)</h2>', card)[0]
        where, words = re.findall(r'<a class="button button--primary duty__next" href="([^"]+)">([^<]+)</a>', card)[0]
        found.append((title, words, where))
    return found


# ---------------------------------------------------------------- my games


def test_each_game_of_the_judge_shows_the_next_thing_to_do(cup: World) -> None:
    empty = game_of(cup.stage, cup.people["judge"], cup.nicknames[:9])
    game_of(cup.stage, cup.people["other"])
    page = client_of("judge").get("/games/").content.decode()
    assert due_in(page) == [
        ("Игра 2, стол 1", "Вести игру", f"/games/{cup.running.uuid}/board/"),
        ("Игра 3, стол 1", "Подписать", f"/games/{cup.over.uuid}/finish/"),
        ("Игра 1, стол 1", "Начать игру", f"/games/{cup.prepared.uuid}/board/"),
        ("Игра 5, стол 1", "Подготовить", f"/games/{empty.uuid}/prepare/"),
    ]
    assert page.count(f'href="/games/{cup.signed.uuid}/"') == 1


def test_the_home_page_shows_the_games_of_today_and_those_under_way(cup: World) -> None:
    today = timezone.localdate()
    judge = cup.people["judge"]
    mine = create_game(cup.stage, played_on=today, judge=judge)
    create_game(cup.stage, played_on=today + timedelta(days=1), judge=judge)
    create_game(cup.stage, played_on=today, judge=cup.people["other"])
    page = client_of("judge").get("/").content.decode()
    assert due_in(page) == [
        ("Игра 2, стол 1", "Вести игру", f"/games/{cup.running.uuid}/board/"),
        ("Игра 3, стол 1", "Подписать", f"/games/{cup.over.uuid}/finish/"),
        (f"Игра {mine.number}, стол 1", "Подготовить", f"/games/{mine.uuid}/prepare/"),
    ]
    assert due_in(client_of("anonymous").get("/").content.decode()) == []


def test_whoever_judges_nothing_is_told_what_to_wait_for(cup: World) -> None:
    said = {name: text_of(client_of(name).get("/games/").content.decode()) for name in ("plain", "other")}
    assert "Вам пока не назначили игр. Это делает организатор турнира." in said["plain"]
    assert "Вам пока не назначили игр. Можно завести игру самостоятельно." in said["other"]


def test_a_judge_opens_a_game_of_her_own(cup: World) -> None:
    sent = {"stage": cup.stage.pk, "number": "1", "table_number": "2", "played_on": "2026-10-10"}
    response = client_of("other").post("/games/new/", sent)
    game = Game.objects.get(number=1, table_number=2)
    assert (response.status_code, response["Location"]) == (302, f"/games/{game.uuid}/prepare/")
    assert (game.judge, game.judge_name, game.status) == (cup.people["other"], "Другова", Status.PREPARED)


def test_a_judge_opens_no_game_in_a_tournament_that_is_not_hers(cup: World) -> None:
    foreign = cup.elsewhere.stages.get().pk
    sent = {"stage": foreign, "number": "1", "table_number": "2", "played_on": "2026-10-10"}
    assert client_of("other").post("/games/new/", sent).status_code == 422
    assert Game.objects.filter(stage=foreign).count() == 0


def test_a_number_taken_at_the_table_is_refused_in_words(cup: World) -> None:
    sent = {"stage": cup.stage.pk, "number": "1", "table_number": "1", "played_on": "2026-10-10"}
    response = client_of("other").post("/games/new/", sent)
    assert response.status_code == 422
    assert Game.objects.filter(number=1, table_number=1).count() == 1
    assert 'value="1"' in response.content.decode()


# ---------------------------------------------------------------- the protocol


def test_a_signed_protocol_says_who_signed_it_when_and_its_digest(cup: World) -> None:
    page = client_of("anonymous").get(f"/games/{cup.signed.uuid}/").content.decode()
    sheet = cup.signed.sheets.get()
    at = date_format(timezone.localtime(sheet.signed_at), "j E Y, H:i")
    seal_line = re.findall(r'<p class="seal[^>]*>(.*?)</p>', page, re.DOTALL)
    said = f"Подписано: Соколова, {at}. Код проверки {in_groups(sheet.sha256[:12])}"
    assert [text_of(f"<main>{line}") for line in seal_line] == [said]
    assert f'title="SHA-256 {sheet.sha256}"' in page
    assert re.findall(r'class="sheet__role">([^<]*)<', page) == [role.letter for role in cup.roles]
    assert f'href="/games/{cup.signed.uuid}/sheet.pdf"' in page
    assert "Подписанные бланки этой игры" not in page
    assert "Открыть протокол" not in page


def test_what_was_signed_before_stays_readable(cup: World) -> None:
    judge, head = cup.people["judge"], cup.people["head"]
    reopen(cup.signed, by=head, reason="Фол места 2 записан месту 3")
    foul = e.Foul(moment=Moment(99, Phase.AFTER), seat=2, clause="6.6.1")
    write(cup.signed, [foul], judge)
    seal(cup.signed, revision=cup.signed.revision, by=judge)
    anybody = client_of("anonymous")
    page = anybody.get(f"/games/{cup.signed.uuid}/").content.decode()
    old = anybody.get(f"/games/{cup.signed.uuid}/?sheet=1").content.decode()
    assert page.count('<li><a class="list__link"') == 2
    assert "Причина: Фол места 2 записан месту 3" in old
    assert "Причина:" not in page
    assert f'title="SHA-256 {cup.signed.sheets.get(number=1).sha256}"' in old
    assert anybody.get(f"/games/{cup.signed.uuid}/?sheet=3").status_code == 404
    assert anybody.get(f"/games/{cup.signed.uuid}/?sheet=1%20").status_code == 404


def test_the_head_judge_reopens_with_a_reason(cup: World) -> None:
    head = client_of("head")
    address = f"/games/{cup.signed.uuid}/reopen/"
    assert head.post(address, {"reason": "  "}).status_code == 422
    page = head.post(address, {"reason": "Перепутаны фолы"}, follow=True).content.decode()
    assert messages_of(page) == ["Протокол открыт для исправлений; прежний бланк можно прочитать."]
    cup.signed.refresh_from_db()
    assert (cup.signed.status, cup.signed.sheets.get().reopen_reason) == (Status.OVER, "Перепутаны фолы")
    assert "Перепутаны фолы" in page
    assert client_of("anonymous").get(f"/games/{cup.signed.uuid}/").status_code == 404
    again = head.post(address, {"reason": "Ещё раз"})
    assert again.status_code == 422


def test_a_protocol_that_is_not_signed_is_shown_as_a_draft_to_its_people(cup: World) -> None:
    page = client_of("judge").get(f"/games/{cup.running.uuid}/").content.decode()
    assert "Не подписано: здесь то, что записано к этой минуте." in page
    assert page.count("черновик, не подписан") >= 1
    assert '<p class="seal' not in page


# ---------------------------------------------------------------- handing over


def test_a_game_is_handed_over_in_the_middle(cup: World) -> None:
    judge, other = client_of("judge"), client_of("other")
    address = f"/games/{cup.running.uuid}/hand-over/"
    page = judge.get(address).content.decode()
    assert re.findall(r'<label for="id_judge_\d"[^>]*>\s*(\S+)\s*</label>', page) == ["Главная", "Другова"]
    response = judge.post(address, {"judge": cup.people["other"].pk}, follow=True)
    assert response.redirect_chain == [("/games/", 302)]
    assert messages_of(response.content.decode()) == ["Игру 2 за столом 1 теперь судит Другова."]
    cup.running.refresh_from_db()
    assert (cup.running.judge, cup.running.judge_name) == (cup.people["other"], "Другова")
    assert (judge.get(address).status_code, other.get(address).status_code) == (403, 200)

    before = record_of(cup.running).revision
    write(
        cup.running, [e.Foul(moment=record_of(cup.running).state.moment, seat=2, clause="6.6.1")], cup.people["other"]
    )
    assert record_of(cup.running).revision == before + 1


@pytest.mark.parametrize("name", ["foreign", "plain", "organizer"])
def test_a_game_is_handed_to_nobody_who_does_not_judge_here(cup: World, name: str) -> None:
    response = client_of("judge").post(f"/games/{cup.running.uuid}/hand-over/", {"judge": cup.people[name].pk})
    assert response.status_code == 422
    cup.running.refresh_from_db()
    assert cup.running.judge == cup.people["judge"]


def test_where_nobody_else_judges_the_page_says_so(cup: World) -> None:
    appoint(cup.elsewhere, cup.people["plain"], MemberRole.JUDGE)
    game = game_of(cup.elsewhere.stages.get(), cup.people["plain"])
    page = text_of(client_of("plain").get(f"/games/{game.uuid}/hand-over/").content.decode())
    assert "Кто примет игру" in page
    cup.elsewhere.members.filter(role=MemberRole.HEAD_JUDGE).delete()
    page = text_of(client_of("plain").get(f"/games/{game.uuid}/hand-over/").content.decode())
    assert "Других судей в турнире нет." in page
