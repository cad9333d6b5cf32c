"""The clock of a table: the deadline is stored, the last writer wins, and whoever writes the record sets it."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.utils import timezone

from protocols.board.timing import Timer, milliseconds, timer_of
from protocols.models import Entry, GameClock
from protocols.rules import entries as e
from protocols.rules.agenda import next_step
from protocols.rules.regulation import PRESETS
from protocols.rules.terms import Moment, Phase
from protocols.selectors import record_of
from tests.protocols.tables import FIRST, NIGHT_ZERO, ROLES, Table, game_now, later, speech, table

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup() -> Table:
    """A game in its first minute."""
    cup = table("F")
    later(cup.game, ROLES, NIGHT_ZERO, speech(1))
    return cup


@pytest.fixture
def judge(client: Client, cup: Table) -> Client:
    """The table's judge."""
    client.force_login(cup.people["judge"])
    return client


def now() -> int:
    return milliseconds(timezone.now())


def running(cup: Table) -> Timer:
    """The time that the board shows."""
    record = record_of(game_now(cup.game))
    timer = timer_of(record, next_step(record.state))
    assert timer is not None
    return timer


def last_entry(cup: Table) -> UUID:
    return Entry.objects.filter(game=cup.game).order_by("-revision").values_list("uuid", flat=True)[0]


def put(client: Client, cup: Table, **fields: object) -> Any:
    """A setting, as a device sends it."""
    sent = {"entry": last_entry(cup), "deadline": "", "left": "", "changed": now()} | fields
    return client.post(f"/games/{cup.game.uuid}/clock/", sent)


def test_a_time_nobody_touched_runs_from_the_entry_that_began_it(judge: Client, cup: Table) -> None:
    row = Entry.objects.get(uuid=last_entry(cup))
    timer = running(cup)
    assert (timer.entry, timer.deadline, timer.left, timer.changed) == (
        str(row.uuid), milliseconds(row.recorded_at) + 60_000, None, 0,
    )  # fmt: skip
    told = judge.get(f"/games/{cup.game.uuid}/clock/").json()
    assert (told["revision"], told["clock"]) == (3, None)
    assert abs(told["now"] - now()) < 2000


def test_a_pause_is_seen_by_every_screen(judge: Client, cup: Table) -> None:
    assert put(judge, cup, left=41_500).status_code == 200
    assert (running(cup).deadline, running(cup).left) == (None, 41_500)
    assert running(cup).words == "0:42"


def test_a_new_deadline_is_seen_by_every_screen(judge: Client, cup: Table) -> None:
    deadline = now() + 33_000
    told = put(judge, cup, deadline=deadline).json()["clock"]
    assert (told["entry"], told["deadline"], told["left"]) == (str(last_entry(cup)), deadline, None)
    assert running(cup).deadline == deadline


def test_of_two_settings_the_later_one_holds_whichever_comes_first(judge: Client, cup: Table) -> None:
    at = now()
    put(judge, cup, left=20_000, changed=at)
    put(judge, cup, left=50_000, changed=at - 5000)
    assert running(cup).left == 20_000


def test_a_device_whose_clock_is_ahead_does_not_keep_the_others_off(judge: Client, cup: Table) -> None:
    put(judge, cup, left=20_000, changed=now() + 3_600_000)
    put(judge, cup, left=10_000, changed=now() + 1)
    assert running(cup).left == 10_000


def test_the_next_minute_begins_anew(judge: Client, cup: Table) -> None:
    put(judge, cup, left=20_000)
    later(cup.game, speech(2))
    assert (running(cup).left, running(cup).changed) == (None, 0)


def test_the_time_of_an_earlier_minute_is_not_set_any_more(judge: Client, cup: Table) -> None:
    earlier = last_entry(cup)
    later(cup.game, speech(2))
    put(judge, cup, left=30_000)
    put(judge, cup, entry=earlier, left=5000, changed=now() + 10)
    assert running(cup).left == 30_000


def test_the_time_of_an_entry_not_yet_written_waits(judge: Client, cup: Table) -> None:
    answer = put(judge, cup, entry=uuid4(), left=5000)
    assert (answer.status_code, answer.json()["clock"]) == (200, None)
    assert GameClock.objects.count() == 0


@pytest.mark.parametrize(
    "fields",
    [{}, {"left": 10, "deadline": 1}, {"deadline": 1}, {"left": 3_600_001}, {"entry": "x"}, {"changed": ""}],
    ids=str,
)
def test_a_time_that_cannot_be_is_refused(judge: Client, cup: Table, fields: dict[str, object]) -> None:
    assert put(judge, cup, **fields).status_code == 422
    assert GameClock.objects.count() == 0


def test_who_may_read_and_set_it(client: Client, cup: Table) -> None:
    seen = {}
    for name, person in cup.people.items():
        client.force_login(person)
        read = client.get(f"/games/{cup.game.uuid}/clock/").status_code
        seen[name] = (read, put(client, cup, left=1000).status_code)
    client.logout()
    seen["anybody"] = (client.get(f"/games/{cup.game.uuid}/clock/").status_code, put(client, cup, left=1).status_code)
    assert seen == {
        "judge": (200, 200), "head": (200, 200), "organizer": (200, 403), "other": (403, 403),
        "foreign": (404, 404), "plain": (404, 404), "anybody": (404, 404),
    }  # fmt: skip


def test_it_is_no_part_of_the_record(judge: Client, cup: Table) -> None:
    head = record_of(game_now(cup.game)).head
    put(judge, cup, left=1000)
    record = record_of(game_now(cup.game))
    assert (record.revision, record.head) == (3, head)


def test_the_lengths_are_the_regulations(cup: Table) -> None:
    federation = PRESETS["F"]
    lengths = [running(cup).seconds]
    later(cup.game, e.Nomination(moment=FIRST, seat=1, target=5), speech(2))
    later(cup.game, e.Nomination(moment=Moment(1, Phase.SPEECHES, 0, 2), seat=2, target=6))
    tally = Moment(1, Phase.BALLOT, 0, 1)
    later(cup.game, e.Vote(moment=tally, target=5, count=5), e.Vote(moment=tally._replace(step=2), target=6, count=5))
    later(cup.game, e.Turn(moment=Moment(1, Phase.PRE_REVOTE, 1, 1), seat=5))
    lengths.append(running(cup).seconds)
    again = Moment(1, Phase.BALLOT, 1, 1)
    later(cup.game, e.Vote(moment=again, target=5, count=6), e.Vote(moment=again._replace(step=2), target=6, count=4))
    later(cup.game, e.Turn(moment=Moment(1, Phase.LAST_WORDS, 0, 1), seat=5))
    lengths.append(running(cup).seconds)
    later(cup.game, e.Turn(moment=Moment(1, Phase.NIGHT)), e.Shot(moment=Moment(1, Phase.NIGHT), target=1))
    lengths.append(running(cup).seconds)
    assert lengths == [
        federation.speech_seconds, federation.tied_seconds, federation.last_words_seconds, federation.check_seconds,
    ]  # fmt: skip
