"""Who plays and who judges."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from protocols import access, selectors
from protocols.forms.tournament import HandOverForm
from protocols.models import NICKNAME_LENGTH, Member
from protocols.services import prepare
from protocols.services.errors import Invalid, Refused
from protocols.views.login_again import keeps_typed, offered_again
from protocols.views.requests import sent_in
from protocols.wording import refusal_words


@require_safe
@never_cache
def suggest(request: HttpRequest) -> HttpResponse:
    """Known nicknames that begin with `q`, as JSON, for those who serve in some tournament; 403 for others."""
    if not _serves_anywhere(request):
        return JsonResponse({"players": []}, status=403)
    return JsonResponse({"players": selectors.player_suggestions(request.GET.get("q", "")[:NICKNAME_LENGTH])})


def _serves_anywhere(request: HttpRequest) -> bool:
    user = request.user
    if not user.is_authenticated:
        return False
    return user.is_superuser or Member.objects.filter(user=user).exists()


@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def hand_over(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """A game given to another judge of its tournament, also in the middle."""
    game = access.prepared_game(request.user, uuid)
    if game.is_closed:
        messages.error(request, _("The protocol is signed: there is nothing to hand over."))
        return redirect("game", game.uuid)
    judges = selectors.judges_of(game.tournament).exclude(judged_games=game)
    form = HandOverForm(sent_in(request), judges=judges)
    if request.method == "POST" and form.is_valid():
        judge = judges.get(pk=form.cleaned_data["judge"])
        try:
            prepare.hand_over(game, judge)
        except Invalid as error:
            form.add_error(None, error.messages)
        except Refused as error:
            form.add_error(None, refusal_words(error.refusal, {}))
        else:
            messages.success(
                request,
                _("Game %(number)d at table %(table)d is now judged by %(judge)s.")
                % {"number": game.number, "table": game.table_number, "judge": prepare.printed_name(judge)},
            )
            standing = access.standing_in(request.user, game.tournament)
            return redirect("desk", game.tournament.slug) if standing.oversees else redirect("my-games")
    offered_again(request, form)
    context = {"game": game, "form": form, "has_judges": bool(form.fields["judge"].choices)}  # type: ignore[attr-defined]
    return render(request, "protocols/hand_over_page.html", context, status=422 if form.errors else 200)
