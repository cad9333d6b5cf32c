"""Pages of standings, open to everybody who may see the tournament; lots, for whoever runs it."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from protocols.access import overseen, standing_in, tournament_for
from protocols.models import NICKNAME_LENGTH
from protocols.pdf import html_pdf
from protocols.regulation_words import regulation_name

from .player import games_by_stage, summary_of
from .selectors import TournamentStandings, games_played, progress_of, standings_of
from .services import NoLotDue, draw_lots
from .table import drawn_groups, due_groups, matching, multiplied_stages, rows_of, tie_keys

PRINT_STYLES = ("css/standings_print.css",)


def _context_of(found: TournamentStandings) -> dict[str, Any]:
    """What the page and the paper show alike."""
    rules = found.tournament.rules
    return {
        "tournament": found.tournament,
        "regulation": regulation_name(found.tournament.regulation),
        "rows": rows_of(found),
        "progress": progress_of(found.tournament),
        "has_compensation": rules.compensation is not None,
        "has_speech_marks": rules.speech_step is not None,
        "penalty_is_multiplied": "penalty" in rules.multiplied,
        "multiplied": multiplied_stages(found.stages),
        "tie_keys": tie_keys(rules),
        "drawn": drawn_groups(found),
    }


@require_safe
def standings_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The standings; ?q= shows the players whose nickname holds the words."""
    tournament = tournament_for(request.user, slug)
    found = standings_of(tournament)
    context = _context_of(found)
    query = request.GET.get("q", "").strip()[:NICKNAME_LENGTH]
    context["query"] = query
    context["shown"] = matching(context["rows"], query) if query else context["rows"]
    context["due"] = due_groups(found)
    context["may_draw"] = standing_in(request.user, tournament).oversees
    return render(request, "scoring/standings_page.html", context)


@require_safe
def standings_pdf(request: HttpRequest, slug: str) -> HttpResponse:
    """The standings on A4, the same rows as the page."""
    found = standings_of(tournament_for(request.user, slug))
    context = _context_of(found) | {"printed_at": timezone.now()}
    pdf = html_pdf(render_to_string("scoring/standings_print.html", context), PRINT_STYLES)
    response = HttpResponse(pdf, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="standings-{slug}.pdf"'
    return response


@require_safe
def player_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """One player's games: what each brought to the rating."""
    tournament = tournament_for(request.user, slug)
    found = standings_of(tournament)
    place = found.table.of(pk)
    if place is None:
        raise Http404
    context = {
        "tournament": tournament,
        "player_id": pk,
        "nickname": found.nicknames[pk],
        "summary": summary_of(found, place),
        "players": len(found.table.places),
        "stages": games_by_stage(games_played(tournament, pk)),
        "progress": progress_of(tournament),
        "has_compensation": tournament.rules.compensation is not None,
        "has_speech_marks": tournament.rules.speech_step is not None,
    }
    return render(request, "scoring/player_page.html", context)


@login_required
@require_POST
def draw(request: HttpRequest, slug: str) -> HttpResponse:
    """Draw the lot among the players that the form names, or say that these wait for none."""
    tournament = overseen(request.user, slug)
    players = [int(text) for text in request.POST.getlist("player") if text.isascii() and text.isdigit()]
    try:
        draw_lots(tournament, players, by=cast(User, request.user))
    except NoLotDue:
        messages.error(request, _("No lot is due among these players: it has been drawn, or a result has changed."))
    else:
        messages.success(request, _("The lot is drawn and kept with your name and the time."))
    return redirect("standings", slug)
