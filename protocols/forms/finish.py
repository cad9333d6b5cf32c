"""The end of the protocol: the judge's extra points with their comments, the marks for speeches, the signature."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from ..rules import entries as e
from ..rules.fold import step
from ..rules.refusal import Refusal
from ..rules.refusals import refuse
from ..rules.state import GameState
from ..rules.terms import SEATS
from .entries import AFTER
from .fields import PointsField


class FinishForm(forms.Form):
    """Fields extra_<seat>, comment_<seat> and mark_<seat>; whatever is left empty is nothing given."""

    uuid = forms.UUIDField()
    revision = forms.IntegerField(min_value=0)

    def __init__(self, data: QueryDict | None = None, *, marks: bool) -> None:
        super().__init__(data)
        self.marks = marks
        for seat in SEATS:
            self.fields[f"extra_{seat}"] = PointsField(required=False, label=_("Extra points"))
            self.fields[f"comment_{seat}"] = forms.CharField(required=False, max_length=300, label=_("Comment"))
            if marks:
                self.fields[f"mark_{seat}"] = PointsField(required=False, label=_("Mark for speeches"))

    def values(self, state: GameState) -> list[e.Entry]:
        """What is to be written beside what the record says: first what is taken back, then what is given."""
        found: list[e.Entry] = []
        for seat in SEATS:
            points, text = self.cleaned_data[f"extra_{seat}"] or 0, self.cleaned_data[f"comment_{seat}"].strip()
            old = state.extra_points.get(seat)
            if (points, text) != ((old.points, old.text) if old else (0, "")):
                found.append(e.ExtraPoints(moment=AFTER, seat=seat, points=points, text=text))
            if self.marks:
                mark = self.cleaned_data[f"mark_{seat}"] or 0
                if mark != state.speech_marks.get(seat, 0):
                    found.append(e.SpeechMark(moment=AFTER, seat=seat, points=mark))
        return sorted(found, key=lambda entry: not _takes_back(state, entry))


def _takes_back(state: GameState, entry: e.Entry) -> bool:
    old = state.extra_points.get(entry.seat) if isinstance(entry, e.ExtraPoints) else None
    return isinstance(entry, e.ExtraPoints) and old is not None and entry.points < old.points


def refused_values(state: GameState, values: list[e.Entry]) -> dict[str, Refusal]:
    """The fields that the rules refuse, each with its refusal; every one of them, not only the first."""
    found: dict[str, Refusal] = {}
    for value in values:
        refusal = refuse(state, value)
        if refusal is None:
            state = step(state, value)
        elif isinstance(value, e.ExtraPoints):
            found[f"extra_{value.seat}"] = refusal
        elif isinstance(value, e.SpeechMark):
            found[f"mark_{value.seat}"] = refusal
    return found


def typed_of(state: GameState) -> dict[str, Any]:
    """The fields as the record fills them: points in thousandths, comments."""
    typed: dict[str, Any] = {}
    for seat in SEATS:
        extra = state.extra_points.get(seat)
        typed[f"extra_{seat}"] = extra.points if extra else 0
        typed[f"comment_{seat}"] = extra.text if extra else ""
        typed[f"mark_{seat}"] = state.speech_marks.get(seat)
    return typed
