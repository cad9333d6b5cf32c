"""How a stage is seated from its cut."""

from __future__ import annotations

from typing import Any

from crispy_forms.layout import Column, Row
from django import forms
from django.utils.translation import gettext_lazy

from protocols.forms.tournament import helper_of
from protocols.models import SeatingKind
from protocols.services.seating_runs import MOST_GAMES, MOST_SEED


class SeatsForm(forms.Form):
    """By lot or by place, how many games, and the seed that repeats a lot."""

    KINDS = (
        (SeatingKind.LOT, gettext_lazy("by lot: the site draws who sits where in the first game")),
        (SeatingKind.PLACE, gettext_lazy("by place: whoever came in first has seat 1 in the first game")),
    )
    SEARCH = (SeatingKind.SEARCH, gettext_lazy("by search: people change tables from round to round"))

    kind = forms.ChoiceField(label=gettext_lazy("Seats"), widget=forms.RadioSelect, initial=SeatingKind.LOT)
    games = forms.IntegerField(label=gettext_lazy("Games of each player"), min_value=1, max_value=MOST_GAMES, initial=5)
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        min_value=0,
        max_value=MOST_SEED,
        required=False,
        help_text=gettext_lazy("Left empty, it is drawn. Whoever knows it can repeat the lot."),
    )
    instead = forms.BooleanField(label=gettext_lazy("I have seen who comes in instead of whom"), required=False)

    def __init__(self, *args: Any, has_tables: bool, has_instead: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["kind"].choices = [*self.KINDS, *([self.SEARCH] if has_tables else [])]  # type: ignore[attr-defined]
        if not has_instead:
            del self.fields["instead"]
        rows: list[Any] = ["kind", Row(Column("games"), Column("seed"))]
        self.helper = helper_of(*rows, *(["instead"] if has_instead else []))
