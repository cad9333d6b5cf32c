"""What the head judge or the appeals commission writes on a protest."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from crispy_forms.layout import Column, Row
from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from protocols.forms.fields import PointsField
from protocols.forms.tournament import helper_of
from protocols.models import DecisionKind
from protocols.models.entries import canonical_json, sha256
from protocols.rules.points import best_move_victim, thousandths
from protocols.rules.state import GameState
from protocols.rules.terms import SEATS, Result
from protocols.services.decisions import LONGEST_REASONS, Points, Ruling, penalties_of, points_now
from protocols.services.protests import LONGEST_CLAUSE
from protocols.wording import points_words, result_words, seat_words

WINNERS = (Result.RED, Result.BLACK, Result.DRAW)


class VoteForm(forms.Form):
    """What a member of the commission would decide."""

    kind = forms.ChoiceField(
        label=gettext_lazy("You would decide"), choices=DecisionKind.choices, widget=forms.RadioSelect
    )
    text = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=LONGEST_REASONS,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    prefix = "vote"
    helper = helper_of("kind", "text")


class DecisionForm(forms.Form):
    """The decision: its kind, its clause and reasons; the result it sets, or the points of seats."""

    revision = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    kind = forms.ChoiceField(label=gettext_lazy("The decision"), choices=DecisionKind.choices, widget=forms.RadioSelect)
    result = forms.ChoiceField(
        label=gettext_lazy("The result becomes"),
        help_text=gettext_lazy("Only where the result is changed."),
        required=False,
    )
    clause = forms.CharField(
        label=gettext_lazy("Clause that it follows from"),
        help_text=gettext_lazy("Like A 6.6.1"),
        max_length=LONGEST_CLAUSE,
    )
    reasons = forms.CharField(
        label=gettext_lazy("Reasons"), max_length=LONGEST_REASONS, widget=forms.Textarea(attrs={"rows": 5})
    )

    def __init__(self, *args: Any, state: GameState, names: Mapping[int, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.state, self.names = state, names
        draws = state.regulation.has_draw
        self.fields["result"].choices = [  # type: ignore[attr-defined]
            ("", "—"), *((r.value, result_words(r.value)) for r in WINNERS if r != Result.DRAW or draws),
        ]  # fmt: skip
        self.components = ["extra", *(["speech"] if state.regulation.has_marks else [])]
        for component in self.components:
            now = points_now(state, component)
            for seat in SEATS:
                self.fields[f"{component}_{seat}"] = PointsField(
                    required=False, label=seat_words(seat, names), initial=_plain(now[seat]), widget=_cell()
                )
        self.punished = [seat for seat in SEATS if penalties_of(state, seat)]
        for seat in self.punished:
            self.fields[f"penalty_{seat}"] = forms.BooleanField(required=False, label=seat_words(seat, names))
        self.victim = None if state.results_only else best_move_victim(state)
        if self.victim is not None:
            named = state.best_move.seats if state.best_move else ()
            self.fields["best_move"] = forms.CharField(
                required=False,
                max_length=20,
                label=seat_words(self.victim, names),
                initial=" ".join(map(str, named)),
                widget=_cell(),
            )
        self.helper = helper_of("revision", "kind", "result", Row(Column("clause")), "reasons")

    def clean_best_move(self) -> tuple[int, ...]:
        """The seats named, in the order typed."""
        found = re.findall(r"\d+", self.cleaned_data["best_move"])
        if any(len(number) > 2 for number in found):
            raise forms.ValidationError(_("Name three seats, like 1 3 8."))
        return tuple(map(int, found))

    def point_fields(self) -> Iterator[tuple[str, list[tuple[str, forms.BoundField]]]]:
        """Each component with its ten fields, for the page."""
        titles = {"extra": _("Extra points"), "speech": _("Marks for speeches")}
        for component in self.components:
            yield titles[component], [(seat_words(s, self.names), self[f"{component}_{s}"]) for s in SEATS]
        if self.punished:
            titled = [(seat_words(s, self.names), self[f"penalty_{s}"]) for s in self.punished]
            yield _("Penalty lifted: the removal or warning is struck out"), titled
        if self.victim is not None:
            yield _("Best move: three seats, like 1 3 8"), [(seat_words(self.victim, self.names), self["best_move"])]

    def ruling(self) -> Ruling:
        """What is decided."""
        data = self.cleaned_data
        kind = DecisionKind(data["kind"])
        points = tuple(self._points()) if kind == DecisionKind.POINTS_CHANGED else ()
        result = data["result"] if kind == DecisionKind.RESULT_CHANGED else ""
        return Ruling(kind, data["clause"], data["reasons"], result, points)

    def _points(self) -> Iterator[Points]:
        """The points that were typed otherwise than they are."""
        for component in self.components:
            now = points_now(self.state, component)
            for seat in SEATS:
                typed = self.cleaned_data[f"{component}_{seat}"] or 0
                if typed != thousandths(now[seat]):
                    yield Points(seat, component, typed)
        yield from (Points(seat, "penalty", 0) for seat in self.punished if self.cleaned_data[f"penalty_{seat}"])
        if self.victim is not None:
            named = self.state.best_move.seats if self.state.best_move else ()
            seats = self.cleaned_data["best_move"]
            if sorted(seats) != sorted(named):
                yield Points(self.victim, "best_move", 0, seats)


def fingerprint(ruling: Ruling, revision: int) -> str:
    """What the effect that was shown belongs to: a decision is given only after its effect was seen."""
    points = [[each.seat, each.component, each.thousandths, list(each.seats)] for each in ruling.points]
    return sha256(canonical_json([str(ruling.kind), ruling.result, points, revision]))[:16]


def _cell() -> forms.TextInput:
    return forms.TextInput(attrs={"class": "form-control", "autocomplete": "off"})


def _plain(points: Decimal) -> str:
    return points_words(points).replace("−", "-") if points else ""
