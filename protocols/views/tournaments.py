"""Setting a tournament up, and watching over its tables."""

from __future__ import annotations

import copy
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from protocols import access, selectors
from protocols.forms.tournament import GameForm, StageForm, TournamentForm
from protocols.models import Stage, Tournament
from protocols.overview import overview_of
from protocols.services import prepare
from protocols.services.errors import Invalid
from protocols.views.login_again import keeps_typed, offered_again
from protocols.views.requests import sent_in, user_of


def may_create(user: access.Viewer) -> bool:
    """Whether the person may set up a tournament: the site's staff may."""
    return user is not None and user.is_authenticated and getattr(user, "is_staff", False)


@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """A new tournament, set up by anybody of the site's staff, who becomes its organizer."""
    if not may_create(request.user):
        raise PermissionDenied
    form = TournamentForm(sent_in(request), initial={"starts_on": timezone.localdate()})
    if request.method == "POST" and form.is_valid():
        try:
            made = prepare.create_tournament(**form.cleaned_data, by=user_of(request))
        except Invalid as error:
            form.add_error(None, error.messages)
        else:
            messages.success(request, _("The tournament is set up. Now its stages, its people and its games."))
            return redirect("tournament-edit", made.slug)
    offered_again(request, form)
    status = 422 if form.errors else 200
    return render(request, "protocols/tournament_form.html", {"form": form}, status=status)


PARTS = ("tournament", "stage", "game")


@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    """The settings of a tournament, its organizer's: three forms, of which one is sent at a time."""
    tournament = access.organized(request.user, slug)
    part = request.POST.get("part", "")
    if request.method == "POST" and part not in PARTS:
        return redirect("tournament-edit", slug)
    stages = list(tournament.stages.order_by("number"))
    forms = _forms_of(tournament, stages, part, request)
    if part and forms[part].is_valid():
        try:
            said = _save(tournament, part, forms[part])
        except Invalid as error:
            forms[part].add_error(None, error.messages)
        else:
            messages.success(request, said)
            return redirect(f"{request.path}#{part}s" if part != "tournament" else request.path)
    for form in forms.values():
        offered_again(request, form)
    context = {
        "tournament": tournament,
        "forms": forms,
        "stages": stages,
        "members": list(selectors.members_of(tournament)),
        "games": list(selectors.games_of(tournament)),
    }
    status = 422 if part and forms[part].errors else 200
    return render(request, "protocols/tournament_edit_page.html", context, status=status)


def _forms_of(tournament: Tournament, stages: list[Stage], part: str, request: HttpRequest) -> dict[str, Any]:
    """The three forms; the one that was sent holds what was typed."""

    def data(name: str) -> Any:
        return request.POST if name == part else None

    last = stages[-1].number if stages else 0
    return {
        "tournament": TournamentForm(data("tournament"), instance=copy.copy(tournament), prefix="tournament"),
        "stage": StageForm(data("stage"), tournament=tournament, prefix="stage", initial={"number": last + 1}),
        "game": GameForm(
            data("game"),
            stages=[(stage.pk, stage.name) for stage in stages],
            judges=selectors.judges_of(tournament),
            prefix="game",
            initial=_next_game(tournament),
        ),
    }


def _next_game(tournament: Tournament) -> dict[str, Any]:
    """What the form of the next game begins with: the stage and day of the last one added, the next number."""
    last = tournament.games.order_by("-pk").first()
    if last is None:
        return {"number": 1, "table_number": 1, "played_on": tournament.starts_on}
    most = tournament.games.filter(stage=last.stage_id).aggregate(most=Max("number"))["most"]
    return {"number": most + 1, "table_number": 1, "played_on": last.played_on, "stage": last.stage_id}


def _save(tournament: Tournament, part: str, form: Any) -> str:
    """Hands what the form holds to its service; gives what to say. Raises Invalid."""
    data = form.cleaned_data
    if part == "tournament":
        prepare.set_tournament(tournament, **data)
        return _("The settings are saved.")
    if part == "stage":
        stage = prepare.add_stage(tournament, **data)
        return _("Stage “%(stage)s” is added.") % {"stage": stage.name}
    return _add_games(tournament, data)


def _add_games(tournament: Tournament, data: dict[str, Any]) -> str:
    """One game, or several in a row at one table, all or none. Raises Invalid."""
    with transaction.atomic():
        for number in range(data["number"], data["number"] + data["how_many"]):
            prepare.create_game(
                tournament.stages.get(pk=data["stage"]),
                number=number,
                table_number=data["table_number"],
                played_on=data["played_on"],
                judge=User.objects.get(pk=data["judge"]) if data["judge"] else None,
            )
    return ngettext(
        "%(count)d game is added at table %(table)d.", "%(count)d games are added at table %(table)d.", data["how_many"]
    ) % {"count": data["how_many"], "table": data["table_number"]}


@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def edit_stage(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One stage of a tournament, its organizer's to change."""
    tournament = access.organized(request.user, slug)
    stage = get_object_or_404(Stage, tournament=tournament, number=number)
    form = StageForm(sent_in(request), tournament=tournament, instance=copy.copy(stage))
    if request.method == "POST" and form.is_valid():
        try:
            prepare.set_stage(stage, **form.cleaned_data)
        except Invalid as error:
            form.add_error(None, error.messages)
        else:
            messages.success(request, _("The settings are saved."))
            return redirect("tournament-edit", slug)
    offered_again(request, form)
    context = {"tournament": tournament, "stage": stage, "form": form}
    return render(request, "protocols/stage_page.html", context, status=422 if form.errors else 200)


@require_safe
@login_required
def desk(request: HttpRequest, slug: str) -> HttpResponse:
    """All tables of a tournament, for its head judge and its organizer: what waits, what runs, what is done."""
    tournament = access.overseen(request.user, slug)
    context = {
        "tournament": tournament,
        "standing": access.standing_in(request.user, tournament),
        "overview": overview_of(tournament, request.user),
        "drafts": list(selectors.drafts_of(tournament).filter(discarded_at=None, game=None)),
    }
    return render(request, "protocols/desk_page.html", context)
