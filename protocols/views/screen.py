"""The hall's screen of a table, for a projector or over a stream; without a login, for public tournaments."""

from __future__ import annotations

import hashlib
import time
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from protocols import access
from protocols.board.timing import clock_of
from protocols.hiding import veil_of
from protocols.models import Game
from protocols.screen import screen_of

KEPT = 64  # drawn tables, a process


class Drawn(NamedTuple):
    """A table as it is drawn, and the mark by which a screen asks whether it is still so."""

    html: str
    mark: str


_kept: dict[tuple[object, ...], Drawn] = {}


@require_safe
def page(request: HttpRequest, slug: str, table: int) -> HttpResponse:
    """The whole screen; `?overlay=1` has no ground of its own, to be laid over a picture."""
    game = access.game_on_screen(slug, table)
    context = {
        "game": game,
        "state": _drawn(game),
        "now": _now(),
        "is_overlay": request.GET.get("overlay") == "1",
    }
    return render(request, "protocols/screen_page.html", context)


@require_safe
def state(request: HttpRequest, slug: str, table: int) -> HttpResponse:
    """What changes on it: one query, and 304 as long as nothing has changed."""
    drawn = _drawn(access.game_on_screen(slug, table))
    whole = HttpResponse(drawn.html)
    whole.headers["ETag"] = f'"{drawn.mark}"'
    response = get_conditional_response(request, etag=whole.headers["ETag"], response=whole) or whole
    response.headers["Cache-Control"] = "no-cache"
    response.headers["X-Now"] = str(_now())
    assert isinstance(response, HttpResponse)
    return response


def _now() -> int:
    """The server's time, ms since 1970."""
    return round(time.time() * 1000)


def _drawn(game: Game) -> Drawn:
    """The table drawn; anew only when something has been written, or its time was touched."""
    clock = tuple((clock_of(game) or {}).values())
    key: tuple[object, ...] = (
        game.pk,
        game.number,
        game.revision,
        game.status,
        game.sheet_in_force_id,
        game.__dict__["seat_nicknames"],
        *clock,
    )
    is_hidden = game.is_closed and veil_of(game.tournament).hides_protocol(game)
    key = (*key, is_hidden)
    found = _kept.get(key)
    if found is None:
        html = render_to_string("protocols/_screen.html", {"screen": screen_of(game, hides_result=is_hidden)})
        # Of what is seen, not of what is written: what a screen asks for must not tell of entries it doesn't show.
        found = Drawn(html, hashlib.sha256(html.encode()).hexdigest()[:20])
        _kept[key] = found
        for old in list(_kept)[:-KEPT]:
            _kept.pop(old, None)
    return found
