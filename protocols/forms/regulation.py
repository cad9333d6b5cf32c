"""The form of a regulation, which reads like a rulebook: chapters of questions, each with its clause."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..models.regulations import NAME_LENGTH
from ..regulation_text import cited, component_names, tie_key_names
from ..rules.regulation import KNOWN_TIE_KEYS, PRESETS, Base, Reckoning, Regulation
from ..rules.regulation_sense import flaws_of
from ..wording import points_words
from ..wording.regulations import flaw_words
from .regulation_questions import CHAPTERS, SCALES, Kind, Question
from .tournament import PointField, helper_of

HITS = (3, 2, 1)
TIE_FIELDS = tuple(f"tie_{number}" for number in range(1, len(KNOWN_TIE_KEYS) + 1))


NEEDED = {
    "extra_by": ("extra_amounts",),
    "has_marks": ("speech_step", "speech_most"),
    "has_compensation": ("compensation",),
}  # what must be filled in where a switch is on


class AmountsField(forms.CharField):
    """Amounts of points in one line: «0,25; 0,5; 0,75»."""

    def to_python(self, value: Any) -> tuple[Decimal, ...]:  # type: ignore[override]
        """The amounts in the order typed."""
        text = super().to_python(value) or ""
        parts = [part.strip().replace(",", ".").replace("−", "-") for part in re.split(r"[;\s]+", text) if part.strip()]
        try:
            found = tuple(Decimal(part) for part in parts)
        except InvalidOperation:
            found = None
        if found is None or not all(amount.is_finite() for amount in found):
            raise ValidationError(_("Amounts are numbers with a semicolon between them: 0,5; 1"))
        return found

    def prepare_value(self, value: Any) -> Any:
        """The amounts as people here write them."""
        return "; ".join(points_words(amount) for amount in value) if isinstance(value, tuple) else value


def _points(**options: Any) -> forms.Field:
    return PointField(max_digits=8, decimal_places=3, **options)


def _number(**options: Any) -> forms.Field:
    return forms.IntegerField(min_value=0, max_value=100_000, **options)


MAKERS: Mapping[Kind, Callable[..., forms.Field]] = {
    "switch": lambda **options: forms.BooleanField(**options | {"required": False}),
    "number": _number,
    "number?": lambda **options: _number(**options | {"required": False}),
    "points": _points,
    "points?": lambda **options: _points(**options | {"required": False}),
    "amounts": lambda **options: AmountsField(max_length=120, **options | {"required": False}),
}


@dataclass(frozen=True)
class Item:
    """A question as the page draws it: its fields, its clause, what the preset answers where this is another answer."""

    fields: tuple[forms.BoundField, ...]
    clause: str
    changed: bool
    is_many: bool = False
    legend: str = ""


class RegulationForm(forms.Form):
    """Every switch and number of a regulation that begins with `start`; errors stand at what makes no sense."""

    name = forms.CharField(label=gettext_lazy("Name of the regulation"), max_length=NAME_LENGTH)

    def __init__(self, *args: Any, start: Regulation, **kwargs: Any) -> None:
        kwargs["initial"] = {**initial_of(start), **kwargs.get("initial", {})}
        super().__init__(*args, **kwargs)
        self.start, self.preset = start, PRESETS[start.code]
        for _title, questions in CHAPTERS:
            for question in questions:
                self._add(question)
        self.helper = helper_of(*self.fields)

    def _add(self, question: Question) -> None:
        name, label = question.name, question.label
        if question.kind == "scale":
            for hits in HITS:
                words = _("for %(hits)d named") % {"hits": hits}
                self.fields[f"{name}_{hits}"] = _points(label=words, required=False)
        elif question.kind == "ties":
            choices = [("", "—"), *tie_key_names(self.start).items()]
            for number, field in enumerate(TIE_FIELDS, start=1):
                words = _("Key %(number)d") % {"number": number}
                self.fields[field] = forms.ChoiceField(label=words, choices=choices, required=False)
        elif question.kind == "parts":
            self.fields[name] = forms.MultipleChoiceField(
                label=label,
                choices=list(component_names().items()),
                required=False,
                widget=forms.CheckboxSelectMultiple,
            )
        elif question.kind == "choice":
            self.fields[name] = forms.ChoiceField(label=label, choices=question.choices, widget=forms.RadioSelect)
        else:
            self.fields[name] = MAKERS[question.kind](label=label, help_text=question.help)

    # ------------------------------------------------------------ reading

    def clean(self) -> dict[str, Any]:
        """What is typed as a regulation; whatever makes no sense in it is said where it stands."""
        data = super().clean() or {}
        for switch, needed in NEEDED.items():
            asked = data.get(switch) == "list" if switch == "extra_by" else data.get(switch)
            for name in needed if asked else ():
                if name not in self.errors and not data.get(name):
                    self.add_error(name, _("Fill this in, or choose otherwise above."))
        if not self.errors:
            for flaw in flaws_of(self.regulation()):
                self.add_error(self._field_of(flaw.name), flaw_words(flaw))
        return data

    def _field_of(self, name: str) -> str | None:
        first = {"tie_keys": TIE_FIELDS[0], "extra_amounts": "extra_amounts", **{each: f"{each}_3" for each in SCALES}}
        found = first.get(name, name)
        return found if found in self.fields else None

    def regulation(self) -> Regulation:
        """The regulation that was typed."""
        data = self.cleaned_data
        return replace(self.start, **dict(_values(data, self.start)))

    # ------------------------------------------------------------ drawing

    def chapters(self) -> Iterator[tuple[str, list[Item]]]:
        """The chapters with their questions."""
        for title, questions in CHAPTERS:
            yield str(title), [self._item(question) for question in questions]

    def _item(self, question: Question) -> Item:
        names: Iterable[str] = (question.name,)
        if question.kind == "scale":
            names = [f"{question.name}_{hits}" for hits in HITS]
        elif question.kind == "ties":
            names = TIE_FIELDS
        changed = any(getattr(self.start, each) != getattr(self.preset, each) for each in question.answers)
        many = question.kind in ("scale", "ties")
        return Item(
            fields=tuple(self[name] for name in names),
            clause=cited(self.start, question.rule),
            changed=changed,
            is_many=many,
            legend=str(question.label) if many else "",
        )


def initial_of(rules: Regulation) -> dict[str, Any]:
    """What the fields hold at first."""
    found: dict[str, Any] = {}
    for _title, questions in CHAPTERS:
        for question in questions:
            name = question.name
            if question.kind == "scale":
                scale = dict(getattr(rules, name))
                found |= {f"{name}_{hits}": scale.get(hits) for hits in HITS}
            elif question.kind == "ties":
                found |= dict(zip(TIE_FIELDS, rules.tie_keys, strict=False))
            elif question.kind == "parts":
                found[name] = sorted(getattr(rules, name))
            elif hasattr(rules, name):
                found[name] = getattr(rules, name)
    return found | {
        "extra_by": "list" if rules.extra_amounts else "range",
        "has_marks": rules.speech_step is not None,
        "has_compensation": rules.compensation is not None,
    }


def _values(data: Mapping[str, Any], start: Regulation) -> Iterator[tuple[str, Any]]:
    """The numbers of the regulation by name, from the fields."""
    for _title, questions in CHAPTERS:
        for question in questions:
            name, kind = question.name, question.kind
            if kind == "scale":
                given = ((hits, data[f"{name}_{hits}"]) for hits in HITS)
                yield name, tuple((hits, points) for hits, points in given if points)
            elif kind == "ties":
                yield name, tuple(data[field] for field in TIE_FIELDS if data[field])
            elif kind == "parts":
                yield name, frozenset(data[name])
            elif kind == "choice" and hasattr(start, name):
                yield name, type(getattr(start, name))(data[name])
            elif name in ("extra_by", "has_marks", "has_compensation"):
                continue
            else:
                yield name, data[name]
    if data["extra_by"] == "range":
        yield "extra_amounts", ()
    if not data["has_marks"]:
        yield "speech_step", None
        yield "speech_most", Decimal(0)
    if not data["has_compensation"]:
        yield "compensation", None
    if data["reckoning"] != Reckoning.BEST:
        yield "best_games", None


__all__ = ["Base", "Item", "RegulationForm", "initial_of"]
