"""Files that are brought in: of a size that a game has, and nothing else is asked of them before they are read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..exchange.reading import MAX_BYTES
from ..models import Stage
from .tournament import helper_of


class FileForm(forms.Form):
    """One file of bounded size."""

    file = forms.FileField(allow_empty_file=True)
    most = MAX_BYTES
    field_label: Any = gettext_lazy("File")
    accept = ".json,application/json"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"].label = self.field_label
        self.fields["file"].widget.attrs["accept"] = self.accept
        self.helper = helper_of(*self.fields)

    def clean_file(self) -> UploadedFile[Any]:
        """The file, where it is not too large."""
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if (file.size or 0) > self.most:
            raise forms.ValidationError(
                _("The file is larger than %(megabytes)s MB") % {"megabytes": self.most // 1_000_000}
            )
        return file

    def raw(self) -> bytes:
        """The bytes of a valid form's file."""
        data: bytes = self.cleaned_data["file"].read()
        return data

    @property
    def name(self) -> str:
        """What the file is called."""
        return str(self.cleaned_data["file"].name)[:200]


class GameFileForm(FileForm):
    """A game's file, and the stage that it goes to."""

    stage = forms.ChoiceField(label=gettext_lazy("Stage"), required=False)

    def __init__(self, *args: Any, stages: Iterable[Stage], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", _("As the file says")), *((stage.name, stage.name) for stage in stages)]
        self.fields["stage"].choices = choices  # type: ignore[attr-defined]


class UploadForm(GameFileForm):
    """The same, and whether a file that contradicts itself is to be kept as a draft."""

    as_draft = forms.BooleanField(
        label=gettext_lazy("Keep it as a draft if it contradicts itself"),
        required=False,
        help_text=gettext_lazy("A draft is no game and counts nowhere; every contradiction is named on its page."),
    )
