"""What an organizer says of teams."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from protocols.forms.tournament import PointField, helper_of
from protocols.models import Player
from protocols.models.lines import LineInput

from .penalty_models import CLAUSE_LENGTH, REASON_LENGTH
from .team_models import CITY_LENGTH, TEAM_NAME_LENGTH
from .team_paste import LONGEST_PASTE
from .team_selectors import Listed


class TeamForm(forms.Form):
    """A team's name and city."""

    name = LineInput(label=gettext_lazy("Team’s name"), max_length=TEAM_NAME_LENGTH)
    city = LineInput(label=gettext_lazy("City"), max_length=CITY_LENGTH, required=False)
    helper = helper_of("name", "city")


class PasteForm(forms.Form):
    """Teams as lines."""

    text = forms.CharField(
        label=gettext_lazy("Teams, one a line"),
        max_length=LONGEST_PASTE,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false"}),
        help_text=gettext_lazy(
            "Team: nickname, nickname, nickname. “(к)” after a nickname is the captain, “(з)” a replacement. Where a "
            "nickname has a comma in it, put semicolons between the nicknames. A line gives the team’s whole line-up."
        ),
    )
    helper = helper_of("text")


class PenaltyForm(forms.Form):
    """Points taken off a team's sum."""

    points = PointField(label=gettext_lazy("Points taken off"), max_digits=9, decimal_places=3)
    clause = LineInput(label=gettext_lazy("Clause of the regulation"), max_length=CLAUSE_LENGTH, required=False)
    reason = forms.CharField(
        label=gettext_lazy("What for"), max_length=REASON_LENGTH, widget=forms.Textarea(attrs={"rows": 2})
    )
    helper = helper_of("points", "clause", "reason")


class RevokeForm(forms.Form):
    """Why a penalty is revoked."""

    why = forms.CharField(
        label=gettext_lazy("Why it is revoked"), max_length=REASON_LENGTH, widget=forms.Textarea(attrs={"rows": 2})
    )
    helper = helper_of("why")


MEMBER, CAPTAIN, REPLACEMENT, OUT = "member", "captain", "replacement", "out"


class MembersForm(forms.Form):
    """What each member of today is to the team, and who joins it."""

    def __init__(self, data: Any = None, *, members: Sequence[Listed], free: Sequence[Player]) -> None:
        super().__init__(data)
        self.listed = {f"role_{member.player_id}": member for member in members}
        self.free = {str(player.pk): player for player in free}
        roles = [
            (MEMBER, pgettext("team", "member")), (CAPTAIN, _("captain")), (REPLACEMENT, _("replacement")),
            (OUT, _("leaves the team")),
        ]  # fmt: skip
        for name, member in self.listed.items():
            now = CAPTAIN if member.is_captain else REPLACEMENT if member.is_replacement else MEMBER
            self.fields[name] = forms.ChoiceField(label=member.nickname, choices=roles, initial=now)
        self.fields["added"] = forms.MultipleChoiceField(
            label=_("Who joins"),
            choices=[(key, player.nickname) for key, player in self.free.items()],
            widget=forms.CheckboxSelectMultiple,
            required=False,
        )
        self.helper = helper_of(*self.listed, "added") if self.free else helper_of(*self.listed)

    def chosen(self) -> list[Listed]:
        """The members as they are to be."""
        roles = [(member, self.cleaned_data[name]) for name, member in self.listed.items()]
        stay = [
            Listed(member.player_id, member.nickname, role == CAPTAIN, role == REPLACEMENT)
            for member, role in roles
            if role != OUT
        ]
        joining = [self.free[key] for key in self.cleaned_data["added"]]
        return stay + [Listed(player.pk, player.nickname) for player in joining]
