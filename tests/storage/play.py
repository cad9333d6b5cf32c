"""Entries of a game as a judge would write them, for tests that are about storing them."""

from collections.abc import Iterable
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import User
from django.db import connection

from protocols.models import Game
from protocols.rules import entries as e
from protocols.rules.terms import (
    AFTER,
    ROLE_OF_LETTER,
    SETUP,
    Moment,
    Penalty,
    Phase,
    Result,
)
from protocols.services.record import Answer, record

ROLES = e.Roles(moment=SETUP, roles=tuple(ROLE_OF_LETTER[letter] for letter in "ККШКЧКДКЧК"))
NIGHT_ZERO = e.Turn(moment=Moment(0, Phase.NIGHT))
ABORTED = "Погас свет"
CLAIM = 3 if connection.vendor == "postgresql" else 4
"""Statements that write entries, with a savepoint and its release: PostgreSQL claims and inserts in one."""


def speech(seat: int, day: int = 1, step: int | None = None) -> e.Turn:
    """The minute of a seat; on day 1 seats speak in order."""
    return e.Turn(moment=Moment(day, Phase.SPEECHES, 0, step or seat), seat=seat)


def nominate(seat: int, target: int, day: int = 1) -> e.Nomination:
    """A nomination in the minute of `seat`."""
    return e.Nomination(moment=Moment(day, Phase.SPEECHES, 0, seat), seat=seat, target=target)


def foul(seat: int | None, minute: int = 1, penalty: Penalty = Penalty.FOUL, **more: Any) -> e.Foul:
    """A foul in the minute of a seat on day 1."""
    return e.Foul(moment=Moment(1, Phase.SPEECHES, 0, minute), seat=seat, penalty=penalty, **more)


def vote(target: int, count: int, step: int, day: int = 1) -> e.Vote:
    """A tally of the first ballot."""
    return e.Vote(moment=Moment(day, Phase.BALLOT, 0, step), target=target, count=count)


def extra(seat: int, points: int, text: str = "") -> e.ExtraPoints:
    """Extra points in thousandths."""
    return e.ExtraPoints(moment=AFTER, seat=seat, points=points, text=text)


OATH = foul(7, penalty=Penalty.TEAM_DEFEAT, clause="6.8.1")  # the don swears: red wins at once
BEGUN = [ROLES, NIGHT_ZERO, speech(1)]
WON_BY_RED = [*BEGUN, OATH]
ANNULLED = [
    *BEGUN, e.GameOver(moment=Moment(1, Phase.SPEECHES, 0, 1), result=Result.ANNULLED, text=ABORTED)
]  # fmt: skip


def written(game: Game, by: User, values: Iterable[e.Entry]) -> list[Answer]:
    """Writes the entries one by one, each of which must be taken."""
    answers = []
    for value in values:
        answer = record(value, game=game, revision=game.revision, by=by, uuid=uuid4())
        assert answer.kind == "written", (value, answer.refusal, answer.fallen)
        answers.append(answer)
    return answers
