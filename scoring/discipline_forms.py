"""What the head judge says of a penalty outside a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from protocols.forms.tournament import PointField, helper_of
from protocols.models import Player
from protocols.models.lines import LineInput

from .discipline_models import PenaltyKind
from .penalty_models import CLAUSE_LENGTH, REASON_LENGTH
from .wording import short_figure


class PlayerPenaltyForm(forms.Form):
    """Whom, what for, and how many points."""

    player = forms.TypedChoiceField(label=gettext_lazy("Player"), coerce=int)
    kind = forms.ChoiceField(label=gettext_lazy("What it is"), choices=PenaltyKind.choices)
    points = PointField(label=gettext_lazy("Points taken off"), max_digits=9, decimal_places=3, required=False)
    clause = LineInput(label=gettext_lazy("Clause of the regulation"), max_length=CLAUSE_LENGTH, required=False)
    reason = forms.CharField(
        label=gettext_lazy("What for"), max_length=REASON_LENGTH, widget=forms.Textarea(attrs={"rows": 2})
    )
    helper = helper_of("player", "kind", "points", "clause", "reason")

    def __init__(self, data: Any = None, *, players: Sequence[Player], card: int) -> None:
        super().__init__(data)
        choices = [("", _("Choose a player")), *((str(player.pk), player.nickname) for player in players)]
        self.fields["player"].choices = choices  # type: ignore[attr-defined]
        self.fields["points"].help_text = _(
            "Left empty, a yellow card takes off what the regulation says of a warning: %(points)s. "
            "0 takes nothing off."
        ) % {"points": short_figure(card, 1000)}
