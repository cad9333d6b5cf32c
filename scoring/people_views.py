"""A player's page across tournaments, for everybody."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext
from django.views.decorators.http import require_safe

from protocols.models import Player
from protocols.rules.terms import ROLE_LETTERS, Role

from .people import HITS, Appearance, Person, Record, person_of
from .people_charts import Bar, Chart, chart
from .ratings import MILLION
from .wording import figure, place_words

MOST_DRAWN = 30  # tournaments in a chart; the table below has all


@require_safe
def person_page(request: HttpRequest, pk: int) -> HttpResponse:
    """What the player has played, by public tournaments; the same page for everybody who looks."""
    player = get_object_or_404(Player, pk=pk)
    if player.merged_into_id is not None:
        return redirect("person", player.merged_into_id)
    person = person_of(player)
    if person is None:
        raise Http404
    context = {
        "person": person,
        "nickname": person.player.nickname,
        "won": share_words(person.total),
        "charts": [each for each in charts_of(person) if each is not None],
        "fouls": _fouls(person),
        "appearances": [_row(each) for each in person.appearances],
    }
    return render(request, "scoring/person_page.html", context)


def share_words(record: Record) -> str:
    """How many of the games are won, in percent, half up.

    >>> share_words(Record(8, 5)), share_words(Record(0, 0))
    ('63%', '—')
    """
    return f"{(200 * record.wins + record.games) // (2 * record.games)}%" if record.games else "—"


def role_words(role: Role) -> str:
    """A role in words."""
    return {
        Role.RED: pgettext("role", "red"),
        Role.BLACK: pgettext("role", "black"),
        Role.SHERIFF: pgettext("role", "sheriff"),
        Role.DON: pgettext("role", "don"),
    }[role]


def charts_of(person: Person) -> list[Chart | None]:
    """Every chart of which there is something to draw."""
    return [_by_role(person), _by_seat(person), _best_moves(person), _by_tournament(person)]


def _by_role(person: Person) -> Chart | None:
    roles = [
        (role, person.by_role.get(role.value, Record())) for role in (Role.RED, Role.SHERIFF, Role.BLACK, Role.DON)
    ]
    return _wins(
        "roles", _("Wins by role"), _("Games in each role, and how many of them were won."), _("Role"),
        [(ROLE_LETTERS[role], role_words(role), record) for role, record in roles],
    )  # fmt: skip


def _by_seat(person: Person) -> Chart | None:
    return _wins(
        "seats", _("Wins by seat"), _("Games at each seat, and how many of them were won."), _("Seat at the table"),
        [(str(seat), str(seat), record) for seat, record in person.by_seat.items()],
    )  # fmt: skip


def _wins(key: str, title: str, about: str, head: str, found: list[tuple[str, str, Record]]) -> Chart | None:
    if not person_has(record for _short, _name, record in found):
        return None
    bars = [
        Bar(short, record.games, record.wins, share_words(record) if record.games else "") for short, _, record in found
    ]
    rows = [(name, str(record.games), str(record.wins), share_words(record)) for _short, name, record in found]
    return chart(key, title, about, bars, (head, _("Games"), _("Wins"), _("Share of wins")), rows)


def person_has(records: Any) -> bool:
    """Whether there is a game in any of these."""
    return any(record.games for record in records)


def _best_moves(person: Person) -> Chart | None:
    if not person.hits:
        return None
    words = [(hits, ngettext("%(n)d black named", "%(n)d black named", hits) % {"n": hits}) for hits in HITS]
    bars = [Bar(str(hits), person.hits[hits], None, str(person.hits[hits])) for hits, _name in words]
    rows = [(name, str(person.hits[hits])) for hits, name in words]
    about = _("How many of the three named at the best move were black.")
    return chart("moves", _("Best moves"), about, bars, (_("Hits"), _("Best moves")), rows)


def _by_tournament(person: Person) -> Chart | None:
    found = [each for each in reversed(person.appearances) if each.place is not None and each.place.rating.games]
    found = found[-MOST_DRAWN:]
    if len(found) < 2:
        return None
    bars, rows = [], []
    for number, each in enumerate(found, start=1):
        assert each.place is not None
        value = figure(each.place.rating.total, MILLION)
        bars.append(Bar(str(number), int(each.place.rating.total), None, value if len(found) <= 6 else ""))
        rows.append((str(number), each.tournament.title, value))
    about = ngettext(
        "The rating in the last %(n)d tournament, the earlier at the left.",
        "The ratings in the last %(n)d tournaments, the earlier at the left.",
        len(found),
    ) % {"n": len(found)}
    heads = ("№", _("Tournament"), _("Rating"))
    return chart("tournaments", _("Points by tournament"), about, bars, heads, rows)


def _fouls(person: Person) -> dict[str, Any]:
    """The fouls in words: all of them, to a game, and in how many games there were so many."""
    games = person.games_with_fouls_written
    if not games:
        return {}
    return {
        "all": person.all_fouls,
        "average": figure(person.all_fouls, games),
        "games": games,
        "by_number": [(fouls, person.fouls[fouls]) for fouls in range(5)],
    }


def _row(each: Appearance) -> dict[str, Any]:
    """A line of the list of tournaments."""
    place = each.place
    return {
        "title": each.tournament.title,
        "slug": each.tournament.slug,
        "day": date_format(each.last_played, "j E Y"),
        "place": place_words(place) if place is not None else "—",
        "players": each.players,
        "rating": figure(place.rating.total, MILLION) if place is not None else "—",
        "games": place.rating.games if place is not None else 0,
        "wins": place.rating.wins if place is not None else 0,
        "is_ranked": place is not None and place.number is not None,
        "is_removed": place is not None and place.number is None,
    }
