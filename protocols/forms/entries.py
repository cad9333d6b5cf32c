"""What one tap sends, as forms: one a kind of entry, each turned into a value of the rules.

A form only reads. Whether the entry may be written is for the rules to say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, ClassVar, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from ..exchange.reading import YEARS
from ..rules import entries as e
from ..rules.terms import (
    ROLE_OF_LETTER,
    SEATS,
    SETUP,
    Moment,
    Penalty,
    Phase,
    Result,
    Role,
    RulingAbout,
    Team,
)
from .fields import MomentField, PointsField, SeatField, SeatsField

MISS = "miss"
TOGETHER = ("first", "then")  # prefixes of the fields of an entry that the same tap writes before, or after, its own
AFTER = Moment(99, Phase.AFTER)


def _choices(values: Any) -> list[tuple[str, str]]:
    return [(str(value), str(value)) for value in values]


class Rare(NamedTuple):
    """A field that any form may have and few taps send, and what it is worth without."""

    field: Callable[[], forms.Field]
    empty: object = None


RARE = {
    "follows": Rare(lambda: forms.IntegerField(required=False, min_value=1)),
    "replaces": Rare(lambda: forms.IntegerField(required=False, min_value=1)),
    "confirmed": Rare(lambda: forms.BooleanField(required=False), False),
    "device_time": Rare(lambda: forms.DateTimeField(required=False)),
    # why what is replaced is struck out
    "reason": Rare(lambda: forms.CharField(required=False, max_length=300, label=_("Reason")), ""),
}


class EntryForm(forms.Form):
    """What every tap carries: which entry (uuid), on top of which state (revision), and when in the game."""

    KIND: ClassVar[str] = ""
    MOMENT: ClassVar[Moment | None] = None  # where entries of this kind stand, if all stand at one place

    uuid = forms.UUIDField()
    revision = forms.IntegerField(min_value=0)
    moment = MomentField(required=False)

    def __init__(self, data: QueryDict | None = None, **options: Any) -> None:
        super().__init__(data, **options)
        for name in RARE:
            if data is not None and name in data:
                self.fields[name] = RARE[name].field()
        self.companions = {name: _companion(data, name) for name in TOGETHER if data and f"{name}-kind" in data}

    def clean(self) -> dict[str, Any] | None:
        """What is written together with it makes sense, too."""
        for name in RARE:
            if name not in self.fields:
                self.cleaned_data[name] = RARE[name].empty
        lines = [line for form in self.companions.values() if not form.is_valid() for line in form.error_lines()]
        if lines:
            raise ValidationError(lines)
        return super().clean()

    def clean_device_time(self) -> datetime | None:
        """The time by the device's clock; none where that clock can't be right."""
        at: datetime | None = self.cleaned_data["device_time"]
        return at if at and at.year in YEARS else None

    def clean_moment(self) -> Moment:
        """The moment of the form, or the one place where the kind stands."""
        moment = self.MOMENT or self.cleaned_data["moment"]
        if moment is None:
            raise ValidationError(_("The moment of the game is missing."), code="required")
        return moment

    def value(self) -> e.Entry:
        """The entry; only for a form that is valid."""
        return e.KINDS[self.KIND](moment=self.cleaned_data["moment"], **self.parts())

    def values(self) -> list[e.Entry]:
        """The entry with those that the same tap writes before and after it; only for a form that is valid."""
        first, then = (self.companions.get(name) for name in TOGETHER)
        return [*(first.values() if first else ()), self.value(), *(then.values() if then else ())]

    def parts(self) -> dict[str, Any]:
        """The fields of the value beside its moment."""
        own = [name for name in self.fields if name not in EntryForm.base_fields and name not in RARE]
        return {name: self.cleaned_data[name] for name in own}

    def error_lines(self) -> list[str]:
        """Every error as one line, its field named where there is one."""
        return [
            str(message) if name == "__all__" else f"{self.fields[name].label or name}: {message}"
            for name, messages in self.errors.items()
            for message in messages
        ]


class TurnForm(EntryForm):
    """Whose minute, which phase."""

    KIND = e.Turn.kind
    seat = SeatField(required=False, label=_("Seat"))


class FoulForm(EntryForm):
    """A warning, a foul, a disqualifying foul or a team defeat."""

    KIND = e.Foul.kind
    seat = SeatField(required=False, label=_("Seat"))
    penalty = forms.ChoiceField(choices=_choices(Penalty), required=False, label=_("Penalty"))
    clause = forms.CharField(required=False, max_length=12, label=_("Clause"))
    team = forms.ChoiceField(choices=_choices(Team), required=False, label=_("Team"))
    from_tournament = forms.BooleanField(required=False, label=_("From the tournament"))
    text = forms.CharField(required=False, max_length=500, label=_("Comment"))

    def parts(self) -> dict[str, Any]:
        """A foul unless another penalty is named."""
        parts = super().parts()
        parts["penalty"] = Penalty(parts["penalty"] or Penalty.FOUL)
        parts["team"] = Team(parts["team"]) if parts["team"] else None
        return parts


class FoulClauseForm(EntryForm):
    """The clause of an earlier foul."""

    KIND = e.FoulClause.kind
    MOMENT = AFTER
    of = forms.IntegerField(min_value=1, label=_("Entry"))
    clause = forms.CharField(max_length=12, label=_("Clause"))


class NominationForm(EntryForm):
    """Who nominates whom; from paper only whom."""

    KIND = e.Nomination.kind
    seat = SeatField(required=False, label=_("Who nominates"))
    target = SeatField(label=_("Nominee"))


class WithdrawalForm(EntryForm):
    """Who takes the nomination back."""

    KIND = e.Withdrawal.kind
    seat = SeatField(label=_("Seat"))


class VoteForm(EntryForm):
    """A tally: a number, or the voters by seat, or both."""

    KIND = e.Vote.kind
    target = SeatField(label=_("Candidate"))
    count = forms.IntegerField(required=False, min_value=0, max_value=10, label=_("Votes"))
    voters = SeatsField(required=False, label=_("Voters"))
    by_name = forms.BooleanField(required=False)  # the voters are what is written, an empty list too

    def clean(self) -> dict[str, Any]:
        """The voters are counted where no number is written."""
        data = super().clean() or {}
        if data.get("by_name") and data.get("voters") is None:
            data["voters"] = ()
        if data.get("count") is None and data.get("voters") is not None:
            data["count"] = len(data["voters"])
        if data.get("count") is None and "count" not in self.errors:
            self.add_error("count", _("Write how many voted."))
        return data

    def parts(self) -> dict[str, Any]:
        """Without the mark that only says how the tally was taken."""
        parts = super().parts()
        del parts["by_name"]
        return parts


class RaiseAllForm(EntryForm):
    """How many are for raising all, or only whether they were raised."""

    KIND = e.RaiseAll.kind
    count = forms.IntegerField(required=False, min_value=0, max_value=10, label=_("Hands"))
    raised = forms.NullBooleanField(required=False, label=_("Raised"))


class ShotForm(EntryForm):
    """The seat shot, «miss», or each black's shot in a field by_<seat>, empty for one who didn't shoot."""

    KIND = e.Shot.kind
    target = forms.CharField(required=False, label=_("Shot"))

    def __init__(self, data: QueryDict | None = None, **options: Any) -> None:
        super().__init__(data, **options)
        self.shooters = [seat for seat in SEATS if data is not None and f"by_{seat}" in data]
        for seat in self.shooters:
            self.fields[f"by_{seat}"] = SeatField(required=False, label=_("Shot"))

    def clean_target(self) -> int | None:
        """The seat; None for a miss."""
        text = self.cleaned_data["target"].strip()
        if text == MISS or (not text and self.shooters):
            return None
        if not text:
            raise ValidationError(_("Choose a seat or the miss."), code="required")
        seat: int | None = SeatField().clean(text)
        return seat

    def parts(self) -> dict[str, Any]:
        """All shooters at one seat hit it; otherwise they miss (RULES §4)."""
        if not self.shooters:
            return {"target": self.cleaned_data["target"]}
        aims = {seat: self.cleaned_data[f"by_{seat}"] for seat in self.shooters}
        agreed = set(aims.values())
        return {
            "target": agreed.pop() if len(agreed) == 1 else None,
            "shots": tuple((seat, aim) for seat, aim in aims.items() if aim),
        }


class CheckForm(EntryForm):
    """The don's or the sheriff's check."""

    KIND = e.Check.kind
    by = forms.ChoiceField(choices=_choices((Role.DON, Role.SHERIFF)), label=_("Whose check"))
    target = SeatField(label=_("Seat"))

    def parts(self) -> dict[str, Any]:
        """The checker as a role."""
        return {"by": Role(self.cleaned_data["by"]), "target": self.cleaned_data["target"]}


class BestMoveForm(EntryForm):
    """The three seats of the best move."""

    KIND = e.BestMove.kind
    seats = SeatsField(label=_("Best move"))


class ExtraPointsForm(EntryForm):
    """The judge's extra points of one seat."""

    KIND = e.ExtraPoints.kind
    MOMENT = AFTER
    seat = SeatField(label=_("Seat"))
    points = PointsField(label=_("Extra points"))
    text = forms.CharField(required=False, max_length=300, label=_("Comment"))


class SpeechMarkForm(EntryForm):
    """The mark for one seat's speeches (B-T2)."""

    KIND = e.SpeechMark.kind
    MOMENT = AFTER
    seat = SeatField(label=_("Seat"))
    points = PointsField(label=_("Mark for speeches"))


class RolesForm(EntryForm):
    """Ten letters К Ч Ш Д, one a field role_<seat>, or all in `roles`."""

    KIND = e.Roles.kind
    MOMENT = SETUP

    def __init__(self, data: QueryDict | None = None, **options: Any) -> None:
        super().__init__(data, **options)
        for seat in SEATS:
            self.fields[f"role_{seat}"] = forms.CharField(required=False, max_length=1)

    def clean(self) -> dict[str, Any]:
        """Ten letters; each seat without one is named."""
        data = super().clean() or {}
        whole = "".join((self.data.get("roles") or "").split()).upper()
        letters = {seat: whole[seat - 1 : seat] or (data.get(f"role_{seat}") or "").upper() for seat in SEATS}
        wrong = [str(seat) for seat, letter in letters.items() if letter not in ROLE_OF_LETTER]
        if wrong or len(whole) > len(SEATS):
            message = _("A role (К, Ч, Ш or Д) is missing at seats: %(seats)s") % {"seats": ", ".join(wrong)}
            raise ValidationError(message, code="role")
        data["letters"] = letters
        return data

    def parts(self) -> dict[str, Any]:
        """The roles in seat order."""
        return {"roles": tuple(ROLE_OF_LETTER[letter] for letter in self.cleaned_data["letters"].values())}


class SeatCorrectionForm(EntryForm):
    """Two seats whose players change places."""

    KIND = e.SeatCorrection.kind
    MOMENT = SETUP
    seat = SeatField(label=_("Seat"))
    target = SeatField(label=_("With seat"))


class GameOverForm(EntryForm):
    """The declared end, or a game broken off with its reason."""

    KIND = e.GameOver.kind
    result = forms.ChoiceField(choices=_choices(Result), label=_("Result"))
    clause = forms.CharField(required=False, max_length=12, label=_("Clause"))
    text = forms.CharField(required=False, max_length=500, label=_("Reason"))
    time = forms.RegexField(r"^\d{1,2}:\d\d$", required=False, label=_("Time"))

    def parts(self) -> dict[str, Any]:
        """The result as the rules know it."""
        return super().parts() | {"result": Result(self.cleaned_data["result"])}


class RulingForm(EntryForm):
    """What the judge settles, with the reason."""

    KIND = e.Ruling.kind
    about = forms.ChoiceField(choices=_choices(RulingAbout), label=_("About"))
    text = forms.CharField(required=False, max_length=500, label=_("Reason"))
    result = forms.ChoiceField(choices=_choices(Result), required=False, label=_("Result"))

    def parts(self) -> dict[str, Any]:
        """A result only where the ruling sets one."""
        about = RulingAbout(self.cleaned_data["about"])
        result = self.cleaned_data["result"] if about == RulingAbout.RESULT else ""
        text = self.cleaned_data["text"]
        return {"about": about, "text": text, "result": Result(result) if result else None}


class StrikeForm(EntryForm):
    """Which entry is struck out; `step`: by undo or redo, with what was written together with it."""

    KIND = e.Strike.kind
    step = forms.BooleanField(required=False)
    of = forms.IntegerField(min_value=1, label=_("Entry"))
    text = forms.CharField(required=False, max_length=300, label=_("Reason"))

    def parts(self) -> dict[str, Any]:
        """Without `step`, which says how it was struck, not what."""
        return {name: value for name, value in super().parts().items() if name != "step"}


class UnknownKindForm(EntryForm):
    """A tap of a kind that no board sends."""

    kind = forms.CharField(required=False)

    def clean_kind(self) -> str:
        """Never valid."""
        raise ValidationError(_("There is no such kind of entry."), code="kind")


FORMS: Mapping[str, type[EntryForm]] = {
    form.KIND: form
    for form in (
        TurnForm, FoulForm, FoulClauseForm, NominationForm, WithdrawalForm, VoteForm, RaiseAllForm, ShotForm,
        CheckForm, BestMoveForm, ExtraPointsForm, SpeechMarkForm, RolesForm, SeatCorrectionForm, GameOverForm,
        RulingForm, StrikeForm,
    )
}  # fmt: skip


class Shared(dict[str, forms.Field]):
    """Fields that no form changes: each form has a dictionary of its own, and the fields in it are the same."""

    def __deepcopy__(self, _memo: dict[int, Any]) -> dict[str, forms.Field]:
        return dict(self)


for _form in FORMS.values():
    _form.base_fields = Shared(_form.base_fields)


def form_of(data: QueryDict) -> EntryForm:
    """The form of the tap's kind, bound; one that is never valid for an unknown kind."""
    return FORMS.get(data.get("kind", ""), UnknownKindForm)(data)


def _companion(data: QueryDict, name: str) -> EntryForm:
    """The form of the entry whose fields begin with that name; it has no companions of its own."""
    own = QueryDict(mutable=True)
    for key, values in data.lists():
        _prefix, found, rest = key.partition(f"{name}-")
        if found and not _prefix and not rest.startswith(TOGETHER):
            own.setlist(rest, values)
    own["uuid"], own["revision"] = data.get("uuid", ""), data.get("revision", "")
    return form_of(own)
