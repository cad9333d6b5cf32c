"""Games for the measurements to fold and tap."""

from __future__ import annotations

from protocols.rehearsal.play import Table
from protocols.rules import entries as e


def game_of(length: int, *, seed: int = 1) -> list[e.Entry]:
    """The first `length` entries of a game that is at least as long; tries seeds upwards from `seed`."""
    while True:
        table = Table(seed)
        for _ in table.play():
            if len(table.written) >= length:
                return table.written[:length]
        seed += 1
