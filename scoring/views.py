"""Pages of standings, open to everybody who may see the tournament; lots, for whoever runs it."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from protocols.access import overseen, standing_in, tournament_for
from protocols.models import NICKNAME_LENGTH, Player, Tournament
from protocols.views.login_again import keeps_typed_on

from .cut_table import standings_context
from .discipline_words import fines_of
from .explain_clauses import tie_rule
from .explain_words import beside_words, opened_words
from .player import games_by_stage, summary_of
from .protest_links import decisions_shown
from .release import Seen, said_of, seen_by
from .selectors import games_played, progress_of, standings_of
from .services import NoLotDue, draw_lots
from .table import due_groups, matching, played_stages


@require_safe
def standings_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The standings; ?q= shows the players whose nickname holds the words, ?after=2.5 how they stood then."""
    tournament = tournament_for(request.user, slug)
    seen = _seen(request, tournament)
    found, context = standings_context(tournament, seen)
    context["moments"] = seen.moments
    context["said"] = said_of(seen)
    context["asked"] = f"after={seen.until.key}&" if seen.until else ""
    context["from"] = f"?after={seen.until.key}" if seen.until else ""
    query = request.GET.get("q", "").strip()[:NICKNAME_LENGTH]
    context["query"] = query
    context["stages_played"] = played_stages(found)
    context["shown"] = matching(context["rows"], query) if query else context["rows"]
    context["due"] = due_groups(found)
    context["oversees"] = standing_in(request.user, tournament).oversees
    context["may_draw"] = context["oversees"] and seen.until is None
    context["decisions"] = decisions_shown(tournament, seen) if context["progress"].decided else []
    return render(request, "scoring/standings_page.html", context)


@require_safe
def player_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """One player's games: what each brought to the rating."""
    tournament = tournament_for(request.user, slug)
    seen = _seen(request, tournament)
    found = standings_of(tournament, seen)
    place = found.table.of(pk)
    if place is None:
        merged = get_object_or_404(Player, pk=pk, merged_into__isnull=False).merged_into_id
        return redirect("player", slug, merged)
    rules = [tournament.rules, *found.terms.own.values()]
    played = games_played(tournament, pk, seen)
    knows_no_extra = all(each.hides_extra for each in played)
    context = {
        "opened": opened_words(found, place, played, fines_of(found, pk), knows_no_extra=knows_no_extra),
        "besides": beside_words(found, place),
        "place_rules": [tie_rule(found)],
        "of": request.GET.get("of", ""),
        "after": seen.until.key if seen.until else "",
        "asked": f"after={seen.until.key}&" if seen.until else "",
        "until": seen.until,
        "tournament": tournament,
        "player_id": pk,
        "nickname": found.nicknames[pk],
        "summary": summary_of(found, place, knows_no_extra=knows_no_extra),
        "players": len(found.table.places),
        "stages": games_by_stage(found, played),
        "progress": progress_of(tournament, seen),
        "said": said_of(seen),
        "has_compensation": any(each.compensation is not None for each in rules),
        "has_speech_marks": any(each.has_marks for each in rules),
    }
    return render(request, "scoring/player_page.html", context)


def _seen(request: HttpRequest, tournament: Tournament) -> Seen:
    """What the person sees, as of `?after=2.5`. Raises Http404 for a round that is not played, or hidden from them."""
    try:
        return seen_by(request.user, tournament, request.GET.get("after", ""))
    except KeyError:
        raise Http404 from None


@keeps_typed_on("standings", is_button=True)
@require_POST
def draw_lot(request: HttpRequest, slug: str) -> HttpResponse:
    """Draw the lot among the players that the form names, or say that these wait for none."""
    tournament = overseen(request.user, slug)
    sent = request.POST.getlist("player")
    players = [int(text) for text in sent if text.isascii() and text.isdigit() and len(text) < 19]
    try:
        draw_lots(tournament, players, by=cast(User, request.user))
    except NoLotDue:
        messages.error(request, _("No lot is due among these players: it has been drawn, or a result has changed."))
    else:
        messages.success(request, _("The lot is drawn and kept with your name and the time."))
    return redirect("standings", slug)
