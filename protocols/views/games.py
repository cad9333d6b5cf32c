"""A judge's own games, and the protocol of one game."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Max, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from protocols import access, selectors
from protocols.duties import duties_of, inner_state, public_state, tone_of
from protocols.forms.protests import CorrectionForm
from protocols.forms.tournament import GameForm, ReopenForm
from protocols.models import CorrectionRequest, Game, Member, MemberRole, SignedSheet, Stage
from protocols.printing import public_form, signed_form
from protocols.protest_selectors import protests_of
from protocols.protest_words import with_protests
from protocols.services import prepare, sign
from protocols.services.errors import Invalid
from protocols.services.people import is_of_file
from protocols.sheet_check import code_of
from protocols.sheet_view import form_of
from protocols.views.decisions import changes_on
from protocols.views.login_again import keeps_typed, keeps_typed_on, offered_again
from protocols.views.protests import clock_of, told
from protocols.views.requests import sent_in, user_of


@require_safe
@login_required
def mine(request: HttpRequest) -> HttpResponse:
    """The games that one judges: those that wait for something first, with the next thing to do."""
    user = user_of(request)
    duties = duties_of(selectors.games_of_judge(user).annotate(seated=Count("seats")))
    context = {
        "due": [duty for duty in duties if duty.is_due],
        "done": [duty for duty in duties if not duty.is_due],
        "may_open": _stages_of(request).exists(),
    }
    return render(request, "protocols/my_games_page.html", context)


def _stages_of(request: HttpRequest) -> QuerySet[Stage]:
    """The stages of the tournaments that one may open a game in, the newest first."""
    serving = _crews_of(request).values("tournament")
    stages = Stage.objects.filter(tournament__in=serving).select_related("tournament")
    return stages.order_by("-tournament__starts_on", "-tournament", "number")


def _crews_of(request: HttpRequest) -> QuerySet[Member]:
    """How one serves in tournaments; whoever only sits on a commission opens no game."""
    return Member.objects.filter(user=user_of(request)).exclude(role=MemberRole.COMMISSION)


@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """A game of one's own, in a tournament that one serves in; 403 for whoever serves in none."""
    if not _crews_of(request).exists():
        raise PermissionDenied
    stages = list(_stages_of(request))
    form = GameForm(
        sent_in(request),
        stages=[(stage.pk, f"{stage.tournament.title} · {stage.name}") for stage in stages],
        judges=None,
        initial=_next_game(stages),
    )
    if request.method == "POST" and form.is_valid():
        stage = next(stage for stage in stages if stage.pk == form.cleaned_data["stage"])
        access.served(request.user, stage.tournament.slug)
        try:
            game = prepare.create_game(
                stage,
                number=form.cleaned_data["number"],
                table_number=form.cleaned_data["table_number"],
                played_on=form.cleaned_data["played_on"],
                judge=user_of(request),
            )
        except Invalid as error:
            form.add_error(None, error.messages)
        else:
            return redirect("prepare", game.uuid)
    offered_again(request, form)
    context = {"form": form, "has_stages": bool(stages)}
    return render(request, "protocols/game_form.html", context, status=422 if form.errors else 200)


def _next_game(stages: list[Stage]) -> dict[str, object]:
    """What the form of a new game begins with: today, the newest stage, the number after the last one in it."""
    begun = {"played_on": timezone.localdate(), "table_number": 1}
    if not stages:
        return begun
    last = Game.objects.filter(stage=stages[0]).aggregate(last=Max("number"))["last"] or 0
    return begun | {"stage": stages[0].pk, "number": last + 1}


# ---------------------------------------------------------------- the protocol


@never_cache
@require_safe
def protocol(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The protocol of a game: its signed sheet, or, for those who serve, what is written so far.

    `?sheet=1` shows a sheet that was signed before and superseded.
    """
    game = access.public_game(request.user, uuid)
    reopening = ReopenForm()
    if access.standing_at(request.user, game).is_head_judge:
        offered_again(request, reopening, reverse("game", args=[uuid]))
    return _protocol(request, game, reopening)


def _protocol(request: HttpRequest, game: Game, reopening: ReopenForm) -> HttpResponse:
    standing = access.standing_at(request.user, game)
    signed = list(selectors.signed_sheets_of(game)) if access.sees_roles(request.user, game) else []
    shown = _asked_for(request, signed) or next((each for each in signed if each.pk == game.sheet_in_force_id), None)
    whole = access.sees_extra(request.user, game)
    made = signed_form if whole else public_form
    protests = list(protests_of(game))
    if shown:
        form = made(shown, protests)
    else:
        form = form_of(with_protests(selectors.sheet_of(game, request.user), protests), is_draft=True)
    clock = clock_of(game)
    asks = standing.is_judge and not standing.is_head_judge and game.is_closed
    context = {
        "game": game,
        "standing": standing,
        "form": form,
        "covers_roles": game.status not in access.OVER and any(player.role for player in form.players),
        "shown": shown,
        "check": code_of(shown.sha256) if shown else "",
        "signer": shown.data["signature"]["name"] if shown else "",
        "sheets": signed if len(signed) > 1 or (signed and not shown) else [],
        "regulation": own.number if (own := (shown or game).regulation_version) else 0,
        "state": inner_state(game.status) if standing.serves else public_state(game.status),
        "tone": tone_of(game.status),
        "duty": duties_of([game])[0] if standing.is_judge and not game.is_closed else None,
        "may_reopen": standing.is_head_judge and game.is_closed,
        "reopening": reopening,
        "changes": changes_on(shown, signed, whole=whole),
        "clock": clock if clock and not clock.is_up else None,
        "protests": told(protests, inside=standing.hears_protests),
        "correction": offered_again(request, CorrectionForm(), reverse("game", args=[game.uuid])) if asks else None,
        "asked": _asked(game) if standing.serves and game.is_closed else None,
        "may_take_record": whole and access.sees_roles(request.user, game),
        "hides_extra": not whole,
        "may_take_ratings": whole and game.status in access.OVER and access.sees_roles(request.user, game),
        "is_from_file": shown is not None and is_of_file(shown.signed_by),
    }
    status = 422 if reopening.errors else 200
    return render(request, "protocols/game_page.html", context, status=status)


def _asked(game: Game) -> CorrectionRequest | None:
    """The last correction that its judge asked for."""
    return CorrectionRequest.objects.filter(game=game).select_related("answered_by").order_by("-pk").first()


def _asked_for(request: HttpRequest, signed: list[SignedSheet]) -> SignedSheet | None:
    """The sheet that the address names by its number. Raises Http404 where there is none."""
    asked = request.GET.get("sheet")
    if asked is None:
        return None
    for each in signed:
        if str(each.number) == asked:
            return each
    raise Http404


@keeps_typed_on("game")
@require_http_methods(["GET", "HEAD", "POST"])
def reopen(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Opens a signed protocol for corrections: the head judge's, with a reason."""
    game = access.headed_game(request.user, uuid)
    if request.method != "POST":
        return redirect("game", uuid)
    form = ReopenForm(request.POST)
    if form.is_valid():
        try:
            sign.reopen(game, by=user_of(request), reason=form.cleaned_data["reason"])
        except Invalid as error:
            form.add_error(None, error.messages)
        else:
            messages.success(request, _("The protocol is open for corrections; the old sheet stays readable."))
            return redirect("game", uuid)
    return _protocol(request, game, form)
