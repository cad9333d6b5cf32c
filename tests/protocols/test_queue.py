"""A queue from a device that was offline: written once each, in order; what can't be is said, nothing is dropped."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import DjangoAssertNumQueries

from protocols.models import Entry, Game, GameClock
from protocols.services.prepare import create_game, seat_players

from .markup import Page
from .tables import NICKNAMES, NIGHT_ZERO, ROLES, Table, game_now, kinds, later, speech, table
from .world import PASSWORD

NUMBERS = [UUID(int=number) for number in range(1, 400)]
FOUL = {"kind": "foul", "moment": "1.20.0.1", "seat": "4", "penalty": "foul"}
NOMINATION = {"kind": "nomination", "moment": "1.20.0.1", "seat": "1", "target": "5"}
SPEECH_2 = {"kind": "turn", "moment": "1.20.0.2", "seat": "2"}


@pytest.fixture
def cup(db: None) -> Table:
    """A table with everybody round it."""
    return table()


@pytest.fixture
def game(cup: Table) -> Game:
    """Its game in the minute of seat 1, at revision 3."""
    later(cup.game, ROLES, NIGHT_ZERO, speech(1))
    return cup.game


@pytest.fixture
def judge(client: Client, game: Game) -> Client:
    """The table's judge, logged in."""
    client.login(username="judge", password=PASSWORD)
    return client


def tapped(number: int, fields: dict[str, str], *, seen: int = 3, **more: Any) -> dict[str, Any]:
    """One entry of a queue."""
    at = "2026-11-30T18:00:00.000Z"
    return {"uuid": str(NUMBERS[number]), "seen": seen, "device_time": at, "fields": [*fields.items()], **more}


def send(client: Client, cup: Table, *entries: dict[str, Any], status: int = 200, **more: Any) -> dict[str, Any]:
    """Sends the queue of the judge; what is answered."""
    body = {"user": cup.people["judge"].pk, "game": str(cup.game.uuid), "entries": list(entries), **more}
    response = client.post(
        f"/games/{cup.game.uuid}/queue/", json.dumps(body), content_type="application/json",
        headers={"HX-Request": "true"},
    )  # fmt: skip
    assert response.status_code == status, response.content
    found: dict[str, Any] = response.json()
    return found


def of(answer: dict[str, Any]) -> list[str]:
    """What became of each."""
    return [one["kind"] for one in answer["answers"]]


def test_entries_are_written_in_order_with_the_time_of_the_device(judge: Client, cup: Table) -> None:
    answer = send(judge, cup, tapped(0, NOMINATION), tapped(1, FOUL), tapped(2, SPEECH_2))
    assert of(answer) == ["written"] * 3
    assert kinds(cup.game) == ["roles", "turn", "turn", "nomination", "foul", "turn"]
    assert [one["entry"] for one in answer["answers"]] == [4, 5, 6]
    assert answer["revision"] == 6
    at = {str(at) for at in Entry.objects.filter(revision__gte=4).values_list("device_time", flat=True)}
    assert at == {"2026-11-30 18:00:00+00:00"}


def test_the_answer_brings_the_fresh_board_for_the_script(judge: Client, cup: Table) -> None:
    page = Page(send(judge, cup, tapped(0, SPEECH_2))["board"])
    assert (page.first("site-header"), page.first("panel__prompt")) == ("", "Говорит №2 Мираж")


def test_a_resend_is_known_and_goes_on_where_it_was_broken_off(judge: Client, cup: Table) -> None:
    send(judge, cup, tapped(0, NOMINATION), tapped(1, FOUL))
    answer = send(judge, cup, tapped(0, NOMINATION), tapped(1, FOUL), tapped(2, SPEECH_2))
    assert of(answer) == ["known", "known", "written"]
    assert kinds(cup.game).count("foul") == 1


def test_a_refused_entry_is_told_with_its_clause_and_those_after_it_are_judged(judge: Client, cup: Table) -> None:
    second = {**NOMINATION, "target": "6"}
    answer = send(judge, cup, tapped(0, NOMINATION), tapped(1, second), tapped(2, SPEECH_2))
    assert of(answer) == ["written", "refused", "written"]
    refused = answer["answers"][1]
    assert refused["clause"] == "§2"
    assert refused["words"].startswith("№1 Лотос")
    assert refused["text"] == "№1 Лотос выставляет: №6 Рубин"


def test_what_repeats_an_entry_of_somebody_else_is_held(judge: Client, cup: Table) -> None:
    head = Client()
    head.login(username="head", password=PASSWORD)
    theirs = {"user": cup.people["head"].pk}
    assert of(send(head, cup, tapped(10, FOUL), **theirs)) == ["written"]
    answer = send(judge, cup, tapped(0, FOUL), tapped(1, NOMINATION))
    assert of(answer) == ["held", "written"]
    assert answer["answers"][0]["words"] == "За это время записано: Фол: №4 Онега"
    assert kinds(cup.game).count("foul") == 1


def test_own_entries_and_those_seen_before_repeat_nothing(judge: Client, cup: Table) -> None:
    assert of(send(judge, cup, tapped(0, FOUL))) == ["written"]
    again = send(judge, cup, tapped(1, FOUL), tapped(2, FOUL), mine=[str(NUMBERS[0])])
    assert of(again) == ["written", "written"]
    seen = send(judge, cup, tapped(3, NOMINATION, seen=6))
    assert of(seen) == ["written"]


def test_both_devices_may_move_the_game_on(judge: Client, cup: Table) -> None:
    later(cup.game, speech(2))
    answer = send(judge, cup, tapped(0, SPEECH_2), tapped(1, {**FOUL, "moment": "1.20.0.2"}))
    assert of(answer) == ["known", "written"]
    assert kinds(cup.game).count("turn") == 3


def test_what_was_taken_back_is_struck_out_where_it_may_have_arrived(judge: Client, cup: Table) -> None:
    send(judge, cup, tapped(0, FOUL))
    undone = [tapped(0, FOUL, undone=True), tapped(1, NOMINATION, undone=True)]
    for _ in range(2):
        assert of(send(judge, cup, *undone)) == ["undone", "undone"]
    assert kinds(cup.game) == ["roles", "turn", "turn", "foul", "strike", "nomination", "strike"]


def test_the_reason_of_a_foul_that_waits_goes_with_it(judge: Client, cup: Table) -> None:
    reason = {"kind": "foul_clause", "of_uuid": str(NUMBERS[0]), "clause": "6.6.3"}
    assert of(send(judge, cup, tapped(0, FOUL), tapped(1, reason))) == ["written", "written"]
    assert Entry.objects.get(kind="foul_clause").of == Entry.objects.get(kind="foul").revision
    answer = send(judge, cup, tapped(2, {**reason, "of_uuid": str(NUMBERS[9])}))
    assert (of(answer), answer["answers"][0]["words"]) == (["invalid"], "Запись, о которой здесь речь, не записана.")


def test_a_tap_of_two_entries_is_written_whole(judge: Client, cup: Table) -> None:
    then = {"then-kind": "turn", "then-moment": "1.20.0.2", "then-seat": "2"}
    assert of(send(judge, cup, tapped(0, {**NOMINATION, **then}))) == ["written"]
    assert kinds(cup.game)[3:] == ["nomination", "turn"]


def test_input_that_makes_no_sense_is_told_and_stops_nothing(judge: Client, cup: Table) -> None:
    answer = send(judge, cup, tapped(0, {**FOUL, "seat": "11"}), tapped(1, {"kind": "dance"}), tapped(2, SPEECH_2))
    assert of(answer) == ["invalid", "invalid", "written"]


def test_a_number_of_another_game_is_not_taken(judge: Client, cup: Table) -> None:
    before = game_now(cup.game)
    other = create_game(before.stage, played_on=before.played_on, judge=cup.people["judge"])
    assert seat_players(other, NICKNAMES).is_written
    send(judge, cup, tapped(0, FOUL))
    body = {"user": cup.people["judge"].pk, "game": str(other.uuid), "entries": [tapped(0, FOUL, seen=0)]}
    address = f"/games/{other.uuid}/queue/"
    answer = judge.post(address, json.dumps(body), content_type="application/json", headers={"HX-Request": "true"})
    assert of(answer.json()) in (["invalid"], ["refused"])
    assert kinds(other) == []
    body["game"] = str(cup.game.uuid)
    assert judge.post(address, json.dumps(body), content_type="application/json").status_code == 422


@pytest.mark.parametrize(
    ("name", "status"), [("other", 403), ("organizer", 403), ("foreign", 404), ("plain", 404), (None, 401)]
)
def test_only_who_may_write_sends_a_queue(
    client: Client, game: Game, cup: Table, name: str | None, status: int
) -> None:
    if name:
        client.login(username=name, password=PASSWORD)
    response = client.post(f"/games/{game.uuid}/queue/", "{}", content_type="application/json")
    assert response.status_code == status


def test_a_queue_belongs_to_its_user(client: Client, cup: Table, game: Game) -> None:
    client.login(username="head", password=PASSWORD)
    assert send(client, cup, tapped(0, FOUL), status=409) == {"error": "user"}
    assert kinds(game).count("foul") == 0


@pytest.mark.parametrize(
    "body", ["", "[]", "{}", '{"user":1,"game":"","entries":[{}]}', '{"user":1,"game":1,"entries":1}']
)
def test_what_is_no_queue_is_refused(judge: Client, game: Game, body: str) -> None:
    response = judge.post(f"/games/{game.uuid}/queue/", body, content_type="application/json")
    assert response.status_code == 422


def test_a_queue_has_an_end(judge: Client, cup: Table) -> None:
    entries = [tapped(number, FOUL) for number in range(301)]
    assert send(judge, cup, *entries, status=422)["words"] == "Очередь слишком длинная, чтобы принять её сразу."


def test_who_is_logged_in_with_a_fresh_token(client: Client, game: Game, cup: Table) -> None:
    address = f"/games/{game.uuid}/live/"
    anybody = client.get(address)
    assert (anybody.json()["user"], anybody.json()["revision"]) == (None, None)
    client.login(username="judge", password=PASSWORD)
    known = client.get(address)
    assert (known.json()["user"], known.json()["revision"]) == (cup.people["judge"].pk, 3)
    assert "no-store" in known.headers["Cache-Control"]
    strict = Client(enforce_csrf_checks=True)
    strict.login(username="judge", password=PASSWORD)
    token = strict.get(address).json()["token"]
    refused = strict.post(f"/games/{game.uuid}/queue/", "{}", content_type="application/json")
    taken = strict.post(
        f"/games/{game.uuid}/queue/", "{}", content_type="application/json", headers={"X-CSRFToken": token}
    )
    assert (refused.status_code, taken.status_code) == (403, 422)


def test_whether_anything_is_new_costs_one_query(
    judge: Client, game: Game, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    html = judge.get(f"/games/{game.uuid}/board/").content.decode()
    address = html.split('data-pulse="')[1].split('"')[0]
    mark = html.split('data-mark="')[1].split('"')[0]
    with django_assert_num_queries(1):
        assert judge.get(f"{address}?at={mark}").status_code == 204
    later(game, speech(2))
    with django_assert_num_queries(1):
        changed = judge.get(f"{address}?at={mark}")
    assert (changed.status_code, changed.json()) == (200, {"mark": mark.replace("3", "4", 1)})
    assert Client().get(f"/games/{game.uuid}/pulse/{uuid4()}/").status_code == 403


def test_the_same_query_tells_the_clock(
    judge: Client, game: Game, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    html = judge.get(f"/games/{game.uuid}/board/").content.decode()
    address = html.split('data-pulse="')[1].split('"')[0]
    mark = html.split('data-mark="')[1].split('"')[0]
    assert judge.get(f"{address}?at={mark}&clock=0").status_code == 204
    entry = Entry.objects.filter(game=game).latest("revision")
    at = timezone.now()
    GameClock.objects.create(game=game, entry=entry.uuid, revision=entry.revision, left=7000, changed_at=at)
    changed = round(at.timestamp() * 1000)
    with django_assert_num_queries(2):
        told = judge.get(f"{address}?at={mark}&clock=0")
        same = judge.get(f"{address}?at={mark}&clock={changed}")
    clock = {"entry": str(entry.uuid), "deadline": None, "left": 7000, "changed": changed}
    assert (told.status_code, told.json(), same.status_code) == (200, {"mark": mark, "clock": clock}, 204)
    assert 0 <= int(same.headers["Now"]) - changed < 60_000


def test_statements_of_a_queue(
    judge: Client, cup: Table, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(12):
        send(judge, cup, tapped(0, FOUL))
    with django_assert_max_num_queries(12 + 2 * 5):
        send(judge, cup, *(tapped(number, {**FOUL, "seat": str(number)}, seen=4) for number in (1, 2, 3)))
