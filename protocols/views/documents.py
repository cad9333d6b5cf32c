"""The protocol of one game as a PDF: signed, as a draft, or blank for the pen."""

from __future__ import annotations

from typing import Any, cast
from urllib.parse import quote
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from protocols import access, selectors
from protocols.models import Game, SignedSheet
from protocols.pdf import form_pdf
from protocols.printing import file_of
from protocols.rules.sheet import blank
from protocols.sheet_view import form_of


@require_safe
def sheet_pdf(request: HttpRequest, uuid: UUID) -> HttpResponseBase:
    """The signed protocol, or, for those who serve at the table, a draft of what is written so far.

    `?sheet=1` gives a sheet that was signed before and superseded.
    """
    game = access.public_game(request.user, uuid)
    signed = _signed(request, game)
    if signed is not None:
        return pdf_response(file_of(signed).open("rb"), _name(game, _("protocol")))
    form = form_of(selectors.sheet_of(game, request.user), is_draft=True)
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


@login_required
@require_safe
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
