"""The page where an organizer gives the ratings from outside: a tie key of some regulations (§7)."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from protocols.access import organized
from protocols.views.login_again import keeps_typed, offered_again
from protocols.views.requests import sent_in, user_of

from .forms import QualifyingForm
from .models import QualifyingRating
from .ratings import ONE
from .services import set_qualifying
from .wording import decimals_of, figure


@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def qualifying(request: HttpRequest, slug: str) -> HttpResponse:
    """The ratings as they are given, a player a line; 422 naming every line that is wrong."""
    tournament = organized(request.user, slug)
    form = QualifyingForm(sent_in(request), initial={"ratings": "\n".join(_lines(tournament.pk))})
    if request.method == "POST" and form.is_valid():
        set_qualifying(tournament, form.cleaned_data["ratings"], by=user_of(request))
        messages.success(request, _("The qualifying ratings are saved."))
        return redirect("standings", slug)
    offered_again(request, form)
    context = {"tournament": tournament, "form": form}
    return render(request, "scoring/qualifying_page.html", context, status=422 if form.errors else 200)


def _lines(tournament: int) -> list[str]:
    given = QualifyingRating.objects.filter(tournament=tournament).select_related("player")
    figures = [(each.player.nickname, figure(each.rating, ONE, decimals_of([each.rating], ONE, 3))) for each in given]
    return [f"{nickname} {rating}" for nickname, rating in figures]
