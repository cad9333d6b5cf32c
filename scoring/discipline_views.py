"""The register of discipline, for the head judge, the organizer and the commission; the head judge gives penalties."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from protocols import access
from protocols.rules.points import thousandths
from protocols.services.errors import Invalid
from protocols.views.login_again import keeps_typed, offered_again
from protocols.views.requests import sent_in, user_of

from .discipline import PlayersRecord, register_of
from .discipline_forms import PlayerPenaltyForm
from .discipline_models import PlayerPenalty
from .discipline_services import give_player_penalty, players_in
from .discipline_words import act_row, counts_words, penalty_row
from .penalty_services import revoke_penalty
from .team_forms import RevokeForm


@never_cache
@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def discipline(request: HttpRequest, slug: str) -> HttpResponse:
    """What was given in the tournament, by player and clause; ?player=5 shows one player alone."""
    tournament = access.heard(request.user, slug)
    is_head = access.standing_in(request.user, tournament).is_head_judge
    part = request.POST.get("part", "")
    if request.method == "POST" and not is_head:
        raise PermissionDenied
    players = players_in(tournament) if is_head else []
    card = thousandths(-tournament.rules.warning)
    form = PlayerPenaltyForm(sent_in(request) if part == "give" else None, players=players, card=card)
    revoke = RevokeForm(sent_in(request) if part == "revoke" else None)
    sent = {"give": form, "revoke": revoke}.get(part)
    if sent is not None and sent.is_valid():
        try:
            if part == "give":
                values = dict(form.cleaned_data)
                player = next(each for each in players if each.pk == values["player"])
                give_player_penalty(tournament, **{**values, "player": player}, by=user_of(request))
                messages.success(request, _("The penalty is given and kept with your name and the time."))
            else:
                key = request.POST.get("penalty", "")
                own = PlayerPenalty.objects.filter(tournament=tournament)
                penalty = get_object_or_404(own, pk=int(key) if key.isdecimal() and len(key) < 19 else 0)
                revoke_penalty(penalty, reason=revoke.cleaned_data["why"], by=user_of(request))
                messages.success(request, _("The penalty is revoked; it stays on record with your reason."))
            return redirect("discipline", slug)
        except Invalid as error:
            sent.add_error(None, error.messages)
    offered_again(request, form)
    offered_again(request, revoke)
    register = register_of(tournament, request.user)
    asked = request.GET.get("player", "")
    shown = [each for each in register.players if str(each.player_id) == asked] or list(register.players)
    context = {
        "tournament": tournament,
        "is_head": is_head,
        "register": register,
        "asked": asked,
        "players": [_shown(each) for each in shown],
        "form": form,
        "revoke": revoke,
        "revoking": request.POST.get("penalty", "") if part == "revoke" else "",
    }
    status = 422 if sent is not None and sent.errors else 200
    return render(request, "scoring/discipline_page.html", context, status=status)


def _shown(record: PlayersRecord) -> dict[str, object]:
    return {
        "player_id": record.player_id,
        "nickname": record.nickname,
        "counts": counts_words(record),
        "acts": [(act, act_row(act)) for act in record.acts],
        "penalties": [(each, penalty_row(each)) for each in record.penalties],
    }
