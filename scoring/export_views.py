"""The result of a tournament as files, for everybody who may see its standings: PDF, CSV, XLSX, JSON."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from protocols.access import standing_in, tournament_for
from protocols.models import Tournament
from protocols.views.documents import pdf_response
from protocols.views.records import attachment

from .exports import Exported, exported
from .exports_csv import csv_of
from .exports_json import json_of
from .exports_pages import nominations_context
from .exports_tables import Table, games_table, said_beside, standings_table
from .exports_xlsx import xlsx_of
from .paper import Paper, draw, draw_apart, paper_of
from .release import Seen, said_of, seen_by
from .team_table import teams_context, teams_table

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@require_safe
def paper(request: HttpRequest, slug: str, kind: str) -> HttpResponseBase:
    """A table on A4, landscape with `?wide=1`; a long one that isn't drawn yet sends to the page that waits for it."""
    found = _paper(request, slug, kind)
    if not found.is_drawn:
        if found.is_long:
            draw_apart(found)
            return redirect(_address(found, f"{kind}-paper"))
        draw(found)
    name = _("%(what)s, %(tournament)s") % {"what": _name(found), "tournament": found.tournament.title}
    return pdf_response(found.path.open("rb"), name)


@require_safe
def waiting(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Whether the paper is drawn, and the way to it. It looks again by itself, also without a script."""
    found = _paper(request, slug, kind)
    if not found.is_drawn:
        draw_apart(found)
    context = {
        "tournament": found.tournament,
        "is_drawn": found.is_drawn,
        "name": _name(found),
        "file": _address(found, f"{kind}-pdf"),
        "again": _address(found, f"{kind}-paper"),
    }
    response = render(request, "scoring/paper_page.html", context)
    response.headers["Cache-Control"] = "no-store"
    return response


@require_safe
def standings_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """The standings for a spreadsheet."""
    export = _export(request, slug)
    return _csv(export, standings_table(export))


@require_safe
def games_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """Who scored what in which game, for a spreadsheet."""
    export = _export(request, slug)
    return _csv(export, games_table(export))


@require_safe
def workbook(request: HttpRequest, slug: str) -> HttpResponse:
    """Standings, games and nominations as one workbook."""
    export = _export(request, slug)
    return _file(export, xlsx_of(export), _("Standings"), "xlsx", XLSX)


@require_safe
def data(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything for a program, exact."""
    export = _export(request, slug)
    return _file(export, json_of(export), _("Standings"), "json", "application/json")


@require_safe
def nominations_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Who was the best in each role, and the other nominations."""
    return render(request, "scoring/nominations_page.html", nominations_context(_export(request, slug)))


@require_safe
def teams_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The team standings, each team unfolding into what its members brought."""
    export = _export(request, slug)
    oversees = standing_in(request.user, export.found.tournament).oversees
    return render(request, "scoring/teams_page.html", {**teams_context(export), "oversees": oversees})


@require_safe
def teams_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """The team standings for a spreadsheet."""
    export = _export(request, slug)
    return _csv(export, teams_table(export))


def _export(request: HttpRequest, slug: str) -> Exported:
    """The result of a tournament that the person may see; only signed games in force are in it."""
    tournament = tournament_for(request.user, slug)
    seen = _seen(request, tournament)
    return exported(tournament, seen, said_of(seen))


def _paper(request: HttpRequest, slug: str, kind: str) -> Paper:
    tournament = tournament_for(request.user, slug)
    is_wide = request.GET.get("wide") == "1"
    return paper_of(tournament, kind, is_wide=is_wide, seen=_seen(request, tournament))


def _seen(request: HttpRequest, tournament: Tournament) -> Seen:
    """What the person sees, as of `?after=2.5`. Raises Http404 for a round that is not played, or hidden from them."""
    try:
        return seen_by(request.user, tournament, request.GET.get("after", ""))
    except KeyError:
        raise Http404 from None


def _address(found: Paper, name: str) -> str:
    address = reverse(name, args=[found.tournament.slug])
    query = ({"wide": "1"} if found.is_wide else {}) | ({"after": found.until.key} if found.until else {})
    return f"{address}?{urlencode(query)}" if query else address


def _name(found: Paper) -> str:
    return {
        "standings": _("Standings"),
        "games": _("Games of every player"),
        "nominations": pgettext("award", "Nominations"),
        "teams": _("Team standings"),
    }[found.kind]


def _csv(export: Exported, table: Table) -> HttpResponse:
    content = csv_of(table, said_beside(export))
    return _file(export, content, table.name, "csv", "text/csv; charset=utf-8")


def _file(export: Exported, content: bytes, what: str, extension: str, content_type: str) -> HttpResponse:
    """A file under a name that says whether the result is preliminary; no proxy keeps it."""
    beside = [export.until.words] if export.until else []
    beside += [_("preliminary")] if export.progress.is_preliminary else []
    said = f"{what} ({'; '.join(beside)})" if beside else what
    name = _("%(what)s, %(tournament)s") % {"what": said, "tournament": export.found.tournament.title}
    response = attachment(content, f"{name}.{extension}", content_type)
    response.headers["Cache-Control"] = "private, no-cache"
    return response
