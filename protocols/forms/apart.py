"""Who is kept apart: pairs of players, and judges from players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crispy_forms.layout import Column, Row
from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..models import Player
from ..models.rounds import MOST_MEETINGS
from ..services.people import printed_name
from .tournament import helper_of


class ApartForm(forms.Form):
    """Two players, and how often they may meet."""

    first = forms.TypedChoiceField(label=gettext_lazy("Player"), coerce=int)
    second = forms.TypedChoiceField(label=gettext_lazy("and"), coerce=int)
    most = forms.IntegerField(
        label=gettext_lazy("meet at most"),
        min_value=0,
        max_value=MOST_MEETINGS,
        initial=0,
        help_text=gettext_lazy("times at one table in a seating; 0: never."),
    )

    def __init__(self, *args: Any, players: Sequence[Player], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("first", "second"):
            self.fields[name].choices = choices_of(players)  # type: ignore[attr-defined]
        self.helper = helper_of(Row(Column("first"), Column("second"), Column("most")))


class ConflictForm(forms.Form):
    """A judge, and the player at whose tables they do not judge."""

    judge = forms.TypedChoiceField(label=gettext_lazy("Judge"), coerce=int)
    player = forms.TypedChoiceField(label=gettext_lazy("does not judge at the tables of"), coerce=int)

    def __init__(self, *args: Any, judges: Sequence[User], players: Sequence[Player], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        judging = [("", _("choose")), *((judge.pk, printed_name(judge)) for judge in judges)]
        self.fields["judge"].choices = judging  # type: ignore[attr-defined]
        self.fields["player"].choices = choices_of(players)  # type: ignore[attr-defined]
        self.helper = helper_of(Row(Column("judge"), Column("player")))


def choices_of(players: Sequence[Player]) -> list[tuple[Any, str]]:
    """The players by nickname, nobody first."""
    return [("", _("choose")), *((player.pk, player.nickname) for player in players)]
