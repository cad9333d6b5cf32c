"""The end of a game: winner and reason, extra points within their caps, the sheet, the signature (A 9.6–9.9)."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import cast
from uuid import UUID, uuid4

from django.contrib import messages
from django.forms.boundfield import BoundField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from .. import access
from ..forms.finish import FinishForm, refused_values, typed_of
from ..models import Game
from ..protest_selectors import protests_of
from ..protest_words import with_protests
from ..rules.outcome import Problem, is_over, outcome
from ..rules.points import extra_left, points_of, points_of_thousandths
from ..rules.state import GameState
from ..rules.terms import SEATS
from ..selectors import Record, record_of, sheet_from
from ..services import sign as signing
from ..services.errors import Invalid, NotReady, Refused, Stale
from ..services.readiness import cautions_of, problems_of
from ..services.record import record_batch
from ..sheet_view import form_of
from ..wording import caution_words, outcome_words, points_words, problem_words, refusal_words, seat_words
from .login_again import forget_typed, keeps_typed, typed_before
from .protests import clock_of
from .requests import user_of


@dataclass(frozen=True, slots=True)
class Amount:
    """One amount of extra points that can be tapped."""

    value: str
    label: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class SeatLine:
    """One player on the page: what the game brought, and what the judge adds."""

    seat: int
    label: str
    role: str
    points: str
    best_move: str
    amounts: tuple[Amount, ...]
    extra: str
    comment: str
    mark: str
    errors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Due:
    """What blocks the signature, and where it is put right."""

    words: str
    href: str


@never_cache
@sensitive_post_parameters("password")
@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def finish(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Saves points and signs; 422 with every refusal, 409 where somebody wrote since, the typed kept in both."""
    game = access.writable_game(request.user, uuid)
    if game.is_closed:
        return redirect("game", uuid)
    record = record_of(game)
    marks = game.rules.speech_step is not None
    if request.method != "POST":
        typed = typed_before(request)
        form = FinishForm(typed, marks=marks)
        said = _("You have logged in again. What you typed is kept and not written yet.") if typed else ""
        return _page(request, record, form, said=said)
    form = FinishForm(request.POST, marks=marks)
    if not form.is_valid():
        return _page(request, record, form, status=422)
    values = form.values(record.state)
    if form.cleaned_data["revision"] != record.revision and values:
        said = _("Somebody wrote in this game meanwhile. Look at the points once more and save them again.")
        return _page(request, record, form, status=409, said=said)
    for name, refusal in refused_values(record.state, values).items():
        form.add_error(name, refusal_words(refusal, record.names))
    if form.errors:
        return _page(request, record, form, status=422)
    if values:
        answer = record_batch(
            values, game=game, revision=record.revision, by=user_of(request), uuid=form.cleaned_data["uuid"]
        )
        record = answer.record
        if not answer.is_written:
            said = (
                refusal_words(answer.refusal, record.names) if answer.refusal else _("Somebody was faster. Try again.")
            )
            return _page(request, record, form, status=422 if answer.refusal else 409, said=said)
    forget_typed(request)
    if "sign" in request.POST:
        return _signed(request, game, record)
    messages.success(request, _("Points are saved."))
    return redirect("finish", uuid)


def _signed(request: HttpRequest, game: Game, record: Record) -> HttpResponse:
    password = request.POST.get("password", "")
    form = FinishForm(marks=game.rules.speech_step is not None)
    try:
        signing.sign(game, revision=record.revision, by=user_of(request), password=password)
    except Invalid as error:
        return _page(request, record, form, status=422, refused=" ".join(error.messages))
    except NotReady:
        return _page(
            request, record, form, status=422, refused=_("The protocol can’t be signed yet: see what is missing.")
        )
    except Stale:
        said = _("Somebody wrote in this game meanwhile. Look at the protocol once more before signing.")
        return _page(request, record_of(game), form, status=409, said=said)
    except Refused as error:
        return _page(request, record, form, status=422, refused=refusal_words(error.refusal, record.names))
    messages.success(request, _("The protocol is signed."))
    return redirect("game", game.uuid)


# ---------------------------------------------------------------- the page


def _page(
    request: HttpRequest,
    record: Record,
    form: FinishForm,
    *,
    status: int = 200,
    said: str = "",
    refused: str = "",
) -> HttpResponse:
    game, state, names = record.game, record.state, record.names
    end = outcome(state)
    rules = state.regulation
    left, players = extra_left(state)
    protests = list(protests_of(game))
    drawn = with_protests(sheet_from(record), protests)
    context = {
        "game": game,
        "record": record,
        "uuid": uuid4(),
        "outcome": outcome_words(end) if end else "",
        "result": end.result.value if end else "",
        "ended_at": timezone.localtime(game.ended_at) if game.ended_at else None,
        "due": [_due(problem, game, names) for problem in problems_of(record, signer=user_of(request))],
        "cautions": [caution_words(caution, names) for caution in cautions_of(record)],
        "lines": [_line(state, names, form, seat) for seat in SEATS],
        "by_amount": bool(rules.extra_amounts),
        "needs_comment": rules.extra_comment,
        "marks": form.marks,
        "mark_step": points_words(rules.speech_step) if rules.speech_step else "",
        "mark_most": points_words(rules.speech_most),
        "range": _("from %(least)s to %(most)s by %(step)s") % {
            "least": points_words(rules.extra_least), "most": points_words(rules.extra_most),
            "step": points_words(rules.extra_step),
        },
        "cap_sum": rules.extra_sum,
        "cap_players": rules.extra_players,
        "left": _left(left, players),
        # While the game goes on, the page may be seen from the table.
        "form": form_of(drawn if end else drawn.without_roles(), is_draft=True),
        "clock": clock_of(game),
        "protests": len(protests),
        "problems": form.errors,
        "said": said,
        "refused": refused,
    }  # fmt: skip
    return render(request, "protocols/finish_page.html", context, status=status)


def _left(points: Decimal | None, players: int | None) -> str:
    """What is left of the caps, «осталось 0,5 и 1 игрок»; empty where there are none."""
    if points is None or players is None:
        return ""
    return ngettext(
        "left: %(points)s and %(players)s player", "left: %(points)s and %(players)s players", players
    ) % {"points": points_words(points), "players": players}  # fmt: skip


def _due(problem: Problem, game: Game, names: dict[int, str]) -> Due:
    board = reverse("board", args=[game.uuid])
    prepare = reverse("prepare", args=[game.uuid])
    revisions = cast(tuple[int, ...] | None, problem.params.get("revisions"))
    usual = f"{board}?open=ruling"
    if revisions is not None:  # a breach is put right where the entry stands, not ruled away
        usual = f"{board}?open=entry&of={revisions[0]}" if revisions else board
    href = {
        "not_over": board,
        "roles_unknown": f"{board}?open=roles",
        "roles_count": f"{board}?open=roles",
        "seats_empty": prepare,
        "person_twice": prepare,
        "judge_plays": prepare,
        "set_aside": f"{board}?open=entry&of={problem.params.get('revision')}",
    }.get(problem.code, usual)
    return Due(problem_words(problem, names), href)


def _line(state: GameState, names: dict[int, str], form: FinishForm, seat: int) -> SeatLine:
    written, table = typed_of(state), points_of(state)
    bound = form.is_bound
    extra_field = form[f"extra_{seat}"]
    extra = str(extra_field.value() or "") if bound else _plain(written[f"extra_{seat}"])
    comment = str(form[f"comment_{seat}"].value() or "") if bound else written[f"comment_{seat}"]
    mark = ""
    if form.marks:
        mark = str(form[f"mark_{seat}"].value() or "") if bound else _plain(written[f"mark_{seat}"])
    points = table[seat] if table else None
    role = state.seats[seat].role if is_over(state) else None
    amounts = ("", *(points_words(amount) for amount in state.regulation.extra_amounts))
    chosen = extra.replace(".", ",").replace("-", "−")
    fields = [extra_field, form[f"comment_{seat}"], *([form[f"mark_{seat}"]] if form.marks else [])]
    return SeatLine(
        seat=seat,
        label=seat_words(seat, names),
        role=role.letter if role else "",
        points=points_words(points.win + points.penalty) if points else "",
        best_move=points_words(points.best_move, sign=True) if points and points.best_move else "",
        amounts=tuple(Amount(amount, amount or "0", amount == chosen) for amount in amounts),
        extra=extra,
        comment=comment,
        mark=mark,
        errors=_errors(fields),
    )


def _errors(fields: list[BoundField]) -> tuple[str, ...]:
    return tuple(str(error) for field in fields for error in field.errors)


def _plain(thousandths: int | None) -> str:
    return points_words(points_of_thousandths(thousandths)).replace("−", "-") if thousandths else ""
