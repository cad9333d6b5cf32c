"""Drafts in the archive of their tournament: told of as they are stored, and stored again as they are told."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from ..exchange.canonical import sha256
from ..exchange.reading import Breach
from ..exchange.stored import from_json, to_json
from ..models import Draft, Game, Tournament
from ..models.entries import instant_written
from .errors import Invalid
from .people import person_of_file, printed_name
from .shape import plain_text


def draft_data(draft: Draft) -> dict[str, Any]:
    """What an archive tells of a draft beside its file."""
    discarded = None
    if draft.discarded_at is not None:
        discarded = {
            "by": printed_name(draft.discarded_by),
            "at": instant_written(draft.discarded_at),
            "reason": draft.discard_reason,
        }
    return {
        "uuid": str(draft.uuid),
        "name": draft.name,
        "regulation": draft.regulation,
        "contradictions": draft.contradictions,
        "taken_by": printed_name(draft.taken_by),
        "taken_at": instant_written(draft.taken_at),
        "discarded": discarded,
        "game": str(draft.game.uuid) if draft.game else None,
    }


def take_told_draft(told: dict[str, Any], raw: bytes, *, tournament: Tournament) -> Draft:
    """Stores the draft that an archive tells of, with what was found in its file on the day it came. Raises Invalid."""
    words = {"name": told["name"]}
    if not all(_is_breach(found) for found in told["contradictions"]):
        raise Invalid(_("Draft “%(name)s”: its contradictions can’t be read") % words)
    if Draft.objects.filter(uuid=told["uuid"]).exists():
        raise Invalid(_("Draft “%(name)s” is here already, in another tournament") % words)
    game = Game.objects.filter(tournament=tournament, uuid=told["game"]).first() if told["game"] else None
    discarded = told["discarded"]
    if (told["game"] and game is None) or (game is not None and discarded):
        raise Invalid(_("Draft “%(name)s” is settled by a game that is not in the archive") % words)
    if discarded and plain_text(discarded["reason"]) != discarded["reason"]:
        raise Invalid(_("Draft “%(name)s”: its reason is not as it would be stored") % words)
    return Draft.objects.create(
        uuid=UUID(told["uuid"]),
        tournament=tournament,
        name=told["name"],
        raw=raw,
        sha256=sha256(raw),
        regulation=told["regulation"],
        contradictions=told["contradictions"],
        taken_by=person_of_file(told["taken_by"]),
        taken_at=datetime.fromisoformat(told["taken_at"]),
        discarded_by=person_of_file(discarded["by"]) if discarded else None,
        discarded_at=datetime.fromisoformat(discarded["at"]) if discarded else None,
        discard_reason=discarded["reason"] if discarded else "",
        game=game,
    )


def _is_breach(found: Any) -> bool:
    """Whether it is a contradiction as we write it down."""
    try:
        breach = from_json(found)
        return isinstance(breach, Breach) and isinstance(breach.code, str) and to_json(breach) == found
    except (KeyError, TypeError, ValueError, ArithmeticError):
        return False
