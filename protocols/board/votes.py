"""The votes of each day laid out like the form: nominees, tallies, revotes, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from ..rules.state import Ballot, Day, GameState
from ..rules.terms import Phase
from ..rules.voting import candidates_of, nominees_suffice
from ..wording import ballot_words, clause_words, seats_words


@dataclass(frozen=True, slots=True)
class BallotRow:
    """The tallies of one ballot, aligned with the nominees; empty for one who is not on it."""

    title: str
    cells: tuple[str, ...]
    void: bool = False


@dataclass(frozen=True, slots=True)
class VoteBlock:
    """One day's vote."""

    day: int
    nominees: tuple[int, ...]
    ballots: tuple[BallotRow, ...]
    ending: str = ""


def votes_of(state: GameState, names: dict[int, str]) -> tuple[VoteBlock, ...]:
    """The votes of the game so far, the newest day first."""
    days = sorted(state.days.values(), key=lambda day: -day.number)
    return tuple(_block(state, day, names) for day in days if day.nominations or day.cancelled)


def _block(state: GameState, day: Day, names: dict[int, str]) -> VoteBlock:
    nominees = tuple(target for _giver, target in day.nominations)
    ballots = [(number, ballot, True) for number, ballot in enumerate(day.void_ballots)]
    ballots += [(number, ballot, ballot.void) for number, ballot in enumerate(day.ballots)]
    return VoteBlock(
        day.number,
        nominees,
        tuple(
            BallotRow(ballot_words(number).capitalize(), _cells(ballot, nominees), void)
            for number, ballot, void in ballots
        ),
        _ending(state, day, names),
    )


def _cells(ballot: Ballot, nominees: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(str(ballot.tallies[seat].count) if seat in ballot.tallies else "" for seat in nominees)


def _ending(state: GameState, day: Day, names: dict[int, str]) -> str:
    if day.cancelled:
        words = _("not held (%(clause)s)") % {"clause": clause_words(day.cancelled.clause)}
        return f"{words}: {seats_words((day.cancelled.seat,), names)}" if day.cancelled.seat else words
    asked = ""
    if day.raise_all and day.raise_all.count is not None:
        figures = {"count": day.raise_all.count, "living": day.raise_all.living}
        asked = _("for raising %(count)s of %(living)s") % figures + "; "
    if day.decision and day.decision.leavers:
        return asked + _("leaving: %(seats)s") % {"seats": seats_words(day.decision.leavers, names)}
    if day.decision:
        return asked + _("nobody left")
    over = state.moment.day > day.number or state.moment.phase >= Phase.NIGHT
    if over and candidates_of(state, day) and not nominees_suffice(state, day):
        return _("one nominee, not voted on")
    return ""
