"""Whether a sheet on paper is the one in force: what its code says, to anybody who holds it."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from protocols import access, selectors
from protocols.forms.check import CheckForm
from protocols.models import Game, SignedSheet
from protocols.printing import public_form, signed_form
from protocols.sheet_check import code_of, in_groups, read_code
from protocols.sheet_view import Form


@never_cache
@require_safe
def form(request: HttpRequest) -> HttpResponse:
    """Takes a code typed by hand, and leads to what it says."""
    typed = CheckForm(request.GET if "code" in request.GET else None)
    if typed.is_bound and typed.is_valid():
        return redirect("check", typed.cleaned_data["code"])
    return render(request, "protocols/check_page.html", {"form": typed}, status=422 if typed.errors else 200)


@never_cache
@require_safe
def check(request: HttpRequest, code: str) -> HttpResponse:
    """In force, or superseded and since when, or unknown.

    What is on the sheet is shown to those who may read the protocol, as its own page does; to anybody else only
    whether the sheet holds.
    """
    read = read_code(code)
    if read is None:
        return _unknown(request, code, _("This is no code of a sheet."))
    if read != code:
        return redirect("check", read)
    found = selectors.sheets_sealed(read)
    if not found:
        return _unknown(request, in_groups(read), _("No sheet with this code was ever signed here."))
    if len(found) > 1:
        return _unknown(request, in_groups(read), _("Several sheets have this code: type more of their SHA-256."))
    signed = found[0]
    game = _readable(request, signed)
    context = {
        "signed": signed,
        "code": in_groups(code_of(signed.sha256)).replace(" ", "\N{NO-BREAK SPACE}"),
        "holds": signed.pk == signed.game.sheet_in_force_id,
        "game": game,
        "sheet": _form(request, signed, game) if game else None,
        "is_signed_anew": signed.game.is_closed,
    }
    return render(request, "protocols/check_page.html", context)


def _form(request: HttpRequest, signed: SignedSheet, game: Game) -> Form:
    return signed_form(signed) if access.sees_extra(request.user, game) else public_form(signed)


def _readable(request: HttpRequest, signed: SignedSheet) -> Game | None:
    """The game, where this person may read its protocol."""
    try:
        game = access.public_game(request.user, signed.game.uuid)
    except Http404:
        return None
    return game if access.sees_roles(request.user, game) else None


def _unknown(request: HttpRequest, code: str, why: str) -> HttpResponse:
    context = {"form": CheckForm(initial={"code": code}), "unknown": why, "code": code}
    return render(request, "protocols/check_page.html", context, status=404)
