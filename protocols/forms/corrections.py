"""What stands written and is put right: the entry struck out and another in its place, in one write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from ..rules import entries as e
from ..rules.fold import struck_revisions
from ..rules.terms import SEATS, Moment
from .entries import EntryForm, form_of


class BallotForm(EntryForm):
    """All tallies of one ballot, in fields count_<seat>."""

    KIND = "ballot"

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
        """None: a ballot is several entries."""
        raise NotImplementedError


def tap_of(data: QueryDict) -> EntryForm:
    """The form of whatever the board sends, bound: an entry, or the tallies of a ballot."""
    return BallotForm(data) if data.get("kind") == BallotForm.KIND else form_of(data)


def is_correction(form: EntryForm) -> bool:
    """Whether the form puts right what is written before."""
    return isinstance(form, BallotForm) or form.cleaned_data["replaces"] is not None


def corrected(form: EntryForm, written: Sequence[e.Entry], now: Moment) -> list[e.Entry]:
    """The strikes and the entries in their stead; none where nothing would change."""
    struck = struck_revisions(written)
    standing = {entry.revision: entry for entry in written if entry.revision not in struck}
    if isinstance(form, BallotForm):
        return _ballot(form, list(standing.values()), now)
    old = standing.get(form.cleaned_data["replaces"])
    if old is None:
        return [form.value()]
    new = replace(form.value(), moment=old.moment, place=old.place or old.revision)
    if new == replace(old, revision=0, place=new.place):
        return []
    return [e.Strike(moment=now, of=old.revision), new]


def _ballot(form: BallotForm, standing: list[e.Entry], now: Moment) -> list[e.Entry]:
    moment: Moment = form.cleaned_data["moment"]
    strikes: list[e.Entry] = []
    votes: list[e.Entry] = []
    for vote in standing:
        same = isinstance(vote, e.Vote) and vote.moment._replace(step=0) == moment._replace(step=0)
        if not same or not isinstance(vote, e.Vote) or vote.target not in form.seats:
            continue
        count = form.cleaned_data[f"count_{vote.target}"]
        if count != vote.count:
            strikes.append(e.Strike(moment=now, of=vote.revision))
            place = vote.place or vote.revision
            votes.append(e.Vote(moment=vote.moment, place=place, target=vote.target, count=count))
    return [*strikes, *votes]
