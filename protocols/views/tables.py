"""The board of all tables, for the head judge and the organizer: up to date by itself."""

from __future__ import annotations

import time

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from protocols import access
from protocols.tables import board_of, seen_by


@require_safe
@login_required
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """All tables of the round at hand; `?rounds=all` of every round."""
    tournament = access.overseen(request.user, slug)
    all_rounds = request.GET.get("rounds") == "all"
    seen = seen_by(tournament, request.user, all_rounds=all_rounds)
    context = {
        "tournament": tournament,
        "all_rounds": all_rounds,
        "rounds": board_of(seen),
        "mark": seen.mark,
        "now": _now(),
    }
    return render(request, "protocols/tables_page.html", context)


@require_safe
def state(request: HttpRequest, slug: str) -> HttpResponse:
    """What changes on it; 304 as long as nothing of it has, and then no entry is read."""
    tournament = access.overseen(request.user, slug)
    seen = seen_by(tournament, request.user, all_rounds=request.GET.get("rounds") == "all")
    etag = f'"{seen.mark}"'
    response = get_conditional_response(request, etag=etag)
    if response is None:
        response = render(request, "protocols/_tables.html", {"tournament": tournament, "rounds": board_of(seen)})
    assert isinstance(response, HttpResponse)
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "no-cache"
    response.headers["X-Now"] = str(_now())
    return response


def _now() -> int:
    """The server's time, ms since 1970."""
    return round(time.time() * 1000)
