"""The steps of a game's course in words, and the parts it is told in."""

from __future__ import annotations

from dataclasses import replace

from django.utils.translation import gettext, pgettext

from ..replaying import Part, Step
from ..rules import entries as e
from ..rules.articles import ARTICLES
from ..rules.points import best_move_hits
from ..rules.situations import answer_of, foul_of
from ..rules.state import Contradiction, GameState
from ..rules.terms import Role
from .ends import CONTRADICTIONS
from .entries import entry_words
from .refusals import sentence_params
from .terms import Names, with_clause


def part_words(part: Part) -> str:
    """«До игры», «Ночь 0», «День 2», «Ночь 2», «После игры»."""
    match part.kind:
        case "before":
            return gettext("Before the game")
        case "after":
            return gettext("After the game")
        case "night":
            return gettext("Night %(day)s") % {"day": part.day}
    return gettext("Day %(day)s") % {"day": part.day}


def course_words(step: Step, end: GameState, names: Names) -> str:
    """What a step of the course was, without its clause: as the log says it, with what is known only later."""
    entry = step.entry
    if isinstance(entry, e.Foul | e.GameOver) and entry.clause:
        return entry_words(replace(entry, clause=""), names)
    if isinstance(entry, e.FoulClause):
        foul = foul_of(end, entry.of)
        if foul is not None:
            return gettext("Reason added: %(foul)s") % {"foul": entry_words(replace(foul, clause=""), names)}
    if isinstance(entry, e.Check):
        answer = answer_words(end, entry)
        return f"{entry_words(entry, names)} — {answer}" if answer else entry_words(entry, names)
    if isinstance(entry, e.BestMove) and entry.seats:
        return entry_words(entry, names) + hits_words(end, entry)
    if isinstance(entry, e.Shot) and entry.shots:
        # The log, which lies open on the table, does not tell who shot.
        shots = ", ".join(f"{by}→{target}" for by, target in entry.shots)
        return f"{entry_words(replace(entry, shots=()), names)} ({shots})"
    if isinstance(entry, e.Vote):
        return entry_words(with_all_voters(end, entry), names)
    return entry_words(entry, names)


def clause_of_step(step: Step, end: GameState) -> str:
    """The clause that the judge named in the entry, or added to it later; empty where there is none."""
    entry = step.entry
    if isinstance(entry, e.Foul):
        found = foul_of(end, entry.revision)
        named = end.clause_of(found) if found else entry.clause
        return _article(named)
    if isinstance(entry, e.FoulClause | e.GameOver):
        return _article(entry.clause)
    return ""


def _article(clause: str) -> str:
    """The code of a clause that a judge named by its number alone: «6.6.1» is «A 6.6.1»."""
    return f"A {clause}" if f"A {clause}" in ARTICLES else clause


def answer_words(state: GameState, check: e.Check) -> str:
    """The answer to a check in words; empty where the roles are unknown."""
    found = answer_of(state, check.by, check.target)
    if found is None:
        return ""
    if check.by == Role.DON:
        return pgettext("check", "yes, the sheriff") if found else pgettext("check", "no")
    return pgettext("check", "black") if found else pgettext("check", "red")


def disagreement_words(contradiction: Contradiction, names: Names) -> str:
    """Where record and rules disagree, without asking for anything."""
    words = str(CONTRADICTIONS[contradiction.code]) % sentence_params(contradiction.params, names)
    return with_clause(words, contradiction.clause)


def hits_words(state: GameState, move: e.BestMove) -> str:
    """How many blacks the best move names, to stand behind it; empty where the roles are unknown."""
    hits = best_move_hits(state) if move == state.best_move else None
    return "" if hits is None else " " + gettext("— %(hits)s black among them") % {"hits": hits}


def with_all_voters(state: GameState, vote: e.Vote) -> e.Vote:
    """The tally with the hands that the rules counted for the last candidate."""
    for day in state.days.values():
        for ballot in (*day.ballots, *day.void_ballots):
            tally = ballot.tallies.get(vote.target)
            if tally and tally.revision == vote.revision:
                return replace(vote, voters=tally.voters)
    return vote
