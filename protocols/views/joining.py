"""Coming to a tournament with an invitation: its code is typed or opened, and accepted by an account, old or new."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from protocols import access
from protocols.forms.invitations import AccountForm, CodeForm
from protocols.models import Invitation, Member
from protocols.services import invitations
from protocols.services.errors import Invalid
from protocols.views.requests import sent_in, user_of

BACKEND = "mafia_site.logins.Accounts"  # with which a new account is logged in


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest) -> HttpResponse:
    """The code of an invitation, typed."""
    form = CodeForm(sent_in(request))
    if request.method == "POST" and form.is_valid():
        try:
            invitations.invited_with(form.cleaned_data["code"])
        except Invalid as error:
            form.add_error("code", error.messages)
        else:
            return redirect("invitation", invitations.code_written(form.cleaned_data["code"]))
    return render(request, "protocols/join_page.html", {"form": form}, status=422 if form.errors else 200)


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, code: str) -> HttpResponse:
    """What one is invited to; accepted by whoever is logged in, or with an account made here."""
    try:
        found = invitations.invited_with(code)
    except Invalid as error:
        context = {"form": CodeForm(), "refused": error.messages}
        return render(request, "protocols/join_page.html", context, status=404)
    if request.user.is_authenticated:
        return _as_oneself(request, code, found)
    form = AccountForm(sent_in(request))
    if request.method == "POST" and form.is_valid():
        try:
            made = invitations.join_anew(
                code,
                username=form.cleaned_data["username"],
                password=form.cleaned_data["password1"],
                first_name=form.cleaned_data["first_name"],
                last_name=form.cleaned_data["last_name"],
            )
        except Invalid as error:
            form.add_error(None, error.messages)
        else:
            login(request, made.user, backend=BACKEND)
            return _welcome(request, made)
    context = {"invitation": found, "form": form, "code": code}
    return render(request, "protocols/invitation_page.html", context, status=422 if form.errors else 200)


def _as_oneself(request: HttpRequest, code: str, found: Invitation) -> HttpResponse:
    """The page for somebody who is logged in: one button."""
    refused: list[str] = []
    user: User = user_of(request)
    if request.method == "POST":
        try:
            made = invitations.accept(code, user)
        except Invalid as error:
            refused = error.messages
        else:
            return _welcome(request, made)
    serves = Member.objects.filter(tournament=found.tournament, user=user, role=found.role).exists()
    context = {"invitation": found, "code": code, "serves": serves, "refused": refused}
    return render(request, "protocols/invitation_page.html", context, status=422 if refused else 200)


def _welcome(request: HttpRequest, member: Member) -> HttpResponse:
    """Where the new member finds what to do."""
    words = {"tournament": member.tournament.title, "role": member.get_role_display()}
    messages.success(request, _("Welcome to “%(tournament)s”: you serve as %(role)s.") % words)
    standing = access.standing_in(member.user, member.tournament)
    return redirect("desk" if standing.oversees else "tournament", member.tournament.slug)
