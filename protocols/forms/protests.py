"""What a player, the judge or the head judge writes of a protest, and the judge of a correction."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from crispy_forms.layout import Column, Row
from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..models import Game
from ..services.ending import typed_time
from ..services.protests import CODE_DIGITS, LONGEST_CLAUSE, LONGEST_TEXT, Words
from ..wording import seat_words
from .tournament import helper_of


class CodeForm(forms.Form):
    """The code that the judge shows at the table."""

    code = forms.CharField(
        label=gettext_lazy("Code of your seat"),
        help_text=gettext_lazy("Eight digits: the judge shows each player their own after the game."),
        max_length=40,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "placeholder": "0" * CODE_DIGITS}),
    )
    helper = helper_of("code")


class ProtestForm(forms.Form):
    """A player's protest: what, by which clause, with links to video."""

    uuid = forms.UUIDField(widget=forms.HiddenInput)
    text = forms.CharField(
        label=gettext_lazy("What do you protest against?"),
        help_text=gettext_lazy("What happened, when in the game, and what should be decided. Everybody can read it."),
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 5}),
    )
    clause = forms.CharField(
        label=gettext_lazy("Clause of the rules"),
        help_text=gettext_lazy("If you know it: A 6.6.1"),
        max_length=LONGEST_CLAUSE,
        required=False,
    )
    links = forms.CharField(
        label=gettext_lazy("Links to video"),
        help_text=gettext_lazy("One a line, beginning with https://"),
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2, "inputmode": "url"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = helper_of("uuid", "text", "clause", "links")

    def words(self) -> Words:
        """What is said."""
        data = self.cleaned_data
        return Words(data["text"], data["clause"], data["links"].splitlines())


class WrittenProtestForm(ProtestForm):
    """The same written down by the judge: of whom, and, from paper, when; a late one with the head judge's reason."""

    seat = forms.TypedChoiceField(label=gettext_lazy("Who protests"), coerce=int, empty_value=None)
    made_at = forms.CharField(
        label=gettext_lazy("When, if it was written on paper before"),
        help_text=gettext_lazy("Like 21:45; empty: now"),
        max_length=20,
        required=False,
    )
    admitted_because = forms.CharField(
        label=gettext_lazy("Why a late one is admitted"),
        help_text=gettext_lazy("Only where the time is up: the reason is kept and shown."),
        max_length=500,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def __init__(self, *args: Any, game: Game, names: Mapping[int, str], heads: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.game = game
        self.fields["seat"].choices = [  # type: ignore[attr-defined]
            ("", _("choose a seat")), *((seat, seat_words(seat, names)) for seat in sorted(names)),
        ]  # fmt: skip
        if not heads:
            del self.fields["admitted_because"]
        last = ["admitted_because"] if heads else []
        self.helper = helper_of("uuid", "seat", "text", Row(Column("clause"), Column("made_at")), "links", *last)

    def clean_made_at(self) -> datetime | None:
        """The moment that was typed."""
        text = self.cleaned_data["made_at"].strip()
        if not text:
            return None
        try:
            return typed_time(text, self.game)
        except ValueError:
            message = _("“%(time)s” is no time; write hours and minutes, like 21:40.")
            raise forms.ValidationError(message % {"time": text}) from None


class CorrectionForm(forms.Form):
    """What the judge asks the head judge to correct in a signed protocol."""

    text = forms.CharField(
        label=gettext_lazy("What is to be corrected"), max_length=LONGEST_TEXT, widget=forms.Textarea(attrs={"rows": 3})
    )
    helper = helper_of("text")
