"""Who sits where and when: one person's page, and the calendar that their phone subscribes to."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from icalendar import Calendar
from pytest_django import DjangoAssertNumQueries, Settings

from protocols.models import FeedEvent, Game, Round, Seat, Stage
from protocols.schedule import schedule_of
from protocols.schedule_words import zone_words
from protocols.services import seating_people, seating_rounds
from protocols.services.prepare import add_stage, hand_over, seat_players

from .test_pages_access import client_of
from .world import World, world

AWKWARD = "А, Б; В\\Г 🔥 й ё №1"
FORTY = "Ж" * 40
NAMES = [AWKWARD, FORTY, *(f"Игрок {number:02d}" for number in range(3, 21))]
STARTS = datetime(2026, 10, 24, 22, 30, tzinfo=UTC)  # in Berlin, half an hour past midnight of the day clocks go back


@pytest.fixture
def cup(db: None, settings: Settings, tmp_path: object) -> World:
    """The tournament with twenty participants, its hours told by Berlin's clock."""
    settings.MEDIA_ROOT = tmp_path
    made = world()
    assert seating_people.register(made.tournament, NAMES, confirm_new=True).is_written
    made.tournament.time_zone = "Europe/Berlin"
    made.tournament.save()
    return made


@pytest.fixture
def stage(cup: World) -> Stage:
    """Three rounds of two tables, published: nobody moves, but in the third tables are swapped."""
    made = add_stage(cup.tournament, name="Круг, второй; «ё» 🔥")
    keys = [player for _name, player in sorted(players_of(cup).items(), key=lambda each: NAMES.index(each[0]))]
    plan = [[keys[:10], keys[10:]], [keys[:10], keys[10:]], [keys[10:], keys[:10]]]
    seating_rounds.seat_rounds(made, plan, starts_at=STARTS, minutes=75, confirmed=True)
    hand_over(made.games.get(round=1, table_number=1), cup.people["judge"])
    seating_rounds.open_seating(made, is_public=True)
    return made


@pytest.fixture
def server_elsewhere(settings: Settings) -> Iterator[None]:
    """The site and its process keep the time of other places than the tournament."""
    before = os.environ.get("TZ")
    settings.TIME_ZONE = "Pacific/Kiritimati"
    os.environ["TZ"] = "America/St_Johns"
    time.tzset()
    yield
    os.environ.pop("TZ")
    if before is not None:
        os.environ["TZ"] = before
    time.tzset()


def players_of(cup: World) -> dict[str, int]:
    """The participants' keys by nickname."""
    return dict(cup.tournament.participants.values_list("player__nickname", "player_id"))


def feed_of(path: str, **headers: str) -> list[dict[str, Any]]:
    """The events of a calendar, read back by another's reader; times as they are written."""
    answer = Client().get(path, headers=headers)
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/calendar; charset=utf-8")
    lines = answer.content.split(b"\r\n")
    assert max(len(line) for line in lines) <= 75  # octets, RFC 5545 3.1
    assert not [line for line in lines if b"\n" in line]
    events = Calendar.from_ical(answer.content).walk("VEVENT")
    return [{name.lower(): _plain(event.decoded(name)) for name in event} for event in events]


def _plain(value: Any) -> Any:
    return value.decode() if isinstance(value, bytes) else value


def of_player(cup: World, nickname: str, what: str = "") -> str:
    """The address of a player's page, or of their calendar."""
    return f"/t/cup/seating/players/{players_of(cup)[nickname]}/{what}"


# ---------------------------------------------------------------- pages


def test_a_player_reads_round_time_table_seat_and_judge(cup: World, stage: Stage, server_elsewhere: None) -> None:
    page = Client().get(of_player(cup, AWKWARD)).content.decode()
    assert '<h1 class="turns__name">А, Б; В\\Г 🔥 й ё №1</h1>' in page
    told = page.partition("Все туры")[2]
    rows = [row.partition("</tr>")[0] for row in told.split('<th scope="row">')[1:]]
    times = [row.partition("<td>")[2].partition("</td>")[0] for row in rows]
    assert times == ["00:30", "01:45", "02:00"]  # the third a quarter of an hour by the clock later: it went back
    assert "Соколова" in rows[0]
    assert "Берлин, UTC+2, с 25 октября — UTC+1" in page
    assert "Вс, 25 октября" in page


def test_the_next_game_is_told_first(cup: World, stage: Stage) -> None:
    Game.objects.filter(stage=stage, round=1).update(revision=1)
    page = Client().get(of_player(cup, "Игрок 03")).content.decode()
    facts = page.partition("turn-next__facts")[2].partition("</dl>")[0]
    assert [each.partition("</dd>")[0] for each in facts.split("<dd>")[1:]] == ["01:45", "1", "3", "2"]


def test_a_judge_reads_rounds_and_tables(cup: World, stage: Stage) -> None:
    page = Client().get(f"/t/cup/seating/judges/{cup.people['judge'].pk}/").content.decode()
    assert ('<h1 class="turns__name">Соколова</h1>' in page, page.count('<th scope="row">')) == (True, 1)
    assert Client().get(f"/t/cup/seating/judges/{cup.people['other'].pk}/").status_code == 404


def test_a_search_leads_to_the_players_own_page(cup: World, stage: Stage) -> None:
    page = Client().get("/t/cup/seating/?q=игрок 03").content.decode()
    assert f'href="{of_player(cup, "Игрок 03")}"' in page
    none = Client().get("/t/cup/seating/?q=Никто").content.decode()
    assert "Никого с таким никнеймом в рассадке нет." in none


def test_whoever_rests_and_what_is_cancelled_is_said(cup: World, stage: Stage) -> None:
    Seat.objects.filter(game__stage=stage, game__round=2, player=players_of(cup)["Игрок 20"]).delete()
    seating_rounds.cancel_round(stage.rounds.get(number=3), reason="Погас свет", by=cup.people["organizer"])
    page = Client().get(of_player(cup, "Игрок 20")).content.decode()
    assert (page.count("отдыхает"), page.count("Погас свет")) == (1, 1)


def test_the_schedule_is_read_in_a_few_queries_however_many_rounds_there_are(
    cup: World, stage: Stage, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    path = of_player(cup, "Игрок 03")
    with django_assert_num_queries(5):  # the tournament, its stages, rounds, games, seats
        assert Client().get(path).status_code == 200


def test_clocks_that_are_not_changed_are_told_once(cup: World, stage: Stage) -> None:
    cup.tournament.time_zone = "Asia/Kathmandu"
    assert zone_words(schedule_of(cup.tournament, is_public=True)) == "Катманду, UTC+5:45"
    cup.tournament.time_zone = "UTC"
    assert zone_words(schedule_of(cup.tournament, is_public=True)) == "UTC"


# ---------------------------------------------------------------- calendars


def test_a_players_calendar_tells_moments_that_no_clock_changes(
    cup: World, stage: Stage, server_elsewhere: None
) -> None:
    events = feed_of(of_player(cup, AWKWARD, "calendar.ics"))
    assert [(event["dtstart"], event["dtend"]) for event in events] == [
        (datetime(2026, 10, 24, 22, 30, tzinfo=UTC), datetime(2026, 10, 24, 23, 30, tzinfo=UTC)),
        (datetime(2026, 10, 24, 23, 45, tzinfo=UTC), datetime(2026, 10, 25, 0, 45, tzinfo=UTC)),
        (datetime(2026, 10, 25, 1, 0, tzinfo=UTC), datetime(2026, 10, 25, 2, 0, tzinfo=UTC)),
    ]
    assert events[0]["summary"] == "Кубок · Тур 1 · стол 1 · место 1"
    words = events[2]["description"].split("\n")
    assert words == ["Стадия: Круг, второй; «ё» 🔥", "Начало в 02:00 (Берлин, UTC+1)"]
    assert events[0]["location"] == "Тверь, Стол 1"
    assert [event["sequence"] for event in events] == [0, 0, 0]


def test_names_with_commas_semicolons_backslashes_and_emoji_come_back_whole(cup: World, stage: Stage) -> None:
    answer = Client().get(of_player(cup, AWKWARD, "calendar.ics"))
    assert Calendar.from_ical(answer.content)["x-wr-calname"] == f"Кубок: {AWKWARD}"
    assert b"SUMMARY" in answer.content
    long = Client().get(of_player(cup, FORTY, "calendar.ics"))
    assert Calendar.from_ical(long.content)["name"] == f"Кубок: {FORTY}"


def test_what_changes_gets_the_next_sequence_and_nothing_else_does(cup: World, stage: Stage) -> None:
    path = of_player(cup, "Игрок 03", "calendar.ics")
    before = feed_of(path)
    assert feed_of(path) == before
    seating_rounds.start_round(stage.rounds.get(number=2), datetime(2026, 10, 25, 0, 10, tzinfo=UTC))
    FeedEvent.objects.update(changed_at=datetime(2026, 1, 1, tzinfo=UTC))
    after = feed_of(path)
    assert [event["uid"] for event in after] == [event["uid"] for event in before]
    assert [event["sequence"] for event in after] == [0, 1, 0]
    assert [event["last-modified"].year for event in after] == [2026, 2026, 2026]
    assert after[1]["last-modified"] > after[0]["last-modified"]
    assert [event["dtend"] for event in after][1] == datetime(2026, 10, 25, 1, 0, tzinfo=UTC)  # the next one starts


def test_a_cancelled_round_stays_in_the_calendar_cancelled(cup: World, stage: Stage) -> None:
    path = of_player(cup, "Игрок 03", "calendar.ics")
    feed_of(path)
    seating_rounds.cancel_round(stage.rounds.get(number=2), reason="Погас свет, ждём", by=cup.people["organizer"])
    events = feed_of(path)
    told = [(event["status"], event["sequence"]) for event in events]
    assert told == [("CONFIRMED", 0), ("CANCELLED", 1), ("CONFIRMED", 0)]
    assert events[1]["summary"].startswith("Отменён: ")
    assert events[1]["description"].endswith("Тур отменён: Погас свет, ждём")


def test_whoever_is_replaced_keeps_an_empty_calendar_and_the_other_gets_the_games(cup: World, stage: Stage) -> None:
    path = of_player(cup, "Игрок 03", "calendar.ics")
    assert len(feed_of(path)) == 3
    for game in stage.games.filter(seats__nickname="Игрок 03"):
        assert seat_players(game, {3: "Замена"}, confirm_new=True).is_written
    assert feed_of(path) == []
    assert "Сейчас игр нет" in Client().get(of_player(cup, "Игрок 03")).content.decode()
    replacing = Seat.objects.filter(game__stage=stage, nickname="Замена").values_list("player_id", flat=True)[0]
    assert len(feed_of(f"/t/cup/seating/players/{replacing}/calendar.ics")) == 3


def test_a_judges_and_the_tournaments_calendars(cup: World, stage: Stage) -> None:
    judged = feed_of(f"/t/cup/seating/judges/{cup.people['judge'].pk}/calendar.ics")
    assert [event["summary"] for event in judged] == ["Кубок · Тур 1 · стол 1"]
    everybody = feed_of("/t/cup/seating/calendar.ics")
    assert everybody[0]["summary"] == "Кубок · Тур 1 · столов: 2"
    uids = {event["uid"] for event in (*judged, *everybody, *feed_of(of_player(cup, "Игрок 03", "calendar.ics")))}
    assert len(uids) == 1 + 3 + 3


def test_rounds_without_a_start_are_in_no_calendar(cup: World, stage: Stage) -> None:
    Round.objects.filter(stage=stage, number=2).update(starts_at=None)
    assert len(feed_of(of_player(cup, "Игрок 03", "calendar.ics"))) == 2
    page = Client().get(of_player(cup, "Игрок 03")).content.decode()
    assert "У 1 игры ещё нет времени начала, в календаре её нет." in page


def test_a_calendar_is_sent_once_for_the_same_content(
    cup: World, stage: Stage, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    path = of_player(cup, "Игрок 03", "calendar.ics")
    tag = Client().get(path)["ETag"]
    with django_assert_num_queries(6):  # five of the schedule, and what was told
        again = Client().get(path, headers={"If-None-Match": tag})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag)
    seating_rounds.start_round(stage.rounds.get(number=1), datetime(2026, 10, 24, 22, 0, tzinfo=UTC))
    assert Client().get(path, headers={"If-None-Match": tag}).status_code == 200


def test_the_page_says_how_to_subscribe(cup: World, stage: Stage) -> None:
    path = of_player(cup, "Игрок 03")
    page = Client().get(path).content.decode()
    assert f'href="webcal://testserver{path}calendar.ics"' in page
    assert f'value="http://testserver{path}calendar.ics"' in page


# ---------------------------------------------------------------- what is not published


def addresses(cup: World) -> list[str]:
    """Every address that tells of a seating, and the public page's own."""
    player, judge = of_player(cup, "Игрок 03"), f"/t/cup/seating/judges/{cup.people['judge'].pk}/"
    papers = [f"/t/cup/seating/paper/{kind}.pdf?stage=2" for kind in ("wall", "cards", "tables", "slips", "judges")]
    pages = [player, judge, "/t/cup/seating/screen/", "/t/cup/seating/paper/", "/t/cup/seating/paper/wall/"]
    return [*pages, *papers, "/t/cup/seating/calendar.ics", f"{player}calendar.ics", f"{judge}calendar.ics"]


def test_a_seating_that_is_not_published_is_found_nowhere(cup: World, stage: Stage) -> None:
    asked = addresses(cup)
    assert {Client().get(path).status_code for path in asked} == {200}
    seating_rounds.open_seating(stage, is_public=False)
    for who in ("anybody", "plain", "judge"):
        client = Client() if who == "anybody" else client_of(who)
        assert {path: client.get(path).status_code for path in asked} == dict.fromkeys(asked, 404)
    assert "Игрок 03" not in Client().get("/t/cup/seating/").content.decode()
    seating_rounds.open_seating(cup.stage, is_public=True)  # another stage is no door
    calendar = feed_of(of_player(cup, "Игрок 03", "calendar.ics"))
    page = Client().get(of_player(cup, "Игрок 03")).content.decode()
    assert (calendar, page.count('<th scope="row">')) == ([], 0)  # whoever has subscribed learns that it is gone
    assert Client().get(of_player(cup, "Игрок 04")).status_code == 404
    for path in asked[2:-2]:
        assert "Игрок 0" not in Client().get(path).content.decode(errors="replace")


def test_who_runs_the_tournament_sees_it_before_with_a_note(cup: World, stage: Stage) -> None:
    seating_rounds.open_seating(stage, is_public=False)
    note = "Не опубликовано: пока это видят только организаторы и главный судья."
    for who in ("organizer", "head"):
        for path in (of_player(cup, "Игрок 03"), "/t/cup/seating/", "/t/cup/seating/paper/"):
            page = client_of(who).get(path).content.decode()
            assert (note in page, "webcal://" in page) == (True, False)
        assert client_of(who).get(of_player(cup, "Игрок 03", "calendar.ics")).status_code == 404
    assert FeedEvent.objects.count() == 0


def test_a_closed_tournament_is_found_nowhere(cup: World, stage: Stage) -> None:
    asked = addresses(cup)
    cup.tournament.is_public = False
    cup.tournament.save()
    assert {Client().get(path).status_code for path in asked} == {404}
