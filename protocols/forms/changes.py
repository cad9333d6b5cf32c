"""What is typed when somebody plays no more: who, from which game on, who plays instead, and why."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from crispy_forms.layout import Column, Row
from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from protocols.models import NICKNAME_LENGTH, Game, Player
from protocols.services.replacing import LONGEST_REASON

from .tournament import helper_of


class ReplaceForm(forms.Form):
    """Who plays no more from a game on, and who plays instead; nobody named: the seats stay free."""

    gone = forms.TypedChoiceField(label=gettext_lazy("Who plays no more"), coerce=int)
    since = forms.TypedChoiceField(label=gettext_lazy("From which game on"), coerce=int)
    came = forms.CharField(
        label=gettext_lazy("Who plays instead"), max_length=NICKNAME_LENGTH, help_text=gettext_lazy("The nickname.")
    )
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=LONGEST_REASON)

    def __init__(self, *args: Any, players: Iterable[Player], games: Iterable[Game], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["gone"].choices = [  # type: ignore[attr-defined]
            ("", "—"), *((player.pk, player.nickname) for player in players)
        ]  # fmt: skip
        known: dict[tuple[int, int], Game] = {}
        for game in games:
            known.setdefault((game.stage_id, game.number), game)
        self.fields["since"].choices = [  # type: ignore[attr-defined]
            (game.pk, _("%(stage)s, game %(number)d") % {"stage": game.stage.name, "number": game.number})
            for game in known.values()
        ]
        self.helper = helper_of(Row(Column("gone"), Column("came")), Row(Column("since"), Column("reason")))
