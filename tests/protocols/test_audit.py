"""The audit log: every write of the site, with the values before and after; append-only."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from mafia_site.middleware import short_agent
from protocols.models import AuditRow, Participant, Player, triggers
from scoring.discipline_models import PlayerPenalty

from .world import World, world

pytestmark = pytest.mark.django_db
PHONE = "Mozilla/5.0 (Linux; Android 14; SM-A546B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile"


@pytest.fixture
def cup(db: None) -> World:
    """The tournament."""
    return world()


def client_of(name: str) -> Client:
    """Logged in, on a phone."""
    client = Client(headers={"User-Agent": PHONE}, REMOTE_ADDR="203.0.113.7")
    client.force_login(User.objects.get(username=name))
    return client


def give(name: str = "head", **more: str) -> int:
    """A penalty outside a game is given on its page."""
    player = Player.objects.order_by("pk")[0]
    sent = {"part": "give", "player": str(player.pk), "kind": "lateness", "points": "1", "reason": "Опоздал"} | more
    return client_of(name).post("/t/cup/discipline/", sent).status_code


def test_a_write_is_told_with_who_when_and_from_where(cup: World) -> None:
    assert give() == 302
    row = AuditRow.objects.get(table="scoring_playerpenalty")
    told = (row.by, row.address, row.agent, row.view, row.path, row.tournament, row.what)
    head = cup.people["head"]
    assert told == (head, "203.0.113.7", "Chrome, Android", "discipline", "/t/cup/discipline/", cup.tournament, "added")
    after = row.rows[0]["after"]
    assert (after["reason"], after["points"], after["given_by_id"]) == ("Опоздал", 1000, head.pk)


def test_a_change_is_told_with_the_values_before_and_after(cup: World) -> None:
    give()
    penalty = PlayerPenalty.objects.get()
    sent = {"part": "revoke", "penalty": str(penalty.pk), "why": "Ошибка"}
    assert client_of("head").post("/t/cup/discipline/", sent).status_code == 302
    row = AuditRow.objects.get(table="scoring_playerpenalty", what="changed")
    penalty.refresh_from_db()
    assert [each["key"] for each in row.rows] == [penalty.pk]
    before, after = row.rows[0]["before"], row.rows[0]["after"]
    assert before == {"revoked_at": None, "revoked_because": "", "revoked_by_id": None}
    assert (after["revoked_because"], after["revoked_by_id"]) == ("Ошибка", cup.people["head"].pk)


def test_what_is_refused_is_not_told(cup: World) -> None:
    assert give(reason="") == 422
    assert not AuditRow.objects.filter(table="scoring_playerpenalty").exists()


def test_names_of_people_are_not_kept_in_a_log_that_never_changes(cup: World) -> None:
    client_of("organizer").post("/t/cup/participants/", {"part": "add", "nicknames": "Неведомый", "confirm_new": "on"})
    assert "неведомый" not in " ".join(AuditRow.objects.values_list("words", flat=True))
    assert "Неведомый" not in json.dumps(list(AuditRow.objects.values_list("rows", flat=True)), ensure_ascii=False)
    assert Participant.objects.filter(tournament=cup.tournament).count() in (0, 1)


def test_a_tap_costs_no_statement_more_and_its_entry_stands_in_the_log(cup: World) -> None:
    client = client_of("judge")
    sent = {"kind": "foul", "seat": "3", "uuid": str(uuid4()), "revision": str(cup.running.revision)}
    with CaptureQueriesContext(connection) as asked:
        client.post(f"/games/{cup.running.uuid}/entries/", sent)
    assert [query for query in asked if "auditrow" in query["sql"]] == []
    data = json.loads(client_of("head").get(f"/t/cup/audit.json?game={cup.running.uuid}").content)
    assert {line["table"] for line in data["lines"]} == {"protocols_entry"}
    assert len(data["lines"]) == cup.running.entries.count()


def test_the_log_is_searched_by_who_and_words(cup: World) -> None:
    give()
    client = client_of("organizer")
    for query, is_found in (("q=опоздал", True), ("q=никогда", False), ("who=глав&what=scoring_playerpenalty", True)):
        page = client.get(f"/t/cup/audit/?{query}").content.decode()
        assert ("причина: Опоздал" in page) == is_found, query


def test_nothing_of_the_file_runs_as_a_formula(cup: World) -> None:
    cup.people["head"].last_name = "=1+1"
    cup.people["head"].save()
    give()
    lines = client_of("organizer").get("/t/cup/audit.csv?what=scoring_playerpenalty").content.decode("utf-8-sig")
    assert lines.splitlines()[1].split(";")[1] == "'=1+1"


def test_the_page_asks_as_much_for_many_lines_as_for_one(cup: World) -> None:
    client = client_of("organizer")
    counts = []
    for _times in range(2):
        give()
        with CaptureQueriesContext(connection) as asked:
            client.get("/t/cup/audit/")
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_the_log_is_never_changed_or_deleted(cup: World) -> None:
    give()
    triggers.install(connection, [AuditRow])  # the test database goes without those against deletion
    for sql in ("UPDATE protocols_auditrow SET path = ''", "DELETE FROM protocols_auditrow"):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(sql)


def test_browsers_are_told_in_a_word() -> None:
    assert (short_agent(PHONE), short_agent(""), short_agent("curl/8.1")) == ("Chrome, Android", "", "curl/8.1")
