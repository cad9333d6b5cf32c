"""Who is invited to serve in a tournament, and the code and account with which they come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from crispy_forms.layout import Column, Row
from django import forms
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..models import NICKNAME_LENGTH, MemberRole
from ..services.invitations import DAYS, MOST_DAYS
from ..services.people import PREFIX
from .tournament import helper_of

if TYPE_CHECKING:
    OfAccount = UserCreationForm[User]
else:
    OfAccount = UserCreationForm  # generic for the type checker alone


class InviteForm(forms.Form):
    """A role, whom it is for, and how long the invitation holds; the e-mail address is only for a letter."""

    role = forms.ChoiceField(label=gettext_lazy("Serves as"), choices=MemberRole.choices, initial=MemberRole.JUDGE)
    whom = forms.CharField(
        label=gettext_lazy("For whom"),
        max_length=80,
        required=False,
        help_text=gettext_lazy("A name for yourself, so that you know which invitation is whose."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    email = forms.EmailField(
        label=gettext_lazy("E-mail"),
        required=False,
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    days = forms.IntegerField(
        label=gettext_lazy("Holds for how many days"), min_value=1, max_value=MOST_DAYS, initial=DAYS
    )
    uuid = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)

    def __init__(self, *args: Any, has_mail: bool, **kwargs: Any) -> None:
        """Without a mail server the address is not asked for."""
        super().__init__(*args, **kwargs)
        if not has_mail:
            del self.fields["email"]
        places = [Column("email"), Column("days")] if has_mail else [Column("days")]
        self.helper = helper_of(Row(Column("role"), Column("whom")), Row(*places), "uuid")


class RoleForm(forms.Form):
    """The role that a person is to have instead."""

    role = forms.ChoiceField(label=gettext_lazy("Serves as"), choices=MemberRole.choices)


class PlaysForm(forms.Form):
    """As whom a person plays who serves as well."""

    nickname = forms.CharField(
        label=gettext_lazy("Plays as"),
        max_length=NICKNAME_LENGTH,
        required=False,
        help_text=gettext_lazy("The nickname among the participants; empty where the person does not play."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class CodeForm(forms.Form):
    """The code of an invitation, as it was written down or told."""

    code = forms.CharField(
        label=gettext_lazy("Code of the invitation"),
        max_length=40,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false", "class": "code-input"}
        ),
    )


class AccountForm(OfAccount):
    """A new account: a username, the name that protocols print, and a password by the site's rules."""

    first_name = forms.CharField(
        label=gettext_lazy("First name"), max_length=60, widget=forms.TextInput(attrs={"autocomplete": "given-name"})
    )
    last_name = forms.CharField(
        label=gettext_lazy("Last name"),
        max_length=60,
        help_text=gettext_lazy("Protocols print the name like this."),
        widget=forms.TextInput(attrs={"autocomplete": "family-name"}),
    )

    class Meta(UserCreationForm.Meta):
        model = User
        fields = ("username", "first_name", "last_name")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """The first field is that of the first name, so that the keyboard does not jump into the third."""
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs.pop("autofocus", None)

    field_order = ("first_name", "last_name", "username", "password1", "password2")

    def clean_username(self) -> str:
        """A name that nobody has, and that stands for no person of a file."""
        username: str = super().clean_username() or ""
        if username.lower().startswith(PREFIX):
            raise forms.ValidationError(_("A username can’t begin with “%(prefix)s”.") % {"prefix": PREFIX})
        return username
