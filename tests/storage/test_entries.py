"""How entries lie in the database, and what the database itself refuses."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from protocols.models import (
    PROXIES,
    Entry,
    Foul,
    Game,
    Nomination,
    SignedSheet,
    Turn,
    Vote,
    triggers,
)
from protocols.models.entries import genesis
from protocols.models.written_once import WrittenOnceError
from protocols.rules import entries as e
from protocols.rules.terms import AFTER, SETUP, Moment, Penalty, Phase, Result, Role, RulingAbout, Team
from protocols.services.sign import seal

from .conftest import Cast
from .play import BEGUN, ROLES, WON_BY_RED, foul, nominate, speech, vote, written

DAY, BALLOT, NIGHT = Moment(1, Phase.SPEECHES, 0, 3), Moment(2, Phase.BALLOT, 1, 2), Moment(1, Phase.NIGHT)
VALUES: list[e.Entry] = [
    e.Turn(moment=NIGHT),
    e.Turn(moment=DAY, seat=3),
    e.Foul(moment=DAY, seat=3),
    e.Foul(moment=DAY, seat=3, penalty=Penalty.WARNING, clause="6.3", text="Шёпот"),
    e.Foul(moment=DAY, seat=3, penalty=Penalty.DISQUALIFYING, clause="6.7.4", from_tournament=True),
    e.Foul(moment=DAY, seat=None, penalty=Penalty.TEAM_DEFEAT, clause="6.8.4", team=Team.BLACK),
    e.FoulClause(moment=AFTER, of=3, clause="6.6.1"),
    e.Nomination(moment=DAY, seat=3, target=5),
    e.Nomination(moment=DAY, seat=None, target=5),
    e.Withdrawal(moment=DAY, seat=3),
    e.Vote(moment=BALLOT, target=5, count=0),
    e.Vote(moment=BALLOT, target=5, count=0, voters=()),
    e.Vote(moment=BALLOT, target=5, count=2, voters=(1, 10)),
    e.RaiseAll(moment=Moment(1, Phase.RAISE_ALL), count=6),
    e.RaiseAll(moment=Moment(1, Phase.RAISE_ALL), raised=False),
    e.RaiseAll(moment=Moment(1, Phase.RAISE_ALL), count=2, raised=False, voters=(1, 2)),
    e.Shot(moment=NIGHT),
    e.Shot(moment=NIGHT, target=4, shots=((5, 4), (7, 4), (9, 4))),
    e.Check(moment=Moment(1, Phase.DON), by=Role.DON, target=3),
    e.Check(moment=Moment(1, Phase.SHERIFF), by=Role.SHERIFF, target=7),
    e.BestMove(moment=Moment(1, Phase.BEST_MOVE), seats=(5, 7, 9)),
    e.BestMove(moment=Moment(1, Phase.BEST_MOVE), hits=0),
    e.ExtraPoints(moment=AFTER, seat=1, points=500, text="За игру"),
    e.ExtraPoints(moment=AFTER, seat=1, points=-50),
    e.SpeechMark(moment=AFTER, seat=1, points=4500),
    ROLES,
    e.SeatCorrection(moment=SETUP, seat=1, target=2),
    e.GameOver(moment=DAY, result=Result.RED),
    e.GameOver(moment=DAY, result=Result.REPLAY, clause="A 9.7", text="Сдано одиннадцать карт", time="21:40"),
    e.Ruling(moment=DAY, about=RulingAbout.VOTE_HELD, text="Фол снят"),
    e.Ruling(moment=DAY, about=RulingAbout.RESULT, text="Поражение", result=Result.BLACK),
    e.Strike(moment=DAY, of=4, text="Не тот"),
]


def row_of(value: e.Entry, game: Game, by: User, revision: int = 9) -> Entry:
    """A row that no service has judged."""
    row = Entry.of_value(value, revision=revision, game=game, uuid=uuid4(), author=by, recorded_at=timezone.now())
    row.chain(genesis(game.uuid), game.uuid)
    return row


def test_every_kind_has_an_example() -> None:
    assert {value.kind for value in VALUES} == set(e.KINDS) == set(PROXIES)


@pytest.mark.parametrize("value", VALUES, ids=lambda value: value.kind)
def test_a_value_comes_back_from_its_row(game: Game, cast: Cast, value: e.Entry) -> None:
    row_of(value, game, cast.judge).save()
    stored = Entry.objects.get()
    assert type(stored) is PROXIES[value.kind]
    assert stored.value() == replace(value, revision=9)
    assert stored.hash == stored.hash_due(game.uuid)


def test_each_kind_can_be_asked_for(game: Game, cast: Cast) -> None:
    written(game, cast.judge, [*BEGUN, nominate(1, 5), foul(3), foul(4), speech(2)])
    assert [row.revision for row in Turn.objects.order_by("revision")] == [2, 3, 7]
    assert [row.seat for row in Foul.objects.order_by("revision")] == [3, 4]
    assert [(type(row), row.seat, row.target) for row in Nomination.objects.all()] == [(Nomination, 1, 5)]
    assert Vote.objects.count() == 0
    assert Entry.objects.count() == game.entries.count() == 7


# ---------------------------------------------------------------- the database refuses


@pytest.mark.parametrize(
    ("value", "cells"),
    [
        (foul(3), {"seat": None}),
        (foul(3), {"seat": 0}),
        (foul(3), {"seat": 11}),
        (foul(3), {"penalty": "kick"}),
        (foul(3), {"penalty": ""}),
        (foul(3), {"flag": None}),
        (foul(3), {"team": "red"}),
        (foul(3), {"target": 4}),
        (foul(None, penalty=Penalty.TEAM_DEFEAT), {"team": "green"}),
        (e.FoulClause(moment=AFTER, of=3, clause="6.6.1"), {"clause": ""}),
        (e.FoulClause(moment=AFTER, of=3, clause="6.6.1"), {"of": 9}),
        (e.FoulClause(moment=AFTER, of=3, clause="6.6.1"), {"of": 0}),
        (nominate(1, 5), {"target": None}),
        (e.Withdrawal(moment=DAY, seat=3), {"seat": None}),
        (vote(5, 3, 1), {"count": None}),
        (vote(5, 3, 1), {"count": 11}),
        (vote(5, 3, 1), {"count": -1}),
        (vote(5, 3, 1), {"seat": 3}),
        (e.RaiseAll(moment=Moment(1, Phase.RAISE_ALL), count=2), {"count": None}),
        (e.Shot(moment=NIGHT, target=3), {"count": 1}),
        (e.Check(moment=NIGHT, by=Role.DON, target=3), {"role": "red"}),
        (e.Check(moment=NIGHT, by=Role.DON, target=3), {"target": None}),
        (e.BestMove(moment=NIGHT, hits=2), {"count": None}),
        (e.BestMove(moment=NIGHT, hits=2), {"count": 4}),
        (e.ExtraPoints(moment=AFTER, seat=1, points=500), {"points": None}),
        (e.SpeechMark(moment=AFTER, seat=1, points=500), {"points": -500}),
        (ROLES, {"roles": ""}),
        (ROLES, {"roles": "ККШКЧКДКЧ"}),
        (ROLES, {"roles": "ККШКЧКДКЧЧ"}),
        (ROLES, {"roles": "ККШКЧКДКЧX"}),
        (e.SeatCorrection(moment=SETUP, seat=1, target=2), {"target": 1}),
        (e.GameOver(moment=DAY, result=Result.RED), {"result": "blue"}),
        (e.GameOver(moment=DAY, result=Result.RED), {"result": ""}),
        (e.Ruling(moment=DAY, about=RulingAbout.STANDS, text="Так"), {"text": ""}),
        (e.Ruling(moment=DAY, about=RulingAbout.STANDS, text="Так"), {"about": "result"}),
        (e.Ruling(moment=DAY, about=RulingAbout.STANDS, text="Так"), {"about": "whim"}),
        (e.Strike(moment=DAY, of=4), {"of": None}),
        (e.Strike(moment=DAY, of=4), {"of": 9}),
        (speech(1), {"text": "лишнее"}),
        (speech(1), {"kind": "event"}),
        (speech(1), {"phase": 21}),
        (speech(1), {"revision": 0}),
        (speech(1), {"hash": "short"}),
        (speech(1), {"previous_hash": ""}),
    ],
    ids=lambda part: part.kind if isinstance(part, e.Entry) else str(part),
)
def test_the_database_refuses_a_malformed_row(game: Game, cast: Cast, value: e.Entry, cells: dict[str, Any]) -> None:
    row = row_of(value, game, cast.judge)
    for name, cell in cells.items():
        setattr(row, name, cell)
    with pytest.raises(IntegrityError), transaction.atomic():
        row.save()
    assert Entry.objects.count() == 0


def test_a_revision_and_a_number_are_given_once(game: Game, cast: Cast) -> None:
    first = row_of(foul(3), game, cast.judge)
    first.save()
    with pytest.raises(IntegrityError), transaction.atomic():
        row_of(foul(4), game, cast.judge).save()
    again = row_of(foul(4), game, cast.judge, revision=10)
    again.uuid = first.uuid
    with pytest.raises(IntegrityError), transaction.atomic():
        again.save()
    assert Entry.objects.count() == 1


# ---------------------------------------------------------------- written once


def test_entries_are_neither_changed_nor_deleted(game: Game, cast: Cast) -> None:
    written(game, cast.judge, [*BEGUN, foul(3)])
    row = Foul.objects.get()
    row.seat = 4
    attempts: list[Callable[[], Any]] = [
        row.save,
        row.delete,
        lambda: row.save(update_fields=["seat"]),
        Entry.objects.all().delete,
        Foul.objects.all().delete,
        game.entries.all().delete,
        lambda: Entry.objects.update(seat=4),
        lambda: Foul.objects.filter(seat=3).update(seat=4),
        lambda: game.entries.update(seat=4),
        lambda: Entry.objects.bulk_update([row], ["seat"]),
    ]
    for attempt in attempts:
        with pytest.raises(WrittenOnceError):
            attempt()
    assert Foul.objects.get().seat == 3


def test_a_signed_sheet_is_neither_changed_nor_deleted(game: Game, cast: Cast) -> None:
    written(game, cast.judge, WON_BY_RED)
    sheet = seal(game, revision=4, by=cast.judge)
    for attempt in (
        sheet.save,
        sheet.delete,
        SignedSheet.objects.all().delete,
        lambda: SignedSheet.objects.update(sha256="0" * 64),
        lambda: SignedSheet.objects.update(superseded_at=timezone.now(), data={}),
    ):
        with pytest.raises(WrittenOnceError):
            attempt()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE protocols_entry SET seat = 4 WHERE seat = 3",
        "DELETE FROM protocols_entry",
        "UPDATE protocols_signedsheet SET sha256 = ''",
        "UPDATE protocols_signedsheet SET data = '{}'",
        "DELETE FROM protocols_signedsheet",
    ],
)
def test_the_database_itself_keeps_what_is_written_once(game: Game, cast: Cast, statement: str) -> None:
    triggers.install(connection)  # the test database goes without those against deletion
    written(game, cast.judge, [*BEGUN, foul(3), *WON_BY_RED[3:]])
    seal(game, revision=5, by=cast.judge)
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert (Entry.objects.count(), SignedSheet.objects.get().sheet.result) == (5, "red")
