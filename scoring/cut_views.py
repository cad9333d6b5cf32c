"""Cuts: looked at by whoever runs the tournament, taken by its organizer; lots at the line, drawn before everybody."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from protocols.access import overseen, standing_in
from protocols.models import Tournament
from protocols.services.errors import Invalid
from protocols.views.login_again import keeps_typed, keeps_typed_on, offered_again
from protocols.views.requests import user_of

from .cut_forms import SizeForm, TakeForm, WithdrawForm
from .cut_models import Cut, CutNotice
from .cut_selectors import Cuts, StageCut, cuts_of
from .cut_services import draw_cut_lot, obstacle, set_cut_size, take_cut, withdraw_cut
from .cut_table import candidates, passed_rows, tie_words, warnings_of
from .models import Lot
from .services import NoLotDue

PARTS = ("size", "take", "withdraw")


@require_safe
@login_required
def cuts_page(request: HttpRequest, slug: str) -> HttpResponse:
    """All stages with their cuts, and all lots, for whoever runs the tournament."""
    tournament = overseen(request.user, slug)
    cuts = cuts_of(tournament)
    context = {
        "tournament": tournament,
        "stages": [(each, obstacle(each)) for each in cuts.stages],
        "warned": warnings_of(cuts),
        "lots": list(Lot.objects.filter(tournament=tournament).select_related("drawn_by").order_by("-drawn_at")),
    }
    return render(request, "scoring/cuts_page.html", context)


@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def cut_page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The cut into a stage: who comes in and why, what stands against it; the organizer sets, takes and takes back."""
    tournament = overseen(request.user, slug)
    part = request.POST.get("part", "")
    if request.method == "POST":
        if not standing_in(request.user, tournament).is_organizer:
            raise PermissionDenied
        if part not in PARTS:
            return redirect("cut", slug, number)
    cuts, found = _found(tournament, number)
    shown = _forms(request, found, part)
    if part and shown[part].is_valid():
        try:
            said = _save(request, found, part, shown[part])
        except Invalid as error:
            shown[part].add_error(None, error.messages)
        else:
            messages.success(request, said)
            return redirect("cut", slug, number)
    for form in shown.values():
        offered_again(request, form)
    status = 422 if part and shown[part].errors else 200
    return render(request, "scoring/cut_page.html", _context(request, tournament, cuts, found, shown), status=status)


def _found(tournament: Tournament, number: int) -> tuple[Cuts, StageCut]:
    cuts = cuts_of(tournament)
    found = cuts.of(number)
    if found is None:
        raise Http404
    return cuts, found


def _forms(request: HttpRequest, found: StageCut, part: str) -> dict[str, forms.Form]:
    def data(name: str) -> Any:
        return request.POST if name == part else None

    return {
        "size": SizeForm(data("size"), initial={"size": found.size}),
        "take": TakeForm(data("take")),
        "withdraw": WithdrawForm(data("withdraw")),
    }


def _save(request: HttpRequest, found: StageCut, part: str, form: forms.Form) -> str:
    stage, by, data = found.stage, user_of(request), form.cleaned_data
    if part == "size":
        set_cut_size(stage, data["size"])
        return _("The settings are saved.")
    if part == "take":
        take_cut(stage, seen=request.POST.get("seen", ""), confirmed=data["confirmed"], by=by)
        return _("The cut into “%(stage)s” is taken and kept with your name and the time.") % {"stage": stage.name}
    withdraw_cut(stage, reason=data["reason"], by=by)
    return _("The cut is taken back; it stays on record with your reason.")


def _context(
    request: HttpRequest, tournament: Tournament, cuts: Cuts, found: StageCut, shown: dict[str, forms.Form]
) -> dict[str, Any]:
    past = Cut.objects.filter(stage=found.stage).exclude(withdrawn_at=None).select_related("withdrawn_by")
    return {
        "tournament": tournament,
        "cut": found,
        "is_organizer": standing_in(request.user, tournament).is_organizer,
        "forms": shown,
        "obstacle": obstacle(found),
        "candidates": candidates(found, cuts),
        "passed": passed_rows(found),
        "tie": tie_words(found) if found.passing is not None and found.passing.tied else "",
        "warned": [each for each in warnings_of(cuts) if each.stage_number == found.stage.number],
        "notices": list(CutNotice.objects.filter(cut=found.taken.pk).order_by("-pk")) if found.taken else [],
        "withdrawn": list(past.order_by("-taken_at")),
    }


@keeps_typed_on("cut-lot", is_button=True)
@require_http_methods(["GET", "HEAD", "POST"])
def cut_lot(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The lot at the line: the names of the tied and one large button; drawn once, then opened place by place."""
    tournament = overseen(request.user, slug)
    cuts, found = _found(tournament, number)
    tied = found.passing.tied if found.passing is not None and found.waits_for is None else ()
    if request.method == "POST":
        sent = request.POST.getlist("player")
        players = [int(text) for text in sent if text.isascii() and text.isdigit() and len(text) < 19]
        try:
            lot = draw_cut_lot(found.stage, players, by=user_of(request))
        except NoLotDue:
            messages.error(request, _("No lot is due among these players: it has been drawn, or a result has changed."))
            return redirect("cut", slug, number)
        return redirect(reverse("lot", args=[slug, lot.pk]) + f"?stage={number}&shown=0")
    context = {
        "tournament": tournament,
        "cut": found,
        "tied": [(place.player_id, cuts.nicknames[place.player_id]) for place in tied],
        "tie": tie_words(found) if tied else "",
    }
    return render(request, "scoring/cut_lot_page.html", context)
