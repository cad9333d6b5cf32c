"""The one write path of a game's record: one entry, or several that stand or fall together.

Reading comes first and is not locked: the entries are append-only, so what was read at revision n is what the
claim at revision n holds. The claim is a compare-and-swap on `Game.revision`, in one transaction with the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal
from uuid import UUID, uuid5

from django.contrib.auth.models import User
from django.db import IntegrityError
from django.utils import timezone
from django.utils.translation import gettext as _

from .. import access
from ..models import Entry, Game
from ..models.claims import Standing, claim
from ..rules import entries as e
from ..rules.fold import preview, refusal_of, step
from ..rules.refusal import Refusal
from ..rules.state import GameState
from ..rules.terms import Penalty
from ..selectors import Order, Record, comes_next, furthest_of, keep, live_record_of, record_of
from .ending import ended_at, status_of
from .errors import Invalid
from .replacing import refuse_cancelled
from .shape import fitted, refuse_seats

Fallen = tuple[tuple[e.Entry, Refusal], ...]
Kind = Literal["written", "known", "stale", "refused", "confirm"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of the entry, and the record as it is now.

    - written: it stands in the record as revision `entry`.
    - known: its UUID was written before, as revision `entry`; nothing new was written.
    - stale: somebody wrote since that revision; nothing was written.
    - refused: the rules, or A 9.9 for a signed game, don't allow it; `refusal` says why. Nothing was written.
    - confirm: entries written before would no longer stand (`fallen`, each with its reason), and `after` is the
      state that would follow; nothing was written. The same entry with `confirmed` writes it.

    `index` is the place, from 0, of the entry of a batch that `refusal` or `fallen` speak of.
    """

    kind: Kind
    record: Record
    entry: int | None = None
    refusal: Refusal | None = None
    fallen: Fallen = ()
    after: GameState | None = None
    index: int = 0

    @property
    def state(self) -> GameState:
        """The state that follows from the record as it is now."""
        return self.record.state

    @property
    def revision(self) -> int:
        """The revision that the next entry must name."""
        return self.record.revision

    @property
    def is_written(self) -> bool:
        """Whether the entry stands in the record, by this call or an earlier one."""
        return self.kind in ("written", "known")


def record(
    value: e.Entry,
    *,
    game: Game,
    revision: int,
    by: User,
    uuid: UUID,
    device_time: datetime | None = None,
    confirmed: bool = False,
    follows: int | None = None,
) -> Answer:
    """Writes one entry into the record of a game that `by` may write to (`access.writable_game`).

    `revision` is the one last seen; `uuid` the entry's own, by which a resend is known; `follows` the revision of
    the entry that a late one comes right after in play. Raises Invalid for an entry that can't be stored.
    """
    batch = _Batch([value], [uuid], by, device_time, confirmed, follows)
    return _record(game, revision, batch)


def record_batch(
    values: Sequence[e.Entry],
    *,
    game: Game,
    revision: int,
    by: User,
    uuid: UUID,
    device_time: datetime | None = None,
    confirmed: bool = False,
) -> Answer:
    """Writes several entries, all or none, in one claim; each is judged after those before it.

    `uuid` is the batch's: a resend of it is known. Raises Invalid as `record` does, or for no entries.
    """
    if not values:
        raise Invalid(_("There is nothing to write."))
    uuids = [uuid, *(batched(uuid, index) for index in range(1, len(values)))]
    return _record(game, revision, _Batch(values, uuids, by, device_time, confirmed))


def batched(uuid: UUID, index: int) -> UUID:
    """The number of the entry that a batch of that number writes at `index`, 1 or more; the first has the batch's."""
    return uuid5(uuid, str(index))


def foresee(
    values: Sequence[e.Entry], *, game: Game, revision: int, by: User, uuid: UUID, follows: int | None = None
) -> Answer:
    """What would follow from these entries: «confirm» with `after` and `fallen`, also where nothing falls.

    Otherwise the answer that writing them would get: known, stale or refused. Nothing is written.
    """
    before = record_of(game)
    batch = _Batch(values, [uuid], by, None, True, follows)
    judged = _answer_or_judge(before, revision, batch)
    if isinstance(judged, Answer):
        return judged
    return Answer("confirm", before, fallen=_fallen(before, judged[1]), after=judged[1])


@dataclass(frozen=True, slots=True)
class _Batch:
    values: Sequence[e.Entry]
    uuids: list[UUID]
    by: User
    device_time: datetime | None
    confirmed: bool
    follows: int | None = None


def _answer_or_judge(before: Record, revision: int, batch: _Batch) -> tuple[list[e.Entry], GameState] | Answer:
    """A known UUID, a signed game and a stale revision have their answers; everything else is judged by the rules."""
    known = _known(before, batch)
    if known:
        return known
    if before.game.is_closed:
        return Answer("refused", before, refusal=_signed(before.game))
    if before.revision != revision:
        return Answer("stale", before)
    if not before.revision:  # the first entry begins the game
        refuse_cancelled(before.game)
    return _judge(before, batch)


def _record(game: Game, revision: int, batch: _Batch) -> Answer:
    before = live_record_of(game)
    if before.revision != game.revision:
        game.refresh_from_db(fields=["revision", "status", "ended_at", "sheet_in_force"])
    judged = _answer_or_judge(before, revision, batch)
    if isinstance(judged, Answer):
        return judged
    values, state = judged
    return _write(before, values, state, batch) or _overtaken(game, batch)


def _known(found: Record, batch: _Batch) -> Answer | None:
    first = batch.uuids[0]
    row = next((row for row in found.rows if row.uuid == first), None)
    return Answer("known", found, entry=row.revision) if row else None


def _signed(game: Game) -> Refusal:
    return Refusal("signed", game.rules.cite("signature"))


def _overtaken(game: Game, batch: _Batch) -> Answer:
    """Somebody wrote, or signed, between reading and claiming."""
    game.refresh_from_db(fields=["revision", "status", "ended_at", "sheet_in_force"])
    now = record_of(game)
    return _known(now, batch) or (
        Answer("refused", now, refusal=_signed(game)) if game.is_closed else Answer("stale", now)
    )


# ---------------------------------------------------------------- judging


def _judge(before: Record, batch: _Batch) -> tuple[list[e.Entry], GameState] | Answer:
    """The new entries, numbered, with the state after them; or why they can't be written."""
    game, state = before.game, before.state
    written, new, furthest = list(before.values), list[e.Entry](), before.furthest
    for index, given in enumerate(batch.values):
        value = _placed(fitted(given, game), written, batch.follows)
        refusal = _refuse_outside_the_rules(value, before, batch)
        if refusal is None:
            state, refusal = _after(state, written, value, game, furthest)
        if refusal is not None:
            return Answer("refused", before, refusal=refusal, index=index)
        written.append(value)
        new.append(value)
        furthest = furthest_of([value], furthest)
    # Looked at once at the end: what a strike fells, the entry written in its stead may hold up again.
    fallen = _fallen(before, state)
    if fallen and not batch.confirmed:
        return Answer("confirm", before, fallen=fallen, after=state, index=len(new) - 1)
    return new, state


def _fallen(before: Record, state: GameState) -> Fallen:
    already = {entry.revision for entry, _ in before.state.set_aside}
    return tuple((entry, why) for entry, why in state.set_aside if entry.revision not in already)


def _after(
    state: GameState, written: list[e.Entry], new: e.Entry, game: Game, furthest: Order
) -> tuple[GameState, Refusal | None]:
    """What follows from one more entry: a step for the next one in play, two replays for a late one or a strike."""
    if comes_next(new, furthest):
        after = step(state, new)
        return after, refusal_of(after, new.revision)
    seen = preview(written, new, game.rules, results_only=game.results_only, before=state)
    return seen.after, seen.refusal


def _placed(value: e.Entry, written: list[e.Entry], follows: int | None) -> e.Entry:
    """The entry with its revision and, for one that follows another, its place behind it."""
    place = value.place  # 0 unless it takes the place of an entry struck out
    if follows is not None:
        before = next((entry for entry in written if entry.revision == follows), None)
        if before is None or before.moment != value.moment:
            raise Invalid(_("The entry that this one should follow is not in the record at that moment."))
        place = before.place or before.revision
    return replace(value, revision=len(written) + 1, place=place)


def _refuse_outside_the_rules(value: e.Entry, before: Record, batch: _Batch) -> Refusal | None:
    game = before.game
    refusal = refuse_seats(value, game)
    if refusal is not None:
        return refusal
    if isinstance(value, e.Foul) and value.from_tournament:
        by_itself = value.penalty == Penalty.TEAM_DEFEAT and value.clause == "6.8.3"  # A 7.4
        if not by_itself and not access.standing_at(batch.by, game).is_head_judge:
            return Refusal("head_judge_only", game.rules.cite("warning"), {"seat": value.seat})
    return None


# ---------------------------------------------------------------- writing


def _write(before: Record, values: list[e.Entry], state: GameState, batch: _Batch) -> Answer | None:
    """Claims the revisions and writes the rows; None where somebody was faster."""
    game, revision = before.game, before.revision
    entries = _entries(before, values, batch)
    rows = [*before.rows, *(entry.row for entry in entries)]
    written = [*before.values, *values]
    stands = Standing(len(rows), status_of(state), ended_at(game, rows, written, state))
    try:
        if not claim(game, revision, stands, entries):
            return None
    except IntegrityError:
        if Entry.objects.filter(uuid__in=batch.uuids).exists():
            raise Invalid(_("This entry has the number of another one; load the page anew.")) from None
        raise
    for name, value in stands._asdict().items():
        setattr(game, name, value)
    after = Record(game, rows, written, state, before._nicknames, _furthest=furthest_of(values, before.furthest))
    keep(after)
    return Answer("written", after, entry=revision + 1)


def _entries(before: Record, values: list[e.Entry], batch: _Batch) -> list[Entry]:
    game, now, last = before.game, timezone.now(), before.head
    entries = []
    for value, uuid in zip(values, batch.uuids, strict=True):
        entry = Entry.of_value(
            value, revision=value.revision, game=game, uuid=uuid, author=batch.by,
            device_time=batch.device_time, recorded_at=now,
        )  # fmt: skip
        entry.chain(last, game.uuid)
        last = entry.hash
        entries.append(entry)
    return entries
