"""Games stored around the services: as a file of another hand, an older release or a fault of ours might leave them."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid4

from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone

from protocols.models import Entry, Game
from protocols.models.entries import genesis
from protocols.rules import entries as e
from protocols.rules.terms import ROLE_OF_LETTER, SETUP, Moment, Penalty, Phase, Role, Team
from protocols.selectors import record_of
from protocols.services.ending import status_of

from .play import NIGHT_ZERO, ROLES, nominate, speech, vote

ENDED_AT = datetime(2024, 1, 5, 18, 40, tzinfo=UTC)  # 21:40 in Moscow


def stored(game: Game, by: User, values: Iterable[e.Entry]) -> Game:
    """Writes the entries into the record as they are, chained and counted, whatever the rules say of them."""
    previous, rows = genesis(game.uuid), []
    for revision, value in enumerate(values, 1):
        row = Entry.of_value(
            replace(value, revision=revision), revision=revision, game=game, uuid=uuid4(), author=by,
            recorded_at=timezone.now(),
        )  # fmt: skip
        row.chain(previous, game.uuid)
        previous = row.hash
        rows.append(row)
    Entry.objects.bulk_create(rows)
    game.revision = len(rows)
    game.status = status_of(record_of(game).state)
    game.ended_at = ENDED_AT if game.status == "over" else None
    game.save()
    return game


@contextmanager
def no_checks(constraint: str) -> Iterator[None]:
    """The database without its check of entries, as one that was restored by hand may be."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA ignore_check_constraints = ON")
        else:  # the transaction of the test brings it back
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute(f"ALTER TABLE protocols_entry DROP CONSTRAINT {constraint}")
        yield
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA ignore_check_constraints = OFF")


# ---------------------------------------------------------------- what such games are made of

MINUTE = Moment(1, Phase.SPEECHES, 0, 1)
NIGHT = Moment(1, Phase.NIGHT)
SECOND = Moment(2, Phase.SPEECHES, 0, 1)
BEGUN: list[e.Entry] = [ROLES, NIGHT_ZERO]
SPOKEN: list[e.Entry] = [*BEGUN, speech(1), nominate(1, 5), speech(2), nominate(2, 9)]
VOTED: list[e.Entry] = [*SPOKEN, vote(5, 4, 1), vote(9, 6, 2)]  # 9, a black, leaves
FALLEN: list[e.Entry] = [e.Turn(moment=NIGHT)]


def defeat(moment: Moment) -> e.Foul:
    """The don swears: red wins at once."""
    return e.Foul(moment=moment, seat=7, penalty=Penalty.TEAM_DEFEAT, clause="6.8.1", team=Team.BLACK)


def dealt(letters: str) -> e.Roles:
    """Roles by their letters."""
    return e.Roles(moment=SETUP, roles=tuple(ROLE_OF_LETTER[letter] for letter in letters))


def tally(target: int, count: int, ballot: int, step: int, voters: tuple[int, ...] | None = None) -> e.Vote:
    """A tally of day 1."""
    return e.Vote(moment=Moment(1, Phase.BALLOT, ballot, step), target=target, count=count, voters=voters)


def shot(target: int | None, *pairs: tuple[int, int]) -> e.Shot:
    """The shot of night 1."""
    return e.Shot(moment=NIGHT, target=target, shots=pairs)


def words(seat: int, day: int = 1, step: int = 1) -> e.Turn:
    """The last words of somebody voted out."""
    return e.Turn(moment=Moment(day, Phase.LAST_WORDS, 0, step), seat=seat)


def check(by: Role, target: int) -> e.Check:
    """A check of night 1."""
    phase = Phase.DON if by == Role.DON else Phase.SHERIFF
    return e.Check(moment=Moment(1, phase), by=by, target=target)


def best(*seats: int) -> e.BestMove:
    """The best move, named in night 1."""
    return e.BestMove(moment=Moment(1, Phase.BEST_MOVE), seats=seats)


def fouls(seat: int, count: int, clause: str = "") -> list[e.Entry]:
    """Fouls in the first minute."""
    return [e.Foul(moment=MINUTE, seat=seat, clause=clause) for _ in range(count)]
