"""What an organizer types for the standings: the ratings from outside (§7)."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from protocols.models import Player, nickname_key
from protocols.rules.points import thousandths
from protocols.selectors import players_named

MOST = Decimal(10**9)


class QualifyingForm(forms.Form):
    """One player a line, the rating at its end; `given` are thousandths by player."""

    ratings = forms.CharField(
        label=gettext_lazy("Players and ratings"),
        required=False,
        max_length=100_000,
        widget=forms.Textarea(attrs={"rows": 16, "spellcheck": "false"}),
        help_text=gettext_lazy(
            "A rating from outside, by which the regulation may tell equal players apart. One player a line: nickname, "
            "a space or a tab, the number."
        ),
    )

    def clean_ratings(self) -> dict[Player, int]:
        """The ratings in thousandths by player."""
        told: dict[str, tuple[int, str, int]] = {}
        wrong = []
        for number, line in enumerate(self.cleaned_data["ratings"].splitlines(), start=1):
            if not line.strip():
                continue
            nickname, _space, rating = line.strip().replace("\t", " ").rpartition(" ")
            words = {"line": number, "nickname": nickname.strip(), "text": line.strip()[:80]}
            value = _thousandths(rating)
            if not nickname.strip() or value is None:
                wrong.append(_("Line %(line)d: a nickname and a number are needed: “%(text)s”.") % words)
            elif nickname_key(nickname) in told:
                wrong.append(_("Line %(line)d: “%(nickname)s” is there twice.") % words)
            else:
                told[nickname_key(nickname)] = number, nickname.strip(), value
        players = players_named(told)
        for key, (number, nickname, _value) in told.items():
            if key not in players:
                words = {"line": number, "nickname": nickname}
                wrong.append(_("Line %(line)d: there is no player “%(nickname)s”.") % words)
        if not wrong and len({player.pk for player in players.values()}) < len(told):
            wrong.append(_("Two of these nicknames are of one player."))
        if wrong:
            raise ValidationError(wrong[:20])
        return {players[key]: value for key, (_number, _nickname, value) in told.items()}


def _thousandths(text: str) -> int | None:
    try:
        value = Decimal(text.replace(",", ".").replace("−", "-"))
        return thousandths(value) if value.is_finite() and abs(value) < MOST else None
    except (InvalidOperation, ValueError):
        return None
