"""What a game's file says of play, fact by fact, so that nothing of it is lost unnoticed."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from protocols.rules.state import GameState
from protocols.rules.terms import HowLeft, Penalty

from .mafiaratings import GameLog, Time

Fact = tuple[str, int, int]  # kind, round or night, seat

TYPES = {
    HowLeft.VOTED: ("day",),
    HowLeft.RAISED: ("day",),
    HowLeft.SHOT: ("night",),
    HowLeft.FOULS: ("warnings",),
    HowLeft.DISQUALIFIED: ("kickOut", "giveUp"),
}


@dataclass(frozen=True, slots=True)
class Mark:
    """A foul, a removal or a team defeat of the file, still to be put at its moment."""

    time: Time
    seat: int
    penalty: Penalty = Penalty.FOUL
    clause: str = ""


def at(name: str, round_: int, **fields: int | None) -> Callable[[Time], bool]:
    """Whether a time has this name, this round and these fields."""

    def belongs(time: Time) -> bool:
        return (time.name, time.round) == (name, round_) and all(
            getattr(time, field) == value for field, value in fields.items()
        )

    return belongs


def marks_of(log: GameLog) -> list[Mark]:
    """The fouls and removals, seat by seat, oldest first; leaving the table is a disqualifying foul (A 6.7.1)."""
    marks = []
    for player in log.players:
        death = player.death
        for time in player.fouls:
            if not time.name and death is not None and death.type == "warnings" and death.time is not None:
                time = death.time  # only how many is known, and when the last fell
            marks.append(Mark(time, player.seat))
        if death is not None and death.time is not None and death.type in ("kickOut", "giveUp", "teamKickOut"):
            penalty = Penalty.TEAM_DEFEAT if death.type == "teamKickOut" else Penalty.DISQUALIFYING
            marks.append(Mark(death.time, player.seat, penalty, "6.7.1" if death.type == "giveUp" else ""))
    return marks


def left_at_an_unknown_time(log: GameLog) -> list[int]:
    """The seats removed at a moment that the file doesn't tell, so that no vote after it can be trusted."""
    return [
        player.seat
        for player in log.players
        if player.death is not None
        and player.death.type not in ("day", "night")
        and player.death.time is None
        and not (player.death.type == "warnings" and any(time.name for time in player.fouls))
    ]


def same_nicknames(nicknames: Sequence[str]) -> list[tuple[str, tuple[int, ...]]]:
    """Nicknames that stand at more than one seat, compared without regard to capitals."""
    seats: dict[str, list[int]] = {}
    for seat, nickname in enumerate(nicknames, 1):
        seats.setdefault(unicodedata.normalize("NFKC", nickname).casefold(), []).append(seat)
    return [(nicknames[found[0] - 1], tuple(found)) for found in seats.values() if len(found) > 1]


def facts_of(log: GameLog) -> set[Fact]:
    """Nominations, votes by ballot, answers on raising all, shots, checks and best moves."""
    facts: set[Fact] = set()
    for player in log.players:
        seat = player.seat
        facts |= {("nomination", n, seat) for n, target in enumerate(player.nominating) if target}
        for n, votes in enumerate(player.voting):
            facts |= {(f"vote {ballot}", n, seat) for ballot, target in enumerate(votes) if target}
        facts |= {("raise", n, seat) for n, answer in enumerate(player.raising) if answer is not None}
        facts |= {("shot", n, seat) for n, target in enumerate(player.shooting, 1) if target}
        facts |= {(kind, n, seat) for kind, n in (("don", player.don), ("sheriff", player.sheriff)) if n is not None}
        if player.best_move is not None:
            facts.add(("best move", 1, seat))
    return facts


def exit_as_told(state: GameState, seat: int) -> set[tuple[str, int]]:
    """How the file would tell that this player left: type and round; ("", 0) at the table.

    Several where the file's terms are finer than ours: a player removed after the end sat at the table to the end.
    """
    player = state.seats[seat]
    if player.left is not None:
        moment = player.left.moment
        round_ = moment.day if moment.is_night else moment.day - 1
        return {(type_, round_) for type_ in TYPES[player.left.how]}
    last = range(state.moment.day + 1)
    if player.team_defeat is not None:
        return {("teamKickOut", round_) for round_ in last}
    if player.removed is not None:
        return {(type_, round_) for type_ in TYPES[player.removed.how] for round_ in last}
    return {("", 0)}
