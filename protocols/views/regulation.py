"""The regulation of a tournament: its text for players, and the form in which an organizer changes it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from protocols import access
from protocols.forms.regulation import RegulationForm
from protocols.models import CLOSED, Game, RegulationVersion, Stage, Tournament
from protocols.models.regulations import RegulationMove
from protocols.pdf import html_pdf
from protocols.regulation_text import Chapter, chapters_of
from protocols.regulation_words import regulation_name, regulation_title
from protocols.rules.regulation import PRESETS, Regulation
from protocols.rules.regulation_data import changed
from protocols.services import regulations
from protocols.services.errors import Invalid
from protocols.services.people import printed_name
from protocols.views.documents import pdf_response
from protocols.views.login_again import keeps_typed, keeps_typed_on, offered_again
from protocols.views.requests import sent_in, user_of
from protocols.wording import difference_words


@dataclass(frozen=True)
class Text:
    """A regulation as its page shows it; `version` is None for the preset."""

    tournament: Tournament
    version: RegulationVersion | None
    rules: Regulation

    @property
    def title(self) -> str:
        """Its name."""
        return self.version.name if self.version else regulation_name(self.rules.code)

    @property
    def number(self) -> int:
        """Its version; 0 is the preset."""
        return self.version.number if self.version else 0

    @property
    def chapters(self) -> list[Chapter]:
        """The whole text."""
        return chapters_of(self.rules, PRESETS[self.rules.code])

    @property
    def preset_name(self) -> str:
        """The preset it began with, where it is no preset itself."""
        return regulation_name(self.rules.code) if self.version else ""

    @property
    def differs(self) -> bool:
        """Whether anything in it is otherwise than in the preset."""
        return bool(changed(self.rules, PRESETS[self.rules.code]))


def _text(tournament: Tournament, number: int | None) -> Text:
    """The text of that version; None: the one that the tournament has now. Raises Http404."""
    version = tournament.regulation_version
    if number is not None:
        version = None
        if number:
            version = get_object_or_404(RegulationVersion, tournament=tournament, number=number)
    return Text(tournament, version, version.rules if version else tournament.preset)


@require_safe
def page(request: HttpRequest, slug: str, number: int | None = None) -> HttpResponse:
    """The text of the regulation that the tournament has now, or of one of its versions, and where each is used."""
    tournament = access.tournament_for(request.user, slug)
    text = _text(tournament, number)
    stages = tournament.stages.exclude(regulation_version=None).select_related("regulation_version")
    versions = tournament.regulation_versions.order_by("-number")
    context = {
        "tournament": tournament,
        "text": text,
        "is_current": text.version == tournament.regulation_version,
        "current_name": regulation_title(tournament),
        "preset": regulation_name(tournament.regulation),
        "versions": [version for version in versions if version != text.version],
        "own_stages": list(stages.order_by("number")),
        "all_stages": list(tournament.stages.order_by("number")),
        "standing": access.standing_in(request.user, tournament),
    }
    return render(request, "protocols/regulation_page.html", context)


@require_safe
def pdf(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """The same text on A4."""
    tournament = access.tournament_for(request.user, slug)
    context = {"tournament": tournament, "text": _text(tournament, number)}
    drawn = html_pdf(render_to_string("protocols/regulation_print.html", context), ("css/regulation_print.css",))
    return pdf_response(drawn, _("Regulation, %(tournament)s") % {"tournament": tournament.title})


# ---------------------------------------------------------------- the organizer's


@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    """A preset or a version, copied and changed, for the tournament or a stage; 422 where it makes no sense."""
    tournament = access.organized(request.user, slug)
    asked = request.POST if request.method == "POST" else request.GET
    stage = _stage(tournament, asked.get("stage", ""))
    start = _start(tournament, stage, asked.get("from", ""))
    form = RegulationForm(sent_in(request), start=start.rules, initial={"name": _name(tournament, start)})
    if request.method == "POST" and form.is_valid():
        try:
            made = regulations.write_regulation(
                tournament, form.regulation(), name=form.cleaned_data["name"], by=user_of(request), stage=stage
            )
        except Invalid as error:
            form.add_error(None, error.messages)
        else:
            words = {"name": made.name, "number": made.number}
            messages.success(request, _("“%(name)s”, version %(number)d, holds from now on.") % words)
            waits = regulations.moves_of(tournament)
            return redirect("regulation-games" if waits else "regulation", slug)
    offered_again(request, form)
    context = {
        "tournament": tournament,
        "form": form,
        "start": start,
        "from": asked.get("from", ""),
        "stage": stage,
        "presets": [(code, regulation_name(code)) for code in PRESETS],
        "signed": tournament.games.filter(status__in=CLOSED).count(),
    }
    return render(request, "protocols/regulation_form.html", context, status=422 if form.errors else 200)


def _stage(tournament: Tournament, number: str) -> Stage | None:
    """The stage of that number; None for the tournament itself. Raises Http404."""
    if not number:
        return None
    return get_object_or_404(Stage, tournament=tournament, number=_number(number))


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise Http404
    return int(text)


def _start(tournament: Tournament, stage: Stage | None, asked: str) -> Text:
    """What the form begins with: what was asked for, otherwise what the stage or the tournament has now."""
    if asked in PRESETS:
        return Text(tournament, None, PRESETS[asked])
    if asked:
        return _text(tournament, _number(asked))
    version = (stage.regulation_version if stage else None) or tournament.regulation_version
    return Text(tournament, version, version.rules if version else tournament.preset)


def _name(tournament: Tournament, start: Text) -> str:
    return start.title if start.version else tournament.title[:80]


@keeps_typed_on("regulation", is_button=True)
@require_POST
def choose(request: HttpRequest, slug: str) -> HttpResponse:
    """Goes back to a version written before, or to the preset: for the tournament, or for a stage."""
    tournament = access.organized(request.user, slug)
    stage = _stage(tournament, request.POST.get("stage", ""))
    number = _number(request.POST.get("number", ""))
    text = _text(tournament, number)
    regulations.choose_regulation(tournament, text.version, stage=stage)
    messages.success(request, _("Games that are set up from now on have this regulation."))
    return redirect("regulation-games" if regulations.moves_of(tournament) else "regulation", slug)


@dataclass(frozen=True)
class OpenGame:
    """An open game under another regulation than its stage has now."""

    game: Game
    now: str
    due: str
    changes: tuple[str, ...]
    is_hidden: bool  # from whoever plays at the table


@keeps_typed_on("regulation-games", is_button=True)
@require_http_methods(["GET", "HEAD", "POST"])
def games(request: HttpRequest, slug: str) -> HttpResponse:
    """The open games that began under another regulation, and what moving each would change; a button moves one."""
    tournament = access.organized(request.user, slug)
    moves = regulations.moves_of(tournament)
    if request.method == "POST":
        wanted = request.POST.get("game", "")
        move = next((move for move in moves if str(move.game.uuid) == wanted), None)
        if move is None:
            messages.error(request, _("This game has its regulation already, or is signed."))
        else:
            try:
                regulations.move_game(move.game, by=user_of(request))
            except Invalid as error:
                messages.error(request, " ".join(error.messages))
            else:
                messages.success(request, _("The game has the new regulation."))
        return redirect("regulation-games", slug)
    context: dict[str, Any] = {
        "tournament": tournament,
        "games": [_open_game(request, tournament, move) for move in moves],
        "moved": [_moved(each) for each in regulations.moved(tournament)],
    }
    return render(request, "protocols/regulation_games_page.html", context)


@dataclass(frozen=True)
class Moved:
    """A game that was given another regulation, as the page tells it."""

    game: Game
    was: str
    became: str
    by: str
    at: datetime


def _moved(move: RegulationMove) -> Moved:
    was, became = (regulation_name(name) if name in PRESETS else name for name in (move.was, move.became))
    return Moved(move.game, was, became, printed_name(move.moved_by), move.moved_at)


def _open_game(request: HttpRequest, tournament: Tournament, move: regulations.Move) -> OpenGame:
    def words(version: RegulationVersion | None) -> str:
        return regulations.told(version, tournament) if version else regulation_name(tournament.regulation)

    names = move.record.names
    hidden = move.game.status not in access.OVER and access.standing_at(request.user, move.game).plays
    changes = () if hidden else tuple(difference_words(change, names) for change in move.changes)
    return OpenGame(move.game, words(move.game.regulation_version), words(move.due), changes, hidden)
