"""What the organizer says of a cut."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy

from protocols.forms.tournament import helper_of

from .cut_models import MOST_PLACES


class SizeForm(forms.Form):
    """How many come in; empty: the stage has no cut."""

    size = forms.IntegerField(
        label=gettext_lazy("How many come in"),
        help_text=gettext_lazy("Left empty, the stage has no cut."),
        min_value=1,
        max_value=MOST_PLACES,
        required=False,
    )
    helper = helper_of("size")


class TakeForm(forms.Form):
    """That the organizer has seen what is open before the cut."""

    confirmed = forms.BooleanField(
        label=gettext_lazy("I have seen it and take the cut by the results as they are now"), required=False
    )
    helper = helper_of("confirmed")


class WithdrawForm(forms.Form):
    """Why a cut is taken back."""

    reason = forms.CharField(
        label=gettext_lazy("Why it is taken back"), max_length=500, widget=forms.Textarea(attrs={"rows": 2})
    )
    helper = helper_of("reason")
