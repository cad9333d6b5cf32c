"""How a file wrote what it says, where its record would be written in another way.

«No votes» may stand there as an empty list, a red role by its name, a foul without its moment. Each such field of a
player is kept beside what we would write in its place, and written back as long as the record still says the same.
"""

from __future__ import annotations

from typing import Any

from protocols.rules.regulation import Regulation

from .mafiaratings import IN_THE_RECORD, GameLog
from .playback import Played
from .ratings_writer import Source, account_of_game, players_of

FIELDS = sorted(IN_THE_RECORD - {"name"})  # a nickname is written as it was read, in one place only


def forms_of(log: GameLog, played: Played, regulation: Regulation) -> dict[str, dict[str, dict[str, Any]]]:
    """Seat → field → «file» and «ours», each absent where the field is; empty for a file written like ours."""
    source = Source(played.entries, regulation, dict(enumerate(log.nicknames, 1)), facts=log.facts)
    ours = players_of(source, account_of_game(source, played.state))
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for seat, file in enumerate(log.fields, 1):
        for name in FIELDS:
            form = {whose: fields[name] for whose, fields in (("file", file), ("ours", ours[seat])) if name in fields}
            if not _same(form):
                found.setdefault(str(seat), {})[name] = form
    return found


def _same(form: dict[str, Any]) -> bool:
    return not form or ("file" in form and "ours" in form and form["file"] == form["ours"])
