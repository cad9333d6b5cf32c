"""A whole game typed in from a filled form: checked while it is typed, written in one piece."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from .. import access
from ..forms.paper import FIRST_DAYS, MOST_DAYS, PaperForm
from ..forms.paper_entries import Played, played
from ..forms.paper_typed import days_of, typed_of
from ..rules import entries as e
from ..rules.fold import standing
from ..rules.outcome import is_over, outcome
from ..rules.state import GameState
from ..rules.terms import ROLE_COUNTS, SEATS
from ..selectors import Record, record_of
from ..services.errors import Invalid
from ..services.paper import NOT_ON_THE_PAPER, record_paper
from ..wording import notice_words, outcome_words, refusal_words, seat_words
from .login_again import forget_typed, keeps_typed, typed_before
from .requests import user_of

TOLD = ("silent_minute", "third_foul", "thirty_seconds", "revote_speech")  # nothing that paper turns on


@dataclass(frozen=True, slots=True)
class DayWords:
    """What follows from the paper for one day and its night."""

    day: int
    words: tuple[str, ...]


@never_cache
@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def paper(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The paper; 422 with every error named and everything typed kept, 409 where somebody wrote since."""
    game = access.writable_game(request.user, uuid)
    if game.is_closed:
        return redirect("game", uuid)
    record = record_of(game)
    rules = game.rules
    if request.method != "POST":
        typed = typed_before(request)
        if typed is not None:
            said = _("You have logged in again. What you typed is kept and not written yet.")
            return _page(
                request, record, PaperForm(typed, rules=rules, names=record.names, days=_days(typed)), said=said
            )
        initial = typed_of(record.state)
        return _page(
            request, record, PaperForm(rules=rules, names=record.names, days=days_of(record.state), initial=initial)
        )
    form = PaperForm(request.POST, rules=rules, names=record.names, days=_days(request.POST))
    if "add_day" in request.POST:
        form = PaperForm(request.POST, rules=rules, names=record.names, days=form.days + 1)
        return _page(request, record, form, show_errors=False)
    game_played = _played(form, record)
    if "check" in request.POST:
        return render(request, "protocols/_paper_check.html", _checked(record, form, game_played))
    if form.errors:
        return _page(request, record, form, game_played, status=422)
    if _is_kept_on_board(record):
        return _page(request, record, form, game_played, status=422)
    return _write(request, record, form, game_played)


def _write(request: HttpRequest, record: Record, form: PaperForm, game_played: Played) -> HttpResponse:
    data, game = form.cleaned_data, record.game
    try:
        answer = record_paper(
            game_played.entries, game=game, revision=data["revision"], by=user_of(request), uuid=data["uuid"]
        )
    except Invalid as error:
        form.add_error(None, list(error.messages))
        return _page(request, record, form, game_played, status=422)
    if answer.kind == "stale":
        said = _("Somebody wrote in this game meanwhile. What you typed is kept; look at the record before writing.")
        return _page(request, answer.record, form, game_played, status=409, said=said)
    if answer.refusal is not None:
        form.add_error(None, refusal_words(answer.refusal, record.names))
        return _page(request, record, form, game_played, status=422)
    forget_typed(request)
    if not is_over(answer.state):
        messages.success(request, _("The paper is written. The game is not over: go on with it here."))
        return redirect("board", game.uuid)
    messages.success(request, _("The paper is written. Now the extra points and the signature."))
    return redirect("finish", game.uuid)


def _days(data: QueryDict) -> int:
    """How many days the page holds: as it says, or as many as were sent."""
    text = data.get("days", "")
    told = int(text) if text.isascii() and text.isdigit() and len(text) < 3 else FIRST_DAYS
    sent = [day for day in range(1, MOST_DAYS + 1) if f"nominees_{day}" in data]
    return max([told, *sent])


def _played(form: PaperForm, record: Record) -> Played:
    """The paper played through the rules; whatever they refuse becomes an error of the field to blame."""
    form.full_clean()
    found = played(form, record.game.rules)
    for name, refusal in found.refused:
        form.add_error(name, refusal_words(refusal, record.names))
    return found


def _is_kept_on_board(record: Record) -> bool:
    """Whether the game was run on the board, so that its record says more than paper does."""
    if record.game.from_paper:
        return False
    return any(not isinstance(value, (e.Roles, *NOT_ON_THE_PAPER)) for value in standing(record.values))


# ---------------------------------------------------------------- the page


def _page(
    request: HttpRequest,
    record: Record,
    form: PaperForm,
    game_played: Played | None = None,
    *,
    status: int = 200,
    said: str = "",
    show_errors: bool = True,
) -> HttpResponse:
    if game_played is None and not form.is_bound:
        game_played = Played(record.state)
    names = record.names
    rows = [
        {**row, "nickname": names.get(row["seat"], ""), "label": seat_words(row["seat"], names)}
        for row in form.seat_rows
    ]
    context = {
        **_checked(record, form, game_played),
        "game": record.game,
        "form": form,
        "rows": rows,
        "letters": [role.letter for role in ROLE_COUNTS],
        "uuid": uuid4(),
        "revision": record.revision,
        "said": said,
        "errors": form.error_lines if show_errors and form.is_bound else [],
        "show_errors": show_errors,
        "on_board": _is_kept_on_board(record),
        "unseated": len(names) < len(SEATS),
        "can_add": form.days < MOST_DAYS,
        "has_draw": record.game.rules.has_draw,
        "seats": list(SEATS),
    }
    return render(request, "protocols/paper_page.html", context, status=status)


def _checked(record: Record, form: PaperForm, game_played: Played | None) -> dict[str, object]:
    """What follows from the paper so far, day by day, with the first thing that can't be."""
    state = game_played.shown if game_played else None
    end = outcome(state) if state else None
    return {
        "told": _told(state, record.names) if state else [],
        "end": outcome_words(end) if end else "",
        "living": len(state.living) if state else 10,
        "mistakes": form.error_marks if form.is_bound else [],
        "filled": game_played.filled if game_played else {},
    }


def _told(state: GameState, names: dict[int, str]) -> list[DayWords]:
    days: dict[int, list[str]] = {}
    for notice in state.notices:
        if notice.code not in TOLD and notice.moment.day < 90:
            days.setdefault(notice.moment.day, []).append(notice_words(notice, names))
    return [DayWords(day, tuple(words)) for day, words in sorted(days.items())]
