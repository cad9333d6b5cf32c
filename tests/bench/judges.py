"""What the judges of the tap measurement need in the site's database, and what is found there afterwards.

python -m tests.bench.judges prepare   twenty judges, each with a game under way; prints what each will tap
python -m tests.bench.judges queries   the statements of single taps, by kind
python -m tests.bench.judges verify    reads the answered UUIDs by game, prints everything that is wrong
"""

from __future__ import annotations

import datetime
import json
import sys
import time
from contextlib import nullcontext
from decimal import Decimal
from uuid import UUID, uuid4

import django

JUDGES = 20
PASSWORD = "a bench of twenty"
WRITTEN = 30  # entries before the first tap: a game on its first day
TAPS = 110  # the most that a judge may need


def prepare() -> None:
    """Makes judges and games; prints the plan of each."""
    from django.contrib.auth.hashers import make_password
    from django.contrib.auth.models import User
    from django.urls import reverse

    from protocols.models import MemberRole
    from protocols.services.prepare import add_stage, appoint, create_game, create_tournament, seat_players
    from protocols.services.record import record

    from .forms import fields_of
    from .play import game_of

    password = make_password(PASSWORD)
    organizer = User.objects.create(username="organizer", password=password)
    day = datetime.date(2025, 5, 17)
    tournament = create_tournament(title="Двадцать столов", starts_on=day, regulation="A", by=organizer)
    stage = add_stage(tournament, name="Отбор", multiplier=Decimal(1), is_final=False)
    plans = []
    for number in range(1, JUDGES + 1):
        judge = User.objects.create(username=f"judge{number}", password=password, last_name=f"Судья {number}")
        appoint(tournament, judge, MemberRole.JUDGE)
        game = create_game(stage, played_on=day, judge=judge, table_number=number)
        seat_players(game, [f"Игрок {number}.{seat}" for seat in range(1, 11)], confirm_new=True)
        entries = game_of(WRITTEN + TAPS, seed=1000 * number)
        for entry in entries[:WRITTEN]:
            answer = record(entry, game=game, revision=game.revision, by=judge, uuid=uuid4())
            assert answer.kind == "written", (answer.kind, answer.refusal, entry)
        plans.append(
            {
                "path": reverse("entries", args=[game.uuid]),
                "page": reverse("board", args=[game.uuid]),
                "login": {"username": judge.username, "password": PASSWORD},
                "taps": [fields_of(entry) for entry in entries[WRITTEN : WRITTEN + TAPS]],
            }
        )
    print(json.dumps(plans))


def queries() -> None:
    """Plays a game on in this process; prints statements by kind, and seconds of processor."""
    from django.contrib.auth.models import User
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext, setup_test_environment
    from django.urls import reverse

    from protocols.models import Game

    from .forms import fields_of
    from .play import game_of

    setup_test_environment()
    game = Game.objects.get(table_number=1)
    client = Client()
    client.force_login(User.objects.get(username="judge1"))
    entries = game_of(WRITTEN + TAPS, seed=1000)
    found: dict[str, list[str]] = {}
    spent = []
    for revision, entry in enumerate(entries[game.revision :], start=game.revision):
        fields = {**fields_of(entry), "revision": str(revision), "uuid": str(uuid4())}
        with CaptureQueriesContext(connection) if entry.kind not in found else nullcontext() as captured:
            started = time.process_time()
            answer = client.post(reverse("entries", args=[game.uuid]), fields, headers={"HX-Request": "true"})
            taken = time.process_time() - started
        assert answer.status_code == 200, answer.content.decode()[-600:]
        if captured is None:
            spent.append(taken)
        else:
            found[entry.kind] = [query["sql"] for query in captured.captured_queries]
    print(json.dumps({"statements": found, "spent": spent}))


def verify() -> None:
    """Each answered entry is in its game exactly once, nothing else is, and every record holds."""
    from protocols.models import Entry, Game
    from protocols.services.verify import differences

    answered: list[list[str]] = json.load(sys.stdin)
    wrong = []
    for number, uuids in enumerate(answered, start=1):
        game = Game.objects.get(table_number=number)
        stored = list(Entry.objects.filter(game=game).order_by("revision").values_list("uuid", flat=True))
        tapped = stored[WRITTEN:]
        if sorted(map(str, tapped)) != sorted(map(str, map(UUID, uuids))):
            wrong.append(f"table {number}: {len(uuids)} answered, {len(tapped)} stored")
        wrong += [f"table {number}: {words}" for words in differences(game)]
    print(json.dumps(wrong))


if __name__ == "__main__":
    django.setup()
    {"prepare": prepare, "queries": queries, "verify": verify}[sys.argv[1]]()
