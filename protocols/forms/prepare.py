"""What a judge fills in before the game: the header, ten nicknames and, if she likes, the roles (A 9.2–9.4)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Column, Layout, Row
from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from protocols.models import NICKNAME_LENGTH, nickname_key, nickname_written
from protocols.models.lines import LineInput
from protocols.rules.terms import ROLE_COUNTS, SEATS, Role
from protocols.wording import seats_words

ROLE_CHOICES = [(role.value, role.letter) for role in (Role.RED, Role.BLACK, Role.SHERIFF, Role.DON)]
ROLE_HEADS = {
    Role.RED: gettext_lazy("Red players (К)"),
    Role.BLACK: gettext_lazy("Black players (Ч)"),
    Role.SHERIFF: gettext_lazy("The sheriff (Ш)"),
    Role.DON: gettext_lazy("The don (Д)"),
}
# «1. Астра», «1) Астра», «№1 Астра», a row copied out of a table; a nickname may itself begin with a digit.
LIST_NUMBER = re.compile(r"^\s*(?:№\s*)?(?:10|[1-9])\s*(?:[.):\t]|-\s)\s*|^\s*№\s*(?:10|[1-9])\s+")


@dataclass(frozen=True)
class Letter:
    """One of the four letters that can be tapped for a seat."""

    value: str
    letter: str
    chosen: bool


@dataclass(frozen=True)
class SeatRow:
    """One of the ten rows as the page draws it."""

    seat: int
    nickname: forms.BoundField
    letters: tuple[Letter, ...]


def nicknames_in(text: str) -> list[str]:
    """The nicknames of a pasted list, one a line, with or without numbers.

    >>> nicknames_in("1. Астра\\n2) 7 из 10\\n\\n№3 Ёлка")
    ['Астра', '7 из 10', 'Ёлка']
    """
    lines = (nickname_written(LIST_NUMBER.sub("", line)) for line in text.splitlines())
    return [line for line in lines if line]


class PrepareForm(forms.Form):
    """The header of the protocol, and the ten seats with their nicknames and roles.

    A seat may stay empty until its player comes. A pasted list fills the seats from the first on. Roles may stay
    unknown; the four that are not red are enough, the other six are red then.
    """

    stage = forms.TypedChoiceField(label=gettext_lazy("Stage"), coerce=int)
    number = forms.IntegerField(label=gettext_lazy("Game no."), min_value=1, max_value=9999)
    table_number = forms.IntegerField(label=gettext_lazy("Table no."), min_value=1, max_value=999)
    played_on = forms.DateField(
        label=gettext_lazy("Date"), widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    )
    judge_name = LineInput(label=gettext_lazy("Judge’s surname"), max_length=80)
    pasted = forms.CharField(
        label=gettext_lazy("Nicknames, one a line, from seat 1 on"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 10, "class": "form-control"}),
    )

    def __init__(self, *args: Any, stages: Iterable[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        stage = self.fields["stage"]
        assert isinstance(stage, forms.TypedChoiceField)
        stage.choices = list(stages)
        for seat in SEATS:
            self.fields[f"nickname_{seat}"] = forms.CharField(
                required=False,
                max_length=NICKNAME_LENGTH,
                label=_("Nickname at seat %(seat)d") % {"seat": seat},
                widget=forms.TextInput(
                    attrs={
                        "class": "form-control seat-field__input",
                        "autocomplete": "off",
                        "autocapitalize": "words",
                        "spellcheck": "false",
                        "enterkeyhint": "next",
                        "list": "known-players",
                    }
                ),
            )
            self.fields[f"role_{seat}"] = forms.ChoiceField(
                required=False, choices=ROLE_CHOICES, label=_("Role at seat %(seat)d") % {"seat": seat}
            )
        self.helper = FormHelper()
        self.helper.form_tag = False
        self.helper.disable_csrf = True
        self.helper.layout = Layout(
            Row(Column("stage"), Column("played_on")),
            Row(Column("number"), Column("table_number")),
            "judge_name",
        )

    @property
    def seats(self) -> list[SeatRow]:
        """The ten rows in order."""
        return [SeatRow(seat, self[f"nickname_{seat}"], self._letters(seat)) for seat in SEATS]

    def _letters(self, seat: int) -> tuple[Letter, ...]:
        chosen = self[f"role_{seat}"].value()
        return tuple(Letter(value, letter, value == chosen) for value, letter in ROLE_CHOICES)

    @property
    def role_errors(self) -> list[str]:
        """What is wrong with the roles as a whole."""
        return [str(error) for error in self.errors.get("roles", [])]

    def clean(self) -> dict[str, Any]:
        """Adds `nicknames`, seat → nickname, without empty seats; and `roles`, ten in seat order or None."""
        data = super().clean() or {}
        data["nicknames"] = self._clean_nicknames(data)
        data["roles"] = self._clean_roles(data)
        return data

    def _clean_nicknames(self, data: Mapping[str, Any]) -> dict[int, str]:
        typed = {seat: nickname_written(data.get(f"nickname_{seat}", "")) for seat in SEATS}
        pasted = dict(enumerate(nicknames_in(data.get("pasted", "")), start=1))
        for seat, nickname in pasted.items():
            if seat not in SEATS:
                words = {"seat": seat, "nickname": nickname}
                self.add_error("pasted", _("Seat %(seat)d, %(nickname)s: a table has ten seats.") % words)
            elif len(nickname) > NICKNAME_LENGTH:
                words = {"seat": seat, "most": NICKNAME_LENGTH}
                self.add_error("pasted", _("Seat %(seat)d: the nickname is longer than %(most)d characters.") % words)
        typed |= {seat: nickname for seat, nickname in pasted.items() if seat in SEATS}
        self._refuse_twice(typed, pasted)
        return {seat: nickname for seat, nickname in typed.items() if nickname}

    def _refuse_twice(self, typed: Mapping[int, str], pasted: Mapping[int, str]) -> None:
        seen: dict[str, int] = {}
        for seat, nickname in typed.items():
            first = seen.setdefault(nickname_key(nickname), seat)
            if nickname and first != seat:
                words = {"nickname": nickname, "first": first, "second": seat}
                self.add_error(
                    "pasted" if seat in pasted else f"nickname_{seat}",
                    _("%(nickname)s is on seats %(first)d and %(second)d; a player has one seat.") % words,
                )

    def _clean_roles(self, data: Mapping[str, Any]) -> tuple[Role, ...] | None:
        chosen = {seat: Role(data[f"role_{seat}"]) for seat in SEATS if data.get(f"role_{seat}")}
        if not chosen:
            return None
        counts = Counter(chosen.values())
        if all(counts[role] == ROLE_COUNTS[role] for role in ROLE_COUNTS if role != Role.RED):
            chosen |= {seat: Role.RED for seat in SEATS if seat not in chosen}
            counts = Counter(chosen.values())
        if counts == ROLE_COUNTS:
            return tuple(chosen[seat] for seat in SEATS)
        self.errors["roles"] = self.error_class([
            self._not_as_many(role, [seat for seat in SEATS if chosen.get(seat) == role], data["nicknames"])
            for role in ROLE_COUNTS
            if counts[role] != ROLE_COUNTS[role]
        ])  # fmt: skip
        return None

    def _not_as_many(self, role: Role, seats: list[int], nicknames: Mapping[int, str]) -> str:
        words = {"role": str(ROLE_HEADS[role]), "count": len(seats), "needed": ROLE_COUNTS[role]}
        if len(seats) < ROLE_COUNTS[role]:
            return _("%(role)s: %(count)d chosen, there should be %(needed)d.") % words
        return _("%(role)s: %(count)d chosen, there should be %(needed)d: %(seats)s.") % {
            **words, "seats": seats_words(seats, nicknames),
        }  # fmt: skip
