"""A list of players as an organizer gives it: pasted, or as a file."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from protocols.exchange.roster import LONGEST_TEXT, Divider
from protocols.exchange.roster_files import MAX_BYTES
from protocols.forms.tournament import helper_of


class RosterForm(forms.Form):
    """Pasted lines or a file, and what divides the cells."""

    text = forms.CharField(
        label=gettext_lazy("Players, one a line"),
        max_length=LONGEST_TEXT,
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "placeholder": ""}),
        help_text=gettext_lazy(
            "A nickname a line is enough. With more columns: nickname, name, city, team, in this order or under "
            "headings in any order; copied from a spreadsheet, or with semicolons or commas between them."
        ),
    )
    file = forms.FileField(
        label=gettext_lazy("Or a file"),
        required=False,
        allow_empty_file=True,
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,.tsv,.txt,.xlsx"}),
        help_text=gettext_lazy("CSV or Excel (.xlsx), up to 1000 lines. Nothing is written before you have seen it."),
    )
    divider = forms.ChoiceField(
        label=gettext_lazy("Between the columns stands"),
        required=False,
        choices=[
            ("", gettext_lazy("what the list shows by itself")),
            ("tab", gettext_lazy("a tab")),
            ("semicolon", gettext_lazy("a semicolon")),
            ("comma", gettext_lazy("a comma")),
            ("none", gettext_lazy("nothing: a line is a nickname")),
        ],
    )
    helper = helper_of("text", "file", "divider")

    def clean_file(self) -> UploadedFile[Any] | None:
        """The file, where it is not too large."""
        file: UploadedFile[Any] | None = self.cleaned_data["file"]
        if file and (file.size or 0) > MAX_BYTES:
            words = _("The file is larger than %(megabytes)s MB")
            raise forms.ValidationError(words % {"megabytes": MAX_BYTES // 1_000_000})
        return file

    def clean(self) -> dict[str, Any]:
        """One of the two is there."""
        data = super().clean() or {}
        if not self.errors and not data.get("file") and not data.get("text", "").strip():
            self.add_error("text", _("Paste the players here, or choose a file."))
        return data

    @property
    def chosen(self) -> Divider | None:
        """What divides the cells; None: what the list shows."""
        name = self.cleaned_data["divider"]
        return Divider[name.upper()] if name else None
