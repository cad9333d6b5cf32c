"""Which two players are one."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from protocols.forms.tournament import helper_of
from protocols.models import Player, nickname_key
from protocols.models.lines import LineInput


class MergeForm(forms.Form):
    """The nicknames of the two."""

    gone = LineInput(
        label=gettext_lazy("This nickname"),
        max_length=40,
        help_text=gettext_lazy("It disappears from lists and standings; protocols already written keep it."),
    )
    kept = LineInput(label=gettext_lazy("is the same player as"), max_length=40)
    helper = helper_of("gone", "kept")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs |= {"list": "nicknames", "autocomplete": "off"}

    def clean(self) -> dict[str, Any]:
        """Both are players of this site, and not the same one."""
        data = super().clean() or {}
        for name in ("gone", "kept"):
            if name in data:
                data[name] = self._player(name, data[name])
        if data.get("gone") and data["gone"] == data.get("kept"):
            self.add_error("kept", _("Name two different players."))
        return data

    def _player(self, name: str, nickname: str) -> Player | None:
        player = Player.objects.filter(nickname_key=nickname_key(nickname)).select_related("merged_into").first()
        if player is None:
            self.add_error(name, _("There is no player “%(nickname)s”.") % {"nickname": nickname})
        elif player.merged_into is not None:
            words = {"nickname": player.nickname, "other": player.merged_into.nickname}
            self.add_error(name, _("%(nickname)s is the same player as %(other)s already.") % words)
            return None
        return player
