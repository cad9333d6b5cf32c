"""Why a file was not taken: what is wrong with it as a file, and where it contradicts itself or the rules."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import cast

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.timezone import localtime
from django.utils.translation import gettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from ..exchange.archive import NotTaken
from ..exchange.mafiaratings import NIGHT_TIMES, Death, Time
from ..exchange.reading import Breach, Contradictory, Unreadable
from ..rules.refusal import Refusal
from ..rules.state import Exit, Outcome
from ..rules.terms import HowLeft, Moment
from ..services.errors import Invalid, NotReady, Refused
from .ends import outcome_words, problem_words
from .moments import moment_words
from .refusals import refusal_words, sentence_params
from .terms import Names, Words, how_left_words, left_words, seat_words, seats_words, with_clause

UNREADABLE: Words = {
    "no_file": _("The file can’t be opened: %(reason)s"),
    "empty": _("The file is empty"),
    "too_big": _("The file is larger than %(megabytes)s MB"),
    "encoding": _("The file is not text in UTF-8 (byte %(position)s)"),
    "not_json": _("The file is not JSON (line %(line)s, column %(column)s)"),
    "too_deep": _("The file is not a game: its lists stand too deep in one another"),
    "repeated_key": _("The file has “%(key)s” twice in one place"),
    "bad_text": _("The file holds a character that no text may have"),
    "other_shape": _("The file is JSON, but neither a record of a game nor a game of mafiaratings nor a club evening"),
    "other_version": _("The file is of version %(version)s of its format; this site reads version %(known)s"),
    "unknown_member": _("“%(path)s” has no place in such a file"),
    "out_of_order": _("In “%(path)s” %(due)s is due, not %(value)s"),
    "no_archive": _("The file is not an archive of a tournament"),
    "other_files": _("The archive holds other files than its manifest lists"),
    "file_differs": _("In the archive “%(name)s” is not what its manifest says"),
    "missing": _("The file has no “%(path)s”"),
    "wrong_value": _("In “%(path)s” there can’t be %(value)s"),
    "too_long": _("The list “%(path)s” is too long: at most %(most)s"),
    "not_at_the_table": _("In “%(path)s” stands %(nickname)s, who is not at the table"),
}
BREACHES: Words = {
    "nickname_twice": _("One nickname at several seats: %(seats)s"),
    "ends_before_start": _("The game ends before it begins: it begins on %(begins)s and ends on %(ends)s"),
    "exits_differ": _("%(seat)s: in the file %(file)s, by the rules %(rules)s"),
    "left_at_unknown_time": _("%(seat)s: %(file)s, but the file doesn’t say at what moment"),
    "vote_by_departed": _("Day %(day)s, %(ballot)s: %(seat)s votes after having left"),
    "vote_for_other": _("Day %(day)s, %(ballot)s: %(seat)s votes for %(target)s, who is not on the ballot"),
    "votes_dont_sum": _(
        "Day %(day)s, %(ballot)s: %(given)s votes, but %(living)s at the table; there is no vote of %(seats)s"
    ),
    "no_votes": _("Day %(day)s: the file has no votes of the %(ballot)s (%(seats)s)"),
    "raised_in_part": _("Day %(day)s: of the tied (%(seats)s) only these left: %(leavers)s"),
    "shot_not_unanimous": _("Night %(night)s: %(seat)s was shot, but the blacks shot apart: %(pairs)s"),
    "shot_and_there": _("Night %(night)s: all blacks shot %(seat)s, but in the file %(file)s"),
    "voted_and_there": _("Day %(day)s: most votes went to %(seat)s, but in the file %(file)s"),
    "fouls_and_exit": _("%(seat)s: %(count)s fouls, but in the file %(file)s"),
    "best_move_not_victim": _("%(seat)s has a best move, but in night 1 %(victim)s was shot"),
    "best_move_no_victim": _("%(seat)s has a best move, but in night 1 nobody was shot"),
    "beyond_play": _("The file goes on where nothing was played any more: %(what)s, %(when)s — %(seats)s"),
    "foul_beyond_play": _("%(seat)s has a foul at a moment that was not played: %(when)s"),
    "other_winner": _("The file says “%(declared)s”, but from its moves follows: %(end)s"),
    "winner_and_living": _(
        "The file says “%(declared)s”, but at its end there are %(red)s red and %(black)s black at the table"
    ),
    "not_over": _(
        "The file says “%(declared)s”, but the game is not over at its end: %(red)s red and %(black)s black"
        " at the table"
    ),
    "extra_amount": _("%(seat)s: %(points)s extra points; allowed are %(allowed)s"),
    "extra_range": _("%(seat)s: %(points)s extra points are outside the range or the step"),
    "extra_players": _("Extra points for %(count)s players, at most %(most)s: %(seats)s"),
    "extra_sum": _("Extra points sum up to %(sum)s, at most %(most)s: %(seats)s"),
}
WHAT: Words = {
    "nomination": _("nominations"),
    "vote": _("votes"),
    "raise": _("answers on raising all"),
    "shot": _("shots"),
    "don": _("the don’s check"),
    "sheriff": _("the sheriff’s check"),
    "best": _("the best move"),
}
BY_NIGHT = ("shot", "don", "sheriff", "best")
REMOVALS = {
    "warnings": HowLeft.FOULS,
    "kickOut": HowLeft.DISQUALIFIED,
    "giveUp": HowLeft.DISQUALIFIED,
    "teamKickOut": HowLeft.DISQUALIFIED,
}


def unreadable_words(error: Unreadable) -> str:
    """What is wrong with the file as a file, in one line."""
    params = dict(error.params)
    if "most" in params and error.code == "too_big":
        params["megabytes"] = cast(int, params["most"]) // 1_000_000
    params.setdefault("value", "…")
    return str(UNREADABLE[error.code]) % params


def why_not_taken(error: Exception) -> list[str]:
    """Why a file was not taken, one reason a line; any other error is raised again."""
    match error:
        case Unreadable():
            return [unreadable_words(error)]
        case Contradictory():
            return contradiction_lines(error)
        case NotReady():
            return [problem_words(problem, error.names) for problem in error.problems]
        case Refused():
            return [refusal_words(error.refusal, {})]
        case Invalid():
            return list(error.messages)
        case NotTaken():
            return [f"{error.name}: {line}" for line in why_not_taken(error.error)]
    raise error


def contradiction_lines(error: Contradictory) -> list[str]:
    """Every contradiction of the file, one a line."""
    lines = []
    for breach in error.breaches:
        nicknames = error.nicknames.get(cast(int, breach.params.get("game", 0)), ())
        lines.append(breach_words(breach, dict(enumerate(nicknames, 1))))
    return lines


def breach_words(breach: Breach, names: Names) -> str:
    """One contradiction with seats, nicknames and clause; of an evening, with the number of the game."""
    words = _sentence(breach, names)
    if breach.code != "other_winner":  # whose end already cites its clause
        words = with_clause(words, breach.clause)
    game = breach.params.get("game")
    return gettext("Game %(game)s. %(words)s") % {"game": game, "words": words} if game else words


def _sentence(breach: Breach, names: Names) -> str:
    given, code = breach.params, breach.code
    if code == "refused":
        why = refusal_words(Refusal(_refusal(breach).code, "", _refusal(breach).params), names)
        return f"{moment_words(cast(Moment, given['moment']))}: {why}"
    if code == "not_ten_players":
        return _not_ten(cast(int, given["count"]), cast(tuple[str, ...], given["nicknames"]))
    ballot = cast(int, given["ballot"]) + 1 if "ballot" in given else None
    params = sentence_params({**given, **({"ballot": ballot} if ballot else {})}, names)
    match code:
        case "best_move_not_victim" if given["victim"] is None:
            code = "best_move_no_victim"
        case "best_move_not_victim":
            params["victim"] = seat_words(given["victim"], names)
        case "extra_amount" if not given["allowed"]:
            code = "extra_range"
        case "shot_and_there" | "voted_and_there" | "fouls_and_exit":
            params["file"] = death_words(cast(Death | None, given["death"]))
        case "exits_differ" | "left_at_unknown_time":
            params["file"] = death_words(cast(Death | None, given["death"]))
            left = cast(Exit | None, given.get("left"))
            params["rules"] = how_left_words(left) if left else gettext("at the table")
        case "ends_before_start":
            params["begins"], params["ends"] = _time(given["started"]), _time(given["ended"])
        case "raised_in_part":
            params["leavers"] = seats_words(given["left"], names)
        case "shot_not_unanimous":
            pairs = cast(tuple[tuple[int, int], ...], given["shots"])
            params["pairs"] = ", ".join(f"{by}→{target}" for by, target in pairs)
        case "beyond_play":
            kind, round_ = str(given["kind"]), cast(int, given["round"])
            params["what"] = WHAT[kind]
            params["when"] = when_words(round_, by_night=kind in BY_NIGHT)
        case "foul_beyond_play":
            time = cast(Time, given["time"])
            params["when"] = when_words(time.round, by_night=time.name in NIGHT_TIMES)
        case "other_winner":
            params["end"] = outcome_words(cast(Outcome, given["end"]))
    return str(BREACHES[code]) % params


def _time(seconds: object) -> str:
    moment = localtime(datetime.fromtimestamp(cast(int, seconds), UTC))
    return date_format(moment, "j E Y, H:i:s")


def _refusal(breach: Breach) -> Refusal:
    return cast(Refusal, breach.params["refusal"])


def _not_ten(count: int, beyond: tuple[str, ...]) -> str:
    words: str | Promise = ngettext_lazy(
        "%(count)s player at the table, ten play", "%(count)s players at the table, ten play", count
    ) % {"count": count}
    if not beyond:
        return str(words)
    names = {10 + ordinal: nickname for ordinal, nickname in enumerate(beyond, 1)}
    return f"{words}: {seats_words(names, names)}"


def when_words(round_: int, *, by_night: bool) -> str:
    """A round of the file as our night or day: «ночь 1», «день 2»."""
    if by_night:
        return gettext("night %(day)s") % {"day": round_}
    return gettext("day %(day)s") % {"day": round_ + 1}


def death_words(death: Death | None) -> str:
    """How the file says that a player left."""
    if death is None:
        return gettext("at the table")
    if death.type == "day":
        return left_words(HowLeft.VOTED, death.round + 1, night=False)
    if death.type == "night":
        return left_words(HowLeft.SHOT, death.round, night=True)
    by_night = death.time is not None and death.time.name in NIGHT_TIMES
    return left_words(REMOVALS[death.type], death.round if by_night else death.round + 1, by_night)
