"""A device's queue as it is sent: JSON, with the fields of each tap as its form would have sent them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import QueryDict
from django.utils.translation import gettext as _

from ..rules import entries as e
from ..selectors import Record
from ..services.errors import Invalid
from ..services.queue import MOST_QUEUED, Queued
from .corrections import corrected, is_correction, tap_of
from .entries import EntryForm

MOST_BYTES = 600_000  # of a queue; a tap is about 400
MOST_FIELDS = 60  # of a tap
LONGEST_FIELD = 1000  # characters


@dataclass(frozen=True, slots=True)
class Sent:
    """A queue as sent: whose, of which game, what the device wrote before, and its taps with their forms."""

    user: int
    game: str
    mine: list[UUID]
    taps: list[tuple[Queued, EntryForm]]


def read_queue(body: bytes) -> Sent:
    """The queue. Raises Invalid for what no device of ours sends; a tap that makes no sense has its `problems`."""
    if len(body) > MOST_BYTES:
        raise Invalid(_("The queue is too long to be taken at once."))
    try:
        data = json.loads(body)
        user, game, sent, mine = data["user"], data["game"], data["entries"], data.get("mine", [])
        if not (isinstance(user, int) and isinstance(game, str) and isinstance(sent, list) and isinstance(mine, list)):
            raise TypeError
        if max(len(sent), len(mine)) > MOST_QUEUED:
            raise Invalid(_("The queue is too long to be taken at once."))
        taps = [_tap(one) for one in sent]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise Invalid(_("This is no queue of entries.")) from None
    return Sent(user, game, [UUID(number) for number in mine], taps)


def _tap(one: Any) -> tuple[Queued, EntryForm]:
    uuid, seen, fields = UUID(one["uuid"]), one["seen"], one["fields"]
    if (
        not isinstance(seen, int)
        or not 0 <= seen < 1 << 31
        or not isinstance(fields, list)
        or len(fields) > MOST_FIELDS
    ):
        raise TypeError
    data = QueryDict(mutable=True)
    for name, value in fields:
        if not (isinstance(name, str) and isinstance(value, str)) or max(len(name), len(value)) > LONGEST_FIELD:
            raise TypeError
        data.appendlist(name, value)
    named = data.get("of_uuid")
    of = UUID(str(named)) if named else None
    data["uuid"], data["revision"] = str(uuid), "0"
    data.setdefault("of", "1" if of else "")
    data["device_time"] = str(one.get("device_time") or "")
    form = tap_of(data)
    if not form.is_valid():
        return Queued(uuid, _nothing, seen, problems=tuple(form.error_lines())), form
    cleaned = form.cleaned_data
    queued = Queued(
        uuid,
        _values(form, of),
        seen,
        device_time=cleaned["device_time"],
        follows=cleaned["follows"],
        confirmed=cleaned["confirmed"],
        undone=one.get("undone") is True,
    )
    return queued, form


def _nothing(record: Record) -> Sequence[e.Entry]:
    return ()


def _values(form: EntryForm, of: UUID | None) -> Callable[[Record], Sequence[e.Entry]]:
    """How the tap's entries are made on top of a record; `of` names the entry it speaks of by its number."""

    def values(record: Record) -> Sequence[e.Entry]:
        if of is not None:
            row = next((row for row in record.rows if row.uuid == of), None)
            if row is None:
                raise Invalid(_("The entry that this one speaks of is not written."))
            form.cleaned_data["of"] = row.revision
        if is_correction(form):
            return corrected(form, record.values, record.state.moment)
        return form.values()

    return values
