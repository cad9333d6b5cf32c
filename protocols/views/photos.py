"""Photos of the hand-signed paper of a game: attached by its judge, seen by whoever may see the whole sheet."""

from __future__ import annotations

from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from protocols import access
from protocols.forms.tournament import helper_of
from protocols.models import Game, SheetPhoto
from protocols.services.errors import Invalid
from protocols.services.photos import attach_photo
from protocols.views.login_again import keeps_typed_on
from protocols.views.requests import user_of


class PhotoForm(forms.Form):
    """A picture."""

    file = forms.FileField(
        label=gettext_lazy("Photo (JPEG, PNG or WebP, up to 4 MB)"),
        widget=forms.FileInput(attrs={"accept": "image/jpeg,image/png,image/webp"}),
    )
    helper = helper_of("file")


@never_cache
@require_safe
def photos(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The photos of a signed game's paper, those of superseded sheets too."""
    game = _seen(request, uuid)
    return _page(request, game, PhotoForm())


@never_cache
@keeps_typed_on("photos", is_button=True)
@require_http_methods(["POST"])
def attach(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The game's judge or the head judge attaches a photo."""
    game = access.writable_game(request.user, uuid)
    form = PhotoForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            attach_photo(game, form.cleaned_data["file"].read(), by=user_of(request))
            messages.success(request, _("The photo is attached."))
            return redirect("photos", uuid)
        except Invalid as error:
            form.add_error("file", error.messages)
    return _page(request, game, form)


@never_cache
@require_safe
def photo(request: HttpRequest, uuid: UUID, key: UUID) -> HttpResponse:
    """The picture."""
    game = _seen(request, uuid)
    found = get_object_or_404(SheetPhoto, uuid=key, sheet__game=game)
    if not found.path.exists():
        raise Http404
    headers = {"X-Content-Type-Options": "nosniff", "Content-Disposition": f'inline; filename="{found.uuid}.jpg"'}
    return HttpResponse(found.path.read_bytes(), content_type="image/jpeg", headers=headers)


def _seen(request: HttpRequest, uuid: UUID) -> Game:
    """A signed game all of whose sheet the person may see. Raises Http404."""
    game = access.public_game(request.user, uuid)
    if not (game.is_closed and access.sees_extra(request.user, game)):
        raise Http404
    return game


def _page(request: HttpRequest, game: Game, form: PhotoForm) -> HttpResponse:
    standing = access.standing_at(request.user, game)
    may = game.is_closed and (standing.is_judge or standing.is_head_judge)
    rows = SheetPhoto.objects.filter(sheet__game=game).select_related("sheet", "attached_by")
    context = {"game": game, "photos": rows, "form": form if may or form.errors else None}
    return render(request, "protocols/photos_page.html", context, status=422 if form.errors else 200)
