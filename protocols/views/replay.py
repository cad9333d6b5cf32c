"""A game read step by step, and told as a text."""

from __future__ import annotations

from urllib.parse import quote, urlsplit
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import formats
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from .. import access, selectors
from ..board.log import authors_of
from ..hiding import entries_without_extra
from ..models import Game
from ..replay_view import scene_of
from ..replaying import Course, course_of, seen_at_the_table
from ..selectors import Record
from ..wording.account import Chapter, account_of, text_of


@never_cache
@require_safe
def replay(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The game at the step that the address names (`?step=34`; 0 is before the first), for whoever may read it.

    A step that the game has not come to is the last one; what is no number is not found.
    """
    game, record, roles = _read(request, uuid)
    if game.results_only:
        return render(request, "protocols/replay_page.html", {"game": game})
    course = _course(record, roles=roles, at=_step_asked_for(request))
    scene = scene_of(course, record, authors_of(record), roles=roles)
    # The script asks for the scene alone.
    whole = "HX-Request" not in request.headers or "HX-History-Restore-Request" in request.headers
    template = "protocols/replay_page.html" if whole else "protocols/_replay.html"
    # Beside a protest the address stays that of the protest.
    beside = not whole and "/protests/" in urlsplit(request.headers.get("HX-Current-URL", "")).path
    context = {"game": game, "scene": scene, "fragment": not whole, "beside": beside}
    return render(request, template, context)


@never_cache
@require_safe
def account(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The game as a text, by days and nights, one line an event."""
    game, record, roles = _read(request, uuid)
    chapters = [] if game.results_only else _account(record, roles=roles)
    context = {"game": game, "title": _title(game), "chapters": chapters}
    return render(request, "protocols/account_page.html", context)


@never_cache
@require_safe
def account_file(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The same as a text file in UTF-8. Raises Http404 where only the results are known."""
    game, record, roles = _read(request, uuid)
    if game.results_only:
        raise Http404
    text = text_of("\n".join(_title(game)), _account(record, roles=roles))
    response = HttpResponse(text, content_type="text/plain; charset=utf-8")
    name = _("Account, %(tournament)s, game %(game)d, table %(table)d") % {
        "tournament": game.tournament.title, "game": game.number, "table": game.table_number,
    }  # fmt: skip
    response.headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(name)}.txt"
    return response


def _read(request: HttpRequest, uuid: UUID) -> tuple[Game, Record, bool]:
    """The game, its record, and whether this person may know the roles."""
    game = access.public_game(request.user, uuid)
    # One step after another of the same game: its record is kept at hand.
    record = selectors.live_record_of(game)
    if not access.sees_extra(request.user, game):
        record = record.of(entries_without_extra(record.values))
    return game, record, access.sees_roles(request.user, game)


def _course(record: Record, *, roles: bool, at: int | None = None) -> Course:
    """The course of the game; for whoever must not know the roles, as everybody at the table saw it."""
    rules = record.game.rules
    if roles:
        return course_of(record.values, rules, at=at)
    return course_of(seen_at_the_table(record.values, course_of(record.values, rules)), rules, at=at)


def _account(record: Record, *, roles: bool) -> list[Chapter]:
    return account_of(_course(record, roles=roles), record.names)


def _title(game: Game) -> tuple[str, ...]:
    """What stands above the account: the tournament, the game, the day and the judge."""
    number = _("Game %(number)s, table %(table)s") % {"number": game.number, "table": game.table_number}
    day = formats.date_format(game.played_on, "j E Y")
    judge = _("Judge: %(name)s") % {"name": game.judge_name}
    return game.tournament.title, f"{game.stage.name}. {number}", f"{day}. {judge}" if game.judge_name else day


def _step_asked_for(request: HttpRequest) -> int:
    asked = request.GET.get("step", "0")
    if not (asked.isascii() and asked.isdigit() and len(asked) < 6):
        raise Http404
    return int(asked)
