"""Where the game stands, as a value that a script without a network can play on from (`static/js/course.js`).

It is the ordering that the script knows: who speaks next, whose tally is due, what follows a shot. What the rules make
of an entry is said when it has been sent.
"""

from __future__ import annotations

import json
from typing import Any

from ..models import Game
from ..rules.outcome import is_over
from ..rules.points import best_move_night
from ..rules.situations import opener_of
from ..rules.state import Ballot, Day, GameState
from ..rules.terms import SEATS, Moment, Phase, Role, Team
from ..selectors import Record

LAST = 40  # entries


def course_of(state: GameState, *, roles: bool) -> str:
    """The course of the game so far as JSON; roles are in it only for whoever may see them."""
    return json.dumps(_course(state, roles=roles and state.roles_known), separators=(",", ":"))


def mark_of(game: Game) -> str:
    """What changes whenever the board may look otherwise."""
    return f"{game.revision}.{game.status}"


def known_of(record: Record) -> str:
    """The beginnings of the numbers of the last entries: by them a device sees that an unanswered one has arrived."""
    return " ".join([f"{row.uuid.int >> 96:08x}" for row in record.rows[-LAST:]])


def _course(state: GameState, *, roles: bool) -> dict[str, Any]:
    moment, number = state.moment, state.moment.day
    return {
        "moment": list(moment),
        "over": is_over(state),
        "results": state.results_only,
        "rules": _rules(state),
        "living": state.living,
        "removed": state.removed_seats(),
        "fouls": [len(state.seats[seat].fouls) for seat in SEATS],
        "due": [seat for seat in SEATS if state.seats[seat].silence_due],
        "opener": (opener_of(state, number) or 0) if number > 0 else 0,
        "day": _day(state.days[number]) if number in state.days else None,
        "cancelled": sorted(state.cancelled_days),
        "nights": {n: _night(state, n) for n in {*_to_best_move(state), number - 1, number} if n in state.nights},
        "best": state.best_move is not None,
        "raised": _raised(state.days.get(1)),
        "roles": state.roles_known,
        "don": (state.seat_of(Role.DON) or 0) if roles else 0,
        "sheriff": (state.seat_of(Role.SHERIFF) or 0) if roles else 0,
        "black": [seat for seat in SEATS if state.team_of(seat) == Team.BLACK] if roles else [],
    }


def _to_best_move(state: GameState) -> range:
    """The nights by which it is known whose best move it is."""
    if not state.regulation.best_move_after_miss:
        return range(1, 2)
    return range(1, (best_move_night(state) or len(state.nights)) + 1)


def _rules(state: GameState) -> dict[str, Any]:
    rules = state.regulation
    return {
        "moves": rules.opener_moves,
        "single": rules.single_nominee_day_one,
        "thirty": rules.thirty_seconds_for_silenced,
        "noRaise": rules.no_raise_at_four,
        "three": rules.raise_three_of_nine,
        "after": rules.removal_after_vote_cancels_next,
        "void": rules.best_move_void_after_raise,
        "miss": rules.best_move_after_miss,
        "speech": rules.speech_seconds,
        "short": rules.short_speech_seconds,
        "tied": rules.tied_seconds,
        "last": rules.last_words_seconds,
        "raised": rules.raised_seconds,
        "night": rules.night_seconds,
        "check": rules.check_seconds,
    }


def _raised(day: Day | None) -> int:
    """How many left by the vote of day 1."""
    return len(day.decision.leavers) if day and day.decision else 0


def _day(day: Day) -> dict[str, Any]:
    return {
        "number": day.number,
        "opener": day.opener or 0,
        "speeches": [[step, seat] for step, seat in sorted(day.speeches.items())],
        "silent": day.silent,
        "short": day.short,
        "nominations": [[by or 0, target] for by, target in day.nominations],
        "ballots": [_ballot(ballot) for ballot in day.ballots],
        "tied": list(day.tied),
        "raiseDue": day.raise_due,
        "decision": list(day.decision.leavers) if day.decision else None,
        "cancelled": day.cancelled is not None,
        "restored": day.restored,
        "restarts": day.restarts,
        "spoken": [[ballot, seat] for (ballot, _step), seat in day.pre_revote.items()],
        "words": day.last_words,
    }


def _ballot(ballot: Ballot) -> dict[str, Any]:
    tallies = [[seat, tally.count] for seat, tally in ballot.tallies.items()]
    return {"candidates": list(ballot.candidates), "living": ballot.living, "tallies": tallies}


def _night(state: GameState, number: int) -> dict[str, Any]:
    night, begins = state.nights[number], Moment(number, Phase.NIGHT).key
    seats = state.seats
    return {
        "shot": night.shot is not None,
        "victim": night.victim or 0,
        "don": night.don_check or 0,
        "sheriff": night.sheriff_check or 0,
        "words": night.victim_words,
        "living": [n for n in SEATS if (left := seats[n].left) is None or left.moment.key >= begins],
        "removed": [n for n in SEATS if (out := seats[n].removed) and out.moment.day == number and out.moment.is_night],
    }
