"""What stands written and is put right: the entry struck out and another in its place, in one write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from ..rules import entries as e
from ..rules.fold import struck_revisions
from ..rules.terms import SEATS, Moment
from .entries import EntryForm, StrikeForm, form_of
from .fields import SeatsField


class BallotForm(EntryForm):
    """All tallies of one ballot, in fields count_<seat>: put right, or written in where they are missing."""

    KIND = "ballot"
    candidates = SeatsField(required=False)  # in ballot order, for tallies that were never written

    def __init__(self, data: QueryDict | None = None, **options: Any) -> None:
        super().__init__(data, **options)
        self.seats = [seat for seat in SEATS if data is not None and f"count_{seat}" in data]
        for seat in self.seats:
            self.fields[f"count_{seat}"] = forms.IntegerField(min_value=0, max_value=10, label=_("Votes"))

    def clean(self) -> dict[str, Any]:
        """At least one tally."""
        data = super().clean() or {}
        if not self.seats:
            raise ValidationError(_("Write how many voted."))
        return data

    def value(self) -> e.Entry:
        """A ballot is several entries: `corrected` makes them, and this must not be asked for one."""
        raise NotImplementedError


def tap_of(data: QueryDict) -> EntryForm:
    """The form of whatever the board sends, bound: an entry, or the tallies of a ballot."""
    return BallotForm(data) if data.get("kind") == BallotForm.KIND else form_of(data)


def is_correction(form: EntryForm) -> bool:
    """Whether the form puts right what is written before."""
    if isinstance(form, StrikeForm):
        return bool(form.cleaned_data["step"])
    return isinstance(form, BallotForm) or form.cleaned_data["replaces"] is not None


def corrected(form: EntryForm, written: Sequence[e.Entry], now: Moment) -> list[e.Entry]:
    """The strikes and the entries in their stead; none where nothing would change."""
    struck = struck_revisions(written)
    standing = {entry.revision: entry for entry in written if entry.revision not in struck}
    if isinstance(form, BallotForm):
        return _ballot(form, list(standing.values()), now)
    if isinstance(form, StrikeForm):
        strike = form.value()
        assert isinstance(strike, e.Strike)
        return [strike, *(e.Strike(moment=strike.moment, of=of) for of in _with(written, strike.of, struck))]
    old = standing.get(form.cleaned_data["replaces"])
    if old is None:
        return [form.value()]
    new = replace(form.value(), moment=old.moment, place=old.place or old.revision)
    if new == replace(old, revision=0, place=new.place):
        return []
    return [e.Strike(moment=now, of=old.revision, text=form.cleaned_data["reason"]), new]


def _with(written: Sequence[e.Entry], of: int, struck: Mapping[int, object]) -> list[int]:
    """What one step back or forward strikes beside that entry: a correction is undone and redone as a whole."""
    if not 0 < of <= len(written):
        return []
    entry = written[of - 1]
    if not isinstance(entry, e.Strike):
        beside = _gave_way(written, entry)
    else:
        undone = written[entry.of - 1]
        strike = None if isinstance(undone, e.Strike) else _gave_way(written, undone)
        after = written[of] if of < len(written) else None
        beside = after.revision if strike and isinstance(after, e.Strike) and after.of == strike else 0
    return [beside] if beside and beside not in struck else []


def _gave_way(written: Sequence[e.Entry], new: e.Entry) -> int:
    """The strike of the entry in whose stead `new` was written, in the same write; 0 where there is none."""
    for before in reversed(written[: new.revision - 1]):
        if isinstance(before, e.Strike):
            old = written[before.of - 1]
            if type(old) is type(new) and old.moment == new.moment and (old.place or old.revision) == new.place:
                return before.revision
        elif type(before) is not type(new):
            break
    return 0


def _ballot(form: BallotForm, standing: list[e.Entry], now: Moment) -> list[e.Entry]:
    """The changed tallies, and the last with them: it is there that a sum is refused that doesn't come out."""
    moment: Moment = form.cleaned_data["moment"]._replace(step=0)
    votes = [v for v in standing if isinstance(v, e.Vote) and v.moment._replace(step=0) == moment]
    votes = sorted((v for v in votes if v.target in form.seats), key=lambda vote: vote.order)
    counts: dict[int, int] = {seat: form.cleaned_data[f"count_{seat}"] for seat in form.seats}
    if form.cleaned_data["candidates"]:
        return _written_in(form, votes, counts, now)
    if all(counts[vote.target] == vote.count for vote in votes):
        return []
    old = [vote for vote in votes if counts[vote.target] != vote.count or vote is votes[-1]]
    new = [e.Vote(moment=v.moment, place=v.place or v.revision, target=v.target, count=counts[v.target]) for v in old]
    return [*_strikes(form, old, now), *new]


def _written_in(form: BallotForm, votes: list[e.Vote], counts: dict[int, int], now: Moment) -> list[e.Entry]:
    """Tallies of a ballot that has not been taken so; those written before give way to them."""
    moment: Moment = form.cleaned_data["moment"]
    new: list[e.Entry] = [
        e.Vote(moment=moment._replace(step=step), target=seat, count=counts[seat])
        for step, seat in enumerate(form.cleaned_data["candidates"], start=1)
        if seat in counts
    ]
    return [*_strikes(form, votes, now), *new]


def _strikes(form: BallotForm, votes: list[e.Vote], now: Moment) -> list[e.Entry]:
    return [e.Strike(moment=now, of=vote.revision, text=form.cleaned_data["reason"]) for vote in votes]
