"""Which kind of file it is; one place that knows all of them."""

from __future__ import annotations

from . import evenings, game_file, mafiaratings
from .reading import Unreadable, parse


def read(raw: bytes) -> mafiaratings.GameLog | evenings.Evening | game_file.GameFile:
    """The game, the evening or the record of ours that the file's bytes hold.

    Raises `Unreadable` for bytes that are no such file, `Contradictory` for an evening's table of other than ten.
    """
    file = parse(raw)
    if game_file.looks_like(file):
        return game_file.read(file)
    if evenings.looks_like(file):
        return evenings.read(file)
    if mafiaratings.looks_like(file):
        return mafiaratings.read(file)
    raise Unreadable("other_shape")
