"""The people of a tournament: who serves as what, who is invited, who gave and took which role."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import segno
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from protocols import access, member_selectors, selectors
from protocols.forms.invitations import InviteForm, PlaysForm, RoleForm
from protocols.forms.tournament import MemberForm
from protocols.models import Invitation, Member, MemberRole, Tournament
from protocols.services import invitations, members
from protocols.services.errors import Invalid
from protocols.services.letters import may_write, write_letter
from protocols.services.people import printed_name
from protocols.views.login_again import forget_typed, keeps_typed, keeps_typed_on, offered_again
from protocols.views.requests import user_of

PARTS = ("invite", "member")


@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def people(request: HttpRequest, slug: str) -> HttpResponse:
    """Who serves in a tournament, for all of them; its organizer invites and appoints, the head judge sees that."""
    tournament = access.joined(request.user, slug)
    standing = access.standing_in(request.user, tournament)
    part = request.POST.get("part", "")
    if request.method == "POST":
        access.organized(request.user, slug)
        if part not in PARTS:
            return redirect("people", slug)
    invite = InviteForm(request.POST if part == "invite" else None, prefix="invite", has_mail=may_write())
    member = MemberForm(request.POST if part == "member" else None, prefix="member", tournament=tournament)
    if part == "invite" and invite.is_valid():
        response = _invite(request, tournament, invite)
        if response is not None:
            return response
    if part == "member" and member.is_valid() and member.user is not None:
        made = members.appoint(tournament, member.user, member.cleaned_data["role"], by=user_of(request))
        words = {"person": printed_name(member.user), "role": made.get_role_display()}
        messages.success(request, _("%(person)s now serves as %(role)s.") % words)
        return redirect("people", slug)
    for form in (invite, member):
        offered_again(request, form)
    context = {
        "tournament": tournament,
        "standing": standing,
        "roles": member_selectors.roles_of(tournament),
        "invite": invite,
        "member": member,
        "has_mail": may_write(),
        "join": request.build_absolute_uri(reverse("join")),
        **(_kept(tournament) if standing.oversees else {}),
    }
    status = 422 if invite.errors or member.errors else 200
    return render(request, "protocols/members_page.html", context, status=status)


def _kept(tournament: Tournament) -> dict[str, Any]:
    """The invitations that wait, those that ended, and what became of roles."""
    return {
        "waiting": member_selectors.invitations_waiting(tournament),
        "ended": member_selectors.invitations_ended(tournament),
        "changes": member_selectors.member_changes_of(tournament),
    }


@sensitive_variables("code", "link")
def _invite(request: HttpRequest, tournament: Tournament, form: InviteForm) -> HttpResponse | None:
    """The page that shows the code, this once; None where the service refuses, which the form then says."""
    try:
        made, code = invitations.invite(tournament, by=user_of(request), **form.cleaned_data)
    except Invalid as error:
        form.add_error(None, error.messages)
        return None
    forget_typed(request)
    link = request.build_absolute_uri(reverse("invitation", args=[code]))
    if made.email and write_letter(made.email, *_letter(made, code, link)):
        made.mailed_at = timezone.now()
        made.save(update_fields=["mailed_at"])
    context = {"tournament": tournament, "invitation": made, "code": code, "link": link, "qr": _qr(link)}
    response = render(request, "protocols/invited_page.html", context)
    add_never_cache_headers(response)
    return response


def _qr(link: str) -> str:
    """The address as a QR code, as an image's address: for a phone beside the organizer's screen."""
    return segno.make(link, error="m", micro=False).svg_data_uri(border=4, scale=5, light="#fff")


@sensitive_variables("code", "link")
def _letter(invitation: Invitation, code: str, link: str) -> tuple[str, str]:
    """Subject and text."""
    words = {
        "tournament": invitation.tournament.title,
        "role": invitation.get_role_display(),
        "by": printed_name(invitation.made_by),
        "link": link,
        "code": code,
        "until": date_format(timezone.localtime(invitation.closes_at, invitation.tournament.zone), "j E Y, H:i"),
    }
    subject = _("“%(tournament)s”: you are invited as %(role)s") % words
    text = _(
        "%(by)s invites you to serve at “%(tournament)s” as %(role)s.\n\n"
        "Open this address, log in or make an account, and accept:\n%(link)s\n\n"
        "Or type the code %(code)s on the page “I have an invitation”. It works once, until %(until)s.\n"
        "If you did not expect this letter, leave it: nothing happens without you."
    )
    return subject, text % words


@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def member(request: HttpRequest, slug: str, key: int) -> HttpResponse:
    """One person in one role, the organizer's to change or take away."""
    tournament = access.organized(request.user, slug)
    found = get_object_or_404(selectors.members_of(tournament), pk=key)
    part = request.POST.get("part", "")
    form = RoleForm(request.POST if part == "role" else None, initial={"role": found.role})
    plays = PlaysForm(
        request.POST if part == "plays" else None, initial={"nickname": member_selectors.nickname_of(found.user)}
    )
    error: Invalid | None = None
    if request.method == "POST":
        try:
            said = _changed(request, found, {"role": form, "plays": plays})
        except Invalid as refused:
            error = refused
        else:
            if said:
                messages.success(request, said)
                return redirect("people", slug)
    for each in (form, plays):
        offered_again(request, each)
    context = {
        "tournament": tournament, "member": found, "form": form, "plays": plays,
        "refused": error.messages if error else [],
        "games": list(member_selectors.open_games_of_judge(tournament, found.user)),
    }  # fmt: skip
    return render(
        request, "protocols/member_page.html", context, status=422 if error or form.errors or plays.errors else 200
    )


def _changed(request: HttpRequest, found: Member, forms: dict[str, Any]) -> str:
    """What was done and is to be said; empty where the form is wrong. Raises Invalid."""
    person = printed_name(found.user)
    part = request.POST.get("part", "")
    if part == "dismiss":
        members.dismiss(found.tournament, found.user, found.role, by=user_of(request))
        return _("%(person)s no longer serves as %(role)s.") % {"person": person, "role": found.get_role_display()}
    if part not in forms or not forms[part].is_valid():
        return ""
    if part == "plays":
        player = members.say_who_plays(found, forms[part].cleaned_data["nickname"], by=user_of(request))
        if player is None:
            return _("%(person)s does not play.") % {"person": person}
        return _("%(person)s plays as %(nickname)s.") % {"person": person, "nickname": player.nickname}
    role = forms[part].cleaned_data["role"]
    if role != found.role:
        members.change_role(found, role, by=user_of(request))
    return _("%(person)s now serves as %(role)s.") % {"person": person, "role": MemberRole(role).label}


@keeps_typed_on("people", is_button=True)
@require_POST
def withdraw(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """Makes an invitation worth nothing, its organizer's to do."""
    tournament = access.organized(request.user, slug)
    found = get_object_or_404(Invitation, tournament=tournament, uuid=uuid)
    try:
        invitations.withdraw(found, by=user_of(request))
    except Invalid as error:
        for message in error.messages:
            messages.error(request, message)
    else:
        messages.success(request, _("The invitation is withdrawn: its code opens nothing any more."))
    return redirect("people", slug)
