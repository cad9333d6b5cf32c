"""What an organizer sets up: the tournament, its stages, its people, its games."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Column, Layout, Row
from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from protocols.models import Member, MemberRole, RegulationCode, Stage, Tournament

from .zones import zone_choices

if TYPE_CHECKING:
    OfTournament = forms.ModelForm[Tournament]
    OfStage = forms.ModelForm[Stage]
else:
    OfTournament = OfStage = forms.ModelForm  # generic for the type checker alone


def date_input() -> forms.DateInput:
    """The browser's own calendar; its value is ISO whatever the language."""
    return forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})


def helper_of(*layout: Any) -> FormHelper:
    """Fields laid out by crispy; the form's own tag, token and button stand in the template."""
    helper = FormHelper()
    helper.form_tag = False
    helper.disable_csrf = True
    helper.layout = Layout(*layout)
    return helper


class PointField(forms.DecimalField):
    """A number typed with a comma or a point: «1,5» and «1.5» alike."""

    widget = forms.TextInput

    def to_python(self, value: Any) -> Decimal | None:  # type: ignore[override]
        """The exact number."""
        return super().to_python(value.strip().replace(",", ".") if isinstance(value, str) else value)

    def prepare_value(self, value: Any) -> Any:
        """The number as people here write it: a comma, no trailing zeros."""
        if isinstance(value, Decimal):
            return format(value.normalize(), "f").replace(".", ",")
        return value

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """The keyboard with digits and a comma."""
        return super().widget_attrs(widget) | {"inputmode": "decimal"}


class TournamentForm(OfTournament):
    """A tournament: its title, place, hours, day and regulation; its address is chosen once, with the tournament."""

    time_zone = forms.ChoiceField(
        label=gettext_lazy("Time zone"),
        help_text=gettext_lazy("Starts of rounds, schedules and calendars are told by its clock."),
        choices=zone_choices,
        required=False,
    )

    class Meta:
        model = Tournament
        fields = ["title", "city", "starts_on", "regulation", "is_public", "slug"]
        labels = {
            "title": gettext_lazy("Title"),
            "city": gettext_lazy("City"),
            "starts_on": gettext_lazy("First day"),
            "regulation": gettext_lazy("Regulation"),
            "slug": gettext_lazy("Address on the site"),
            "is_public": gettext_lazy("Open to everybody"),
        }
        help_texts = {
            "slug": gettext_lazy("Latin letters, digits and hyphens. Left empty, it follows from the title."),
            "is_public": gettext_lazy("The page, the standings and the signed protocols are read without a login."),
        }
        widgets = {"starts_on": date_input(), "regulation": forms.RadioSelect}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["regulation"].choices = RegulationCode.choices  # type: ignore[attr-defined]
        self.initial["time_zone"] = self.instance.zone.key
        fields = ["title", Row(Column("city"), Column("starts_on")), "time_zone", "regulation", "is_public"]
        if self.instance.regulation_version is not None:
            words = {"name": self.instance.regulation_version.name, "number": self.instance.regulation_version.number}
            self.fields["regulation"].help_text = (
                _(
                    "Now the tournament has a regulation of its own: %(name)s, version %(number)d. "
                    "Another preset here takes its place."
                )
                % words
            )
        if self.instance.pk:
            del self.fields["slug"]
        else:
            self.fields["slug"].required = False
            fields.append("slug")
        self.helper = helper_of(*fields)

    def clean_time_zone(self) -> str:
        """The zone chosen; as it is, or the site's, where none is sent."""
        return self.cleaned_data["time_zone"] or self.instance.zone.key

    def clean_slug(self) -> str:
        """An address that is free; «new» is the address of this form."""
        slug: str = self.cleaned_data["slug"]
        if slug == "new":
            raise forms.ValidationError(_("This address is taken."))
        return slug


class StageForm(OfStage):
    """A stage: its place in the order, its name, and what its points are multiplied by (A 8.6).

    Its number is chosen once, with the stage.
    """

    multiplier = PointField(
        label=gettext_lazy("Multiplier"), min_value=Decimal("0.001"), max_digits=6, decimal_places=3, initial=Decimal(1)
    )

    class Meta:
        model = Stage
        fields = ["name", "number", "multiplier", "is_final", "group"]
        labels = {
            "name": gettext_lazy("Name of the stage"),
            "number": gettext_lazy("Which in order"),
            "is_final": gettext_lazy("This is the final"),
            "group": gettext_lazy("Counted together with"),
        }
        help_texts = {
            "group": gettext_lazy("Stages that have the same word here are one where the regulation counts Ci."),
        }

    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tournament = tournament
        numbers = [Column("number"), Column("multiplier")]
        if self.instance.pk:
            del self.fields["number"]
            numbers = numbers[1:]
        self.helper = helper_of("name", Row(*numbers), "is_final", "group")

    def clean_number(self) -> int:
        """A number that no other stage of the tournament has."""
        number: int = self.cleaned_data["number"]
        taken = self.tournament.stages.filter(number=number).first()
        if taken is not None:
            words = {"stage": taken.name, "number": number}
            raise forms.ValidationError(_("“%(stage)s” already has number %(number)d.") % words)
        return number


class MemberForm(forms.Form):
    """A person with a login, and how they serve in the tournament."""

    username = forms.CharField(
        label=gettext_lazy("Username"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )
    role = forms.ChoiceField(label=gettext_lazy("Serves as"), choices=MemberRole.choices, initial=MemberRole.JUDGE)

    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tournament = tournament
        self.user: User | None = None
        self.helper = helper_of(Row(Column("username"), Column("role")))

    def clean_username(self) -> str:
        """The name of somebody who may log in."""
        username: str = self.cleaned_data["username"]
        self.user = User.objects.filter(username=username, is_active=True).first()
        if self.user is None:
            raise forms.ValidationError(_("Nobody logs in as “%(username)s”.") % {"username": username})
        return username

    def clean(self) -> dict[str, Any]:
        """Nobody serves twice in one role."""
        data = super().clean() or {}
        role = data.get("role")
        if self.user and role and Member.objects.filter(tournament=self.tournament, user=self.user, role=role).exists():
            self.add_error("username", _("%(person)s already serves as %(role)s.") % {
                "person": self.user.get_full_name() or self.user.username, "role": MemberRole(role).label,
            })  # fmt: skip
        return data


class GameForm(forms.Form):
    """A game to be played: its stage, number, table, day and, if known, its judge."""

    stage = forms.TypedChoiceField(label=gettext_lazy("Stage"), coerce=int)
    number = forms.IntegerField(label=gettext_lazy("Game no."), min_value=1, max_value=9999)
    table_number = forms.IntegerField(label=gettext_lazy("Table no."), min_value=1, max_value=999)
    played_on = forms.DateField(label=gettext_lazy("Date"), widget=date_input())
    judge = forms.TypedChoiceField(label=gettext_lazy("Judge"), coerce=int, empty_value=None, required=False)

    how_many = forms.IntegerField(
        label=gettext_lazy("How many in a row"),
        min_value=1,
        max_value=50,
        initial=1,
        help_text=gettext_lazy("One after another at this table, with the numbers that follow."),
    )

    def __init__(
        self, *args: Any, stages: Iterable[tuple[Any, Any]], judges: Iterable[User] | None, **kwargs: Any
    ) -> None:
        """`stages` are the choices of the field; without `judges` the game is the person's own."""
        super().__init__(*args, **kwargs)
        self.fields["stage"].choices = list(stages)  # type: ignore[attr-defined]
        numbers = Row(Column("number"), Column("table_number"))
        if judges is None:
            del self.fields["judge"], self.fields["how_many"]
            self.helper = helper_of("stage", numbers, "played_on")
            return
        people = [(user.pk, user.get_full_name() or user.username) for user in judges]
        self.fields["judge"].choices = [("", _("not known yet")), *people]  # type: ignore[attr-defined]
        self.helper = helper_of(Row(Column("stage"), Column("played_on")), numbers, "judge", "how_many")


class HandOverForm(forms.Form):
    """The judge who takes the game over."""

    judge = forms.TypedChoiceField(label=gettext_lazy("Who takes it"), coerce=int, widget=forms.RadioSelect)

    def __init__(self, *args: Any, judges: Iterable[User], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = [(user.pk, user.get_full_name() or user.username) for user in judges]
        self.fields["judge"].choices = people  # type: ignore[attr-defined]
        self.helper = helper_of("judge")


class ReopenForm(forms.Form):
    """Why a signed protocol is opened again; the reason stays with it."""

    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=500, widget=forms.Textarea(attrs={"rows": 3}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = helper_of("reason")
