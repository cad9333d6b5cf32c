"""What a device wrote without a network: one ordered queue of one game, taken entry by entry.

Where nobody else wrote since the device last saw the record, the rules alone judge each entry. Where somebody did, an
entry that repeats one of theirs (kind, seat, moment) is held for the judge to say. Each is written at most once, in
order, and none is dropped: whatever is not written comes back with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Literal
from uuid import UUID, uuid5

from django.contrib.auth.models import User

from ..models import Game
from ..rules import entries as e
from ..rules.fold import struck_revisions
from ..rules.refusal import Refusal
from ..selectors import Record, live_record_of
from .errors import Invalid
from .record import Answer, Fallen, batched, record, record_batch

MOST_QUEUED = 300  # entries of one request; a whole game is about a hundred
TRIES = 5  # times that somebody else may be faster, an entry
LONGEST_BATCH = 21  # entries that one queued correction may become: ten tallies struck out, ten written anew


@dataclass(frozen=True, slots=True)
class Queued:
    """One entry of a queue. `values` makes it, or a correction's several, on top of the record as it then is.

    `seen` is the revision that the device showed when it was made.
    `undone`: taken back on the device after it may have been sent, so it is written and struck out at once, or only
    struck out where it has arrived. `problems` are the words for input that makes no sense.
    """

    uuid: UUID
    values: Callable[[Record], Sequence[e.Entry]]
    seen: int
    device_time: datetime | None = None
    follows: int | None = None
    confirmed: bool = False
    undone: bool = False
    problems: tuple[str, ...] = ()


Kind = Literal["written", "known", "undone", "refused", "held", "invalid"]


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of one entry of a queue.

    - written: it stands in the record as revision `entry`; known: it did before.
    - undone: it was taken back, and stands struck out or not at all.
    - refused: the rules don't allow it, `refusal` says why.
    - held: the judge has to say. It repeats the entry of revision `stands`, which somebody else wrote meanwhile, or
      writing it would fell others (`fallen`).
    - invalid: it makes no sense, `problems` say why.
    """

    uuid: UUID
    kind: Kind
    entry: int | None = None
    refusal: Refusal | None = None
    stands: int | None = None
    fallen: Fallen = ()
    problems: tuple[str, ...] = ()

    @property
    def is_settled(self) -> bool:
        """Whether the device may forget the entry."""
        return self.kind in ("written", "known", "undone")


def take(queue: Sequence[Queued], *, game: Game, by: User, mine: Iterable[UUID] = ()) -> tuple[list[Judged], Record]:
    """Takes the queue of a game that `by` may write to: what became of each entry, and the record after all.

    `mine` are numbers of entries that the same device sent before: what it wrote itself is nobody else's. A resend of
    the queue, or of a part of it, is known by its UUIDs. Entries after one that is not written are judged all the same.
    """
    numbers = [*mine, *(item.uuid for item in queue)]
    own = cache(lambda: {derived for uuid in numbers for derived in _numbers(uuid)})
    judged = []
    now = live_record_of(game)
    for item in queue:
        found, now = _take(item, now, own, by)
        judged.append(found)
    return judged, now


Own = Callable[[], set[UUID]]


def _numbers(uuid: UUID) -> Iterator[UUID]:
    """The numbers that the entry, the rest of its batch and its strike may have."""
    yield uuid
    yield from (batched(uuid, index) for index in range(1, LONGEST_BATCH))
    yield uuid5(uuid, "undone")


def _take(item: Queued, now: Record, own: Own, by: User) -> tuple[Judged, Record]:
    if item.problems:
        return Judged(item.uuid, "invalid", problems=item.problems), now
    for _ in range(TRIES):
        before = _standing_as(item.uuid, now)
        if before is not None:
            return _known(item, before, now, by)
        try:
            values = item.values(now)
            if not values:
                return Judged(item.uuid, "known"), now  # a correction that changes nothing
            found = _repeats(values, now, own, item.seen)
            if found is not None:
                return _repeated(item, values[0], found), now
            answer = _write(item, values, now, by)
        except Invalid as error:
            return Judged(item.uuid, "invalid", problems=tuple(error.messages)), now
        now = answer.record
        if answer.kind != "stale":
            return _judged(item, answer), now
    return Judged(item.uuid, "held", stands=now.revision), now


def _repeated(item: Queued, value: e.Entry, found: e.Entry) -> Judged:
    if item.undone:
        return Judged(item.uuid, "undone")
    if isinstance(found, e.Turn) and isinstance(value, e.Turn) and found.seat == value.seat:
        return Judged(item.uuid, "known", entry=found.revision)  # both moved the game on alike
    return Judged(item.uuid, "held", stands=found.revision)


def _standing_as(uuid: UUID, now: Record) -> int | None:
    """The revision under which the entry was written before."""
    return next((row.revision for row in now.rows if row.uuid == uuid), None)


def _known(item: Queued, revision: int, now: Record, by: User) -> tuple[Judged, Record]:
    """Written before; one that was taken back meanwhile is struck out now."""
    if not item.undone or revision in struck_revisions(now.values):
        return Judged(item.uuid, "undone" if item.undone else "known", entry=revision), now
    for _ in range(TRIES):
        strike = e.Strike(moment=now.values[revision - 1].moment, of=revision)
        answer = record(
            strike, game=now.game, revision=now.revision, by=by, uuid=uuid5(item.uuid, "undone"),
            device_time=item.device_time, confirmed=item.confirmed,
        )  # fmt: skip
        now = answer.record
        if answer.kind != "stale":
            break
    found = _judged(item, answer)
    return (Judged(item.uuid, "undone", entry=revision) if found.is_settled else found), now


def _write(item: Queued, values: Sequence[e.Entry], now: Record, by: User) -> Answer:
    game, revision = now.game, now.revision
    if item.undone:
        values = [*values, e.Strike(moment=values[0].moment, of=revision + 1)]
    if len(values) > 1:
        return record_batch(
            values, game=game, revision=revision, by=by, uuid=item.uuid, device_time=item.device_time,
            confirmed=item.confirmed,
        )  # fmt: skip
    return record(
        values[0], game=game, revision=revision, by=by, uuid=item.uuid, device_time=item.device_time,
        confirmed=item.confirmed, follows=item.follows,
    )  # fmt: skip


def _judged(item: Queued, answer: Answer) -> Judged:
    if answer.is_written:
        return Judged(item.uuid, "undone" if item.undone else "written", entry=answer.entry)
    if answer.kind == "confirm":
        return Judged(item.uuid, "held", fallen=answer.fallen)
    if item.undone:  # taken back, and nothing is lost with it
        return Judged(item.uuid, "undone")
    return Judged(item.uuid, "refused", refusal=answer.refusal)


def _repeats(values: Sequence[e.Entry], now: Record, own: Own, seen: int) -> e.Entry | None:
    """The standing entry, written by somebody else since `seen`, that one of these repeats."""
    if now.revision <= seen:
        return None
    struck = struck_revisions(now.values)
    theirs = {
        _point_of(value): value
        for row, value in zip(now.rows[seen:], now.values[seen:], strict=True)
        if row.uuid not in own() and value.revision not in struck and not isinstance(value, e.Strike)
    }
    return next((theirs[_point_of(value)] for value in values if _point_of(value) in theirs), None)


def _point_of(value: e.Entry) -> tuple[object, ...]:
    """What two entries share that say the same thing: kind, seat, moment, and the penalty of a foul."""
    seat = value.target if isinstance(value, e.Vote) else getattr(value, "seat", None)
    more: object = None
    if isinstance(value, e.Foul):
        more = value.penalty
    elif isinstance(value, e.FoulClause | e.Strike):
        more = value.of
    elif isinstance(value, e.Check):
        more = value.by
    return (value.kind, None if isinstance(value, e.Turn) else seat, value.moment, more)
