"""A game as a mafiaratings file, and what of it that file can't hold."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, time
from typing import Any

from django.utils import timezone

from .exchange.mafiaratings import FORMAT
from .exchange.ratings_writer import Source, account_of_game, written
from .exchange.readback import read_back
from .exchange.unheld import Unheld, unheld_of
from .models import Game
from .rules.entries import Turn
from .selectors import Record
from .wording.unheld import unheld_words

PUBLIC = ("id", "clubId", "eventId", "tournamentId", "startTime", "endTime", "language", "rules", "features")
PUBLIC_OF_A_PLAYER = ("arranged", "bonus")


def mafiaratings_of(record: Record, *, is_public: bool = False) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The file's JSON, and in words what it doesn't hold: the format can't, or the record doesn't know it.

    A game that came from such a file keeps that file's own ids and codes; of any other they are left out, and
    mafiaratings takes the players for unknown ones with these names. `is_public`: without what tells of people
    beside their nicknames, as for everybody who doesn't serve. Raises `Unwritable`.
    """
    source = _source(record)
    is_cut = is_public and source.facts is not None
    if is_cut:
        source = replace(source, facts=_public(source.facts or {}))
    account = account_of_game(source, record.state)
    data = written(source, record.state)
    lines = [
        *unheld_of(source, account), *_of_game(record.game, source), *read_back(data, record.state, record.game.rules)
    ]  # fmt: skip
    if is_cut:
        lines.append(Unheld("ids_of_people"))
    return data, tuple(unheld_words(line, record.names) for line in lines)


def file_bytes(data: dict[str, Any]) -> bytes:
    """The file itself."""
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()


def _source(record: Record) -> Source:
    game = record.game
    kept = game.source if isinstance(game.source, dict) and game.source.get("format") == FORMAT else {}
    return Source(
        entries=record.values,
        regulation=game.rules,
        nicknames=record.names,
        started=_began(record),
        ended=int(game.ended_at.timestamp()) if game.ended_at and not game.from_paper else None,
        facts=kept.get("facts"),
        forms=kept.get("forms") or {},
    )


def _public(facts: dict[str, Any]) -> dict[str, Any]:
    """Of what such a file said beside the play, that which is not about people."""
    players = {
        seat: {name: rest[name] for name in PUBLIC_OF_A_PLAYER if name in rest}
        for seat, rest in facts.get("players", {}).items()
    }
    return {**{name: facts[name] for name in PUBLIC if name in facts}, "players": players}


def _began(record: Record) -> int:
    """When the first turn was written; of a game typed in later, the midnight its day began with."""
    game = record.game
    first = next((row for row, value in zip(record.rows, record.values, strict=True) if isinstance(value, Turn)), None)
    if first is None or game.from_paper or timezone.localtime(first.recorded_at).date() != game.played_on:
        return int(timezone.make_aware(datetime.combine(game.played_on, time())).timestamp())
    return int(first.recorded_at.timestamp())


def _of_game(game: Game, source: Source) -> list[Unheld]:
    found = []
    if source.facts is None and game.judge_name:
        found.append(Unheld("judge", {"name": game.judge_name}))
    if game.protest:
        found.append(Unheld("protest", {"text": game.protest}))
    if game.sheet_in_force_id is not None:
        found.append(Unheld("signature"))
    return found
