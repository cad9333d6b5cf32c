"""Records as files: taken away by whoever may read the protocol, brought in by the organizer of a tournament."""

from __future__ import annotations

from urllib.parse import quote
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from protocols import access
from protocols.exchange.game_file import to_bytes
from protocols.exchange.reading import Contradictory, Unreadable
from protocols.exchange.schema import NAMES, schema_bytes
from protocols.forms.upload import UploadForm
from protocols.models import Tournament
from protocols.services.drafts import take_draft
from protocols.services.errors import Invalid, NotReady, Refused
from protocols.services.game_files import file_of
from protocols.services.importing import Imported, Target, import_file
from protocols.views.login_again import keeps_typed, offered_again
from protocols.views.requests import user_of
from protocols.wording.files import why_not_taken

NOT_TAKEN = (Unreadable, Contradictory, Invalid, NotReady, Refused)
"""What a file may be refused with, each with its reasons in words."""


@never_cache
@require_safe
def record(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The record of a game as a file: whole for those who serve, without salts and source for everybody else.

    Of a game that is not signed it tells the roles; whoever must not know them is denied (RULES §9).
    """
    game = access.public_game(request.user, uuid)
    if not (access.sees_roles(request.user, game) and access.sees_extra(request.user, game)):
        raise PermissionDenied
    file = file_of(game, is_public=not access.standing_at(request.user, game).serves)
    name = f"{game.tournament.slug}-{game.stage.number}-{game.number}-{game.table_number}.json"
    return attachment(to_bytes(file), name, "application/json")


def attachment(data: bytes, name: str, content_type: str) -> HttpResponse:
    """Bytes that the browser saves under that name."""
    response = HttpResponse(data, content_type=content_type)
    response.headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(name)}"
    return response


@require_safe
def schema(request: HttpRequest, name: str) -> HttpResponse:
    """A published JSON Schema of our files."""
    if name not in NAMES:
        raise Http404
    return HttpResponse(schema_bytes(name), content_type="application/schema+json")


@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def upload(request: HttpRequest, slug: str) -> HttpResponse:
    """A game's file, brought into the tournament by its organizer: whole, or not at all with every reason."""
    tournament = access.organized(request.user, slug)
    stages = list(tournament.stages.order_by("number"))
    is_sent = request.method == "POST"
    form = UploadForm(request.POST, request.FILES, stages=stages) if is_sent else UploadForm(stages=stages)
    reasons: list[str] = []
    if is_sent and form.is_valid():
        target, raw = Target(tournament=slug, stage=form.cleaned_data["stage"]), form.raw()
        try:
            taken = import_file(raw, name=form.name, target=target, by=user_of(request))
        except NOT_TAKEN as error:
            reasons = why_not_taken(error)
            if isinstance(error, Contradictory) and form.cleaned_data["as_draft"]:
                try:
                    draft = take_draft(raw, name=form.name, tournament=tournament, by=user_of(request))
                except (Unreadable, Invalid) as why:
                    reasons += why_not_taken(why)
                else:
                    return redirect("draft", slug, draft.uuid)
        else:
            return _taken(request, tournament, taken)
    offered_again(request, form)
    context = {"tournament": tournament, "form": form, "reasons": reasons}
    status = 422 if is_sent else 200
    return render(request, "protocols/upload_page.html", context, status=status)


def _taken(request: HttpRequest, tournament: Tournament, taken: Imported) -> HttpResponse:
    """The way to the game, or to the list of them where the file held several."""
    if taken.was_known:
        messages.info(request, _("The file is here already; nothing was written."))
    else:
        messages.success(request, _("The file is taken in."))
    if len(taken.games) > 1:
        return redirect("tournament-edit", tournament.slug)
    return redirect("game", taken.games[0].uuid)
