"""The registration page: off by default, open until a moment, and nothing of who applied is anybody else's to know."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from protocols.models import Application, ApplicationState, Participant, Player, Tournament
from protocols.services import registration, seating_people
from protocols.services.errors import Invalid
from protocols.services.registration import apply, close_registration, open_registration
from scoring.archives import archive_of, rebuild
from scoring.registration import accept, accept_plain, waiting_of
from scoring.team_models import TeamMember
from tests.exchange.records import empty_site
from tests.protocols.world import PASSWORD, World, world

from .test_roster_pages import words

PAGE, DESK = "/t/cup/register/", "/t/cup/participants/registration/"
TYPED = {"nickname": "Ёлка", "name": "Анна Белова", "city": "Омск", "team": "", "consent": "on"}


@pytest.fixture
def cup(db: None) -> World:
    """The tournament, whose registration is off."""
    return world()


@pytest.fixture
def opened(cup: World) -> Tournament:
    """Its registration is open for a day."""
    open_registration(cup.tournament, closes_at=timezone.now() + timedelta(days=1))
    return cup.tournament


@pytest.fixture
def organizer(cup: World) -> Client:
    """The organizer's browser."""
    client = Client()
    assert client.login(username="organizer", password=PASSWORD)
    return client


def everybody(tournament: Tournament) -> list[str]:
    """The participants by number."""
    return [each.player.nickname for each in tournament.participants.select_related("player").order_by("number")]


# ---------------------------------------------------------------- the page of the players


def test_there_is_no_registration_until_the_organizer_opens_it(cup: World) -> None:
    assert [Client().get(PAGE).status_code, Client().post(PAGE, TYPED).status_code] == [404, 404]
    assert PAGE not in Client().get("/t/cup/").content.decode()


def test_a_player_applies_without_a_login_and_waits_unseen(opened: Tournament) -> None:
    client = Client()
    assert PAGE in client.get("/t/cup/").content.decode()
    answer = client.post(PAGE, TYPED)
    sent = Application.objects.get()
    assert answer["Location"] == f"{PAGE}{sent.uuid}/"
    own = client.get(answer["Location"])
    assert ("ждёт организатора" in own.content.decode(), own["X-Robots-Tag"]) == (True, "noindex")
    for path in ("/", "/t/cup/", PAGE, "/t/cup/seating/", "/players/suggest/?q=Ёл"):
        assert "Ёлка" not in Client().get(path).content.decode()
    assert (Player.objects.filter(nickname="Ёлка").exists(), Participant.objects.count()) == (False, 0)


@pytest.mark.parametrize("missing", ["nickname", "name", "consent"])
def test_what_is_missing_is_asked_for(opened: Tournament, missing: str) -> None:
    answer = Client().post(PAGE, {**TYPED, missing: ""})
    assert (answer.status_code, Application.objects.count()) == (422, 0)


def test_a_program_that_fills_in_everything_learns_nothing(opened: Tournament) -> None:
    answer = Client().post(PAGE, {**TYPED, "site": "https://example.org"})
    assert (answer.status_code, Application.objects.count()) == (302, 0)


def test_the_answer_does_not_tell_who_applied_or_takes_part(opened: Tournament) -> None:
    seating_people.register(opened, ["Ёлка"], confirm_new=True)
    for _again in range(2):
        assert Client().post(PAGE, TYPED).status_code == 302
    assert Application.objects.count() == 2


def test_after_closing_the_page_says_when_that_was_by_the_clock_of_the_tournament(opened: Tournament) -> None:
    opened.time_zone, opened.registration_closes_at = "Asia/Omsk", datetime(2026, 10, 10, 12, 30, tzinfo=UTC)
    opened.save()
    html = words(Client().get(PAGE).content.decode())
    assert "Она закрылась 10 октября 2026, 18:30 (Asia/Omsk)." in html
    answer = Client().post(PAGE, TYPED)
    assert (answer.status_code, "Регистрация уже закрыта." in words(answer.content.decode())) == (422, True)
    assert PAGE not in Client().get("/t/cup/").content.decode()


def test_the_organizer_may_close_it_earlier(opened: Tournament) -> None:
    close_registration(opened)
    assert "Она закрылась" in words(Client().get(PAGE).content.decode())
    with pytest.raises(Invalid, match="уже закрыта"):
        apply(opened, nickname="Ёлка", name="Анна")


def test_a_flood_is_bounded_and_told_of(opened: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registration, "MOST_WAITING", 6)
    monkeypatch.setattr(registration, "MOST_A_MINUTE", 4)
    for number in range(4):
        apply(opened, nickname=f"Кот {number}", name="Иван")
    with pytest.raises(Invalid, match="через минуту"):
        apply(opened, nickname="Ёлка", name="Анна")
    Application.objects.update(applied_at=F("applied_at") - timedelta(minutes=2))
    for number in range(2):
        apply(opened, nickname=f"Пёс {number}", name="Иван")
    with pytest.raises(Invalid, match="пока на них не ответят"):
        apply(opened, nickname="Ёлка", name="Анна")


def test_an_application_can_be_taken_back_and_is_gone(opened: Tournament) -> None:
    sent = apply(opened, nickname="Ёлка", name="Анна")
    assert Client().post(f"{PAGE}{sent.uuid}/")["Location"] == "/t/cup/"
    assert Application.objects.count() == 0
    assert Client().get(f"{PAGE}{sent.uuid}/").status_code == 404


# ---------------------------------------------------------------- the organizer's list


def test_the_organizer_opens_it_by_the_clock_of_the_tournament(cup: World, organizer: Client) -> None:
    Tournament.objects.filter(slug="cup").update(time_zone="Asia/Omsk")
    typed = {"part": "open", "places": "40"}
    typed["closes_at"] = (timezone.now() + timedelta(days=9)).strftime("%Y-%m-%dT20:00")
    assert organizer.post(DESK, typed)["Location"] == DESK
    found = Tournament.objects.get(slug="cup")
    assert found.registration_closes_at is not None
    assert (found.registration_closes_at.hour, found.places, found.takes_applications) == (14, 40, True)
    past = organizer.post(DESK, {"part": "open", "closes_at": "2020-01-01T10:00"})
    assert (past.status_code, "должна закрыться в будущем" in words(past.content.decode())) == (422, True)


def test_whoever_is_accepted_takes_part_and_joins_the_team(opened: Tournament, organizer: Client) -> None:
    sent = apply(opened, nickname="Ёлка", name="Анна Белова", city="Омск", team="Север")
    organizer.post(DESK, {"part": "accept", "application": sent.pk})
    player = Player.objects.get(nickname="Ёлка")
    assert (player.name, player.city, everybody(opened)) == ("Анна Белова", "Омск", ["Ёлка"])
    assert TeamMember.objects.get().team.name == "Север"
    assert "Вы участвуете как Ёлка." in words(Client().get(f"{PAGE}{sent.uuid}/").content.decode())
    refused = Client().post(f"{PAGE}{sent.uuid}/", follow=True)
    assert "обратитесь к организатору" in words(refused.content.decode())


def test_a_refusal_tells_its_reason_and_can_be_forgotten(opened: Tournament, organizer: Client) -> None:
    sent = apply(opened, nickname="Ёлка", name="Анна")
    organizer.post(DESK, {"part": "refuse", "application": sent.pk, "reason": "Мест нет"})
    assert "Организатор пишет: Мест нет" in words(Client().get(f"{PAGE}{sent.uuid}/").content.decode())
    again = organizer.post(DESK, {"part": "accept", "application": sent.pk}, follow=True)
    assert "уже ответили" in words(again.content.decode())
    organizer.post(DESK, {"part": "forget"})
    assert (Application.objects.count(), everybody(opened)) == (0, [])


def test_a_look_alike_is_asked_about(opened: Tournament, organizer: Client) -> None:
    known = Player.objects.create(nickname="Ёлка")
    sent = apply(opened, nickname="Елкa", name="Анна")
    missing = organizer.post(DESK, {"part": "accept", "application": sent.pk}, follow=True)
    assert "Скажите, Елкa — уже известный здесь игрок или другой." in words(missing.content.decode())
    organizer.post(DESK, {"part": "accept", "application": sent.pk, "who": f"player-{known.pk}"})
    sent.refresh_from_db()
    assert (sent.player, everybody(opened)) == (known, ["Ёлка"])


def test_those_without_a_question_are_accepted_together_while_there_are_places(opened: Tournament, cup: World) -> None:
    Player.objects.create(nickname="Ёлка")
    nicknames = ("Кот", "Елка", "Пёс", "Сова", "COBA", "Рысь")
    sent = {each: apply(opened, nickname=each, name="Иван").pk for each in nicknames}
    assert [each.application.nickname for each in waiting_of(opened) if each.is_plain] == ["Кот", "Пёс", "Рысь"]
    Tournament.objects.filter(pk=opened.pk).update(places=2)
    unseen = apply(opened, nickname="Ёж", name="Иван").pk
    by = cup.people["organizer"]
    assert accept_plain(opened, sent.values(), by=by) == 2
    assert everybody(opened) == ["Кот", "Пёс"]
    with pytest.raises(Invalid, match="Все места заняты"):
        accept_plain(opened, [*sent.values(), unseen], by=by)
    accept(Application.objects.get(nickname="Рысь"), by=by)
    assert everybody(opened) == ["Кот", "Пёс", "Рысь"]
    assert Application.objects.filter(state=ApplicationState.WAITING).count() == 4


def test_the_list_takes_as_many_queries_for_three_as_for_one(opened: Tournament, organizer: Client) -> None:
    counts = []
    for nicknames in (["Кот"], ["Пёс", "Рысь"]):
        for nickname in nicknames:
            apply(opened, nickname=nickname, name="Иван")
        with CaptureQueriesContext(connection) as seen:
            organizer.get(DESK)
        counts.append(len(seen))
    assert counts[0] == counts[1]


def test_only_the_organizer_sees_who_applied(opened: Tournament, cup: World) -> None:
    apply(opened, nickname="Ёлка", name="Анна")
    for who in ("head", "judge", "plain"):
        client = Client()
        client.force_login(cup.people[who])
        assert [client.get(DESK).status_code, client.post(DESK, {"part": "close"}).status_code] == [403, 403]


def test_the_archive_tells_of_the_registration_and_not_of_who_applied(opened: Tournament) -> None:
    open_registration(opened, closes_at=timezone.now() + timedelta(days=3), places=30)
    apply(opened, nickname="Ёлка", name="Анна")
    close_registration(opened)
    raw = archive_of(opened)
    assert "Ёлка".encode() not in raw
    empty_site()
    again = rebuild(raw).tournament
    again.refresh_from_db()
    assert (again.places, again.takes_applications, Application.objects.count()) == (30, False, 0)
    assert archive_of(again) == raw
