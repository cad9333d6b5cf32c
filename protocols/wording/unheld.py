"""What a mafiaratings file can't hold of a game, in words; and why a game can't be written into one."""

from __future__ import annotations

from decimal import Decimal
from typing import cast

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from ..exchange.ratings_writer import Unwritable
from ..exchange.reading import Breach, Unreadable
from ..exchange.unheld import Unheld
from .files import breach_words, unreadable_words
from .refusals import sentence_params
from .terms import Names, Words, clause_words, points_words, seat_words

UNWRITABLE: Words = {
    "results_only": _("Only the results of this game are kept: there are no moves to write into the file."),
    "not_over": _("The game is not over: a mafiaratings file names the winner."),
    "roles_unknown": _("The roles are not written: in a mafiaratings file a player without a role is a red one."),
}
UNHELD: Words = {
    "ids": _("The numbers of the game, its club, its event and its people at mafiaratings: the record has none"),
    "ids_of_people": _("The numbers of the players and the judge at mafiaratings: they are for those who serve"),
    "times": _("When the game began and ended: the file has only its day"),
    "judge": _("The judge: %(name)s"),
    "protest": _("The protest: “%(text)s”"),
    "signature": _("The judge’s signature"),
    "nominator_unknown": _("Day %(day)s: nominated, but it isn’t written by whom: %(seats)s"),
    "void_ballots": _("Day %(day)s: the tallies of the vote that was not carried to its end"),
    "voters_unknown": _("Day %(day)s, %(ballot)s: who voted for whom; only the figures are written: %(tallies)s"),
    "raise_count": _("Day %(day)s: how many were for raising all (%(count)s of %(living)s), not written by name"),
    "shots_unknown": _("Who shot whom in the nights that missed: %(nights)s; it isn’t written"),
    "check_again": _("Night %(night)s: %(check)s of %(seat)s, who had been checked before"),
    "warning": _("%(moment)s: an oral warning for %(seat)s"),
    "foul_clauses": _("The clauses of the fouls: %(seats)s"),
    "foul_texts": _("The notes to the fouls: %(seats)s"),
    "foul_moment": _("%(moment)s: just when the foul of %(seat)s fell; the file has the nearest moment it knows"),
    "removal_clause": _("The clause by which %(seat)s was removed: %(clause)s"),
    "removal_of_departed": _("The removal of %(seat)s, who had left before"),
    "defeat": _("A team defeat that the file can’t name"),
    "defeat_of": _("A team defeat that the file can’t name: %(seat)s"),
    "from_tournament": _("%(seat)s was removed from the tournament"),
    "extra": _("Extra points: %(seat)s %(points)s"),
    "extra_text": _("Extra points: %(seat)s %(points)s, “%(text)s”"),
    "speech_marks": _("The marks for speeches: %(marks)s"),
    "ruling": _("%(moment)s: the ruling “%(text)s”"),
    "declared": _("What the judge wrote at the end: “%(text)s”"),
    "no_winner": _("The result: %(result)s"),
    "chairs": _("That players sat in each other’s chairs: the nicknames stand where they sat"),
    "nameless": _("Nobody’s nickname is written at: %(numbers)s"),
    "unreadable": _("Read back, it is no game: %(words)s"),
    "contradiction": _("Read back, it contradicts itself and would be taken in as a draft only: %(words)s"),
    "reads_otherwise": _("Read back, it tells otherwise: %(what)s"),
}
WHAT: Words = {
    "exits": _("who left and when"),
    "fouls": _("how many fouls there were"),
    "nominations": _("the order of nominations"),
    "votes": _("the tallies"),
    "raised": _("who was raised"),
    "no_vote": _("the days without a vote"),
    "nights": _("who was shot"),
    "best_move": _("the best move"),
    "result": _("the result"),
}


def unwritable_words(error: Unwritable) -> str:
    """Why there is no such file of the game."""
    return str(UNWRITABLE[error.code])


def unheld_words(unheld: Unheld, names: Names) -> str:
    """What the file leaves out, in one line."""
    given, code = dict(unheld.params), unheld.code
    if code in ("withdrawals", "struck", "set_aside"):
        return _counted(code, cast(int, given["count"]))
    if "ballot" in given:
        given["ballot"] = cast(int, given["ballot"]) + 1
    params = sentence_params({key: value for key, value in given.items() if value is not None}, names)
    match code:
        case "extra":
            params["points"] = _points(given["points"])
            code = "extra_text" if given["text"] else code
        case "speech_marks":
            marks = cast(tuple[tuple[int, int], ...], given["marks"])
            params["marks"] = ", ".join(f"{seat_words(seat, names)} {_points(points)}" for seat, points in marks)
        case "voters_unknown":
            tallies = cast(tuple[tuple[int, int], ...], given["tallies"])
            params["tallies"] = ", ".join(f"{seat_words(seat, {})} — {count}" for seat, count in tallies)
        case "shots_unknown":
            params["nights"] = ", ".join(str(night) for night in cast(tuple[int, ...], given["nights"]))
        case "removal_clause" | "declared":
            params["clause"] = clause_words(str(given["clause"]))
            params["text"] = given.get("text") or params["clause"]
        case "defeat" if given["seat"] is not None:
            code = "defeat_of"
        case "unreadable":
            params["words"] = unreadable_words(cast(Unreadable, given["error"]))
        case "contradiction":
            params["words"] = breach_words(cast(Breach, given["breach"]), names)
        case "reads_otherwise":
            params["what"] = WHAT[str(given["what"])]
    return str(UNHELD[code]) % params


def _counted(code: str, count: int) -> str:
    words: str | Promise
    if code == "withdrawals":
        words = ngettext("%(count)d withdrawn nomination", "%(count)d withdrawn nominations", count)
    elif code == "struck":
        words = ngettext(
            "%(count)d entry struck out, with who struck it and why",
            "%(count)d entries struck out, with who struck them and why",
            count,
        )
    else:
        words = ngettext("%(count)d entry that no longer stands", "%(count)d entries that no longer stand", count)
    return str(words) % {"count": count}


def _points(thousandths: object) -> str:
    return points_words(Decimal(cast(int, thousandths)) / 1000, sign=True)
