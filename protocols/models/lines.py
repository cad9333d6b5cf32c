"""A column for words that are printed on one line, and the field of a form for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.db import models

from ..exchange.lines import line_written

if TYPE_CHECKING:
    OfCharacters = models.CharField[str, str]
else:
    OfCharacters = models.CharField  # generic for the type checker alone


class LineInput(forms.CharField):
    """A line that is typed: what can't be seen is left out before anything is asked of it."""

    def to_python(self, value: Any) -> Any:
        """The line as it is stored."""
        return line_written(str(value)) if value not in self.empty_values else self.empty_value


class LineField(OfCharacters):
    """A line that is printed: however it comes, it is stored without what can't be seen."""

    def to_python(self, value: Any) -> Any:
        """The line as it is stored; forms, checks, saving and looking up all come through here."""
        text = super().to_python(value)
        return line_written(text) if isinstance(text, str) else text

    def formfield(self, **kwargs: Any) -> Any:
        """A field that reads a line."""
        return super().formfield(**{"form_class": LineInput, **kwargs})

    def deconstruct(self) -> Any:
        """To the database it is a column of characters."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs
