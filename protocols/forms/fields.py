"""Fields that read what a judge types: seats, moments, points with a comma or a point."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from ..rules.points import thousandths
from ..rules.terms import Moment, Phase


class MomentField(forms.CharField):
    """A moment as the board writes it, «day.phase.ballot.step»: 2.31.0.1 is the first candidate of day 2."""

    default_error_messages = {"invalid": _("This is no moment of a game: %(value)s")}

    def to_python(self, value: Any) -> Moment | None:  # type: ignore[override]
        """The moment, None where the field is empty."""
        text = super().to_python(value)
        if not text:
            return None
        try:
            day, phase, ballot, step = (int(part) for part in text.split("."))
            moment = Moment(day, Phase(phase), ballot, step)
        except ValueError:
            moment = None
        if moment is None or not (0 <= day <= 99 and 0 <= ballot <= 99 and 0 <= step <= 99):
            raise ValidationError(self.error_messages["invalid"], code="invalid", params={"value": text[:20]})
        return moment


def moment_text(moment: Moment) -> str:
    """The moment as a form carries it.

    >>> moment_text(Moment(2, Phase.BALLOT, 0, 1))
    '2.31.0.1'
    """
    return f"{moment.day}.{int(moment.phase)}.{moment.ballot}.{moment.step}"


class SeatField(forms.IntegerField):
    """A seat from 1 to 10."""

    default_error_messages = {
        "invalid": _("“%(value)s” is no seat; seats are 1 to 10."),
        "min_value": _("There is no such seat; seats are 1 to 10."),
        "max_value": _("There is no such seat; seats are 1 to 10."),
    }

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=1, max_value=10, **options)

    def to_python(self, value: Any) -> int | None:
        """The number, with what was typed in the error."""
        try:
            return super().to_python(value)
        except ValidationError as error:
            raise ValidationError(
                self.error_messages["invalid"], code="invalid", params={"value": str(value)[:20]}
            ) from error


class SeatsField(forms.CharField):
    """Several numbers, however they are separated: «5 9 2», «5, 9, 2», or one value each."""

    widget = forms.MultipleHiddenInput
    default_error_messages = {"invalid": _("“%(value)s”: numbers from 0 to 10 are expected.")}

    def to_python(self, value: Any) -> tuple[int, ...] | None:  # type: ignore[override]
        """The numbers in the order written; None where nothing is."""
        text = " ".join(value) if isinstance(value, list | tuple) else (value or "")
        text = text.strip()
        if not text:
            return None
        if re.search(r"[^\d\s.,;:/–—-]", text):
            raise ValidationError(self.error_messages["invalid"], code="invalid", params={"value": text[:40]})
        numbers = tuple(int(part) for part in re.findall(r"\d{1,3}", text))
        if any(number > 10 for number in numbers):
            raise ValidationError(self.error_messages["invalid"], code="invalid", params={"value": text[:40]})
        return numbers

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Whether other numbers stand there, not other separators."""
        return bool(self.to_python(initial) != self.to_python(data))

    def validate(self, value: Any) -> None:
        """Only that there is something where something is required."""
        if self.required and value is None:
            raise ValidationError(self.error_messages["required"], code="required")

    def run_validators(self, value: Any) -> None:
        """Numbers have none."""


class PointsField(forms.CharField):
    """Points, exact to a thousandth, as integer thousandths: «0,5», «0.5» and «½» are 500, «−1» is −1000."""

    default_error_messages = {"invalid": _("“%(value)s” is no number of points; write it like 0,5.")}

    def to_python(self, value: Any) -> int | None:  # type: ignore[override]
        """Thousandths; None where nothing is written."""
        text = super().to_python(value)
        plain = (text or "").strip().replace("½", "0.5").replace(",", ".").replace("−", "-").replace("–", "-")
        if not plain:
            return None
        try:
            if not re.fullmatch(r"[+-]?(\d{1,3}(\.\d{0,6})?|\.\d{1,6})", plain):
                raise ValueError(plain)
            return thousandths(Decimal(plain))
        except ValueError as error:
            raise ValidationError(
                self.error_messages["invalid"], code="invalid", params={"value": (text or "")[:20]}
            ) from error

    def validate(self, value: Any) -> None:
        """Only that there is something where something is required."""
        if self.required and value is None:
            raise ValidationError(self.error_messages["required"], code="required")

    def run_validators(self, value: Any) -> None:
        """Thousandths have none."""
