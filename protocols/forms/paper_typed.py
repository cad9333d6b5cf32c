"""The paper as the record fills it, so that a mistake of typing can be put right on the same page."""

from __future__ import annotations

from typing import Any

from ..rules.outcome import outcome
from ..rules.state import Day, GameState, Night, SeatState
from ..rules.terms import SEATS
from .paper import FIRST_DAYS, REVOTES


def typed_of(state: GameState) -> dict[str, Any]:
    """The fields of `PaperForm` for what is written."""
    typed: dict[str, Any] = {}
    for seat in SEATS:
        typed |= _seat(state, state.seats[seat])
    for number, day in state.days.items():
        typed |= _day(number, day)
    for number, night in state.nights.items():
        typed |= _night(number, night)
    if state.best_move:
        typed["best_move"] = state.best_move.seats
    end = outcome(state)
    typed["result"] = end.result.value if end else ""
    if state.declared:
        typed["clause"], typed["time"] = state.declared.clause, state.declared.time
    return typed


def days_of(state: GameState) -> int:
    """How many days the page shows for it."""
    return max([FIRST_DAYS, *state.days])


def _seat(state: GameState, player: SeatState) -> dict[str, Any]:
    seat = player.seat
    clauses = [state.clause_of(foul) for foul in player.fouls]
    typed: dict[str, Any] = {
        f"role_{seat}": player.role.letter if player.role else "",
        f"fouls_{seat}": len(player.fouls) or None,
        f"clauses_{seat}": " ".join(clause for clause in clauses if clause),
    }
    if player.disqualified:
        typed[f"out_{seat}"] = state.clause_of(player.disqualified) or "?"
    if player.removed:
        typed[f"out_day_{seat}"] = player.removed.moment.day
        typed[f"out_when_{seat}"] = _when(state, player)
    if player.team_defeat:
        defeat = player.team_defeat
        typed |= {
            "defeat_clause": state.clause_of(defeat),
            "defeat_seat": seat,
            "defeat_team": defeat.team.value if defeat.team else "",
            "defeat_day": defeat.moment.day,
        }
    return typed


def _when(state: GameState, player: SeatState) -> str:
    removed = player.removed
    assert removed is not None
    if removed.moment.is_night:
        night = state.nights.get(removed.moment.day)
        return "before_shot" if night and night.shot and night.shot.revision > removed.revision else "night"
    day = state.days[removed.moment.day]
    if day.decision and day.decision.revision < removed.revision:
        return "after"
    return "vote" if day.ballots else "speeches"


def _day(number: int, day: Day) -> dict[str, Any]:
    typed: dict[str, Any] = {f"nominees_{number}": tuple(target for _by, target in day.nominations) or None}
    for ballot_number, ballot in enumerate(day.ballots[: REVOTES + 1]):
        counts = tuple(ballot.tallies[seat].count for seat in ballot.candidates if seat in ballot.tallies)
        typed[f"tallies_{number}_{ballot_number}"] = counts
    if day.raise_all:
        count = day.raise_all.count
        typed[f"raise_{number}"] = ("да" if day.raise_all.raised else "нет") if count is None else count
    return typed


def _night(number: int, night: Night) -> dict[str, Any]:
    shot = ("—" if night.shot.target is None else night.shot.target) if night.shot else None
    return {f"shot_{number}": shot, f"don_{number}": night.don_check, f"sheriff_{number}": night.sheriff_check}
