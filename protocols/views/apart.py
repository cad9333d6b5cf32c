"""Pairs that a seating keeps apart, and judges who keep away from players."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from protocols import access
from protocols.forms.apart import ApartForm, ConflictForm
from protocols.models import Player, Tournament
from protocols.selectors import judges_of
from protocols.services import seating_people
from protocols.services.errors import Invalid
from protocols.services.people import printed_name
from protocols.views.login_again import keeps_typed, offered_again


@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def apart(request: HttpRequest, slug: str) -> HttpResponse:
    """Who is kept apart in the seatings of the tournament; the organizer's."""
    tournament = access.organized(request.user, slug)
    part = request.POST.get("part", "")
    players = list(Player.objects.filter(participations__tournament=tournament).order_by("nickname_key"))
    by_key = {player.pk: player for player in players}
    judges = {judge.pk: judge for judge in judges_of(tournament)}
    pair_form = ApartForm(request.POST if part == "pair" else None, players=players)
    conflict_form = ConflictForm(
        request.POST if part == "conflict" else None, judges=list(judges.values()), players=players
    )
    form = pair_form if part == "pair" else conflict_form
    if request.method == "POST" and part not in ("pair", "conflict"):
        _undo(request, tournament, part)
        return redirect("apart", slug)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            if part == "pair":
                seating_people.keep_apart(tournament, by_key[data["first"]], by_key[data["second"]], data["most"])
            else:
                seating_people.note_conflict(tournament, judges[data["judge"]], by_key[data["player"]])
        except Invalid as error:
            form.add_error(None, error.messages)
        else:
            messages.success(request, _("Saved. It holds for every seating that is drawn from now on."))
            return redirect("apart", slug)
    offered_again(request, pair_form)
    offered_again(request, conflict_form)
    context = {
        "tournament": tournament,
        "pair_form": pair_form,
        "conflict_form": conflict_form,
        "has_players": len(players) > 1,
        "has_judges": bool(judges and players),
        "pairs": list(tournament.kept_apart.select_related("first", "second")),
        "conflicts": [
            (each, printed_name(each.judge)) for each in tournament.conflicts.select_related("judge", "player")
        ],
    }
    return render(request, "protocols/apart_page.html", context, status=422 if form.errors else 200)


def _undo(request: HttpRequest, tournament: Tournament, part: str) -> None:
    """What a button beside a pair or a conflict says; one that is not there any more is gone already."""
    sent = request.POST.get("row", "")
    key = int(sent) if sent.isascii() and sent.isdecimal() and len(sent) < 19 else 0
    if part == "let-meet":
        seating_people.let_meet(tournament, key)
    elif part == "let-judge":
        seating_people.let_judge(tournament, key)
