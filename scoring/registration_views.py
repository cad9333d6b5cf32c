"""The registration as its organizer sees it: opened and closed, applications accepted and refused."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from protocols.access import organized
from protocols.forms.registration import RegistrationForm
from protocols.models import Application, ApplicationState, Participant, ParticipantState, Tournament
from protocols.services.errors import Invalid
from protocols.services.registration import close_registration, forget_refused, open_registration, refuse
from protocols.services.roster import NEW
from protocols.views.login_again import keeps_typed, offered_again
from protocols.views.requests import user_of
from protocols.wording.roster import notes_of

from .registration import Waiting, accept, accept_plain, waiting_of

MOST_ANSWERED = 50  # shown of those that were answered


@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def registration(request: HttpRequest, slug: str) -> HttpResponse:
    """Until when the registration is open, and who waits for an answer; the organizer's."""
    tournament = organized(request.user, slug)
    part = request.POST.get("part", "open")
    form = _form(request, tournament, is_sent=request.method == "POST" and part == "open")
    if request.method == "POST":
        try:
            if part != "open" or form.is_valid():
                said = _done(request, tournament, part, form)
                if said:
                    messages.success(request, said)
                return redirect("registration", slug)
        except Invalid as error:
            if part != "open":
                messages.error(request, " ".join(error.messages))
                return redirect("registration", slug)
            form.add_error(None, error.messages)
    offered_again(request, form)
    found = waiting_of(tournament)
    taking = Participant.objects.filter(tournament=tournament, state=ParticipantState.REGISTERED)
    answered = Application.objects.filter(tournament=tournament).exclude(state=ApplicationState.WAITING)
    context = {
        "tournament": tournament,
        "form": form,
        "is_open": tournament.takes_applications,
        "ends_at": tournament.registration_ended_at,
        "zone": tournament.zone.key,
        "address": request.build_absolute_uri(reverse("register", args=[slug])),
        "taken": taking.count(),
        "waiting": [_row(each) for each in found],
        "plain": [each.application.pk for each in found if each.is_plain],
        "answered": list(answered.order_by("-answered_at")[:MOST_ANSWERED]),
        "has_refused": answered.filter(state=ApplicationState.REFUSED).exists(),
    }
    return render(request, "scoring/registration_page.html", context, status=422 if form.errors else 200)


def _form(request: HttpRequest, tournament: Tournament, *, is_sent: bool) -> RegistrationForm:
    ends_at = tournament.registration_closes_at
    first = {
        "closes_at": timezone.localtime(ends_at, tournament.zone).strftime("%Y-%m-%dT%H:%M") if ends_at else "",
        "places": tournament.places,
    }
    return RegistrationForm(request.POST if is_sent else None, zone=tournament.zone, initial=first)


def _done(request: HttpRequest, tournament: Tournament, part: str, form: RegistrationForm) -> str:
    """Does what a button says; in words, what was done. Raises Invalid."""
    by = user_of(request)
    if part == "open":
        open_registration(tournament, **form.cleaned_data)
        return _("The registration is open.")
    if part == "close":
        close_registration(tournament)
        return _("The registration is closed. Those who wait are still to be answered.")
    if part == "forget":
        forget_refused(tournament)
        return _("What was kept of those refused is deleted.")
    if part == "plain":
        shown = {int(key) for key in request.POST.getlist("shown") if key.isdecimal() and len(key) < 19}
        count = accept_plain(tournament, shown, by=by)
        return ngettext("%(n)d application accepted.", "%(n)d applications accepted.", count) % {"n": count}
    sent = request.POST.get("application", "")
    key = int(sent) if sent.isascii() and sent.isdecimal() and len(sent) < 19 else 0
    application = get_object_or_404(Application, pk=key, tournament=tournament)
    if part == "refuse":
        refuse(application, by=by, reason=request.POST.get("reason", ""))
        return _("%(nickname)s is refused.") % {"nickname": application.nickname}
    if part == "accept":
        accept(application, by=by, choice=request.POST.get("who", ""))
        return _("%(nickname)s takes part.") % {"nickname": application.nickname}
    return ""


def _row(waiting: Waiting) -> dict[str, Any]:
    """An application with what is to be said of it, and who it may be."""
    told, notes = waiting.told, notes_of(waiting.told)
    if waiting.others:
        notes.append(_("looks like another application: %(names)s") % {"names": ", ".join(waiting.others)})
    if told.state == ParticipantState.REGISTERED:
        notes.append(_("takes part already"))
    elif told.player is not None:
        notes.insert(0, _("a player known here"))
    options = [(each.choice, _("is %(nickname)s") % {"nickname": each.nickname}) for each in told.alike]
    return {
        "application": waiting.application,
        "told": told,
        "notes": notes,
        "options": [*options, (NEW, _("is another player"))] if options else [],
    }
