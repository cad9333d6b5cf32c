"""Two players who are one: named, shown with everything that would move, then merged."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from protocols.access import organized
from protocols.models import Player, PlayerMerge, Tournament
from protocols.services.errors import Invalid
from protocols.services.people import printed_name
from protocols.views.login_again import keeps_typed, offered_again
from protocols.views.requests import sent_in, user_of

from .merge_forms import MergeForm
from .merging import MergePlan, Moved, merge, merge_plan

MOST_SHOWN = 20  # merges of before


@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def merge_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Which two players are one, what would move, and the merges of before; the organizer's."""
    tournament = organized(request.user, slug)
    form = MergeForm(sent_in(request))
    plan: MergePlan | None = None
    refused: list[str] = []
    if request.method == "POST" and form.is_valid():
        gone, kept, by = form.cleaned_data["gone"], form.cleaned_data["kept"], user_of(request)
        if "seen" in request.POST:
            try:
                merge(gone, kept, seen=request.POST["seen"], by=by)
            except Invalid as error:
                refused = error.messages
            else:
                words = {"gone": gone.nickname, "kept": kept.nickname}
                messages.success(request, _("%(gone)s and %(kept)s are one player now: %(kept)s.") % words)
                return redirect("participants", slug)
        found = Player.objects.in_bulk([gone.pk, kept.pk])
        plan = merge_plan(found[gone.pk], found[kept.pk], by=by)
        refused = plan.refusals or refused
    offered_again(request, form)
    context = {
        "tournament": tournament,
        "form": form,
        "plan": plan,
        "refused": refused,
        "moved": [(each.tournament.title, moved_words(each)) for each in plan.moved] if plan else [],
        "before": _before(tournament),
        "nicknames": _nicknames(tournament),
    }
    status = 422 if form.errors or refused else 200
    return render(request, "scoring/merge_page.html", context, status=status)


def moved_words(moved: Moved) -> str:
    """What goes over in one tournament."""
    games = ngettext("%(n)d game", "%(n)d games", moved.games) % {"n": moved.games}
    sheets = ngettext("%(n)d signed protocol", "%(n)d signed protocols", moved.signed) % {"n": moved.signed}
    found = [words for count, words in ((moved.games, games), (moved.signed, sheets)) if count]
    if moved.takes_part:
        found.append(_("takes part"))
    if moved.team:
        found.append(_("the team “%(team)s”") % {"team": moved.team})
    if moved.rest:
        found.append(_("lots, cuts, ratings and protests: %(n)d") % {"n": moved.rest})
    return ", ".join(found)


def _nicknames(tournament: Tournament) -> list[str]:
    """Whom one is likely to mean: who takes part or has a seat in the tournament."""
    taking = Player.objects.filter(participations__tournament=tournament, merged_into=None)
    seated = Player.objects.filter(seats__game__tournament=tournament, merged_into=None)
    found = (taking | seated).order_by("nickname_key").distinct()
    return list(found.values_list("nickname", flat=True))


def _before(tournament: Tournament) -> list[tuple[PlayerMerge, str]]:
    """The last merges that touched the tournament, with who said so."""
    merges = PlayerMerge.objects.select_related("gone", "kept", "merged_by").order_by("-merged_at")[:500]
    here = [each for each in merges if any(told["tournament"] == tournament.slug for told in each.moved)]
    return [(each, printed_name(each.merged_by)) for each in here[:MOST_SHOWN]]
