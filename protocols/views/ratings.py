"""A game taken away as mafiaratings JSON, with the list of what stays behind."""

from __future__ import annotations

from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from protocols import access
from protocols.exchange.ratings_writer import Unwritable
from protocols.models import Game
from protocols.ratings_file import file_bytes, mafiaratings_of
from protocols.selectors import record_of
from protocols.views.records import attachment
from protocols.wording.unheld import unwritable_words


@never_cache
@require_safe
def page(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """What the file would leave out, and the file to take; why there is none, where there is none."""
    game = _game(request, uuid)
    context: dict[str, object] = {"game": game}
    try:
        context["unheld"] = _file(request, game)[1]
    except Unwritable as error:
        context["reason"] = unwritable_words(error)
    return render(request, "protocols/ratings_page.html", context)


@never_cache
@require_safe
def file(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The file; 404 for a game that can't be written so."""
    game = _game(request, uuid)
    try:
        data, _ = _file(request, game)
    except Unwritable:
        raise Http404 from None
    name = f"{game.tournament.slug}-{game.stage.number}-{game.number}-{game.table_number}-mafiaratings.json"
    return attachment(file_bytes(data), name, "application/json")


def _game(request: HttpRequest, uuid: UUID) -> Game:
    """A game all of which this person may see. Raises Http404, PermissionDenied where roles are still secret."""
    game = access.public_game(request.user, uuid)
    if not (access.sees_roles(request.user, game) and access.sees_extra(request.user, game)):
        raise PermissionDenied
    return game


def _file(request: HttpRequest, game: Game) -> tuple[dict[str, object], tuple[str, ...]]:
    return mafiaratings_of(record_of(game), is_public=not access.standing_at(request.user, game).serves)
