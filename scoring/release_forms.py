"""What whoever runs a tournament says of hiding its results."""

from __future__ import annotations

from collections.abc import Iterable

from django import forms
from django.utils.translation import gettext_lazy

from protocols.forms.tournament import helper_of
from protocols.models import Hidden, Stage


class HideForm(forms.Form):
    """What is hidden from the public, and from when on."""

    what = forms.ChoiceField(
        label=gettext_lazy("What the public does not see"),
        choices=[(Hidden.TABLE.value, Hidden.TABLE.label), (Hidden.EXTRA.value, Hidden.EXTRA.label)],
    )
    stage = forms.TypedChoiceField(label=gettext_lazy("Stage"), coerce=int)
    number = forms.IntegerField(
        label=gettext_lazy("From round"),
        help_text=gettext_lazy("Where the games of the stage have no rounds: from that game on."),
        min_value=1,
        max_value=1000,
    )
    helper = helper_of("what", "stage", "number")

    def __init__(self, *args: object, stages: Iterable[Stage] = (), **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.fields["stage"].choices = [(stage.number, stage.name) for stage in stages]  # type: ignore[attr-defined]
