"""What an organizer does with a draft: discards it for a reason, or brings the corrected file."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from .tournament import helper_of


class DiscardForm(forms.Form):
    """Why the draft is put aside; the reason stays with it."""

    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=500, widget=forms.Textarea(attrs={"rows": 3}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = helper_of("reason")
