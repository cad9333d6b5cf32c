"""Participants, and seatings: asked for, watched, stopped, thrown away, used."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from protocols import access
from protocols.forms.seating import RegisterForm, SeatingForm, UseForm
from protocols.matrix_view import picture_of
from protocols.models import Player, Round, SeatingKind, SeatingRun, SeatingState, Stage, Tournament
from protocols.seating.advice import options_near
from protocols.seating.bounds import bounds_of
from protocols.seating.draw import CannotSeat
from protocols.seating.quality import quality_of
from protocols.services import roster, seating_people, seating_rounds, seating_runs
from protocols.services.errors import Invalid
from protocols.views.login_again import keeps_typed, offered_again
from protocols.views.requests import sent_in, user_of
from protocols.wording.seating import fault_words, option_words, quality_lines


@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def participants(request: HttpRequest, slug: str) -> HttpResponse:
    """Who takes part: added by nickname, withdrawn and brought back, numbered by lot; the organizer's."""
    tournament = access.organized(request.user, slug)
    part = request.POST.get("part", "add")
    if request.method == "POST" and part != "add":
        _change(request, tournament, part)
        return redirect("participants", slug)
    form = RegisterForm(sent_in(request))
    if request.method == "POST" and form.is_valid():
        try:
            answer = seating_people.register(
                tournament, form.cleaned_data["nicknames"].splitlines(), confirm_new=form.cleaned_data["confirm_new"]
            )
        except Invalid as error:
            form.add_error("nicknames", error.messages)
        else:
            if answer.is_written:
                messages.success(request, _("Participants added: %(n)d.") % {"n": len(answer.added)})
                return redirect("participants", slug)
            names = ", ".join(_unknown_words(answer.unknown))
            form.add_error("confirm_new", _("Nobody has these nicknames: %(names)s. New players?") % {"names": names})
    offered_again(request, form)
    context = {
        "tournament": tournament,
        "form": form,
        "participants": list(tournament.participants.select_related("player")),
        "stages": list(tournament.stages.order_by("number")),
    }
    return render(request, "protocols/seating_people_page.html", context, status=422 if form.errors else 200)


def _unknown_words(nicknames: Sequence[str]) -> list[str]:
    """Each nickname that nobody has, with the known ones that it looks like."""
    looks = roster.looks_of(nicknames)
    words = _("%(nickname)s (looks like %(names)s)")
    return [
        words % {"nickname": each, "names": ", ".join(looks[each])} if each in looks else each for each in nicknames
    ]


def _change(request: HttpRequest, tournament: Tournament, part: str) -> None:
    """What a button beside a name says, or the one that draws the numbers."""
    if part == "numbers":
        seed = secrets.randbelow(seating_runs.MOST_SEED + 1)
        seating_people.draw_numbers(tournament, seed=seed)
        messages.success(request, _("The numbers are drawn; seed %(seed)d.") % {"seed": seed})
        return
    sent = request.POST.get("participant", "")
    key = int(sent) if sent.isascii() and sent.isdigit() and len(sent) < 19 else 0
    participant = get_object_or_404(tournament.participants.select_related("player", "tournament"), pk=key)
    doing = {
        "withdraw": seating_people.withdraw,
        "back": seating_people.bring_back,
        "strike": seating_people.strike_off,
    }.get(part)
    if doing is not None:
        try:
            doing(participant)
        except Invalid as error:
            messages.error(request, " ".join(error.messages))


@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def seating(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """A stage's seating: what is asked for, what is drawn, and its rounds; the organizer's."""
    tournament = access.organized(request.user, slug)
    stage = get_object_or_404(Stage, tournament=tournament, number=number)
    if request.POST.get("part") in ("open", "close"):
        seating_rounds.open_seating(stage, is_public=request.POST["part"] == "open")
        return redirect("seating", slug, number)
    removed = seating_people.removed_players(tournament)
    everybody = [
        each
        for each in tournament.participants.select_related("player")
        if each.takes_part and each.player_id not in removed
    ]
    first = {"players": [each.pk for each in everybody], "games": 10, "tables": max(1, len(everybody) // 10)}
    form = SeatingForm(sent_in(request), participants=everybody, initial=first)
    options: list[str] = []
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        chosen = [each for each in everybody if each.pk in data["players"]]
        try:
            run = seating_runs.ask_for(
                stage, chosen, games=data["games"], tables=data["tables"], seconds=data["seconds"],
                seed=_seed(data["seed"]), mates=data["mates"], by=user_of(request),
            )  # fmt: skip
        except CannotSeat as error:
            form.add_error(None, [fault_words(fault) for fault in error.faults])
            if not any(fault.players for fault in error.faults):
                near = options_near(len(chosen), data["games"], data["tables"])
                options = [option_words(option) for option in near]
        except Invalid as error:
            form.add_error(None, error.messages)
        else:
            return redirect("seating-run", slug, run.uuid)
    offered_again(request, form)
    context = {
        "tournament": tournament,
        "stage": stage,
        "form": form,
        "options": options,
        "participants": everybody,
        "runs": list(SeatingRun.objects.filter(stage=stage).order_by("-asked_at")),
        "rounds": _rounds(stage),
    }
    return render(request, "protocols/seating_page.html", context, status=422 if form.errors else 200)


def _seed(typed: int | None) -> int:
    return secrets.randbelow(seating_runs.MOST_SEED + 1) if typed is None else typed


def _rounds(stage: Stage) -> list[tuple[Round, list[Any]]]:
    """The rounds, each with its games and their seats: three queries. A game without a round is in that of its number.

    Games that nobody made rounds for are told in rounds all the same.
    """
    games: dict[int, list[Any]] = {}
    for game in stage.games.order_by("table_number").prefetch_related("seats"):
        games.setdefault(game.round or game.number, []).append(game)
    rounds = {each.number: each for each in stage.rounds.all()}
    numbers = sorted({*rounds, *games})
    return [(rounds.get(n) or Round(stage=stage, number=n), games.get(n, [])) for n in numbers]


@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def seating_run(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """How far a seating is, and how good; stopped, thrown away or used. It looks again by itself."""
    tournament = access.organized(request.user, slug)
    run = get_object_or_404(
        SeatingRun.objects.select_related("stage__tournament"), uuid=uuid, stage__tournament=tournament
    )
    part = request.POST.get("part", "")
    number = seating_rounds.next_round(run.stage)
    waiting = seating_rounds.unsigned_before(run.stage, number)
    form = UseForm(
        request.POST if part == "use" else None,
        zone=tournament.zone, is_warned=bool(waiting), initial={"first_round": number},
    )  # fmt: skip
    try:
        if part == "stop":
            seating_runs.stop(run)
            return redirect("seating-run", slug, uuid)
        if part == "discard":
            seating_runs.discard(run)
            return redirect("seating", slug, run.stage.number)
        if part == "back":
            gone = seating_rounds.take_back(run)
            messages.success(request, _("The seating is taken back; games that went: %(n)d.") % {"n": gone})
            return redirect("seating-run", slug, uuid)
        if part == "use" and run.kind == SeatingKind.SEARCH and form.is_valid():
            made = seating_rounds.use(run, by=user_of(request), **form.cleaned_data)
            messages.success(request, _("Rounds seated: %(n)d.") % {"n": len(made)})
            return redirect("seating", slug, run.stage.number)
    except Invalid as error:
        if form.is_bound:
            form.add_error(None, error.messages)
        else:
            messages.error(request, " ".join(error.messages))
    seating_runs.see_to(run)
    offered_again(request, form)
    context = {"tournament": tournament, "run": run, "form": form, **_result(run)}
    context["waiting"] = seating_rounds.games_words(waiting) if run.state == SeatingState.DONE else ""
    response = render(request, "protocols/seating_run_page.html", context, status=422 if form.errors else 200)
    response.headers["Cache-Control"] = "no-store"
    return response


def _result(run: SeatingRun) -> dict[str, Any]:
    """How far the search is; of one that has ended, how good it is, as lines and as pictures."""
    if run.found is None:
        return {"bound": bounds_of(run.request).best, "spent": min(round(run.spent), run.seconds)}
    quality = quality_of(run.request, run.found)
    known = Player.objects.in_bulk(run.players)
    names = [known[key].nickname if key in known else "—" for key in run.players]
    return {
        "lines": list(quality_lines(quality)),
        "names": list(enumerate(names, start=1)),
        "meetings": picture_of(quality.meetings, names=names, is_of_pairs=True),
        "seats": picture_of(quality.seats, names=names, is_of_pairs=False),
        "distance": quality.spread - quality.bounds.best,
    }
