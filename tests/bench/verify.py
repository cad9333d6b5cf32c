"""`manage.py verify` over 2,000 signed games, beside the raw fetch of the same rows and the SHA-256 of their bytes.

Run by `python -m tests.bench verify` once a database, as `python -m tests.bench.verify`. The games are two hundred
played at random under the three regulations, each ten times over; every one has its own chain, sheet and results.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import os
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import TYPE_CHECKING
from uuid import UUID

import django

from . import places
from .tables import Sample, show, times, verdict
from .timing import Act, in_turn

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from protocols.models import Game, Player, Stage
    from protocols.rules import entries as e

GAMES, PLAYED, PLAYERS = 2000, 200, 300
AIM = 10.0  # seconds
REPEATS = 3
FLOOR, ONE, ALL = "floor: raw fetch of the rows, SHA-256 of each", "verify, one process", "verify, a process a core"


def played() -> Iterator[tuple[str, list[e.Entry]]]:
    """Games that may be signed, with the codes of their regulations; the same ones at every run."""
    from protocols.rules.outcome import problems
    from protocols.rules.regulation import PRESETS
    from tests.games.random_play import RandomGame

    seed = found = 0
    while found < PLAYED:
        code = "ABF"[found % 3]
        table = RandomGame(Random(seed), PRESETS[code], disorder=0.05).play()
        seed += 1
        if len(table.entries) >= 40 and not problems(table.state):
            found += 1
            yield code, list(table.entries)


def build(games: int = GAMES) -> int:
    """Makes the signed games in the database of the environment, and says how many entries they have."""
    from django.contrib.auth.models import User
    from django.db import transaction

    from protocols.models import Game, MemberRole, Player, Seat, nickname_key
    from protocols.services.prepare import add_stage, appoint, create_tournament
    from protocols.services.sign import seal

    judge, day = User.objects.create_user("judge"), datetime.date(2025, 5, 17)
    names = [f"Игрок {number}" for number in range(PLAYERS)]
    players = Player.objects.bulk_create(Player(nickname=name, nickname_key=nickname_key(name)) for name in names)
    stages: dict[str, Stage] = {}
    for code in "ABF":
        tournament = create_tournament(title=f"Кубок {code}", starts_on=day, regulation=code, by=judge)
        appoint(tournament, judge, MemberRole.JUDGE)
        stages[code] = add_stage(tournament, name="Отбор")
    chance, written = Random(games), 0
    with transaction.atomic():
        templates = list(played())
        for number in range(1, games + 1):
            code, values = templates[number % PLAYED]
            stage = stages[code]
            game = Game.objects.create(
                tournament=stage.tournament, stage=stage, number=number, played_on=day, judge=judge,
                status="over", ended_at=datetime.datetime(2025, 5, 17, 20, tzinfo=datetime.UTC), revision=len(values),
            )  # fmt: skip
            seated: list[Player] = chance.sample(players, 10)
            Seat.objects.bulk_create(
                Seat(game=game, number=at, player=player, nickname=player.nickname)
                for at, player in enumerate(seated, start=1)
            )
            _write(game, values, judge, chance)
            seal(game, revision=len(values), by=judge)
            written += len(values)
    return written


def _write(game: Game, values: list[e.Entry], judge: User, chance: Random) -> None:
    from protocols.models import Entry
    from protocols.models.entries import genesis

    began, rows, last = datetime.datetime(2025, 5, 17, 19, tzinfo=datetime.UTC), [], genesis(game.uuid)
    for value in values:
        at = began + datetime.timedelta(seconds=20 * value.revision, microseconds=chance.randrange(1_000_000))
        row = Entry.of_value(
            value, revision=value.revision, game=game, uuid=UUID(int=chance.getrandbits(128), version=4), author=judge,
            recorded_at=at, device_time=at,
        )  # fmt: skip
        row.chain(last, game.uuid)
        last = row.hash
        rows.append(row)
    Entry.objects.bulk_create(rows)


def raw() -> str:
    """Every row that a proof needs, fetched as the driver gives it, and its cells' bytes hashed."""
    from django.db import connection

    from protocols.models import Entry, Game, Seat, SeatResult, SignedSheet

    last = ""
    for model in (Game, Entry, Seat, SignedSheet, SeatResult):
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT * FROM {model._meta.db_table}")  # a name of ours
            while rows := cursor.fetchmany(2000):
                for row in rows:
                    last = hashlib.sha256("\x1f".join(map(str, row)).encode()).hexdigest()
    return last


def main() -> None:
    """Measures on the database of the environment; prints JSON: how many entries, and the times of each call."""
    django.setup()
    from django.db import connection

    entries = build()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    connection.close()
    env = dict(os.environ)
    acts: list[Act] = [
        raw,
        lambda: places.run(env, "-m", "django", "verify", "--processes=1"),
        lambda: places.run(env, "-m", "django", "verify"),
    ]
    busy: list[list[float]] = [[] for _ in acts]
    taken = in_turn([partial(_noting, act, busy[at]) for at, act in enumerate(acts)], REPEATS, warm_up=0)
    print(json.dumps({"entries": entries, "taken": [sample.values for sample in taken], "busy": busy}))


def _noting(act: Act, busy: list[float]) -> None:
    """Calls it and notes the seconds of processor that it and its processes took, however busy the machine is."""
    before = sum(os.times()[:4])
    act()
    busy.append(sum(os.times()[:4]) - before)


def measure() -> None:
    """Prints one table for both databases."""
    rows = []
    for database in places.databases():
        with places.place(database) as env:
            found = json.loads(places.run(env, "-m", "tests.bench.verify"))
        samples = [Sample(tuple(values)) for values in found["taken"]]
        busy = [Sample(tuple(values)).median for values in found["busy"]]
        floor = samples[0].median
        for name, sample, processor in zip((FLOOR, ONE, ALL), samples, busy, strict=True):
            aim = f"≤ {AIM:.0f} s: {verdict(sample.median, AIM)}" if name == ALL else ""
            label = f"{database}, {GAMES:,} games, {found['entries']:,} entries: {name}"
            figures = (f"{sample.median:.2f}", f"{processor:.2f}", f"{GAMES / sample.median:,.0f}")
            rows.append((label, len(sample.values), *figures, times(sample.median / floor), aim))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    note = f"Of the whole command, Python's start included; {cores} cores."
    show("Verify, s", ("", "n", "median", "processor", "games/s", "to floor", "aim"), rows, note)


if __name__ == "__main__":
    main()
