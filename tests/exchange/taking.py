"""Trying to take a file in: why it is not taken, and that nothing of it is left behind then."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User

from protocols.exchange.canonical import canonical_file
from protocols.exchange.reading import Contradictory, Unreadable
from protocols.models import Document, Entry, Game, Player, Seat, SeatResult, SignedSheet, Stage, Tournament
from protocols.services.errors import Invalid, NotReady, Refused
from protocols.services.importing import Target, import_file
from protocols.wording.files import why_not_taken

Data = dict[str, Any]
NOT_TAKEN = (Unreadable, Contradictory, Invalid, NotReady, Refused)
STORED = (Tournament, Stage, Game, Seat, Player, Entry, SignedSheet, SeatResult, Document, User)


def reasons(raw: bytes | Data, **target: Any) -> list[str]:
    """Why the file is not taken; empty where it is. Either way nothing is half written."""
    before = [model._base_manager.count() for model in STORED]
    try:
        import_file(raw if isinstance(raw, bytes) else canonical_file(raw), name="x.json", target=Target(**target))
    except NOT_TAKEN as error:
        assert [model._base_manager.count() for model in STORED] == before
        return why_not_taken(error)
    return []
