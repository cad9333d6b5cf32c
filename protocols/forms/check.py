"""The code of a signed sheet, typed from paper."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from protocols.sheet_check import CODE, read_code

from .tournament import helper_of


class CheckForm(forms.Form):
    """The code as somebody reads it off the sheet; `cleaned_data["code"]` is as addresses have it."""

    code = forms.CharField(
        label=gettext_lazy("Code on the sheet"),
        max_length=120,
        help_text=gettext_lazy("Twelve digits and letters A to F; spaces and case don't matter."),
        error_messages={"required": gettext_lazy("Type the code that stands on the sheet.")},
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false", "autofocus": True}
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = helper_of("code")

    def clean_code(self) -> str:
        """The code; one too short is refused, for it might stand for several sheets."""
        code = read_code(self.cleaned_data["code"])
        if code is None:
            raise forms.ValidationError(
                _("This is no code of a sheet: it has %(count)d digits and letters A to F.") % {"count": CODE}
            )
        return code
