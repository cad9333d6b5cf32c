"""Hiding results for the last rounds and announcing them: the organizer and the head judge do it, with one press."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from protocols.access import overseen
from protocols.hiding import veil_by, veil_of
from protocols.models import Hidden, Hiding
from protocols.services import hiding
from protocols.services.errors import Invalid
from protocols.views.login_again import keeps_typed, offered_again
from protocols.views.requests import user_of

from .release import from_words
from .release_forms import HideForm

PARTS = ("hide", "announce", "back")


@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def release_page(request: HttpRequest, slug: str) -> HttpResponse:
    """What is hidden now and every act so far; hides, announces, or takes an announcement back."""
    tournament = overseen(request.user, slug)
    part = request.POST.get("part", "")
    if request.method == "POST" and part not in PARTS:
        return redirect("release", slug)
    stages = list(tournament.stages.order_by("number"))
    form = HideForm(request.POST if part == "hide" else None, stages=stages)
    by = user_of(request)
    try:
        if part == "hide" and form.is_valid():
            data = form.cleaned_data
            stage = next(each for each in stages if each.number == data["stage"])
            hiding.hide(tournament, what=data["what"], stage=stage, number=data["number"], by=by)
            messages.success(request, _("It is hidden from the public until you announce it."))
            return redirect("release", slug)
        if part == "announce":
            hiding.announce(tournament, by=by)
            messages.success(request, _("It is announced: everybody sees everything now."))
            return redirect("release", slug)
        if part == "back":
            hiding.take_back(tournament, by=by)
            messages.success(request, _("The announcement is taken back: it is hidden again."))
            return redirect("release", slug)
    except Invalid as error:
        if part == "hide":
            form.add_error(None, error.messages)
        else:
            messages.error(request, " ".join(error.messages))
            return redirect("release", slug)
    offered_again(request, form)
    acts = list(Hiding.objects.filter(tournament=tournament).select_related("stage", "done_by").order_by("-pk"))
    veil = veil_of(tournament)
    context = {
        "tournament": tournament,
        "form": form,
        "veil": veil,
        "hidden_from": "" if veil.is_open else from_words(veil),
        "acts": [(act, "" if act.stage is None else from_words(veil_by(act))) for act in acts],
        "may_take_back": bool(acts) and acts[0].what == Hidden.NOTHING,
        "has_stages": bool(stages),
    }
    return render(request, "scoring/release_page.html", context, status=422 if form.errors else 200)
