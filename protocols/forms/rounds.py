"""What is typed about rounds: when one starts, who judges its tables, where a game goes, why one is cancelled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from crispy_forms.layout import Column, Row
from django import forms
from django.contrib.auth.models import User
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from protocols.models import OPEN, Game
from protocols.services.people import printed_name
from protocols.services.running import MOST_TABLES, Wish

from .tournament import helper_of

WRITTEN = "%Y-%m-%dT%H:%M"  # as browsers send a day and an hour


class StartForm(forms.Form):
    """When a round starts, by the clock of the tournament; empty: it is not said."""

    starts_at = forms.DateTimeField(
        label=gettext_lazy("It starts at"),
        required=False,
        widget=forms.DateTimeInput(format=WRITTEN, attrs={"type": "datetime-local"}),
        input_formats=[WRITTEN],
    )

    def __init__(self, *args: Any, zone: ZoneInfo, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.zone = zone
        self.fields["starts_at"].help_text = _("Time zone of the tournament: %(zone)s") % {"zone": zone.key}
        self.helper = helper_of("starts_at")

    def clean_starts_at(self) -> datetime | None:
        """The moment, in the tournament's time zone whatever the server's."""
        typed: datetime | None = self.cleaned_data["starts_at"]
        if typed is None:
            return None
        return timezone.make_naive(typed).replace(tzinfo=self.zone) if timezone.is_aware(typed) else typed


class JudgesForm(forms.Form):
    """Who judges which table of a round: a field for each game that is not signed."""

    def __init__(self, *args: Any, games: Iterable[Game], judges: Sequence[User], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", _("nobody yet"))] + [(str(user.pk), printed_name(user)) for user in judges]
        for game in games:
            if game.status not in OPEN:
                continue
            own = list(choices)
            if game.judge_id is not None and game.judge_id not in {user.pk for user in judges}:
                own.append((str(game.judge_id), game.judge_name))
            words = {"table": game.table_number}
            self.fields[f"judge-{game.pk}"] = forms.ChoiceField(
                label=_("Judge of table %(table)d") % words,
                choices=own,
                required=False,
                initial=game.judge_id or "",
                widget=forms.Select(attrs={"class": "form-select"}),
            )

    def wishes(self, games: Iterable[Game], sent: QueryDict) -> dict[int, Wish]:
        """What was chosen for each game, by its key; more than one judge for a table is kept, to be refused."""
        found = {}
        for game in games:
            if f"judge-{game.pk}" in sent:
                before = sent.get(f"before-{game.pk}", "")
                chosen = [int(each) for each in sent.getlist(f"judge-{game.pk}") if _is_key(each)]
                found[game.pk] = Wish(chosen, int(before) if _is_key(before) else None)
        return found


class MoveForm(forms.Form):
    """A game of the round, and where it goes."""

    game = forms.TypedChoiceField(label=gettext_lazy("Which game"), coerce=int)
    round = forms.IntegerField(label=gettext_lazy("To round"), min_value=1, max_value=999)
    table = forms.IntegerField(label=gettext_lazy("To table"), min_value=1, max_value=MOST_TABLES)

    def __init__(self, *args: Any, games: Iterable[Game], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["game"].choices = [  # type: ignore[attr-defined]
            (game.pk, _("table %(table)d") % {"table": game.table_number}) for game in games if game.status in OPEN
        ]
        self.helper = helper_of(Row(Column("game"), Column("round"), Column("table")))


class CancelForm(forms.Form):
    """Why something is cancelled; the reason is shown to everybody and kept."""

    reason = forms.CharField(label=gettext_lazy("Reason, which everybody reads"), max_length=200)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = helper_of("reason")


def _is_key(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19
