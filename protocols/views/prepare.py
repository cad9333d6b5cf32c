"""Preparing a game: its header, its ten nicknames and, if the judge likes, its roles (A 9.2–9.4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from difflib import get_close_matches
from uuid import UUID, uuid4

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from protocols import access, selectors
from protocols.forms.prepare import ROLE_CHOICES, PrepareForm
from protocols.models import Game, Player, Seat, Tournament, nickname_key
from protocols.rules import entries as e
from protocols.rules.outcome import open_contradictions
from protocols.rules.terms import ROLE_COUNTS, SEATS, SETUP, Role
from protocols.selectors import Record
from protocols.services.errors import Invalid, Refused
from protocols.services.prepare import seat_players, set_header
from protocols.services.record import record
from protocols.services.replacing import freed_in
from protocols.views.login_again import forget_typed, keeps_typed, typed_before
from protocols.views.requests import sent_in, user_of
from protocols.wording import contradiction_words, refusal_words, seat_words
from protocols.wording.terms import numbers_words


@dataclass
class Outcome:
    """What became of a sent page: `problems` and `unknown` nicknames keep it from being saved."""

    problems: list[str] = field(default_factory=list)
    unknown: dict[int, str] = field(default_factory=dict)  # seat → nickname that nobody has
    warnings: list[str] = field(default_factory=list)  # saved, but the record now disagrees with the rules

    @property
    def is_saved(self) -> bool:
        """Whether everything on the page was written."""
        return not (self.problems or self.unknown)


@never_cache
@keeps_typed
@require_http_methods(["GET", "HEAD", "POST"])
def prepare(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The page on which a game is prepared; all of it is saved, or nothing."""
    game = access.prepared_game(request.user, uuid)
    if game.is_closed:
        messages.error(request, _("The protocol is signed: nothing in it can be changed."))
        return redirect("game", uuid)
    found = selectors.record_of(game)
    stages = [(stage.pk, stage.name) for stage in game.tournament.stages.order_by("number")]
    typed = typed_before(request) if request.method != "POST" else None
    form = PrepareForm(sent_in(request), stages=stages, initial=_initial(found) | (typed.dict() if typed else {}))
    outcome = Outcome()
    if request.method == "POST":
        if form.is_valid():
            outcome = _save(request, found, form)
            if outcome.is_saved:
                forget_typed(request)
                for warning in outcome.warnings:
                    messages.warning(request, warning)
                return _go_on(request, game)
        else:
            outcome.problems = [str(error) for errors in form.errors.values() for error in errors]
    return render(
        request,
        "protocols/prepare_page.html",
        _context(request, found, form, outcome) | {"typed": typed is not None},
        status=200 if outcome.is_saved else 422,
    )


def _initial(found: Record) -> dict[str, object]:
    game, roles = found.game, found.state.roles
    values: dict[str, object] = {
        "stage": game.stage_id,
        "number": game.number,
        "table_number": game.table_number,
        "played_on": game.played_on,
        "judge_name": game.judge_name,
    }
    values |= {f"nickname_{seat}": nickname for seat, nickname in found.nicknames.items()}
    if roles is not None:
        values |= {f"role_{seat}": role.value for seat, role in zip(SEATS, roles.roles, strict=True)}
    return values


# ---------------------------------------------------------------- saving


def _save(request: HttpRequest, found: Record, form: PrepareForm) -> Outcome:
    """Header, seats and roles in one transaction: a refusal of one leaves the others as they were."""
    outcome = Outcome()
    data, game = form.cleaned_data, found.game
    try:
        with transaction.atomic():
            set_header(
                game,
                stage=game.tournament.stages.get(pk=data["stage"]),
                number=data["number"],
                table_number=data["table_number"],
                played_on=data["played_on"],
                judge_name=data["judge_name"],
                round=game.round,
            )
            outcome.unknown = _seat(game, data["nicknames"], request.POST.getlist("confirmed"))
            if not outcome.unknown and data["roles"] and _writes_roles(request, game):
                _write_roles(request, found, data["roles"], data["nicknames"], outcome)
            if not outcome.is_saved:
                transaction.set_rollback(True)
    except Invalid as error:
        outcome.problems = error.messages
    except Refused as error:
        outcome.problems = [refusal_words(error.refusal, found.names)]
    return outcome


def _seat(game: Game, nicknames: dict[int, str], confirmed: list[str]) -> dict[int, str]:
    """Seats the players; gives the nicknames that nobody has and that the judge has not called new."""
    unknown = seat_players(game, nicknames).unknown
    if not unknown:
        return {}
    keys = {nickname_key(nickname) for nickname in confirmed}
    if any(nickname_key(nickname) not in keys for nickname in unknown.values()):
        return unknown
    return seat_players(game, nicknames, confirm_new=True).unknown


def _writes_roles(request: HttpRequest, game: Game) -> bool:
    standing = access.standing_at(request.user, game)
    return standing.is_judge or standing.is_head_judge


def _write_roles(
    request: HttpRequest, found: Record, roles: tuple[Role, ...], names: dict[int, str], outcome: Outcome
) -> None:
    """Writes the roles where they are not those of the record; what hinders it goes into the outcome."""
    if found.state.roles is not None and found.state.roles.roles == roles:
        return
    answer = record(
        e.Roles(moment=SETUP, roles=roles),
        game=found.game,
        revision=_number(request.POST.get("revision", ""), found.revision),
        by=user_of(request),
        uuid=_uuid(request.POST.get("uuid", "")),
        confirmed=True,  # what was played stays; where the roles disagree with it the judge gives a ruling (RULES §5)
    )
    if answer.kind == "stale":
        outcome.problems = [_("Meanwhile something was written in this game. Look the roles over and save again.")]
    elif answer.kind == "refused" and answer.refusal:
        outcome.problems = [refusal_words(answer.refusal, names)]
    else:
        outcome.warnings = [contradiction_words(each, names) for each in open_contradictions(answer.state)]


def _number(text: str, default: int) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else default


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        return uuid4()


def _go_on(request: HttpRequest, game: Game) -> HttpResponse:
    taken = set(Seat.objects.filter(game=game).values_list("number", flat=True))
    free = [seat for seat in SEATS if seat not in taken]
    if free:
        messages.warning(request, _("Saved. Seats without a player: %(seats)s.") % {"seats": numbers_words(free)})
        return redirect("prepare", game.uuid)
    if request.POST.get("then") == "board":
        return redirect("board", game.uuid)
    messages.success(request, _("Saved."))
    return redirect("prepare", game.uuid)


# ---------------------------------------------------------------- the page


def _context(request: HttpRequest, found: Record, form: PrepareForm, outcome: Outcome) -> dict[str, object]:
    game = found.game
    header = {"stage", "number", "table_number", "played_on", "judge_name"}
    chosen = [form[f"role_{seat}"].value() for seat in SEATS]
    return {
        "form": form,
        "game": game,
        "revision": found.revision,
        "uuid": uuid4(),
        "problems": outcome.problems,
        "unknown": _unknown_words(outcome.unknown),
        "confirmed": request.POST.getlist("confirmed") + list(outcome.unknown.values()),
        "known": _players_of(game.tournament),
        "header_open": bool(header & set(form.errors)) or not game.judge_name,
        "roles_open": bool(form.role_errors) or (form.is_bound and any(chosen)),
        "roles_known": found.state.roles_known,
        "writes_roles": _writes_roles(request, game),
        "role_counts": [
            {
                "value": value,
                "letter": letter,
                "needed": ROLE_COUNTS[Role(value)],
                "chosen": sum(1 for each in chosen if each == value),
            }
            for value, letter in ROLE_CHOICES
        ],
        "moved": [seat for seat, at in found.state.chairs.items() if seat != at],
        "freed": freed_in(game, found.nicknames),
        "then": request.POST.get("then", "stay"),
        "board_url_words": _("Save and run the game") if game.status == "prepared" else _("Save and go on"),
    }


def _unknown_words(unknown: dict[int, str]) -> list[str]:
    """Each unknown nickname with its seat, and with the known one that it resembles."""
    if not unknown:
        return []
    known = dict(Player.objects.filter(merged_into=None).values_list("nickname_key", "nickname"))
    words = []
    for seat, nickname in unknown.items():
        found = get_close_matches(nickname_key(nickname), known, n=1, cutoff=0.75)
        line = seat_words(seat, unknown)
        if found:
            line = _("%(seat)s (resembles %(nickname)s)") % {"seat": line, "nickname": known[found[0]]}
        words.append(line)
    return words


def _players_of(tournament: Tournament) -> list[str]:
    """The nicknames seen in this tournament, offered by browsers that run no script."""
    seen = Seat.objects.filter(game__tournament=tournament).order_by("player__nickname_key")
    return list(seen.values_list("player__nickname", flat=True).distinct())
