"""Filing protests: the judge at the table, a player with the code of the seat; and the time that is left for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

import segno
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from protocols import access
from protocols.board.timing import milliseconds
from protocols.forms.protests import CodeForm, CorrectionForm, ProtestForm, WrittenProtestForm
from protocols.models import FiledHow, Game, Protest, ProtestDecision
from protocols.protest_selectors import protests_of
from protocols.protest_words import announced_decision_of, decision_of, decision_words, protester_words
from protocols.rules.protests import minutes_of
from protocols.rules.terms import SEATS
from protocols.selectors import record_of
from protocols.services import protests
from protocols.services.errors import Invalid, Refused
from protocols.services.protest_letters import tell_of_protest
from protocols.views.login_again import keeps_typed, keeps_typed_on, offered_again
from protocols.views.requests import user_of
from protocols.wording import refusal_words, seat_words


@dataclass(frozen=True, slots=True)
class Clock:
    """Until when protests are taken; `until` and `now` are milliseconds since 1970 by the server's clock."""

    at: datetime
    until: int
    now: int

    @property
    def is_up(self) -> bool:
        """Whether the time is up."""
        return self.now > self.until

    @property
    def words(self) -> str:
        """What was left when the page was drawn."""
        seconds = max(0, -(-(self.until - self.now) // 1000))
        return f"{seconds // 60}:{seconds % 60:02d}"


def clock_of(game: Game) -> Clock | None:
    """The clock of the game's protests; None while the game goes on. No query."""
    at = protests.deadline_of(game)
    if at is None:
        return None
    return Clock(timezone.localtime(at), milliseconds(at), milliseconds(timezone.now()))


@dataclass(frozen=True, slots=True)
class Told:
    """A protest as it stands on a page; `decision` is what the reader may know of it."""

    protest: Protest
    who: str
    decision: ProtestDecision | None
    decided: str
    waits: bool  # a decision is given and not announced: for those who may know


def told(found: Iterable[Protest], *, inside: bool) -> list[Told]:
    """The protests for a page; `inside`: for whoever knows decisions before they are announced."""
    lines = []
    for each in found:
        decision = decision_of(each) if inside else announced_decision_of(each)
        words = decision_words(decision) if decision else ""
        waits = decision is not None and not decision.is_announced
        lines.append(Told(each, protester_words(each), decision, words, waits))
    return lines


# ---------------------------------------------------------------- from the player's own phone


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def file(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """A player's protest: the code of the seat first, or the player's own login; then what, the clause and the links.

    Without either the page tells nothing of the game, not even whether it is over.
    """
    game = Game.objects.select_related("tournament", "stage", "regulation_version").filter(uuid=uuid).first()
    if game is None:
        raise Http404
    player = request.user if isinstance(request.user, User) else None
    seat = protests.seat_of_player(game, player) if player else None
    code = ""
    if seat is None:
        player = None
        if request.method != "POST":
            return _ask_code(request, game, CodeForm())
        asked = CodeForm(request.POST)
        if not asked.is_valid():
            return _ask_code(request, game, asked)
        code = asked.cleaned_data["code"]
        try:
            seat = protests.seat_of_code(game, code)
        except Invalid as error:
            asked.add_error("code", error.messages)
        if seat is None:
            if not asked.errors:
                asked.add_error("code", _("This is not a code of this game. Look at it once more."))
            return _ask_code(request, game, asked)
    form = ProtestForm(request.POST) if "text" in request.POST else ProtestForm(initial={"uuid": uuid4()})
    if form.is_bound and form.is_valid():
        how = FiledHow.LOGIN if player else FiledHow.CODE
        filed = _filed(game, form, seat=seat, how=how, by=player)
        if filed is not None:
            return _page(request, game, seat, code, form, filed)
    known = protests_of(game).filter(seat=seat).first() if not form.is_bound else None
    return _page(request, game, seat, code, form, known, status=422 if form.errors else 200)


def _ask_code(request: HttpRequest, game: Game, form: CodeForm) -> HttpResponse:
    status = 422 if form.errors else 200
    return render(request, "protocols/protest_code_page.html", {"uuid": game.uuid, "form": form}, status=status)


def _page(
    request: HttpRequest,
    game: Game,
    seat: int,
    code: str,
    form: ProtestForm,
    filed: Protest | None,
    status: int = 200,
) -> HttpResponse:
    clock = clock_of(game)
    context = {
        "game": game,
        "who": seat_words(seat, record_of(game).names),
        "code": code,
        "form": form,
        "filed": filed,
        "clock": clock,
        "may_file": filed is None and clock is not None and not clock.is_up,
        "late": minutes_of(timezone.now() - clock.at) if clock and clock.is_up else "",
        "clause": game.rules.cite("protest"),
        "is_readable": game.is_closed and game.tournament.is_public,
    }
    return render(request, "protocols/protest_page.html", context, status=status)


def _filed(game: Game, form: ProtestForm, **how: object) -> Protest | None:
    """The protest, written; None with what is wrong in the form's errors."""
    data = form.cleaned_data
    try:
        made = protests.file_protest(
            game,
            form.words(),
            uuid=data["uuid"],
            made_at=data.get("made_at"),
            admitted_because=data.get("admitted_because", ""),
            **how,  # type: ignore[arg-type]
        )
    except Refused as error:
        form.add_error(None, _with_clause(error, game))
    except Invalid as error:
        form.add_error(None, error.messages)
    else:
        tell_of_protest(made)
        return made
    return None


def _with_clause(error: Refused, game: Game) -> str:
    return refusal_words(error.refusal, record_of(game).names)


# ---------------------------------------------------------------- at the judge's


@never_cache
@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def of_game(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The protests of a game for those who serve at it; its judge writes them down and shows each player the code."""
    game = access.judged_game(request.user, uuid)
    standing = access.standing_at(request.user, game)
    writes = standing.is_judge or standing.is_head_judge
    if request.method == "POST" and not writes:
        raise PermissionDenied
    names = record_of(game).names
    sent = request.POST if request.method == "POST" else None
    form = WrittenProtestForm(sent, game=game, names=names, heads=standing.is_head_judge, initial={"uuid": uuid4()})
    if sent is not None and form.is_valid():
        seat = form.cleaned_data["seat"]
        if _filed(game, form, seat=seat, how=FiledHow.JUDGE, by=user_of(request)) is not None:
            messages.success(request, _("The protest of %(who)s is written down.") % {"who": seat_words(seat, names)})
            return redirect("game-protests", uuid)
    offered_again(request, form)
    clock = clock_of(game)
    address = request.build_absolute_uri(reverse("protest-file", args=[uuid]))
    context = {
        "game": game,
        "standing": standing,
        "clock": clock,
        "writes": writes and clock is not None,
        "is_open": bool(form.errors) or bool(clock and not clock.is_up),
        "form": form,
        "told": told(protests_of(game), inside=standing.hears_protests),
        "codes": _codes(game, names) if writes and clock is not None and not clock.is_up else [],
        "address": address,
        "qr": segno.make(address, error="m").svg_data_uri(scale=5, border=4),
    }
    return render(request, "protocols/game_protests_page.html", context, status=422 if form.errors else 200)


def _codes(game: Game, names: dict[int, str]) -> list[tuple[str, str]]:
    """Each player with the code, as two groups of four digits."""
    codes = {seat: protests.code_of(game, seat) for seat in SEATS}
    return [(seat_words(seat, names), f"{codes[seat][:4]} {codes[seat][4:]}") for seat in SEATS if seat in names]


@keeps_typed_on("game")
@require_http_methods(["GET", "HEAD", "POST"])
def ask_correction(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The judge of a signed game asks the head judge to reopen it."""
    game = access.writable_game(request.user, uuid)
    form = CorrectionForm(request.POST)
    if request.method == "POST":
        if form.is_valid():
            try:
                protests.ask_correction(game, form.cleaned_data["text"], by=user_of(request))
                messages.success(request, _("The head judge is asked; you will see the answer here."))
            except Invalid as error:
                messages.error(request, " ".join(error.messages))
        else:
            messages.error(request, _("Write what is to be corrected."))
    return redirect("game", uuid)
