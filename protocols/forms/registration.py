"""What somebody who wants to take part tells, and until when the organizer wants to hear it."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from crispy_forms.layout import Column, Field, Row
from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy

from ..models import NICKNAME_LENGTH
from ..models.lines import LineInput
from ..models.rounds import MOST_PARTICIPANTS
from .tournament import helper_of


class ApplicationForm(forms.Form):
    """A player's application; `site` is left empty by people and filled in by programs."""

    nickname = LineInput(label=gettext_lazy("Nickname"), max_length=NICKNAME_LENGTH)
    name = LineInput(
        label=gettext_lazy("Name"),
        max_length=120,
        help_text=gettext_lazy("For the organizer alone; the nickname is what everybody sees."),
    )
    city = LineInput(label=gettext_lazy("City"), max_length=60, required=False)
    team = LineInput(label=gettext_lazy("Team, if there is one"), max_length=60, required=False)
    consent = forms.BooleanField(
        label=gettext_lazy(
            "I agree that the organizer keeps what I have written here, and that my nickname and results are public"
        )
    )
    site = forms.CharField(
        label=gettext_lazy("Leave this empty"),
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "tabindex": "-1"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["nickname"].widget.attrs["autocomplete"] = "nickname"
        self.fields["name"].widget.attrs["autocomplete"] = "name"
        trap = Field("site", wrapper_class="registration__trap")
        self.helper = helper_of("nickname", "name", Row(Column("city"), Column("team")), "consent", trap)


class RegistrationForm(forms.Form):
    """Until when applications are taken, by the tournament's clock, and for how many places."""

    closes_at = forms.DateTimeField(
        label=gettext_lazy("Open until"),
        widget=forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"}),
        input_formats=["%Y-%m-%dT%H:%M"],
    )
    places = forms.IntegerField(
        label=gettext_lazy("Places"),
        min_value=1,
        max_value=MOST_PARTICIPANTS,
        required=False,
        help_text=gettext_lazy("Left empty: as many as come. Who comes later waits for a free place."),
    )

    def __init__(self, *args: Any, zone: ZoneInfo, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.zone = zone
        self.fields["closes_at"].help_text = zone.key
        self.helper = helper_of(Row(Column("closes_at"), Column("places")))

    def clean_closes_at(self) -> datetime:
        """The moment, in the tournament's time zone whatever the server's."""
        typed: datetime = self.cleaned_data["closes_at"]
        return timezone.make_naive(typed).replace(tzinfo=self.zone) if timezone.is_aware(typed) else typed
