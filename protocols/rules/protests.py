"""Protests against the result of a game: by whom, until when, and that a decision is final (RULES §8; A 8.7).

A protest is a record of its own beside the protocol; here are only the rules for it. Times are the caller's: the
end of the game as first written (a correction doesn't restart it), and the moment the protest was written down.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from .refusal import Refusal
from .regulation import Regulation
from .terms import SEATS


class DecisionKind(StrEnum):
    """What the head judge or the appeals commission may decide (A 8.7.2)."""

    DISMISSED = "dismissed"
    RESULT_CHANGED = "result_changed"
    POINTS_CHANGED = "points_changed"
    ANNULLED = "annulled"
    REPLAY = "replay"


class Earlier(StrEnum):
    """What became of a protest that the player made before against the same game."""

    OPEN = "open"
    DECIDED = "decided"


@dataclass(frozen=True, slots=True)
class Protest:
    """A player's protest in the protocol's field; `admitted` is the head judge's reason to take a late one."""

    seat: int
    text: str
    at: datetime
    admitted: str = ""


def deadline(ended_at: datetime, regulation: Regulation) -> datetime:
    """The last moment for a protest: ten minutes after the end of the game [option] (A 8.7.1)."""
    return ended_at + timedelta(minutes=regulation.protest_minutes)


def late_by(ended_at: datetime, at: datetime, regulation: Regulation) -> timedelta:
    """By how much a protest is late; nothing for one in time, the last second included (A 8.7.1)."""
    return max(at - deadline(ended_at, regulation), timedelta())


def refuse_protest(
    protest: Protest, ended_at: datetime | None, regulation: Regulation, earlier: Earlier | None = None
) -> Refusal | None:
    """Why the protest is not taken: no player of the game, no text, before the end, or late and not admitted (A 8.7.1).

    `ended_at` is None while the game goes on. A player protests once against a game: `earlier` is what became of
    the protest made before; after its decision nothing further is considered (A 8.7.4).
    """
    clause = regulation.cite("protest")
    if protest.seat not in SEATS:
        return Refusal("no_such_seat", regulation.cite("table"), {"seat": protest.seat})
    if ended_at is None:
        return Refusal("protest_before_end", clause, {"seat": protest.seat})
    if not protest.text.strip():
        return Refusal("protest_empty", clause, {"seat": protest.seat})
    if earlier == Earlier.DECIDED:
        return Refusal("protest_after_decision", regulation.cite("protest_final"), {"seat": protest.seat})
    if earlier is not None:
        return Refusal("protest_twice", clause, {"seat": protest.seat})
    late = late_by(ended_at, protest.at, regulation)
    if late and not protest.admitted.strip():
        params = {"seat": protest.seat, "minutes": regulation.protest_minutes, "late": minutes_of(late)}
        return Refusal("protest_late", clause, params)
    return None


def minutes_of(time: timedelta) -> str:
    """Minutes and seconds, begun seconds counted: «2:30»."""
    seconds = -int(-time.total_seconds() // 1)
    return f"{seconds // 60}:{seconds % 60:02}"


def refuse_decision(earlier: DecisionKind | None, reason: str, regulation: Regulation) -> Refusal | None:
    """Why the protest is not decided so: a decision is final, and it has a reason (A 8.7.4).

    `earlier` is the decision that the protest has already.
    """
    clause = regulation.cite("protest_final")
    if earlier is not None:
        return Refusal("protest_decided", clause, {"decision": earlier})
    if not reason.strip():
        return Refusal("protest_unreasoned", clause)
    return None
