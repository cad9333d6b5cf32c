"""Protocols as PDFs: of one game — signed, as a draft, or blank for the pen — and all of a stage as one document."""

from __future__ import annotations

from typing import Any, cast
from urllib.parse import quote
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from protocols import access, selectors
from protocols.models import Game, SignedSheet
from protocols.models.documents import Document, DocumentState
from protocols.pdf import form_pdf
from protocols.printing import file_of, make_at_once, public_form
from protocols.protest_selectors import protests_of
from protocols.protest_words import with_protests
from protocols.rules.sheet import blank
from protocols.services import documents
from protocols.services.errors import Invalid
from protocols.sheet_view import form_of
from protocols.views.login_again import keeps_typed_on
from protocols.views.requests import user_of


@require_safe
def sheet_pdf(request: HttpRequest, uuid: UUID) -> HttpResponseBase:
    """The signed protocol, or, for those who serve at the table, a draft of what is written so far.

    `?sheet=1` gives a sheet that was signed before and superseded.
    """
    game = access.public_game(request.user, uuid)
    signed, protests = _signed(request, game), list(protests_of(game))
    if signed is not None and not access.sees_extra(request.user, game):
        return pdf_response(form_pdf(public_form(signed, protests)), _name(game, _("protocol without extra points")))
    if signed is not None:
        return pdf_response(file_of(signed, protests).open("rb"), _name(game, _("protocol")))
    form = form_of(with_protests(selectors.sheet_of(game, request.user), protests), is_draft=True)
    return pdf_response(form_pdf(form), _name(game, _("draft")))


def _signed(request: HttpRequest, game: Game) -> SignedSheet | None:
    """The sheet in force, or the one that the address names by its number. Raises Http404 where there is none."""
    asked = request.GET.get("sheet")
    if asked is None:
        return game.sheet_in_force
    if access.sees_roles(request.user, game):
        for each in selectors.signed_sheets_of(game):
            if str(each.number) == asked:
                return each
    raise Http404


@require_safe
@login_required
def blank_pdf(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The empty form with header and nicknames filled, to be printed before the game (A 9.2, 9.3)."""
    game = access.prepared_game(request.user, uuid)
    sheet = blank(game.rules.edition, selectors.header_of(game), selectors.nicknames_of(game))
    return cast(HttpResponse, pdf_response(form_pdf(form_of(sheet)), _name(game, _("blank form"))))


def _name(game: Game, what: str) -> str:
    return _("%(what)s, %(tournament)s, game %(game)d, table %(table)d") % {
        "what": what, "tournament": game.tournament.title, "game": game.number, "table": game.table_number,
    }  # fmt: skip


def pdf_response(content: Any, name: str) -> HttpResponseBase:
    """A PDF that the browser shows, and saves under that name; no proxy keeps it, for it may not be for everybody."""
    response = FileResponse(content) if hasattr(content, "read") else HttpResponse(content)
    response.headers["Content-Type"] = "application/pdf"
    response.headers["Content-Disposition"] = f"inline; filename*=UTF-8''{quote(name)}.pdf"
    response.headers["Cache-Control"] = "private, no-cache"
    return response


# ---------------------------------------------------------------- documents of many


@require_safe
def stage_protocols(request: HttpRequest, slug: str) -> HttpResponse:
    """All signed protocols of a stage (`?stage=2`) or of the whole tournament, as one document.

    The same content is made once: a ready one is given at once, one whose protocols are all drawn is merged at once,
    otherwise the page says how far it is.
    """
    tournament = access.tournament_for(request.user, slug)
    stage = None
    if "stage" in request.GET:
        stage = tournament.stages.filter(number=_whole_number(request.GET["stage"])).first()
        if stage is None:
            raise Http404
    try:
        found = documents.asked_for(tournament, stage, access.veil_for(request.user, tournament))
    except Invalid as error:
        messages.warning(request, " ".join(error.messages))
        return redirect("tournament", slug)
    if not make_at_once(found):
        documents.see_to(found)
    return redirect("document-file" if found.state == DocumentState.DONE else "document", found.uuid)


@keeps_typed_on("desk", is_button=True)
@require_POST
def running_forms(request: HttpRequest, slug: str) -> HttpResponse:
    """The half-filled forms of all games under way, for whoever oversees the tournament, as one document."""
    tournament = access.overseen(request.user, slug)
    try:
        found = documents.ask_for_running(tournament, user_of(request))
    except Invalid as error:
        messages.warning(request, " ".join(error.messages))
        return redirect("desk", slug)
    return redirect("document", found.uuid)


def _whole_number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else 0


@require_safe
def document(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """How far a document is, and the way to it when it is ready. It looks again by itself, also without a script.

    Half-filled forms open by themselves: a dying server leaves no time for another tap.
    """
    found = _document(request, uuid)
    documents.see_to(found)
    response = render(request, "protocols/document_page.html", {"document": found, "title": _title(found)})
    if found.is_half_filled and found.state == DocumentState.DONE and request.headers.get("HX-Request"):
        response.headers["HX-Redirect"] = reverse("document-file", args=[uuid])
    response.headers["Cache-Control"] = "no-store"
    return response


@require_safe
def document_file(request: HttpRequest, uuid: UUID) -> HttpResponseBase:
    """The file itself; as long as it is not ready, the page that says so."""
    found = _document(request, uuid)
    if found.state != DocumentState.DONE or not found.path.exists():
        return redirect("document", uuid)
    return pdf_response(found.path.open("rb"), _title(found))


def _document(request: HttpRequest, uuid: UUID) -> Document:
    """A document that the person may read: signed protocols of a tournament they may see, or forms drawn for them.

    The forms hold roles, so whoever drew them must still be the one to know them.
    """
    found = get_object_or_404(Document.objects.select_related("tournament", "stage"), uuid=uuid)
    if not found.is_half_filled:
        veil = access.veil_for(request.user, access.tournament_for(request.user, found.tournament.slug))
        if SignedSheet.objects.filter(veil.covered("game__"), pk__in=found.sheets).exists():
            raise Http404
        return found
    if request.user.pk != found.reader_id:
        raise Http404
    access.overseen(request.user, found.tournament.slug)
    games = selectors.visible_games_of(found.tournament, request.user).filter(pk__in=found.games)
    if not all(access.sees_roles(request.user, game) for game in games):
        raise Http404
    return found


def _title(found: Document) -> str:
    names = {"tournament": found.tournament.title, "stage": found.stage.name if found.stage else ""}
    if found.is_half_filled:
        return _("Games under way: %(tournament)s") % names
    if found.stage is None:
        return _("Protocols: %(tournament)s") % names
    return _("Protocols: %(tournament)s, %(stage)s") % names
