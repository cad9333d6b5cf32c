"""A file written by us read back by us: whatever would come out of it otherwise is told as well."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from protocols.rules.outcome import outcome
from protocols.rules.regulation import Regulation
from protocols.rules.state import GameState

from . import mafiaratings
from .playback import played
from .reading import Contradictory, Unreadable, parse
from .unheld import Unheld


def read_back(data: Mapping[str, Any], state: GameState, regulation: Regulation) -> list[Unheld]:
    """What the file, read under the same regulation, would say against itself or otherwise than the record."""
    try:
        log = mafiaratings.read(parse(json.dumps(data).encode()))
        found = played(log, regulation).state
    except Unreadable as error:
        return [Unheld("unreadable", {"error": error})]
    except Contradictory as error:
        return [Unheld("contradiction", {"breach": breach}) for breach in error.breaches]
    ours, theirs = _held(state), _held(found)
    return [Unheld("reads_otherwise", {"what": what}) for what in ours if ours[what] != theirs[what]]


def _held(state: GameState) -> dict[str, Any]:
    """Of a game that which the file should hold."""
    end = outcome(state)
    exits = {seat: player.left for seat, player in state.seats.items() if player.left}
    decided = {number: day for number, day in state.days.items() if day.decision}
    return {
        "exits": {seat: (left.how, left.moment.day, left.moment.is_night) for seat, left in exits.items()},
        "fouls": {seat: len(player.fouls) for seat, player in state.seats.items()},
        "nominations": [(number, *pair) for number, day in state.days.items() for pair in day.nominations],
        "votes": {
            number: [[(seat, ballot.tallies[seat].count) for seat in ballot.candidates] for ballot in day.ballots]
            for number, day in decided.items()
        },
        "raised": {number: day.raise_all.raised for number, day in decided.items() if day.raise_all},
        "no_vote": [number for number, day in state.days.items() if day.cancelled],
        "nights": {number: night.victim for number, night in state.nights.items()},
        "best_move": state.best_move.seats if state.best_move else None,
        "result": end.result if end else None,
    }
