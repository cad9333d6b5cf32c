"""What a device without a network needs of the site: its queue taken, who is logged in, and whether anything is new."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.core import signing
from django.db.models import UUIDField
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe

from .. import access
from ..board.log import line_words
from ..board.timing import clock_told, milliseconds
from ..forms.corrections import BallotForm
from ..forms.entries import EntryForm
from ..forms.queue import read_queue
from ..models import Game
from ..models.prepared import Prepared
from ..selectors import Record
from ..services.errors import Invalid
from ..services.queue import Judged, take
from ..wording import entry_words, refusal_words
from .board import fragment_of
from .requests import user_of

WATCHED = signing.TimestampSigner(salt="protocols.watched")
WATCHED_FOR = 3 * 24 * 3600  # seconds that a board may ask whether anything is new without being loaded again

_watched = Prepared(
    lambda uuid: Game.objects.filter(uuid=uuid).values_list(
        "revision", "status", "clock__entry", "clock__deadline", "clock__left", "clock__changed_at"
    ),
    (UUIDField(), UUID(int=1)),
)


@never_cache
@gzip_page
@require_POST
def queue(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Takes the queue of one person and one game: what became of each entry, and the fresh board.

    401 without a login, 409 where somebody else is logged in, 422 for what is no queue of this game. In none of these
    is anything written, and the device keeps all of it.
    """
    if not request.user.is_authenticated:
        return JsonResponse({"error": "login"}, status=401)
    game = access.writable_game(request.user, uuid)
    try:
        sent = read_queue(request.body)
    except Invalid as error:
        return JsonResponse({"error": "malformed", "words": " ".join(error.messages)}, status=422)
    if sent.game != str(game.uuid):
        return JsonResponse({"error": "malformed", "words": _("This queue is of another game.")}, status=422)
    user = user_of(request)
    if sent.user != user.pk:
        return JsonResponse({"error": "user"}, status=409)
    judged, record = take([item for item, _form in sent.taps], game=game, by=user, mine=sent.mine)
    answers = [_told(found, form, record) for found, (_item, form) in zip(judged, sent.taps, strict=True)]
    return JsonResponse({"answers": answers, "revision": record.revision, "board": fragment_of(request, record)})


def _told(found: Judged, form: EntryForm, record: Record) -> dict[str, Any]:
    told: dict[str, Any] = {"uuid": str(found.uuid), "kind": found.kind, "entry": found.entry}
    if found.is_settled:
        return told
    names, values = record.names, {value.revision: value for value in record.values}
    told["text"] = _("An entry that can’t be read")
    if form.is_valid():
        told["text"] = (
            _("Tallies of a ballot") if isinstance(form, BallotForm) else line_words(form.value(), values, names)
        )
    if found.refusal is not None:
        told["words"], told["clause"] = refusal_words(found.refusal, names), found.refusal.clause
    elif found.problems:
        told["words"] = " ".join(found.problems)
    elif found.stands:
        told["words"] = _("Meanwhile this was written: %(entry)s") % {
            "entry": line_words(record.values[found.stands - 1], values, names)
        }
    else:
        fell = "; ".join(entry_words(entry, names) for entry, _why in found.fallen)
        told["words"] = _("Entries that would no longer stand: %(entries)s") % {"entries": fell}
    return told


@never_cache
@require_safe
def live(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Who is logged in, a fresh token for forms, and the revision of the record where that person may read it."""
    told: dict[str, Any] = {"user": None, "token": get_token(request), "revision": None}
    if request.user.is_authenticated:
        game = access.judged_game(request.user, uuid)
        told |= {"user": request.user.pk, "revision": game.revision}
    return JsonResponse(told)


def pulse_of(game: Game) -> str:
    """The address that says whether anything is new on the board. Whoever has it may ask so much and no more."""
    return reverse("pulse", args=[game.uuid, WATCHED.sign(str(game.uuid)).partition(":")[2]])


@never_cache
@require_safe
def pulse(request: HttpRequest, uuid: UUID, key: str) -> HttpResponse:
    """204 while the board looks as it did at the mark `at`, otherwise 200 with the mark of now: one query.

    Whoever says since when it knows the table's clock, `clock`, is told that, too, so that nobody has to ask apart.
    The server's time goes along in a header. The address itself is the permission, so that a board that asks each
    second costs no login to be looked up; it tells nothing but numbers. 403 where it is old or not ours.
    """
    try:
        WATCHED.unsign(f"{uuid}:{key}", max_age=WATCHED_FOR)
    except signing.BadSignature:
        return HttpResponse(status=403)
    found = _watched(uuid)
    if not found:
        return HttpResponse(status=404)
    revision, status, *stored = found[0]
    told: dict[str, Any] = {"mark": f"{revision}.{status}"}
    same = request.GET.get("at") == told["mark"]
    if "clock" in request.GET:
        told["clock"] = clock_told(*stored)
        same = same and request.GET["clock"] == str(told["clock"]["changed"] if told["clock"] else 0)
    answer = HttpResponse(status=204) if same else JsonResponse(told)
    answer.headers["Now"] = str(milliseconds(timezone.now()))
    return answer
