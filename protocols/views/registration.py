"""The registration page of a tournament: for whoever wants to take part, without a login."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from protocols import access
from protocols.forms.registration import ApplicationForm
from protocols.models import Application, ApplicationState, Participant, ParticipantState, Tournament
from protocols.services.errors import Invalid
from protocols.services.registration import apply, take_back
from protocols.views.requests import sent_in

WRITTEN = ("nickname", "name", "city", "team")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def register(request: HttpRequest, slug: str) -> HttpResponse:
    """Asks to take part; after the registration has closed it says when that was. 404 where there is none."""
    tournament = access.tournament_for(request.user, slug)
    if tournament.registration_ended_at is None:
        raise Http404
    form = ApplicationForm(sent_in(request))
    if request.method == "POST" and form.is_valid():
        try:
            if form.cleaned_data["site"]:  # a program; it learns nothing
                return redirect("register", slug)
            made = apply(tournament, **{name: form.cleaned_data[name] for name in WRITTEN})
        except Invalid as error:
            tournament.refresh_from_db()
            form.add_error(None, error.messages)
        else:
            messages.success(request, _("Your application is with the organizer."))
            return redirect("application", slug, made.uuid)
    context = {**_facts(tournament), "form": form}
    return render(request, "protocols/registration_page.html", context, status=422 if form.errors else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def application(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """What became of an application, for whoever knows its address; it can be taken back here."""
    tournament = access.tournament_for(request.user, slug)
    sent = get_object_or_404(Application.objects.select_related("player"), tournament=tournament, uuid=uuid)
    if request.method == "POST":
        try:
            take_back(sent)
        except Invalid as error:
            messages.error(request, str(error))
            return redirect("application", slug, uuid)
        messages.success(request, _("Your application is taken back and deleted."))
        return redirect("tournament", slug)
    context = {**_facts(tournament), "application": sent, "is_waiting": sent.state == ApplicationState.WAITING}
    response = render(request, "protocols/application_page.html", context)
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _facts(tournament: Tournament) -> dict[str, Any]:
    """Until when, for how many, and how many of the places are taken."""
    taking = Participant.objects.filter(tournament=tournament, state=ParticipantState.REGISTERED)
    taken = taking.count() if tournament.places else 0
    return {
        "tournament": tournament,
        "is_open": tournament.takes_applications,
        "ends_at": tournament.registration_ended_at,
        "zone": tournament.zone.key,
        "taken": taken,
        "is_full": bool(tournament.places) and taken >= (tournament.places or 0),
    }
