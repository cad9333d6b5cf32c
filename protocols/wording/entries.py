"""What the judge wrote, as a line of the log and as the few words on the undo button."""

from __future__ import annotations

from functools import singledispatch

from django.utils.translation import gettext, ngettext, pgettext
from django.utils.translation import gettext_lazy as _

from ..rules import entries as e
from ..rules.points import points_of_thousandths
from ..rules.terms import Penalty, Phase, RulingAbout
from .moments import ballot_words
from .terms import (
    Names,
    Words,
    check_words,
    clause_words,
    numbers_words,
    penalty_words,
    points_words,
    result_words,
    seat_words,
    seats_words,
    team_words,
)

KIND_WORDS: Words = {
    "turn": _("the game moves on"),
    "foul": _("foul"),
    "foul_clause": _("clause of a foul"),
    "nomination": _("nomination"),
    "withdrawal": _("withdrawal"),
    "vote": _("votes"),
    "raise_all": _("raising all"),
    "shot": _("shot"),
    "check": _("check"),
    "best_move": _("best move"),
    "extra_points": _("extra points"),
    "speech_mark": _("mark for speeches"),
    "roles": _("roles"),
    "seat_correction": _("seat correction"),
    "game_over": _("end of the game"),
    "ruling": _("ruling"),
    "strike": _("strike-out"),
}
RULING_WORDS: Words = {
    RulingAbout.VOTE_HELD: _("the vote is held"),
    RulingAbout.VOTE_CANCELLED: _("the vote is not held"),
    RulingAbout.RESULT: _("the result is set"),
    RulingAbout.STANDS: _("the record stands"),
}


@singledispatch
def entry_words(entry: e.Entry, names: Names) -> str:
    """One line of the log."""
    return str(KIND_WORDS[entry.kind])


@entry_words.register
def _turn(entry: e.Turn, names: Names) -> str:
    moment = entry.moment
    whose = seat_words(entry.seat, names) if entry.seat else ""
    match moment.phase:
        case Phase.SPEECHES:
            return gettext("The minute of %(seat)s") % {"seat": whose} if whose else gettext("Speeches")
        case Phase.PRE_REVOTE:
            return gettext("Before the revote: %(seat)s") % {"seat": whose}
        case Phase.VICTIM_WORDS | Phase.LAST_WORDS:
            return gettext("Last words: %(seat)s") % {"seat": whose}
        case Phase.BALLOT:
            return gettext("Called: %(ballot)s") % {"ballot": ballot_words(moment.ballot)}
        case Phase.RAISE_ALL:
            return gettext("Raise-all question")
        case Phase.NIGHT if moment.day == 0:
            return gettext("The game begins: the blacks meet")
        case Phase.NIGHT:
            return gettext("Night %(day)s falls") % {"day": moment.day}
    return gettext("The game moves on")


@entry_words.register
def _foul(entry: e.Foul, names: Names) -> str:
    if entry.penalty == Penalty.TEAM_DEFEAT:
        words = gettext("Team defeat")
        words += f": {team_words(entry.team)}" if entry.team else ""
        words += f", {seat_words(entry.seat, names)}" if entry.seat else ""
    else:
        words = f"{penalty_words(entry.penalty)}: {seat_words(entry.seat, names)}"
    words += f" ({clause_words(entry.clause)})" if entry.clause else ""
    words += " " + gettext("— off the tournament") if entry.from_tournament else ""
    return f"{words}. {entry.text}" if entry.text else words


@entry_words.register
def _foul_clause(entry: e.FoulClause, names: Names) -> str:
    return gettext("Reason of entry %(of)s: %(clause)s") % {"of": entry.of, "clause": clause_words(entry.clause)}


@entry_words.register
def _nomination(entry: e.Nomination, names: Names) -> str:
    target = seat_words(entry.target, names)
    if entry.seat is None:
        return gettext("Nominated: %(target)s") % {"target": target}
    return gettext("%(seat)s nominates %(target)s") % {"seat": seat_words(entry.seat, names), "target": target}


@entry_words.register
def _withdrawal(entry: e.Withdrawal, names: Names) -> str:
    return gettext("%(seat)s withdraws the nomination") % {"seat": seat_words(entry.seat, names)}


@entry_words.register
def _vote(entry: e.Vote, names: Names) -> str:
    words = gettext("Votes for %(seat)s: %(count)s") % {"seat": seat_words(entry.target, names), "count": entry.count}
    return f"{words} ({numbers_words(entry.voters)})" if entry.voters else words


@entry_words.register
def _raise_all(entry: e.RaiseAll, names: Names) -> str:
    if entry.count is None:
        if entry.raised:
            return gettext("Raised all, count not written")
        return gettext("Not raised, count not written")
    return gettext("For raising all: %(count)s") % {"count": entry.count}


@entry_words.register
def _shot(entry: e.Shot, names: Names) -> str:
    words = gettext("Shot: %(seat)s") % {"seat": seat_words(entry.target, names)} if entry.target else gettext("A miss")
    if entry.shots:
        number = len(entry.shots)  # who shot is not told: the log lies open on the table
        words += " " + ngettext("(%(n)s shooter)", "(%(n)s shooters)", number) % {"n": number}
    return words


@entry_words.register
def _check(entry: e.Check, names: Names) -> str:
    return f"{check_words(entry.by).capitalize()}: {seat_words(entry.target, names)}"


@entry_words.register
def _best_move(entry: e.BestMove, names: Names) -> str:
    if not entry.seats:
        return gettext("Best move: %(hits)s of three") % {"hits": entry.hits}
    return gettext("Best move: %(seats)s") % {"seats": numbers_words(entry.seats)}


@entry_words.register
def _extra_points(entry: e.ExtraPoints, names: Names) -> str:
    points = points_words(points_of_thousandths(entry.points), sign=True)
    words = gettext("Extra points, %(seat)s: %(points)s") % {"seat": seat_words(entry.seat, names), "points": points}
    return f"{words}. {entry.text}" if entry.text else words


@entry_words.register
def _speech_mark(entry: e.SpeechMark, names: Names) -> str:
    points = points_words(points_of_thousandths(entry.points))
    return gettext("For speeches, %(seat)s: %(points)s") % {"seat": seat_words(entry.seat, names), "points": points}


@entry_words.register
def _roles(entry: e.Roles, names: Names) -> str:
    return gettext("Roles are written")  # never which: the log lies open on the table


@entry_words.register
def _seat_correction(entry: e.SeatCorrection, names: Names) -> str:
    return gettext("Chairs put right: %(seats)s") % {"seats": seats_words((entry.seat, entry.target), names)}


@entry_words.register
def _game_over(entry: e.GameOver, names: Names) -> str:
    words = gettext("End of the game: %(result)s") % {"result": result_words(entry.result)}
    words += f", {entry.time}" if entry.time else ""
    words += f" ({clause_words(entry.clause)})" if entry.clause else ""
    return f"{words}. {entry.text}" if entry.text else words


@entry_words.register
def _ruling(entry: e.Ruling, names: Names) -> str:
    words = gettext("Ruling: %(about)s") % {"about": RULING_WORDS[entry.about]}
    words += f" — {result_words(entry.result)}" if entry.result else ""
    return f"{words}. {entry.text}"


@entry_words.register
def _strike(entry: e.Strike, names: Names) -> str:
    words = gettext("Entry %(of)s is struck out") % {"of": entry.of}
    return f"{words}. {entry.text}" if entry.text else words


def short_words(entry: e.Entry) -> str:
    """At most a few words, for the button that undoes it: «фол №4», «голоса №5: 3»."""
    seat = getattr(entry, "seat", None)
    target = getattr(entry, "target", None)
    match entry:
        case e.Turn() if seat and entry.moment.phase in (Phase.SPEECHES, Phase.PRE_REVOTE):
            return gettext("minute of %(seat)s") % {"seat": seat}
        case e.Turn() if seat:
            return gettext("last words of %(seat)s") % {"seat": seat}
        case e.Turn() if entry.moment.phase == Phase.NIGHT and entry.moment.day:
            return gettext("night")
        case e.Turn() if entry.moment.phase == Phase.BALLOT:
            return pgettext("undo", "vote")
        case e.Turn():
            return pgettext("undo", "beginning")
        case e.Foul(penalty=Penalty.WARNING):
            return gettext("warning of %(seat)s") % {"seat": seat}
        case e.Foul(penalty=Penalty.FOUL):
            return gettext("foul of %(seat)s") % {"seat": seat}
        case e.Foul(penalty=Penalty.DISQUALIFYING):
            return gettext("removal of %(seat)s") % {"seat": seat}
        case e.Foul():
            return gettext("team defeat")
        case e.Nomination():
            return gettext("nomination of %(seat)s") % {"seat": target}
        case e.Vote():
            return ngettext("%(count)s vote for %(seat)s", "%(count)s votes for %(seat)s", entry.count) % {
                "count": entry.count,
                "seat": target,
            }
        case e.Shot() if target:
            return gettext("shot at %(seat)s") % {"seat": target}
        case e.Shot():
            return gettext("miss")
        case e.Check():
            return gettext("check of %(seat)s") % {"seat": target}
        case e.ExtraPoints() | e.SpeechMark():
            return gettext("points of %(seat)s") % {"seat": seat}
    return str(KIND_WORDS[entry.kind])
