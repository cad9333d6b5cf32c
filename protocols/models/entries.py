"""The record of a game: entries that are only ever added, each chained to the one before.

One table, one proxy model a kind: `Foul.objects` holds the fouls, `Entry.objects` everything.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any, ClassVar, NamedTuple, Self
from uuid import UUID

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from ..exchange.canonical import canonical_json as canonical_json
from ..exchange.canonical import sha256 as sha256
from ..rules import entries as e
from .columns import NUMBERS, VALUE_COLUMNS, WORDS, columns_of, constraints, value_of
from .game import Game
from .written_once import WrittenOnce, WrittenOnceManager, WrittenOnceQuerySet


def genesis(game: UUID) -> str:
    """The hash that a game's first entry is chained to."""
    return sha256(f"game {game}".encode())


def instant_written(value: datetime | None) -> str:
    """The moment of time in UTC with microseconds; empty where there is none."""
    return value.astimezone(UTC).isoformat(timespec="microseconds") if value else ""


class Row(NamedTuple):
    """What a record keeps of an entry beside its value: its numbers, who wrote it and when."""

    revision: int
    uuid: UUID
    author_id: int
    recorded_at: datetime
    hash: str


class Entry(WrittenOnce):
    """One mark in the protocol, of any kind.

    `revision` orders the writing, from 1; `place` the play within a moment, 0 meaning as written. `of` is the
    revision of the entry that this one strikes out or completes.
    """

    game = models.ForeignKey(Game, models.PROTECT, related_name="entries")
    revision = models.PositiveIntegerField()
    uuid = models.UUIDField(unique=True)
    kind = models.CharField(max_length=16)

    day = models.PositiveSmallIntegerField()
    phase = models.PositiveSmallIntegerField()
    ballot = models.PositiveSmallIntegerField(default=0)
    step = models.PositiveSmallIntegerField(default=0)
    place = models.PositiveIntegerField(default=0)

    seat = models.PositiveSmallIntegerField(null=True)
    target = models.PositiveSmallIntegerField(null=True)
    of = models.PositiveIntegerField(null=True)
    count = models.PositiveSmallIntegerField(null=True)
    points = models.IntegerField(null=True)
    flag = models.BooleanField(null=True)
    seats = models.JSONField(null=True)
    clause = models.CharField(max_length=12, blank=True)
    penalty = models.CharField(max_length=16, blank=True)
    team = models.CharField(max_length=8, blank=True)
    role = models.CharField(max_length=8, blank=True)
    result = models.CharField(max_length=8, blank=True)
    about = models.CharField(max_length=16, blank=True)
    roles = models.CharField(max_length=10, blank=True)
    text = models.TextField(blank=True)
    time = models.CharField(max_length=40, blank=True)

    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="entries")
    # The author's number where it was written, for an entry that came in a file: its hash was taken over that one.
    author_number = models.PositiveBigIntegerField(null=True)
    device_time = models.DateTimeField(null=True)
    recorded_at = models.DateTimeField()
    previous_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    KIND: ClassVar[str] = ""
    objects: ClassVar[WrittenOnceManager[Entry]] = WrittenOnceManager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = ["game", "revision"]
        constraints = constraints()

    def __str__(self) -> str:
        return f"{self.revision}: {self.kind}"

    @classmethod
    def from_db(cls, db: str | None, field_names: Collection[str], values: Collection[Any], **options: Any) -> Self:
        """A row as the model of its kind."""
        names = list(field_names)
        kind = list(values)[names.index("kind")] if "kind" in names else ""
        return super(Entry, PROXIES.get(kind, cls)).from_db(db, field_names, values, **options)  # type: ignore[return-value]

    @classmethod
    def of_value(cls, value: e.Entry, *, revision: int, **rest: Any) -> Entry:
        """The row, not yet saved, that holds this rules value; `rest` are game, uuid, author and times."""
        return PROXIES[value.kind](revision=revision, **columns_of(value), **rest)

    def value(self) -> e.Entry:
        """The entry as the rules know it."""
        return value_of([getattr(self, name) for name in VALUE_COLUMNS])

    @property
    def row(self) -> Row:
        """What the record keeps of it beside its value."""
        return Row(self.revision, self.uuid, self.author_id, self.recorded_at, self.hash)

    def chain(self, previous: str, game: UUID) -> None:
        """Takes its place after the entry of that hash."""
        self.previous_hash = previous
        self.hash = self.hash_due(game)

    def hash_due(self, game: UUID) -> str:
        """The hash of what the row says and of the entry before it."""
        return sha256(self.canonical(game))

    def canonical(self, game: UUID) -> bytes:
        """The bytes that the entry's hash is taken over."""
        return canonical_json(self.hashed(game))

    def hashed(self, game: UUID) -> dict[str, Any]:
        """What the entry's hash is taken over: everything the row says, and the hash before."""
        says = {name: getattr(self, name) for name in (*NUMBERS, *WORDS)}
        data = {name: value for name, value in says.items() if value is not None and value != ""}
        data |= {
            "game": str(game),
            "revision": self.revision,
            "uuid": str(self.uuid),
            "kind": self.kind,
            "moment": [self.day, self.phase, self.ballot, self.step],
            "place": self.place,
            "author": self.author_id if self.author_number is None else self.author_number,
            "device_time": instant_written(self.device_time),
            "recorded_at": instant_written(self.recorded_at),
            "previous": self.previous_hash,
        }
        return data


class KindManager(WrittenOnceManager[Entry]):
    """The entries of one kind."""

    def get_queryset(self) -> WrittenOnceQuerySet[Entry]:
        """Only this kind's rows."""
        return super().get_queryset().filter(kind=self.model.KIND)


class Turn(Entry):
    """Whose minute it is, or which phase begins."""

    KIND: ClassVar[str] = e.Turn.kind
    objects: ClassVar[WrittenOnceManager[Entry]] = KindManager()

    class Meta:
        proxy = True


class Foul(Entry):
    """Oral warnings, fouls, disqualifying fouls, team defeats (A 6.3–6.8)."""

    KIND: ClassVar[str] = e.Foul.kind
    objects: ClassVar[WrittenOnceManager[Entry]] = KindManager()

    class Meta:
        proxy = True


class FoulClause(Entry):
    """The clause of a foul, added later."""

    KIND: ClassVar[str] = e.FoulClause.kind
    objects: ClassVar[WrittenOnceManager[Entry]] = KindManager()

    class Meta:
        proxy = True


class Nomination(Entry):
    """Nominations."""

    KIND: ClassVar[str] = e.Nomination.kind
    objects: ClassVar[WrittenOnceManager[Entry]] = KindManager()

    class Meta:
        proxy = True


class Withdrawal(Entry):
    """Nominations taken back."""

    KIND: ClassVar[str] = e.Withdrawal.kind
    objects: ClassVar[WrittenOnceManager[Entry]] = KindManager()

    class Meta:
        proxy = True


class Vote(Entry):
    """Tallies of candidates."""

    KIND: ClassVar[str] = e.Vote.kind
    objects: ClassVar[WrittenOnceManager[Entry]] = KindManager()

    class Meta:
        proxy = True


class RaiseAll(Entry):
    """Answers to the question who is for all of the tied leaving (A 7.7)."""

    KIND: ClassVar[str] = e.RaiseAll.kind
    objects: ClassVar[WrittenOnceManager[Entry]] = KindManager()

    class Meta:
        proxy = True


class Shot(Entry):
    """The nights' shots and misses."""

    KIND: ClassVar[str] = e.Shot.kind
    objects: ClassVar[WrittenOnceManager[Entry]] = KindManager()

    class Meta:
        proxy = True


class Check(Entry):
    """The don's and the sheriff's checks."""

    KIND: ClassVar[str] = e.Check.kind
    objects: ClassVar[WrittenOnceManager[Entry]] = KindManager()

    class Meta:
        proxy = True


class BestMove(Entry):
    """Best moves of players shot on night 1 (A 8.3)."""

    KIND: ClassVar[str] = e.BestMove.kind
    objects: ClassVar[WrittenOnceManager[Entry]] = KindManager()

    class Meta:
        proxy = True


class ExtraPoints(Entry):
    """The judge's extra points (A 8.4)."""

    KIND: ClassVar[str] = e.ExtraPoints.kind
    objects: ClassVar[WrittenOnceManager[Entry]] = KindManager()

    class Meta:
        proxy = True


class SpeechMark(Entry):
    """Marks for speeches (B-T2)."""

    KIND: ClassVar[str] = e.SpeechMark.kind
    objects: ClassVar[WrittenOnceManager[Entry]] = KindManager()

    class Meta:
        proxy = True


class Roles(Entry):
    """The ten roles (A 9.4)."""

    KIND: ClassVar[str] = e.Roles.kind
    objects: ClassVar[WrittenOnceManager[Entry]] = KindManager()

    class Meta:
        proxy = True


class SeatCorrection(Entry):
    """Two players who sat in each other's chairs."""

    KIND: ClassVar[str] = e.SeatCorrection.kind
    objects: ClassVar[WrittenOnceManager[Entry]] = KindManager()

    class Meta:
        proxy = True


class GameOver(Entry):
    """The end as the judge declared it (A 9.7)."""

    KIND: ClassVar[str] = e.GameOver.kind
    objects: ClassVar[WrittenOnceManager[Entry]] = KindManager()

    class Meta:
        proxy = True


class Ruling(Entry):
    """What a judge settled, with the reason."""

    KIND: ClassVar[str] = e.Ruling.kind
    objects: ClassVar[WrittenOnceManager[Entry]] = KindManager()

    class Meta:
        proxy = True


class Strike(Entry):
    """Entries that strike out others."""

    KIND: ClassVar[str] = e.Strike.kind
    objects: ClassVar[WrittenOnceManager[Entry]] = KindManager()

    class Meta:
        proxy = True


PROXIES: dict[str, type[Entry]] = {
    model.KIND: model
    for model in (
        Turn, Foul, FoulClause, Nomination, Withdrawal, Vote, RaiseAll, Shot, Check, BestMove,
        ExtraPoints, SpeechMark, Roles, SeatCorrection, GameOver, Ruling, Strike,
    )
}  # fmt: skip
"""Kind → its model."""
