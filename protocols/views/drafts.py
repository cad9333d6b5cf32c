"""Drafts of a tournament: files that contradict themselves, read by who oversees it, settled by its organizer."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from protocols import access, selectors
from protocols.draft_view import view_of
from protocols.forms.drafts import DiscardForm
from protocols.forms.upload import GameFileForm
from protocols.models import Draft, Tournament
from protocols.services import drafts
from protocols.services.errors import Invalid
from protocols.views.login_again import keeps_typed_on, offered_again
from protocols.views.records import NOT_TAKEN, attachment
from protocols.views.requests import user_of
from protocols.wording.files import why_not_taken


@require_safe
@login_required
def drafts_page(request: HttpRequest, slug: str) -> HttpResponse:
    """All drafts of the tournament, the closed ones too."""
    tournament = access.overseen(request.user, slug)
    found = list(selectors.drafts_of(tournament))
    context = {
        "tournament": tournament,
        "open": [draft for draft in found if draft.is_open],
        "closed": [draft for draft in found if not draft.is_open],
    }
    return render(request, "protocols/drafts_page.html", context)


@require_safe
@login_required
def draft(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """The game as the file tells it, each contradiction marked."""
    tournament = access.overseen(request.user, slug)
    return _page(request, _draft(tournament, uuid))


@require_safe
@login_required
def draft_file(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """The file, byte by byte as it came."""
    found = _draft(access.overseen(request.user, slug), uuid)
    return attachment(bytes(found.raw), found.name, "application/json")


@keeps_typed_on("draft")
@require_POST
def discard(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """Puts the draft aside: the organizer's, for a reason."""
    found = _draft(access.organized(request.user, slug), uuid)
    form = DiscardForm(request.POST)
    if form.is_valid():
        try:
            drafts.discard(found, by=user_of(request), reason=form.cleaned_data["reason"])
        except Invalid as error:
            form.add_error(None, error.messages)
        else:
            messages.success(request, _("The draft is discarded; it stays readable with your reason."))
            return redirect("drafts", slug)
    return _page(request, found, discarding=form)


@keeps_typed_on("draft")
@require_POST
def correct(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """Takes the game in from the file put right: the organizer's."""
    tournament = access.organized(request.user, slug)
    found = _draft(tournament, uuid)
    form = GameFileForm(request.POST, request.FILES, stages=list(tournament.stages.order_by("number")))
    reasons: list[str] = []
    if form.is_valid():
        try:
            taken = drafts.correct(
                found, form.raw(), name=form.name, stage=form.cleaned_data["stage"], by=user_of(request)
            )
        except NOT_TAKEN as error:
            reasons = why_not_taken(error)
        else:
            messages.success(request, _("The corrected file is taken in; the draft stays readable."))
            return redirect("game", taken.games[0].uuid)
    return _page(request, found, correcting=form, reasons=reasons)


def _draft(tournament: Tournament, uuid: UUID) -> Draft:
    return get_object_or_404(
        Draft.objects.select_related("tournament", "taken_by", "discarded_by", "game"), tournament=tournament, uuid=uuid
    )


def _page(
    request: HttpRequest,
    found: Draft,
    *,
    discarding: DiscardForm | None = None,
    correcting: GameFileForm | None = None,
    reasons: list[str] | None = None,
) -> HttpResponse:
    tournament = found.tournament
    stages = list(tournament.stages.order_by("number"))
    is_refused = discarding is not None or correcting is not None
    discarding, correcting = discarding or DiscardForm(), correcting or GameFileForm(stages=stages)
    if not is_refused:
        offered_again(request, discarding)
        offered_again(request, correcting)
    context = {
        "tournament": tournament,
        "draft": found,
        "view": view_of(found),
        "may_settle": found.is_open and access.standing_in(request.user, tournament).is_organizer,
        "discarding": discarding,
        "correcting": correcting,
        "reasons": reasons or [],
    }
    return render(request, "protocols/draft_page.html", context, status=422 if is_refused else 200)
