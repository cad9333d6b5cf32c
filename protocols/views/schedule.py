"""Who sits where and when: all rounds, and those of one person, as pages for a phone and calendars to subscribe to."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.views.decorators.http import require_safe

from protocols import access
from protocols.calendar_feed import Feed, calendar_of, feed_of_all, feed_of_judge, feed_of_player
from protocols.exchange.canonical import sha256
from protocols.models import Player, nickname_key
from protocols.schedule import RoundTold, Schedule, schedule_for, schedule_of
from protocols.schedule_words import days_of, zone_words
from protocols.services.feeds import for_judge, for_player, was_told
from protocols.services.people import printed_name

FOUND = 30  # people a search names


@require_safe
def seatings(request: HttpRequest, slug: str) -> HttpResponse:
    """Who sits where, round by round, in the stages whose seating is open to everybody; results are not here.

    Whoever oversees the tournament sees the other stages too, marked. A search leads to people's own pages.
    """
    tournament = access.tournament_for(request.user, slug)
    schedule = schedule_of(tournament, is_public=not access.standing_in(request.user, tournament).oversees)
    asked = nickname_key(request.GET.get("q", ""))
    coming = schedule.next_round
    lines = [
        (round, _is_open(round, asked, coming or schedule.rounds[-1]))
        for round in schedule.rounds
    ]  # fmt: skip
    address = request.build_absolute_uri(reverse("seating-calendar", args=[slug]))
    context = {
        "tournament": tournament,
        "stages": [(stage, [line for line in lines if line[0].stage == stage]) for stage in schedule.stages],
        "zone": zone_words(schedule),
        "asked": asked,
        "query": request.GET.get("q", "")[:40],
        "players": _named(schedule.nicknames, asked),
        "judges": _named(schedule.judges, asked),
        "has_rounds": any(round.tables for round in schedule.rounds),
        "calendar": address,
        "webcal": f"webcal:{address.partition(':')[2]}",
        "has_calendar": tournament.is_public and any(stage.seating_is_public for stage in schedule.stages),
    }
    return render(request, "protocols/seating_public_page.html", context)


def _is_open(round: RoundTold, asked: str, coming: RoundTold) -> bool:
    """Whether a round is unfolded: the next one, or those in which somebody is found."""
    if not asked:
        return round is coming
    return any(asked in nickname_key(chair.nickname) for table in round.tables for chair in table.chairs)


def _named(people: dict[int, str], asked: str) -> list[tuple[int, str]]:
    """Those whose name holds what was asked for, the first few."""
    found = [(key, name) for key, name in people.items() if asked and asked in nickname_key(name)]
    return sorted(found, key=lambda each: (len(each[1]), each[1].lower()))[:FOUND]


@require_safe
def player(request: HttpRequest, slug: str, key: int) -> HttpResponse:
    """A player's rounds: when, at which table, in which seat, with which judge."""
    schedule = schedule_for(request.user, slug)
    slip = f"{reverse('seating-pdf', args=[slug, 'slips'])}?person={key}"
    context = {"name": _nickname(schedule, key), "turns": schedule.of_player(key), "is_judge": False, "slip": slip}
    return _page(request, schedule, context, reverse("player-calendar", args=[slug, key]))


@require_safe
def judge(request: HttpRequest, slug: str, key: int) -> HttpResponse:
    """A judge's rounds: when, and at which table."""
    schedule = schedule_for(request.user, slug)
    slip = f"{reverse('seating-pdf', args=[slug, 'judges'])}?person={key}"
    context = {"name": _judge(schedule, key), "turns": schedule.of_judge(key), "is_judge": True, "slip": slip}
    return _page(request, schedule, context, reverse("judge-calendar", args=[slug, key]))


def _page(request: HttpRequest, schedule: Schedule, context: dict[str, Any], calendar: str) -> HttpResponse:
    turns = context["turns"]
    whole = request.build_absolute_uri(calendar)
    context |= {
        "tournament": schedule.tournament,
        "next": next((turn for turn in turns if turn.table and turn.round.is_to_come), None),
        "days": days_of(turns),
        "zone": zone_words(schedule),
        "is_draft": any(not turn.round.is_published for turn in turns),
        "calendar": whole,
        "webcal": f"webcal:{whole.partition(':')[2]}",
        "has_calendar": schedule.tournament.is_public and any(stage.seating_is_public for stage in schedule.stages),
        "without_start": sum(1 for turn in turns if turn.table and turn.round.starts_at is None),
    }
    return render(request, "protocols/schedule_page.html", context)


@require_safe
def player_calendar(request: HttpRequest, slug: str, key: int) -> HttpResponse:
    """A player's games as a calendar; only what is open to everybody, whoever asks, for a calendar has no login."""
    schedule = _published(request, slug)
    feed = feed_of_player(schedule, key, _nickname(schedule, key))
    return _calendar(request, schedule, feed, reverse("seating-player", args=[slug, key]))


@require_safe
def judge_calendar(request: HttpRequest, slug: str, key: int) -> HttpResponse:
    """A judge's games as a calendar."""
    schedule = _published(request, slug)
    feed = feed_of_judge(schedule, key, _judge(schedule, key))
    return _calendar(request, schedule, feed, reverse("seating-judge", args=[slug, key]))


@require_safe
def calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """The rounds of the tournament as a calendar."""
    schedule = _published(request, slug)
    return _calendar(request, schedule, feed_of_all(schedule), reverse("seatings", args=[slug]))


def _published(request: HttpRequest, slug: str) -> Schedule:
    schedule = schedule_of(access.tournament_for(request.user, slug), is_public=True)
    if not schedule.stages:
        raise Http404
    return schedule


def _nickname(schedule: Schedule, key: int) -> str:
    """Whoever sits somewhere, and whoever once did: a calendar must learn of the replacement. Raises Http404."""
    if key in schedule.nicknames:
        return schedule.nicknames[key]
    if not was_told(schedule.tournament, for_player(key)):
        raise Http404
    return get_object_or_404(Player, pk=key).nickname


def _judge(schedule: Schedule, key: int) -> str:
    """Whoever judges somewhere, and whoever once did. Raises Http404."""
    if key in schedule.judges:
        return schedule.judges[key]
    if not was_told(schedule.tournament, for_judge(key)):
        raise Http404
    return printed_name(get_object_or_404(User, pk=key))


def _calendar(request: HttpRequest, schedule: Schedule, feed: Feed, page: str) -> HttpResponse:
    """The file; 304 as long as it says the same."""
    content = calendar_of(schedule, feed, request.build_absolute_uri(page))
    whole = HttpResponse(content, content_type="text/calendar; charset=utf-8")
    whole.headers["ETag"] = quote_etag(sha256(content)[:32])
    response = get_conditional_response(request, etag=whole.headers["ETag"], response=whole) or whole
    response.headers["Cache-Control"] = "no-cache"
    assert isinstance(response, HttpResponse)
    return response
