"""A tournament's archive: taken away by its organizer, and a tournament set up from one by the site's staff."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from protocols.access import organized
from protocols.exchange.archive import NotTaken
from protocols.exchange.reading import Unreadable
from protocols.forms.upload import FileForm
from protocols.services.errors import Invalid
from protocols.views.login_again import keeps_typed, offered_again
from protocols.views.records import attachment
from protocols.views.requests import user_of
from protocols.views.tournaments import may_create
from protocols.wording.files import why_not_taken

from .archives import archive_of, plays_in_open_game, rebuild


class ArchiveForm(FileForm):
    """An archive of a tournament; larger ones are taken by the command."""

    most = 4_500_000  # bytes; a request may have 5 MiB
    accept = ".zip,application/zip"
    field_label = gettext_lazy("Archive (.zip)")


@never_cache
@require_safe
@login_required
def archive(request: HttpRequest, slug: str) -> HttpResponse:
    """The whole tournament as a file, for its organizer; it tells all roles, so not while they sit at a table."""
    tournament = organized(request.user, slug)
    if plays_in_open_game(tournament, user_of(request)):
        messages.error(request, _("The archive tells the roles of all games, and you play in one that is not over."))
        return redirect("tournament-edit", slug)
    return attachment(archive_of(tournament), f"{slug}.zip", "application/zip")


@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def from_archive(request: HttpRequest) -> HttpResponse:
    """A tournament rebuilt from an archive, by anybody who may set one up; whole, or not at all with every reason."""
    if not may_create(request.user):
        raise PermissionDenied
    is_sent = request.method == "POST"
    form = ArchiveForm(request.POST, request.FILES) if is_sent else ArchiveForm()
    reasons: list[str] = []
    if is_sent and form.is_valid():
        try:
            taken = rebuild(form.raw(), by=user_of(request))
        except (Unreadable, NotTaken, Invalid) as error:
            reasons = why_not_taken(error)
        else:
            if taken.was_known:
                messages.info(request, _("The file is here already; nothing was written."))
                return redirect("tournament", taken.tournament.slug)
            messages.success(request, _("The file is taken in."))
            return redirect("tournament-edit", taken.tournament.slug)
    offered_again(request, form)
    context = {"form": form, "reasons": reasons}
    return render(request, "scoring/archive_page.html", context, status=422 if is_sent else 200)
