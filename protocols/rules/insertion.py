"""The game as it stood where an entry is written in later: what was played before it, and no more (RULES §5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

from . import entries as e
from .fold import new_game, standing, walk
from .refusal import Refusal
from .refusals import refuse
from .regulation import Regulation
from .state import GameState
from .terms import Moment


def behind(entry: e.Entry, moment: Moment) -> int:
    """The place of an entry of `moment` that is played right after `entry`; 0, as written, at another moment."""
    return (entry.place or entry.revision) if moment == entry.moment else 0


def neighbours(entries: Iterable[e.Entry], revision: int) -> tuple[e.Entry | None, e.Entry | None]:
    """The standing entries played right before and right after that one; None at the ends, or if it doesn't stand."""
    order = standing(entries)
    at = next((index for index, entry in enumerate(order) if entry.revision == revision), None)
    if at is None:
        return None, None
    return (order[at - 1] if at else None), (order[at + 1] if at + 1 < len(order) else None)


def state_before(
    entries: Iterable[e.Entry], entry: e.Entry, regulation: Regulation, *, results_only: bool = False
) -> GameState:
    """The state at which the fold comes to `entry`, the next one to be written, at its moment and place."""
    written = list(entries)
    new = _numbered(written, entry)
    state = new_game(regulation, results_only=results_only)
    before = sum(1 for other in standing([*written, new]) if other.order < new.order)
    for _ in islice(walk([*written, new], state), before):
        pass
    return state


def refuse_there(
    entries: Iterable[e.Entry], entry: e.Entry, regulation: Regulation, *, results_only: bool = False
) -> Refusal | None:
    """Why the entry may not be written in at its moment and place, whatever would become of those after it."""
    written = list(entries)
    state = state_before(written, entry, regulation, results_only=results_only)
    return refuse(state, _numbered(written, entry))


def _numbered(written: list[e.Entry], entry: e.Entry) -> e.Entry:
    return replace(entry, revision=max((other.revision for other in written), default=0) + 1)
