"""What waits for an answer in a tournament, on one page with its age; and how much of it, for the head of pages."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from protocols import access
from protocols.models import CorrectionRequest
from protocols.services.errors import Invalid
from protocols.services.protests import answer_correction
from protocols.views.login_again import keeps_typed, typed_before
from protocols.views.requests import user_of

from .queue_selectors import protests_waiting_for, waiting_in


@never_cache
@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def queue(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything that waits, the oldest first; the head judge says no here to a correction that was asked for."""
    tournament = access.heard(request.user, slug)
    standing = access.standing_in(request.user, tournament)
    refused, answer = "", ""
    if request.method == "POST":
        of = request.POST.get("of", "")
        asked_for = CorrectionRequest.objects.filter(game__tournament=tournament).select_related("game")
        asked = get_object_or_404(asked_for, pk=int(of) if of.isdecimal() and len(of) < 19 else 0)
        if not standing.is_head_judge:
            raise PermissionDenied
        answer = request.POST.get("answer", "")
        try:
            answer_correction(asked, answer, by=user_of(request))
            messages.success(request, _("The judge is told that it is not corrected."))
            return redirect("tournament-queue", slug)
        except Invalid as error:
            refused = " ".join(error.messages)
    else:
        typed = typed_before(request)
        answer = typed.get("answer", "") if typed else ""
    context = {
        "tournament": tournament,
        "standing": standing,
        "waiting": waiting_in(tournament, only_protests=not standing.oversees),
        "refused": refused,
        "answer": answer,
    }
    return render(request, "scoring/queue_page.html", context, status=422 if refused else 200)


@never_cache
@require_safe
def count(request: HttpRequest) -> JsonResponse:
    """How many protests and corrections wait for whoever is logged in: for the script that puts it into the head."""
    if not request.user.is_authenticated:
        return JsonResponse({"n": 0})
    found, slug = protests_waiting_for(user_of(request).pk)
    if not found:
        return JsonResponse({"n": 0})
    words = ngettext("%(n)d waits for an answer", "%(n)d wait for an answer", found) % {"n": found}
    return JsonResponse({"n": found, "words": words, "address": reverse("tournament-queue", args=[slug])})
