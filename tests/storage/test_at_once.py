"""Many judges at once, two devices at one table, and a server killed in the middle of a write."""

import os
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection

from protocols import access
from protocols.models import DecisionKind, Entry, FiledHow, Game, Player, Protest, ProtestDecision, Seat, Stage
from protocols.rules import entries as e
from protocols.rules.terms import Penalty
from protocols.services.decisions import Ruling, decide
from protocols.services.errors import Invalid, Refused, Stale
from protocols.services.prepare import create_game, seat_players, set_header
from protocols.services.protests import Words, file_protest
from protocols.services.record import record
from protocols.services.sign import seal
from protocols.services.verify import differences

from .conftest import Cast
from .play import BEGUN, NIGHT_ZERO, OATH, ROLES, foul, nominate, speech, written

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]

ROOT = Path(__file__).resolve().parents[2]
JUDGES = 20
DAY_ONE: list[e.Entry] = [ROLES, NIGHT_ZERO]
for _seat in range(1, 11):
    DAY_ONE += [speech(_seat), nominate(_seat, _seat)]
DAY_ONE += [foul(seat, minute=10, penalty=Penalty.WARNING) for seat in range(1, 9)]


def all_at_once(works: list[Callable[[], None]]) -> None:
    """Does all works at the same time, each on a connection of its own; raises the first error of any."""
    start, errors = threading.Barrier(len(works)), list[BaseException]()

    def run(work: Callable[[], None]) -> None:
        try:
            start.wait()
            work()
        except BaseException as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[work]) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def test_new_nicknames_confirmed_at_several_tables_at_once_are_one_player_each(stage: Stage) -> None:
    names = [f"Новичок {number}" for number in range(1, 11)]
    for turn in range(3):
        fresh = [f"{name}-{turn}" for name in names]
        games = [
            create_game(stage, played_on=stage.tournament.starts_on, judge=None, table_number=table, number=turn + 1)
            for table in range(1, 7)
        ]
        seatings = [fresh if table % 2 else fresh[::-1] for table in range(len(games))]

        def seating(game: Game, nicknames: list[str]) -> Callable[[], None]:
            def seat() -> None:
                seat_players(game, nicknames, confirm_new=True)

            return seat

        all_at_once([seating(*each) for each in zip(games, seatings, strict=True)])
        assert Player.objects.filter(nickname__in=fresh).count() == 10
        assert Seat.objects.filter(game__in=games).count() == 60


def test_a_header_number_taken_at_the_same_moment_goes_to_one_game(stage: Stage) -> None:
    day = stage.tournament.starts_on
    games = [create_game(stage, played_on=day, judge=None) for _ in range(6)]
    refused: list[str] = []

    def numbering(game: Game) -> Callable[[], None]:
        def number() -> None:
            try:
                set_header(game, stage=stage, number=50, table_number=1, played_on=day, judge_name="Орлова")
            except Invalid as error:
                refused.extend(error.messages)

        return number

    all_at_once([numbering(game) for game in games])
    assert Game.objects.filter(number=50).count() == 1
    assert len(refused) == len(games) - 1


def test_twenty_judges_at_once_lose_and_double_nothing(stage: Stage) -> None:
    assert len(DAY_ONE) == 30
    tables: list[tuple[User, Game, list[UUID]]] = []
    for number in range(1, JUDGES + 1):
        judge = User.objects.create_user(f"judge {number}")
        game = create_game(stage, played_on=stage.tournament.starts_on, judge=judge, table_number=number)
        tables.append((judge, game, [uuid4() for _ in DAY_ONE]))
    kinds: list[str] = []

    def play(judge: User, uuid: UUID, numbers: list[UUID]) -> Callable[[], None]:
        def taps() -> None:
            for revision, (value, number) in enumerate(zip(DAY_ONE, numbers, strict=True)):
                game = access.writable_game(judge, uuid)
                kinds.append(record(value, game=game, revision=revision, by=judge, uuid=number).kind)

        return taps

    all_at_once([play(judge, game.uuid, numbers) for judge, game, numbers in tables])
    assert Counter(kinds) == {"written": JUDGES * 30}
    for _judge, game, numbers in tables:
        stored = Game.objects.get(pk=game.pk)
        assert list(Entry.objects.filter(game=game).order_by("revision").values_list("uuid", flat=True)) == numbers
        assert (stored.revision, stored.status, differences(stored)) == (30, "running", [])


def test_of_devices_at_one_table_one_writes_each_revision(game: Game, cast: Cast) -> None:
    written(game, cast.judge, BEGUN)
    kinds: list[str] = []

    def taps() -> None:
        for _ in range(10):
            mine = access.writable_game(cast.judge, game.uuid)
            warning = foul(1, penalty=Penalty.WARNING)
            answer = record(warning, game=mine, revision=mine.revision, by=cast.judge, uuid=uuid4())
            kinds.append(answer.kind)

    all_at_once([taps] * 5)
    stored = Game.objects.get(pk=game.pk)
    count = Counter(kinds)
    assert set(count) <= {"written", "stale"}
    assert Entry.objects.filter(game=game).count() == stored.revision == 3 + count["written"]
    assert differences(stored) == []


def test_one_entry_sent_by_five_at_once_is_written_once(game: Game, cast: Cast) -> None:
    written(game, cast.judge, BEGUN)
    kinds: list[str] = []
    number = uuid4()

    def tap() -> None:
        mine = access.writable_game(cast.judge, game.uuid)
        kinds.append(record(foul(3), game=mine, revision=3, by=cast.judge, uuid=number).kind)

    all_at_once([tap] * 5)
    assert Counter(kinds) == {"written": 1, "known": 4}
    assert Entry.objects.count() == 4


def test_signing_and_writing_at_once_leave_a_sheet_of_the_record(game: Game, cast: Cast) -> None:
    written(game, cast.judge, [*BEGUN, OATH])
    seen: list[str] = []

    def write() -> None:
        mine = access.writable_game(cast.judge, game.uuid)
        seen.append(record(foul(3), game=mine, revision=4, by=cast.judge, uuid=uuid4()).kind)

    def close() -> None:
        try:
            seal(Game.objects.get(pk=game.pk), revision=4, by=cast.judge)
        except Stale:
            seen.append("not signed")

    all_at_once([write, close])
    stored = Game.objects.get(pk=game.pk)
    assert (sorted(seen), stored.is_closed, stored.revision) in [
        (["not signed", "written"], False, 5),
        (["refused"], True, 4),
    ]
    assert differences(stored) == []


def test_a_killed_server_loses_no_answered_entry(game: Game, cast: Cast, tmp_path: Path) -> None:
    written(game, cast.judge, BEGUN)
    chance = random.Random(7)
    answered: list[tuple[int, UUID]] = []
    for servers in range(1, 5):
        server = subprocess.Popen(
            [sys.executable, "-m", "tests.storage.writer", str(game.uuid)],
            cwd=ROOT, env=os.environ | {"DATABASE_URL": _database_url(), "VAR_DIR": str(tmp_path)},
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert server.stdout is not None
        for _ in range(chance.randint(1, 40)):
            answered.append(_answer(server.stdout.readline()))
        time.sleep(chance.uniform(0, 0.01))
        server.kill()
        answered += [_answer(line) for line in server.stdout.read().splitlines() if line.count(" ") == 2]
        server.wait()
        rows = list(Entry.objects.filter(game=game, revision__gt=3).order_by("revision"))
        held = [(row.revision, row.uuid) for row in rows]
        assert [pair for pair in answered if pair not in held] == []
        assert len(held) - len(answered) <= servers  # at most one unanswered entry for each server killed
        stored = Game.objects.get(pk=game.pk)
        assert (stored.revision, differences(stored)) == (3 + len(rows), [])
    assert len(answered) > 20


def _answer(line: str) -> tuple[int, UUID]:
    kind, revision, number = line.split()
    assert kind == "written"
    return int(revision), UUID(number)


def _database_url() -> str:
    """The address of the test database, for a process that knows only the site's own settings."""
    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()


def test_of_two_head_judges_who_decide_one_protest_at_once_one_is_told(game: Game, cast: Cast) -> None:
    written(game, cast.judge, [*BEGUN, OATH])
    seal(game, revision=game.revision, by=cast.judge)
    protest = file_protest(game, Words("Клятвы не было"), seat=7, how=FiledHow.CODE)
    kinds = (DecisionKind.DISMISSED, DecisionKind.ANNULLED, DecisionKind.REPLAY)
    answers = Counter[str]()

    def deciding(kind: DecisionKind) -> Callable[[], None]:
        def decide_so() -> None:
            mine = Protest.objects.select_related("game").get(pk=protest.pk)
            try:
                decide(mine, Ruling(kind, "A 6.8.1", "x"), revision=game.revision, by=cast.head_judge)
                answers["decided"] += 1
            except Refused as error:
                answers[error.refusal.code] += 1

        return decide_so

    all_at_once([deciding(kind) for kind in kinds])
    assert (answers, ProtestDecision.objects.count()) == ({"decided": 1, "protest_decided": 2}, 1)


def test_a_protest_sent_twice_at_once_is_one(game: Game, cast: Cast) -> None:
    written(game, cast.judge, [*BEGUN, OATH])
    uuid = uuid4()

    def file_it() -> None:
        file_protest(game, Words("Клятвы не было"), seat=7, how=FiledHow.CODE, uuid=uuid)

    all_at_once([file_it] * 4)
    assert Protest.objects.get().uuid == uuid
