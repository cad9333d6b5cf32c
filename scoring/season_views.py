"""Pages of seasons, open to everybody who may see them, and their settings, for whoever organizes them."""

from __future__ import annotations

import datetime
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from protocols.models import NICKNAME_LENGTH, Player
from protocols.services.errors import Invalid
from protocols.views.documents import pdf_response
from protocols.views.login_again import keeps_typed, offered_again
from protocols.views.records import attachment
from protocols.views.requests import sent_in, user_of

from .exports_csv import csv_of
from .ratings import MILLION
from .season_access import may_set_up, owned_season, owns, season_for, seasons_for
from .season_exports import said_beside, season_json, season_xlsx, standings_table
from .season_forms import SeasonForm
from .season_models import Season
from .season_paper import draw, draw_apart, season_paper
from .season_selectors import SeasonTable, players_season, season_table
from .season_services import FIGURES, create_season, set_season
from .season_table import blocks_of, context_of, keys_of, matching, period_words, rows_of, state_words
from .wording import figure, place_words

PAGE = 100  # rows
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@require_safe
def seasons_page(request: HttpRequest) -> HttpResponse:
    """All seasons that one may know of."""
    seasons = [(season, period_words(season), state_words(season)) for season in seasons_for(request.user)]
    context = {"seasons": seasons, "may_set_up": may_set_up(request.user)}
    return render(request, "scoring/seasons_page.html", context)


@require_safe
def season_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The table; ?q= finds a player, ?page=2 goes on, ?on=2026-10-10 shows how it stood that day."""
    season = season_for(request.user, slug)
    found = season_table(season, _day(request))
    query = request.GET.get("q", "").strip()[:NICKNAME_LENGTH]
    page = Paginator(matching(found, query) if query else list(found.table.places), PAGE).get_page(
        request.GET.get("page")
    )
    context = context_of(found) | {
        "rows": rows_of(found, list(page.object_list)),
        "page": page,
        "query": query,
        "owns": owns(request.user, season),
        "asked": _query(found),
        "today": season.today,
    }
    return render(request, "scoring/season_page.html", context)


@require_safe
def season_player_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A player's season: each tournament, its games, and what of it counts."""
    season = season_for(request.user, slug)
    played = players_season(season, pk, _day(request))
    if played is None:
        merged = get_object_or_404(Player, pk=pk, merged_into__isnull=False).merged_into_id
        return redirect("season-player", slug, merged)
    rating = played.place.rating
    context = context_of(played.found) | {
        "player_id": pk,
        "nickname": played.found.nicknames[pk],
        "place": place_words(played.place),
        "rating": figure(rating.total, MILLION),
        "games": rating.games,
        "is_ranked": played.place.number is not None,
        "parts": blocks_of(played),
        "values": keys_of(played),
        "is_games": season.rules.counted.is_games,
        "asked": _query(played.found),
    }
    return render(request, "scoring/season_player_page.html", context)


@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def season_new(request: HttpRequest) -> HttpResponse:
    """A new season, set up by anybody of the site's staff, who becomes its organizer."""
    if not may_set_up(request.user):
        raise PermissionDenied
    form = SeasonForm(sent_in(request), season=None)
    if request.method == "POST" and form.is_valid():
        figures = {name: form.cleaned_data[name] for name in FIGURES}
        try:
            made = create_season(slug=form.cleaned_data["slug"], by=user_of(request), **figures)
        except Invalid as error:
            form.add_error(None, error.messages)
        else:
            messages.success(request, _("The season is set up. Now mark the tournaments and evenings that count."))
            return redirect("season-edit", made.slug)
    offered_again(request, form)
    return render(request, "scoring/season_form.html", {"form": form}, status=422 if form.errors else 200)


@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def season_edit(request: HttpRequest, slug: str) -> HttpResponse:
    """The settings of a season, its organizers'; 422 naming what is wrong."""
    season = owned_season(request.user, slug)
    form = SeasonForm(sent_in(request), season=season)
    if request.method == "POST" and form.is_valid():
        figures = {name: form.cleaned_data[name] for name in FIGURES}
        try:
            owners, tournaments = form.cleaned_data["owners"], form.cleaned_data["tournaments"]
            set_season(season, owners=owners, tournaments=tournaments, figures=figures)
        except Invalid as error:
            form.add_error(None, error.messages)
        else:
            messages.success(request, _("The settings are saved."))
            return redirect("season", slug)
    offered_again(request, form)
    context = {"form": form, "season": Season.objects.get(pk=season.pk)}
    return render(request, "scoring/season_form.html", context, status=422 if form.errors else 200)


# ---------------------------------------------------------------- files


@require_safe
def season_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """The table for a spreadsheet."""
    found = _found(request, slug)
    return _file(found, csv_of(standings_table(found), said_beside(found)), "csv", "text/csv; charset=utf-8")


@require_safe
def season_workbook(request: HttpRequest, slug: str) -> HttpResponse:
    """The table and the tournaments as a workbook."""
    found = _found(request, slug)
    return _file(found, season_xlsx(found), "xlsx", XLSX)


@require_safe
def season_data(request: HttpRequest, slug: str) -> HttpResponse:
    """The season for a program, exact."""
    found = _found(request, slug)
    return _file(found, season_json(found), "json", "application/json")


@require_safe
def season_pdf(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The table on A4; a long one that isn't drawn yet sends to the page that waits for it."""
    paper = season_paper(_found(request, slug))
    if not paper.is_drawn:
        if paper.is_long:
            draw_apart(paper)
            return redirect(reverse("season-paper", args=[slug]) + _query(paper.found))
        draw(paper)
    return pdf_response(paper.path.open("rb"), _("Season, %(title)s") % {"title": paper.found.season.title})


@require_safe
def season_waiting(request: HttpRequest, slug: str) -> HttpResponse:
    """Whether the paper is drawn, and the way to it. It looks again by itself, also without a script."""
    paper = season_paper(_found(request, slug))
    if not paper.is_drawn:
        draw_apart(paper)
    context = {
        "season": paper.found.season,
        "is_drawn": paper.is_drawn,
        "file": reverse("season-pdf", args=[slug]) + _query(paper.found),
        "again": reverse("season-paper", args=[slug]) + _query(paper.found),
    }
    response = render(request, "scoring/season_paper_page.html", context)
    response.headers["Cache-Control"] = "no-store"
    return response


def _found(request: HttpRequest, slug: str) -> SeasonTable:
    return season_table(season_for(request.user, slug), _day(request))


def _day(request: HttpRequest) -> datetime.date | None:
    """As of which day, `?on=2026-10-10`; None for now. Raises Http404 for what is no day."""
    text = request.GET.get("on", "")
    if not text:
        return None
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise Http404 from None


def _query(found: SeasonTable) -> str:
    return f"?{urlencode({'on': found.on.isoformat()})}" if found.on else ""


def _file(found: SeasonTable, content: bytes, extension: str, content_type: str) -> HttpResponse:
    """A file under a name that says whether the result is preliminary; no proxy keeps it."""
    beside: list[Any] = [f"{found.on:%d.%m.%Y}"] if found.on else []
    beside += [_("preliminary")] if found.progress.is_preliminary else []
    name = _("Season, %(title)s") % {"title": found.season.title} + (f" ({'; '.join(beside)})" if beside else "")
    response = attachment(content, f"{name}.{extension}", content_type)
    response.headers["Cache-Control"] = "private, no-cache"
    return response
