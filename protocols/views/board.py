"""The judge's board and the one address that every tap of it is sent to.

A tap is answered in one of four ways and no more: written or known (200, or 303 without a script), refused or
malformed (422), somebody was faster (409), not yours (403, 404). What needs asking first is asked (200).
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse, QueryDict
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe

from .. import access
from ..board.drawing import addresses_of, filled
from ..board.drawn import drawn, said
from ..board.face import Face, Question, Rule, face_of
from ..board.log import line_words
from ..board.posts import Ask, again_of, ask_of
from ..forms.corrections import BallotForm, corrected, is_correction, tap_of
from ..forms.entries import EntryForm
from ..models import Game
from ..rules import entries as e
from ..rules.differences import differences
from ..rules.outcome import outcome
from ..selectors import Record, record_of
from ..services import record as recording
from ..services.errors import Invalid
from ..wording import difference_words, entry_words, notice_words, outcome_words, refusal_words, short_words
from .compressed import compressed
from .login_again import forget_typed, keeps_typed, keeps_typed_on, typed_before
from .requests import user_of

NOT_RESENT = ("csrfmiddlewaretoken", "revision", "confirmed", "sure")


@never_cache
@gzip_page
@require_safe
@keeps_typed
def board(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The board as it is now; what the address asks for is open on it."""
    game = access.judged_game(request.user, uuid)
    record = record_of(game)
    typed = typed_before(request)
    question = _offered_again(record, typed) if typed is not None else None
    return _shown(request, record, ask_of(request.GET), question=question)


@never_cache
@compressed
@keeps_typed_on("board")
@require_POST
def entries(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Writes one tap into the record."""
    game = access.writable_game(request.user, uuid)
    if "discard" in request.POST:
        forget_typed(request, addresses_of(uuid).board)
        return _done(request, record_of(game), Ask())
    form = tap_of(request.POST)
    if not form.is_valid():
        return _not_taken(request, record_of(game), form.error_lines())
    try:
        if "ask" in request.POST and not {"sure", "confirmed"} & set(request.POST):
            asked = _asked(request, game, form)
            if asked is not None:
                return asked
        answer = _write(request, game, form)
    except Invalid as error:
        return _not_taken(request, record_of(game), error.messages)
    if answer is None:
        return _done(request, record_of(game), Ask())
    return _answered(request, form, answer)


def _write(request: HttpRequest, game: Game, form: EntryForm) -> recording.Answer | None:
    """The answer of the record; None where a correction changes nothing."""
    data, user = form.cleaned_data, user_of(request)
    if not is_correction(form) and not form.companions:
        return recording.record(
            form.value(), game=game, revision=data["revision"], by=user, uuid=data["uuid"],
            device_time=data["device_time"], confirmed=data["confirmed"], follows=data["follows"],
        )  # fmt: skip
    values = _values(form, game)
    if not values:
        return None
    return recording.record_batch(
        values, game=game, revision=data["revision"], by=user, uuid=data["uuid"],
        device_time=data["device_time"], confirmed=data["confirmed"],
    )  # fmt: skip


def _values(form: EntryForm, game: Game) -> list[e.Entry]:
    """What the tap writes: one entry, or those that belong together; none for a correction that changes nothing."""
    if not is_correction(form):
        return form.values()
    before = record_of(game)
    return corrected(form, before.values, before.state.moment)


# ---------------------------------------------------------------- answers


def _answered(request: HttpRequest, form: EntryForm, answer: recording.Answer) -> HttpResponse:
    record, names = answer.record, answer.record.names
    if answer.kind == "stale":
        return _overtaken(request, record, form)
    if answer.kind == "refused":
        assert answer.refusal is not None
        return _not_taken(request, record, [], refused=refusal_words(answer.refusal, names))
    if answer.kind == "confirm":
        return _shown(request, record, Ask(), question=_what_follows(request, form, answer))
    page = addresses_of(record.game.uuid).board
    kept = typed_before(request, page)
    if kept is not None and kept.get("uuid") == str(form.cleaned_data["uuid"]):
        forget_typed(request, page)
    return _done(request, record, _next(form, answer))


def _not_taken(request: HttpRequest, record: Record, errors: Sequence[str], refused: str = "") -> HttpResponse:
    """Why not (422); a form that was open over the board stays open as it was filled."""
    again = again_of(request.POST, refused or " ".join(errors))
    rule = Rule(refused, "refused") if refused else None
    return _shown(request, record, again, status=422, rule=rule, errors=tuple(errors))


def _next(form: EntryForm, answer: recording.Answer) -> Ask:
    """What the board shows after the tap: the reasons for a foul, the voters by name again."""
    value = answer.record.values[answer.entry - 1] if answer.entry else None
    reason = answer.entry if isinstance(value, e.Foul) and not value.clause and answer.entry else 0
    return Ask(reason=reason, voters="voters_next" in form.data)


def _overtaken(request: HttpRequest, record: Record, form: EntryForm) -> HttpResponse:
    """Somebody wrote since: what that was, and the own entry offered again (409)."""
    seen = form.cleaned_data["revision"]
    meanwhile = tuple(entry_words(value, record.names) for value in record.values[seen:])
    question = Question(
        _("Not written: %(entry)s. Meanwhile this was written:") % {"entry": _tapped(form)},
        meanwhile or (_("This board is older than the record."),),
        _resent(request.POST, record.revision),
        _("Write it now"),
    )
    rule = Rule(_("Somebody was faster. This is the board as it is now"), "stale")
    return _shown(request, record, Ask(), status=409, rule=rule, question=question)


def _asked(request: HttpRequest, game: Game, form: EntryForm) -> HttpResponse | None:
    """What the entry would bring about, before it is written; None where nothing needs asking.

    ask=1 always asks; ask=late only where something follows beside the entry itself.
    """
    data, values = form.cleaned_data, _values(form, game)
    if not values:
        return None
    seen = recording.foresee(
        values, game=game, revision=data["revision"], by=user_of(request), uuid=data["uuid"], follows=data["follows"]
    )
    if seen.kind == "known":
        return None
    if seen.kind != "confirm":
        return _answered(request, form, seen)
    if request.POST["ask"] == "late":
        assert seen.after is not None
        if not any(found.follows for found in differences(seen.state, seen.after)):
            return None
        return _shown(request, seen.record, Ask(), question=_what_follows(request, form, seen))
    return _shown(request, seen.record, Ask(), question=_what_happens(request, form, seen))


def _what_follows(request: HttpRequest, form: EntryForm, seen: recording.Answer) -> Question:
    """Everything that a late entry, a strike or a correction changes."""
    assert seen.after is not None
    names = seen.record.names
    lines = tuple(difference_words(found, names) for found in differences(seen.state, seen.after))
    title = _("%(entry)s — what follows from it:") % {"entry": _in_full(form, seen.record)}
    return Question(title, lines, _sure(request, seen), _("Write it all the same"), danger=True)


def _what_happens(request: HttpRequest, form: EntryForm, seen: recording.Answer) -> Question:
    """What the rules do when an entry of now is written."""
    assert seen.after is not None
    names, after = seen.record.names, seen.after
    lines = [notice_words(notice, names) for notice in after.notices if notice not in seen.state.notices]
    end = outcome(after)
    lines += [outcome_words(end)] if end else []
    fell = [found for found in differences(seen.state, after) if found.code == "falls"]
    lines += [difference_words(found, names) for found in fell]
    title, fields = _in_full(form, seen.record), _sure(request, seen)
    return Question(title, tuple(lines), fields, _("Write it"), danger=True)


def _sure(request: HttpRequest, seen: recording.Answer) -> tuple[tuple[str, object], ...]:
    """The tap again, for somebody who has seen what follows."""
    more = {"sure": "1", "confirmed": "1"} if seen.fallen else {"sure": "1"}
    return _resent(request.POST, seen.revision, **more)


def _in_full(form: EntryForm, record: Record) -> str:
    """The tap as the log will say it."""
    if isinstance(form, BallotForm):
        return _("Tallies of a ballot")
    return line_words(form.value(), {value.revision: value for value in record.values}, record.names)


def _offered_again(record: Record, typed: QueryDict) -> Question | None:
    """An entry that an expired login kept from being written."""
    form = tap_of(typed)
    if not form.is_valid() or any(str(row.uuid) == typed.get("uuid") for row in record.rows):
        return None
    seen = form.cleaned_data["revision"]
    meanwhile = tuple(entry_words(value, record.names) for value in record.values[seen:])
    title = _("Not written: %(entry)s") % {"entry": _tapped(form)}
    return Question(title, meanwhile, _resent(typed, record.revision), _("Write"), drops=True)


def _tapped(form: EntryForm) -> str:
    """The tap in a few words."""
    return _("tallies of a ballot") if is_correction(form) and form.KIND == "ballot" else short_words(form.value())


def _resent(data: QueryDict, revision: int, **more: str) -> tuple[tuple[str, object], ...]:
    """The fields of a form as they were, for the board as it is now."""
    fields = [(name, value) for name, values in data.lists() if name not in NOT_RESENT for value in values]
    return (*fields, ("revision", revision), *more.items())


def _done(request: HttpRequest, record: Record, ask: Ask) -> HttpResponse:
    """Written: the fresh board for the script; without one the browser is led to it."""
    if "HX-Request" in request.headers:
        return _shown(request, record, ask)
    wanted = {name: value for name, value in (("reason", ask.reason), ("voters", int(ask.voters))) if value}
    address = addresses_of(record.game.uuid).board
    response = redirect(f"{address}?{urlencode(wanted)}" if wanted else address)
    response.status_code = 303
    return response


def _shown(
    request: HttpRequest,
    record: Record,
    ask: Ask,
    *,
    status: int = 200,
    rule: Rule | None = None,
    question: Question | None = None,
    errors: tuple[str, ...] = (),
) -> HttpResponse:
    """The board: whole for a browser, only itself for the script."""
    game, user = record.game, user_of(request)
    standing = access.standing_at(user, game)
    if errors and rule is None:
        rule = Rule(" ".join(errors), "refused")
    face: Face = face_of(
        record, user, ask, rule=rule, question=question, errors=errors,
        writes=standing.is_judge or standing.is_head_judge, roles=access.sees_roles(user, game),
        heads=standing.is_head_judge,
    )  # fmt: skip
    token = get_token(request)
    if "HX-Request" in request.headers:
        html = said(face) + drawn(face, token)
    else:
        html = render_to_string("protocols/board_page.html", {"face": face}, request)
    html = filled(html, revision=record.revision, now=record.state.moment, saved=face.saved, token=token)
    return HttpResponse(html, status=status, headers={"Vary": "HX-Request"})


def fragment_of(request: HttpRequest, record: Record) -> str:
    """The board's HTML for a script that asked with `HX-Request`; nothing beside the ordinary is open on it."""
    return _shown(request, record, Ask()).content.decode()
