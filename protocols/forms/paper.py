"""A whole game typed in from a filled form: the rows of the left half, the vote blocks of the right one, the nights."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..rules.regulation import Regulation
from ..rules.terms import ROLE_OF_LETTER, SEATS, Penalty, Result, Team
from ..wording import ballot_words, seat_words
from .fields import SeatField, SeatsField

FIRST_DAYS = 7  # the vote blocks on the front of the form
MOST_DAYS = 15
REVOTES = 3
ON_THE_FORM = 3  # ballots of a block: the vote and two revotes
MISS = 0  # what the field of the shot holds for a miss
WHENS = ("speeches", "vote", "after", "before_shot", "night")


class NumbersField(SeatsField):
    """Numbers as they stand in a row of the form: «5 9 2»."""

    widget = forms.TextInput  # type: ignore[assignment]

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, **options)
        self.widget.attrs |= {"inputmode": "decimal", "autocomplete": "off", "class": "form-control numbers"}

    def prepare_value(self, value: Any) -> Any:
        """What was typed, or numbers with spaces between them."""
        return " ".join(str(number) for number in value) if isinstance(value, tuple) else value


class ShotField(forms.CharField):
    """A seat, or a miss written as a dash, «промах» or 0; empty where no shot was written."""

    def to_python(self, value: Any) -> int | None:  # type: ignore[override]
        """The seat, MISS, or None."""
        text = (super().to_python(value) or "").strip().lower()
        if not text:
            return None
        if re.fullmatch(r"[-–—0]|п(ромах)?|miss", text):
            return MISS
        seat: int | None = SeatField().clean(text)
        return seat

    def run_validators(self, value: Any) -> None:
        """Seats have none."""


class RaiseField(forms.CharField):
    """How many were for raising all; «да» or «нет» where only the outcome is on paper."""

    def to_python(self, value: Any) -> int | bool | None:  # type: ignore[override]
        """The count, whether they were raised, or None where it was not asked."""
        text = (super().to_python(value) or "").strip().lower()
        if not text:
            return None
        if text in ("да", "+", "yes"):
            return True
        if text in ("нет", "-", "–", "—", "no"):
            return False
        if re.fullmatch(r"\d{1,2}", text) and int(text) <= len(SEATS):
            return int(text)
        raise ValidationError(_("Write how many were for it, or «да» or «нет»."))

    def run_validators(self, value: Any) -> None:
        """Counts have none."""


def _input(width: str = "short", **attrs: str) -> forms.TextInput:
    return forms.TextInput({"autocomplete": "off", "class": f"form-control {width}", **attrs})


def _select(choices: list[tuple[str, str]]) -> forms.ChoiceField:
    return forms.ChoiceField(choices=choices, required=False, widget=forms.Select({"class": "form-select"}))


class PaperForm(forms.Form):
    """Everything on the paper; days and nights that were not played stay empty."""

    uuid = forms.UUIDField()
    revision = forms.IntegerField(min_value=0)

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        rules: Regulation,
        names: Mapping[int, str],
        days: int = FIRST_DAYS,
        initial: Any = None,
    ) -> None:
        super().__init__(data, initial=initial)
        self.rules = rules
        self.names = names
        self.days = min(max(days, 1), MOST_DAYS)
        for seat in SEATS:
            self._seat_fields(seat)
        for day in range(1, self.days + 1):
            self._day_fields(day)
        number_of_best = gettext_lazy("Best move")
        self.fields["best_move"] = NumbersField(label=number_of_best)
        results = [Result.RED, Result.BLACK, *([Result.DRAW] if rules.has_draw else [])]
        self.fields["result"] = forms.ChoiceField(
            choices=[("", "")] + [(r.value, r.value) for r in results], required=False, label=gettext_lazy("Result")
        )
        self.fields["clause"] = forms.CharField(
            required=False, max_length=12, label=gettext_lazy("Clause"), widget=_input()
        )
        self.fields["time"] = forms.RegexField(
            r"^([01]?\d|2[0-3])[:.][0-5]\d$",
            required=False,
            label=gettext_lazy("Time of the end"),
            widget=_input(placeholder="21:40"),
        )
        self.fields["defeat_clause"] = _select([("", "—")] + [(c, c) for c in rules.clauses_of(Penalty.TEAM_DEFEAT)])
        self.fields["defeat_clause"].label = gettext_lazy("Team defeat")
        self.fields["defeat_seat"] = SeatField(required=False, label=gettext_lazy("Team defeat"), widget=_input())
        self.fields["defeat_team"] = _select([("", "—"), *((team.value, team.value) for team in Team)])
        self.fields["defeat_day"] = forms.IntegerField(
            required=False, min_value=0, max_value=MOST_DAYS, widget=_input()
        )

    def _seat_fields(self, seat: int) -> None:
        label = seat_words(seat, self.names)
        self.fields[f"role_{seat}"] = forms.CharField(required=False, max_length=1, label=label)
        self.fields[f"fouls_{seat}"] = forms.IntegerField(required=False, min_value=0, max_value=4, label=label)
        self.fields[f"clauses_{seat}"] = forms.CharField(
            required=False, max_length=60, label=label, widget=_input("long")
        )
        clauses = [("", "—"), ("?", "!"), *((c, f"! {c}") for c in self.rules.clauses_of(Penalty.DISQUALIFYING))]
        self.fields[f"out_{seat}"] = _select(clauses)
        self.fields[f"out_day_{seat}"] = forms.IntegerField(
            required=False, min_value=0, max_value=MOST_DAYS, label=label, widget=_input(inputmode="numeric")
        )
        self.fields[f"out_when_{seat}"] = _select(
            [
                ("", "—"),
                ("speeches", _("by day, before the vote")),
                ("vote", _("during the vote")),
                ("after", _("after the vote")),
                ("before_shot", _("at night, before the shot")),
                ("night", _("at night")),
            ]
        )
        self.fields[f"out_{seat}"].label = self.fields[f"out_when_{seat}"].label = label

    def _day_fields(self, day: int) -> None:
        labels = {
            f"nominees_{day}": _("Day %(day)s, nominees"),
            f"tallies_{day}_0": _("Day %(day)s, ballot"),
            **{f"tallies_{day}_{n}": _("Day %(day)s") + f", {ballot_words(n)}" for n in range(1, REVOTES + 1)},
        }
        for name, label in labels.items():
            self.fields[name] = NumbersField(label=label % {"day": day})
        self.fields[f"raise_{day}"] = RaiseField(
            required=False, label=_("Day %(day)s, raise-all question") % {"day": day}, widget=_input()
        )
        night = _("Night %(day)s") % {"day": day}
        self.fields[f"shot_{day}"] = ShotField(required=False, label=f"{night}, {_('shot')}", widget=_input())
        self.fields[f"don_{day}"] = SeatField(required=False, label=f"{night}, {_('the don’s check')}", widget=_input())
        self.fields[f"sheriff_{day}"] = SeatField(
            required=False, label=f"{night}, {_('the sheriff’s check')}", widget=_input()
        )

    def clean(self) -> dict[str, Any]:
        """Letters are roles, clauses are of fouls, whoever is removed left at some time, an end has a winner."""
        data = super().clean() or {}
        self._clean_roles(data)
        for seat in SEATS:
            self._clean_clauses(data, seat)
            removed = data.get(f"out_{seat}") or data.get(f"fouls_{seat}") == 4
            if removed and (data.get(f"out_day_{seat}") is None or not data.get(f"out_when_{seat}")):
                self.add_error(f"out_day_{seat}", _("Removed: write on which day, and when."))
        if data.get("defeat_clause") and data.get("defeat_day") is None:
            self.add_error("defeat_day", _("Team defeat: write on which day."))
        if (data.get("time") or data.get("clause")) and not data.get("result"):
            self.add_error("result", _("The end is written: mark who won, too."))
        return data

    def _clean_roles(self, data: dict[str, Any]) -> None:
        letters = {seat: (data.get(f"role_{seat}") or "").upper() for seat in SEATS}
        data["letters"] = letters
        if not any(letters.values()):
            return
        for seat, letter in letters.items():
            if letter not in ROLE_OF_LETTER:
                self.add_error(f"role_{seat}", _("Write the role: К, Ч, Ш or Д."))

    def _clean_clauses(self, data: dict[str, Any], seat: int) -> None:
        text = data.get(f"clauses_{seat}") or ""
        found = re.findall(r"\d+(?:\.\d+)+", text.replace(",", " "))
        found = [clause if clause.count(".") > 1 else f"6.{clause}" for clause in found]
        allowed = self.rules.clauses_of(Penalty.FOUL)
        wrong = [clause for clause in found if clause not in allowed]
        if wrong:
            self.add_error(
                f"clauses_{seat}", _("There is no such clause of fouls: %(clauses)s.") % {"clauses": ", ".join(wrong)}
            )
        elif len(found) > (data.get(f"fouls_{seat}") or 0):
            self.add_error(f"clauses_{seat}", _("More clauses are written than fouls."))
        data[f"clauses_{seat}"] = tuple(clause for clause in found if clause in allowed)

    # ------------------------------------------------------------ for the page

    @property
    def day_numbers(self) -> range:
        """The days that the page holds, from 1."""
        return range(1, self.days + 1)

    @property
    def seat_rows(self) -> Iterator[dict[str, Any]]:
        """The ten rows of the left half."""
        for seat in SEATS:
            names = ("fouls", "clauses", "out", "out_day", "out_when")
            yield {"seat": seat, "role": self[f"role_{seat}"].value() or "", **{n: self[f"{n}_{seat}"] for n in names},
                   "errors": [e for n in ("role", *names) for e in self[f"{n}_{seat}"].errors]}  # fmt: skip

    @property
    def day_blocks(self) -> Iterator[dict[str, Any]]:
        """The vote blocks, each with its night."""
        for day in self.day_numbers:
            ballots = [(ballot_words(n).capitalize(), self[f"tallies_{day}_{n}"]) for n in range(REVOTES + 1)]
            night = [self[f"shot_{day}"], self[f"don_{day}"], self[f"sheriff_{day}"]]
            yield {
                "day": day,
                "nominees": self[f"nominees_{day}"],
                "ballots": ballots[:ON_THE_FORM],
                "more_ballots": ballots[ON_THE_FORM:],
                "raise": self[f"raise_{day}"],
                "shot": night[0],
                "don": night[1],
                "sheriff": night[2],
                "night_errors": [error for field in night for error in field.errors],
            }

    @property
    def defeat_fields(self) -> list[forms.BoundField]:
        """The fields of a team's defeat."""
        return [self[f"defeat_{name}"] for name in ("clause", "seat", "team", "day")]

    @property
    def error_marks(self) -> list[tuple[str, str, str]]:
        """Every error with the name of its field and the field's label."""
        return [
            (name, str(self.fields[name].label) if name in self.fields else "", str(message))
            for name, messages in self.errors.items()
            for message in messages
        ]

    @property
    def error_lines(self) -> list[tuple[str, str]]:
        """Every error with its field, named."""
        return [(label, message) for _name, label, message in self.error_marks]
