"""Rounds, for the organizer and the head judge: when each starts, who judges which table, moves, cancellations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from protocols import access, selectors
from protocols.forms.rounds import CancelForm, JudgesForm, MoveForm, StartForm
from protocols.models import CLOSED, Game, Round, Stage, Status, Tournament
from protocols.rules.terms import SEATS
from protocols.services import running, seating_rounds
from protocols.services.errors import Invalid
from protocols.services.replacing import removed_and_seated
from protocols.tables import round_of
from protocols.views.login_again import keeps_typed, offered_again
from protocols.views.requests import user_of
from protocols.wording.terms import numbers_words

PARTS = ("start", "judges", "move", "cancel")


@dataclass(frozen=True, slots=True)
class Line:
    """A round as the list shows it."""

    round: Round
    games: tuple[Game, ...]

    @property
    def signed(self) -> int:
        """How many of its games are signed."""
        return sum(game.status in CLOSED for game in self.games)

    @property
    def begun(self) -> int:
        """How many have begun."""
        return sum(game.status != Status.PREPARED for game in self.games)

    @property
    def without_judge(self) -> list[int]:
        """The tables that nobody judges yet."""
        return [game.table_number for game in self.games if not game.judge_name and game.status == Status.PREPARED]

    @property
    def holes(self) -> list[tuple[int, str]]:
        """The tables that have not begun and have free seats, each with those seats."""
        found = []
        for game in self.games:
            free = [seat for seat in SEATS if seat not in {each.number for each in game.seats.all()}]
            if free and game.status == Status.PREPARED:
                found.append((game.table_number, numbers_words(free)))
        return found

    @property
    def is_done(self) -> bool:
        """Whether everything of it is signed."""
        return bool(self.games) and self.signed == len(self.games)


def lines_of(tournament: Tournament) -> list[Line]:
    """All rounds in the order of play, with their games and seats: four queries."""
    games: dict[tuple[int, int], list[Game]] = {}
    for game in selectors.games_of(tournament).prefetch_related("seats"):
        games.setdefault((game.stage_id, round_of(game)), []).append(game)
    rows = {(each.stage_id, each.number): each for each in Round.objects.filter(stage__tournament=tournament)}
    stages = {stage.pk: stage for stage in tournament.stages.all()}
    found = []
    for stage_id, number in sorted({*rows, *games}, key=lambda key: (stages[key[0]].number, key[1])):
        row = rows.get((stage_id, number)) or Round(number=number)
        row.stage = stages[stage_id]
        found.append(Line(row, tuple(sorted(games.get((stage_id, number), []), key=lambda game: game.table_number))))
    return found


@require_safe
@login_required
def rounds(request: HttpRequest, slug: str) -> HttpResponse:
    """All rounds of the tournament, each with what it still wants."""
    tournament = access.overseen(request.user, slug)
    lines = lines_of(tournament)
    ahead = [line for line in lines if not line.is_done and not line.round.is_cancelled]
    context = {
        "tournament": tournament,
        "standing": access.standing_in(request.user, tournament),
        "lines": lines,
        "next": ahead[0] if ahead else None,
        "removed": removed_and_seated(tournament),
        "stages": list(tournament.stages.order_by("number")),
    }
    return render(request, "protocols/rounds_page.html", context)


@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def round_page(request: HttpRequest, slug: str, stage: int, number: int) -> HttpResponse:
    """One round: its start, the judges of its tables, a game moved, the round cancelled."""
    tournament = access.overseen(request.user, slug)
    at = get_object_or_404(Stage.objects.select_related("tournament"), tournament=tournament, number=stage)
    games = list(running.games_of_round(at, number).select_related("judge").prefetch_related("seats__player"))
    row = Round.objects.filter(stage=at, number=number).select_related("cancelled_by").first()
    if row is None and not games:
        raise Http404
    found = row or Round(stage=at, number=number, tables=len(games))
    part = request.POST.get("part", "")
    shown = _forms(request, found, games, part)
    if part in PARTS and shown[part].is_valid():
        try:
            said, goes_to = _save(request, found, games, part, shown[part])
        except Invalid as error:
            shown[part].add_error(None, error.messages)
        else:
            messages.success(request, said)
            return redirect("round", slug, stage, goes_to)
    for form in shown.values():
        offered_again(request, form)
    status = 422 if part in PARTS and shown[part].errors else 200
    context = _context(request, found, games, shown)
    return render(request, "protocols/round_page.html", context, status=status)


def _forms(request: HttpRequest, found: Round, games: list[Game], part: str) -> dict[str, Any]:
    def data(name: str) -> Any:
        return request.POST if name == part else None

    tournament = found.stage.tournament
    zone = tournament.zone
    start = found.starts_at.astimezone(zone).replace(tzinfo=None) if found.starts_at else None
    judges = list(selectors.judges_of(tournament))
    return {
        "start": StartForm(data("start"), zone=zone, initial={"starts_at": start}),
        "judges": JudgesForm(data("judges"), games=games, judges=judges),
        "move": MoveForm(data("move"), games=games, initial={"round": found.number}),
        "cancel": CancelForm(data("cancel")),
    }


def _save(request: HttpRequest, found: Round, games: list[Game], part: str, form: Any) -> tuple[str, int]:
    """Does what was asked; gives what to say, and the number of the round to be shown then."""
    data, number = form.cleaned_data, found.number
    if part == "judges":
        changed = running.assign_judges(found.stage, number, form.wishes(games, request.POST))
        return _("Judges are assigned; tables changed: %(n)d.") % {"n": changed}, number
    if part == "move":
        game = next(each for each in games if each.pk == data["game"])
        moved = running.move_game(game, round=data["round"], table=data["table"])
        words = {"round": moved.round or moved.number, "table": moved.table_number}
        return _("The game is now at table %(table)d of round %(round)d.") % words, moved.round or moved.number
    if found._state.adding:  # games that no round was made for
        found.save()
    if part == "start":
        seating_rounds.start_round(found, data["starts_at"])
        return _("The start is saved."), number
    seating_rounds.cancel_round(found, reason=data["reason"], by=user_of(request))
    return _("The round is cancelled; the reason stays with it."), number


def _context(request: HttpRequest, found: Round, games: list[Game], shown: dict[str, Any]) -> dict[str, Any]:
    tournament = found.stage.tournament
    line = Line(found, tuple(games))
    waiting = seating_rounds.unsigned_before(found.stage, found.number) if not line.is_done else []
    judges = shown["judges"]
    return {
        "tournament": tournament,
        "round": found,
        "is_organizer": access.standing_in(request.user, tournament).is_organizer,
        "starts_at": found.starts_at.astimezone(tournament.zone) if found.starts_at else None,
        "line": line,
        "tables": [
            (game, judges[f"judge-{game.pk}"] if f"judge-{game.pk}" in judges.fields else None) for game in games
        ],
        "has_open": bool(judges.fields),
        "forms": shown,
        "holes": line.holes,
        "may_cancel": not found.is_cancelled and not line.begun,
        "waiting": seating_rounds.games_words(waiting) if waiting else "",
        "numbers": sorted(set(Round.objects.filter(stage=found.stage).values_list("number", flat=True))),
    }
