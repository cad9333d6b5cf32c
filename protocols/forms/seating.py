"""What an organizer types about participants and seatings."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from crispy_forms.layout import Column, Row
from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy

from protocols.models import Participant
from protocols.services.seating_runs import MOST_GAMES, MOST_SECONDS, MOST_SEED

from .tournament import helper_of


class RegisterForm(forms.Form):
    """Nicknames of those who take part, one a line."""

    nicknames = forms.CharField(
        label=gettext_lazy("Nicknames, one a line"), max_length=20_000, widget=forms.Textarea(attrs={"rows": 6})
    )
    confirm_new = forms.BooleanField(label=gettext_lazy("Nicknames that nobody has are new players"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = helper_of("nicknames", "confirm_new")


class SeatingForm(forms.Form):
    """Who plays, how many games, at how many tables, and how long to search."""

    games = forms.IntegerField(label=gettext_lazy("Games of each player"), min_value=1, max_value=MOST_GAMES)
    tables = forms.IntegerField(label=gettext_lazy("Tables at once"), min_value=1, max_value=40)
    seconds = forms.IntegerField(label=gettext_lazy("Seconds"), min_value=1, max_value=MOST_SECONDS, initial=10)
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        min_value=0,
        max_value=MOST_SEED,
        required=False,
        help_text=gettext_lazy("The same seed repeats a seating; left empty, it is drawn."),
    )
    mates = forms.IntegerField(
        label=gettext_lazy("Team-mates meet at most"),
        min_value=0,
        max_value=99,
        required=False,
        help_text=gettext_lazy("0: never; left empty, as often as others."),
    )
    players = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Who plays"), coerce=int, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, *args: Any, participants: Sequence[Participant], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(each.pk, _name(each)) for each in participants]
        self.fields["players"].choices = choices  # type: ignore[attr-defined]
        self.helper = helper_of(
            Row(Column("games"), Column("tables")), Row(Column("mates"), Column("seconds"), Column("seed")), "players"
        )


def _name(participant: Participant) -> str:
    number = f"{participant.number}. " if participant.number else ""
    return f"{number}{participant.player.nickname}" + (f" · {participant.team}" if participant.team else "")


class UseForm(forms.Form):
    """From which round a seating is used, when the first one starts, and how far apart they are."""

    first_round = forms.IntegerField(label=gettext_lazy("First round"), min_value=1, max_value=999)
    starts_at = forms.DateTimeField(
        label=gettext_lazy("It starts at"),
        required=False,
        widget=forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"}),
        input_formats=["%Y-%m-%dT%H:%M"],
    )
    minutes = forms.IntegerField(
        label=gettext_lazy("Minutes from round to round"), min_value=1, max_value=1440, initial=60
    )
    confirmed = forms.BooleanField(label=gettext_lazy("I know of the games that are not signed"), required=False)

    def __init__(self, *args: Any, zone: ZoneInfo, is_warned: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.zone = zone
        self.fields["starts_at"].help_text = zone.key
        if not is_warned:
            del self.fields["confirmed"]
        fields = [Row(Column("first_round"), Column("starts_at"), Column("minutes"))]
        self.helper = helper_of(*fields, *(["confirmed"] if is_warned else []))

    def clean_starts_at(self) -> datetime | None:
        """The moment, in the tournament's time zone whatever the server's."""
        typed: datetime | None = self.cleaned_data["starts_at"]
        if typed is None:
            return None
        return timezone.make_naive(typed).replace(tzinfo=self.zone) if timezone.is_aware(typed) else typed
