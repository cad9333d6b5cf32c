"""The seats of a stage with a cut: drawn by lot or by place, looked at, and made into games; printed with the lot."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from protocols.access import organized, overseen
from protocols.forms.seating import UseForm
from protocols.models import Player, SeatingRun, SeatingState, Tournament
from protocols.pdf import html_pdf
from protocols.printing import keep
from protocols.seating.draw import CannotSeat
from protocols.services import seating_rounds, seating_runs
from protocols.services.errors import Invalid
from protocols.views.documents import pdf_response
from protocols.views.login_again import keeps_typed, offered_again
from protocols.views.requests import user_of
from protocols.wording.seating import fault_words

from .cut_selectors import StageCut, cuts_of
from .final_forms import SeatsForm
from .final_services import ROTATED, draw_seats, draws_of, seat_from, sitting_of, why_not

STYLE = "css/lot_print.css"
KEY_SEATS = (1, 2, 10)


@dataclass(frozen=True, slots=True)
class SeatsOf:
    """One player's seats: in each game `(table, seat)`, and how often the seats that matter most."""

    nickname: str
    seats: tuple[tuple[int, int], ...]
    key_seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """Seats that were drawn: `turn` of all draws of the stage it was, from 1."""

    run: SeatingRun
    turn: int
    rows: tuple[SeatsOf, ...]

    @property
    def has_tables(self) -> bool:
        """Whether there is more than one table, so that each has to be named."""
        return bool(self.run.tables > 1)

    @property
    def is_used(self) -> bool:
        """Whether games were made of it."""
        return bool(self.run.state == SeatingState.USED)


@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def final_page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Seats of a stage from its cut: drawn, shown, made into games and taken back, by the organizer."""
    tournament = organized(request.user, slug)
    cut = _cut(tournament, number)
    sitting = sitting_of(cut)
    draws = drawn_of(cut)
    at_hand = draws[0] if draws else None
    waiting = seating_rounds.unsigned_before(cut.stage, seating_rounds.next_round(cut.stage))
    part = request.POST.get("part", "")
    draw = SeatsForm(
        request.POST if part == "draw" else None, has_tables=sitting.tables > 1, has_instead=bool(sitting.instead)
    )
    use = UseForm(
        request.POST if part == "use" else None, zone=tournament.zone, is_warned=bool(waiting),
        initial={"first_round": seating_rounds.next_round(cut.stage)},
    )  # fmt: skip
    form: Any = {"draw": draw, "use": use}.get(part)
    try:
        if part == "draw" and draw.is_valid():
            return _draw(request, cut, draw)
        if part == "use" and at_hand is not None and use.is_valid():
            made = seat_from(_asked(request, draws), by=user_of(request), **{"confirmed": False} | use.cleaned_data)
            messages.success(request, _("Rounds seated: %(n)d.") % {"n": len(made)})
            return redirect("final", slug, number)
        if part == "back" and at_hand is not None:
            gone = seating_rounds.take_back(_asked(request, draws))
            messages.success(request, _("The seats are taken back; games that went: %(n)d.") % {"n": gone})
            return redirect("final", slug, number)
    except CannotSeat as error:
        draw.add_error(None, [fault_words(fault) for fault in error.faults])
    except Invalid as error:
        if form is not None:
            form.add_error(None, error.messages)
        else:
            messages.error(request, " ".join(error.messages))
    for each in (draw, use):
        offered_again(request, each)
    context = {
        "tournament": tournament,
        "cut": cut,
        "sitting": sitting,
        "obstacle": "" if sitting.tables > 1 and cut.taken else why_not(cut, sitting),
        "draws": draws,
        "forms": {"draw": draw, "use": use},
        "waiting": seating_rounds.games_words(waiting) if waiting else "",
        "change": cut.change,
    }
    status = 422 if draw.errors or use.errors else 200
    return render(request, "scoring/final_page.html", context, status=status)


def _draw(request: HttpRequest, cut: StageCut, form: SeatsForm) -> HttpResponse:
    data, slug = form.cleaned_data, cut.stage.tournament.slug
    seed = secrets.randbelow(seating_runs.MOST_SEED + 1) if data["seed"] is None else data["seed"]
    run = draw_seats(
        cut.stage, kind=data["kind"], games=data["games"], seed=seed, by=user_of(request),
        knows_instead=data.get("instead", False),
    )  # fmt: skip
    if run.kind not in ROTATED:
        return redirect("seating-run", slug, run.uuid)
    messages.success(request, _("The seats are drawn; seed %(seed)d.") % {"seed": seed})
    return redirect("final", slug, cut.stage.number)


def _asked(request: HttpRequest, draws: Sequence[Drawn]) -> SeatingRun:
    found = next((each.run for each in draws if str(each.run.uuid) == request.POST.get("run")), None)
    if found is None:
        raise Invalid(_("This seating is not drawn, is in use already, or has been thrown away."))
    return found


@require_safe
def final_pdf(request: HttpRequest, slug: str, number: int, uuid: UUID) -> HttpResponseBase:
    """The record of the seats on paper: who drew them when, with which seed, and who sits where."""
    tournament = overseen(request.user, slug)
    cut = _cut(tournament, number)
    drawn = next((each for each in drawn_of(cut) if each.run.uuid == uuid), None)
    if drawn is None:
        raise Http404
    context = {"tournament": tournament, "cut": cut, "drawn": drawn, "key_seats": KEY_SEATS}
    html = render_to_string("scoring/final_print.html", context)
    content = sha256(html.encode() + Path(str(finders.find(STYLE))).read_bytes()).hexdigest()
    path = Path(settings.MEDIA_ROOT) / "lots" / f"{content}.pdf"
    if not path.exists():
        keep(path, html_pdf(html, (STYLE,)))
    words = {"stage": cut.stage.name, "tournament": tournament.title}
    return pdf_response(path.open("rb"), _("Seats of %(stage)s, %(tournament)s") % words)


def _cut(tournament: Tournament, number: int) -> StageCut:
    found = cuts_of(tournament).of(number)
    if found is None:
        raise Http404
    return found


def drawn_of(cut: StageCut) -> list[Drawn]:
    """The draws of the stage, the newest first, each with everybody's seats by game; two queries."""
    runs = draws_of(cut.stage)
    known = Player.objects.in_bulk({key for run in runs for key in run.players})
    names = {key: player.nickname for key, player in known.items()}
    if cut.taken is not None:
        names |= {each.player_id: each.nickname for each in cut.taken.passed}
    return [_drawn(run, len(runs) - index, names) for index, run in enumerate(runs)]


def _drawn(run: SeatingRun, turn: int, names: dict[int, str]) -> Drawn:
    rows = []
    for at, player in enumerate(run.players):
        seats = tuple(
            (table, game.index(at) + 1)
            for tables in run.plan or []
            for table, game in enumerate(tables, start=1)
            if at in game
        )
        counts = tuple(sum(seat == key for _table, seat in seats) for key in KEY_SEATS)
        rows.append(SeatsOf(names.get(player, "—"), seats, counts))
    return Drawn(run, turn, tuple(rows))
