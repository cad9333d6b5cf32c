"""Who plays no more and who plays instead; the whole tournament cancelled: for the organizer and the head judge."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from protocols import access, selectors
from protocols.forms.changes import ReplaceForm
from protocols.forms.rounds import CancelForm
from protocols.models import Cancellation, Game, Player, SeatChange, Status, Tournament
from protocols.services import replacing
from protocols.services.errors import Invalid
from protocols.views.login_again import keeps_typed, offered_again
from protocols.views.requests import user_of

PARTS = ("replace", "free", "cancel")


@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def changes(request: HttpRequest, slug: str) -> HttpResponse:
    """A late replacement, seats freed of somebody removed (A 7.4), the tournament cancelled; and what was done so."""
    tournament = access.overseen(request.user, slug)
    ahead = list(selectors.games_of(tournament).filter(status=Status.PREPARED, revision=0))
    players = list(Player.objects.filter(seats__game__in=[game.pk for game in ahead]).distinct())
    players.sort(key=lambda player: player.nickname_key)
    part = request.POST.get("part", "")
    form = ReplaceForm(request.POST if part == "replace" else None, players=players, games=ahead)
    cancel = CancelForm(request.POST if part == "cancel" else None)
    try:
        if part == "free":
            said = _free(request, tournament)
            messages.success(request, said)
            return redirect("changes", slug)
        if part == "replace" and form.is_valid():
            _replace(request, tournament, form, players, ahead)
            return redirect("changes", slug)
        if part == "cancel" and cancel.is_valid():
            replacing.cancel_tournament(tournament, reason=cancel.cleaned_data["reason"], by=user_of(request))
            messages.success(request, _("The tournament is cancelled; the reason is on its page."))
            return redirect("changes", slug)
    except Invalid as error:
        shown = {"replace": form, "cancel": cancel}.get(part)
        if shown is not None:
            shown.add_error(None, error.messages)
        else:
            messages.error(request, " ".join(error.messages))
    for each in (form, cancel):
        offered_again(request, each)
    context = {
        "tournament": tournament,
        "form": form,
        "cancel": cancel,
        "has_games": bool(ahead),
        "removed": replacing.removed_and_seated(tournament),
        "changes": list(SeatChange.objects.filter(tournament=tournament).select_related("done_by").order_by("-pk")),
        "cancellation": Cancellation.objects.filter(tournament=tournament).select_related("done_by").first(),
    }
    status = 422 if form.errors or cancel.errors else 200
    return render(request, "protocols/changes_page.html", context, status=status)


def _free(request: HttpRequest, tournament: Tournament) -> str:
    """Frees the seats of somebody who was removed from the tournament."""
    sent = request.POST.get("player", "")
    found = [each for each in replacing.removed_and_seated(tournament) if str(each.player.pk) == sent]
    if not found:
        raise Invalid(_("This player has no seat left in a game that has not begun."))
    change = replacing.free_seats(
        tournament, found[0].player, reason=_("removed from the tournament (A 7.4)"), by=user_of(request)
    )
    return _("Seats freed: %(n)d. They stay empty until somebody is put there.") % {"n": len(change.seats)}


def _replace(request: HttpRequest, tournament: Tournament, form: Any, players: list[Player], ahead: list[Game]) -> None:
    data = form.cleaned_data
    gone = next(player for player in players if player.pk == data["gone"])
    since = next(game for game in ahead if game.pk == data["since"])
    change = replacing.replace_player(
        tournament, gone, data["came"], since=since, reason=data["reason"], by=user_of(request)
    )
    words = {"came": change.came, "gone": change.gone, "n": len(change.seats)}
    messages.success(request, _("%(came)s now plays instead of %(gone)s; games: %(n)d.") % words)
