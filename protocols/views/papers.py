"""A seating on paper: what there is to print, the files, and the page that waits for one."""

from __future__ import annotations

import time
from dataclasses import replace
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from protocols import access
from protocols.schedule import schedule_for
from protocols.schedule_words import zone_words
from protocols.seating_paper import KINDS, Asked, SeatingPaper, draw_apart, narrowed, paper_of, whole
from protocols.seating_print import SIZES
from protocols.seating_screen import screen_of
from protocols.views.documents import pdf_response


@require_safe
def screen(request: HttpRequest, slug: str) -> HttpResponse:
    """The next round for the hall's screen, or the one asked for (`?stage=2&round=3`); it follows by itself."""
    schedule = schedule_for(request.user, slug)
    stage, number = (_number(request, name) for name in ("stage", "round"))
    narrow = narrowed(schedule, Asked("wall", stage, number))
    shown = narrow.next_round or next((round for round in reversed(narrow.rounds)), None)
    context = {
        "tournament": schedule.tournament,
        "screen": screen_of(shown, time.time()) if shown else None,
        "zone": zone_words(replace(narrow, rounds=(shown,))) if shown else "",
        "is_draft": shown is not None and not shown.is_published,
        "again": request.get_full_path(),
    }
    response = render(request, "protocols/seating_screen_page.html", context)
    response.headers["Cache-Control"] = "no-store"
    return response


@require_safe
def papers(request: HttpRequest, slug: str) -> HttpResponse:
    """What of the seating can be printed, and for whom each is; blank protocols are for whoever runs the tournament."""
    schedule = schedule_for(request.user, slug)
    stages = []
    for stage in schedule.stages:
        found = schedule.of_stage(stage.number)
        tables = any(round.tables for round in found.rounds if not round.is_cancelled)
        stages.append((stage, found.rounds, tables, bool(found.judges)))
    context = {
        "tournament": schedule.tournament,
        "stages": stages,
        "oversees": access.standing_in(request.user, schedule.tournament).oversees,
    }
    return render(request, "protocols/seating_papers_page.html", context)


@require_safe
def file(request: HttpRequest, slug: str, kind: str) -> HttpResponseBase:
    """A paper of the seating: of a stage (`?stage=2`), a round (`?stage=2&round=3`), a person, on A3 (`?size=a3`).

    One that takes long and isn't drawn yet sends to the page that waits for it.
    """
    paper = _paper(request, slug, kind)
    if not paper.is_drawn and paper.is_long:
        draw_apart(paper)
        return redirect(_address(paper, "seating-paper"))
    name = _("%(what)s, %(tournament)s") % {"what": _name(paper.asked), "tournament": paper.tournament.title}
    return pdf_response(whole(paper), name)


@require_safe
def waiting(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """How far a paper is, and the way to it. It looks again by itself, also without a script."""
    paper = _paper(request, slug, kind)
    if not paper.is_drawn:
        draw_apart(paper)
    context = {
        "tournament": paper.tournament,
        "name": _name(paper.asked),
        "is_drawn": paper.is_drawn,
        "drawn": paper.drawn,
        "total": len(paper.parts),
        "file": _address(paper, "seating-pdf"),
        "again": _address(paper, "seating-paper"),
    }
    response = render(request, "protocols/seating_paper_page.html", context)
    response.headers["Cache-Control"] = "no-store"
    return response


def _paper(request: HttpRequest, slug: str, kind: str) -> SeatingPaper:
    """The paper that is asked for. Raises Http404 for what there is not, or is not open to this person."""
    schedule = schedule_for(request.user, slug)
    if kind == "blanks":
        access.overseen(request.user, slug)
    size = request.GET.get("size", "a4")
    if kind not in KINDS or size not in SIZES:
        raise Http404
    stage, round, person = (_number(request, name) for name in ("stage", "round", "person"))
    is_public = all(each.seating_is_public for each in schedule.stages)
    asked = Asked(kind, stage, round, person, size, is_public=is_public)
    return paper_of(narrowed(schedule, asked), asked)


def _number(request: HttpRequest, name: str) -> int | None:
    said = request.GET.get(name)
    if said is None:
        return None
    if not (said.isascii() and said.isdigit() and len(said) < 19):
        raise Http404
    return int(said)


def _address(paper: SeatingPaper, name: str) -> str:
    address = reverse(name, args=[paper.tournament.slug, paper.asked.kind])
    return f"{address}?{urlencode(paper.asked.query)}" if paper.asked.query else address


def _name(asked: Asked) -> str:
    words = {
        "wall": _("Seating for the wall"),
        "cards": _("Table cards"),
        "tables": _("Rounds of the tables"),
        "seats": _("Numbers of the seats"),
        "slips": _("Players’ slips"),
        "judges": _("Judges’ slips"),
        "blanks": _("Blank protocols"),
    }[asked.kind]
    return _("%(what)s, round %(round)d") % {"what": words, "round": asked.round} if asked.round else words
