"""Every address of the site opened by everybody, and every form sent empty: a status a cell (rights_table.txt)."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client

from protocols.models import MemberRole, Player
from protocols.services.prepare import appoint
from tests.browser.every_page import named, open_everything

from .world import person

TABLE = Path(__file__).with_name("rights_table.txt")
PEOPLE = ("organizer", "head", "commission", "judge", "other", "player", "foreign", "stranger")
"""The columns: `judge` is the table's, `other` judges another one, `foreign` heads another tournament."""


def rows() -> list[tuple[str, str, str, list[int]]]:
    """The rows of the table: the address's name, the method, the address, and a status for each of PEOPLE."""
    found = []
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, method, path, *statuses = line.split()
            found.append((name, method, path, [int(status) for status in statuses]))
    return found


def test_the_table_knows_every_address_of_the_site() -> None:
    assert {name for name, *_rest in rows()} == set(named())


@pytest.mark.django_db
def test_everybody_opens_what_the_table_says_and_nothing_else() -> None:
    cup, words = open_everything()
    appoint(cup.tournament, person("commission", "Тихонова"), MemberRole.COMMISSION)
    plays = Player.objects.get(pk=str(words["player"]))
    plays.user = person("player", "Игрокова")
    plays.save(update_fields=["user"])
    words |= {"nobody": uuid4()}
    sessions = dict.fromkeys(PEOPLE, "")
    people = {**cup.people, "commission": cup.tournament.members.get(role=MemberRole.COMMISSION).user}
    people["player"] = plays.user
    for name in PEOPLE[:-1]:
        client = Client()
        client.force_login(people[name])
        sessions[name] = client.cookies[settings.SESSION_COOKIE_NAME].value
    wrong = []
    for name, method, path, statuses in rows():
        found = [_status(sessions[who], method, path.format(**words)) for who in PEOPLE]
        if found != statuses:
            wrong.append(f"{name} {method} {path} " + " ".join(map(str, found)))
    assert wrong == []


def _status(session: str, method: str, path: str) -> int:
    """What is answered; whatever it wrote is undone."""
    client = Client()
    if session:
        client.cookies[settings.SESSION_COOKIE_NAME] = session
    with transaction.atomic():
        answer = client.get(path) if method == "GET" else client.post(path)
        status = answer.status_code
        transaction.set_rollback(True)
    return status
