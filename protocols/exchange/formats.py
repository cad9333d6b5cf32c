"""Which kind of file it is; one place that knows all of them."""

from __future__ import annotations

from . import evenings, mafiaratings
from .reading import Unreadable, parse


def read(raw: bytes) -> mafiaratings.GameLog | evenings.Evening:
    """The game or the evening that the file's bytes hold.

    Raises `Unreadable` for bytes that are no such file, `Contradictory` for a table of other than ten.
    """
    file = parse(raw)
    if evenings.looks_like(file):
        return evenings.read(file)
    if mafiaratings.looks_like(file):
        return mafiaratings.read(file)
    raise Unreadable("other_shape")
