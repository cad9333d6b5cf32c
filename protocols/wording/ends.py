"""How a game ended and what still blocks its signature."""

from __future__ import annotations

from typing import cast

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ..rules.outcome import Problem
from ..rules.refusal import Refusal
from ..rules.state import Contradiction, Outcome
from .entries import KIND_WORDS
from .invariants import BREACHES, breach_of_record_words
from .refusals import refusal_words, sentence_params
from .terms import Names, Words, result_words, with_clause

REASONS: Words = {
    "no_black_left": _("no black player is left at the table"),
    "blacks_not_fewer": _("as many black players as red ones are at the table"),
    "team_defeat": _("the other team was defeated for a violation"),
    "three_days": _("three days and nights running nobody left"),
    "three_nights": _("three nights and days running nobody left"),
    "three_misses": _("four at the table and three misses running"),
    "ruling": _("by the judge’s ruling"),
    "broken_off": _("the game was broken off"),
    "declared": _("declared by the judge"),
    "results_only": _("by the archive’s record"),
}
CONTRADICTIONS: Words = {
    "played_on": _("By the rules the game ended earlier (%(moment)s: %(result)s), but it was played on"),
    "checker_had_left": _("By the roles there could be no %(check)s: the holder had left before"),
    "shooters_not_black": _("By the roles these were no blacks who shot in night %(night)s: %(seats)s"),
    "shots_missing": _("By the roles these blacks did not shoot in night %(night)s, so it was a miss: %(seats)s"),
    "late_removal": _("The removal of %(seat)s is dated «%(moment)s» and was noticed later; votes and shots stand"),
    "defeat_of_other_team": _("By the roles %(seat)s plays for the %(team)s, but the other team was said to lose"),
    "defeat_after_end": _("The defeat of the %(team)s was given after the game had ended by the rules"),
    "declared_not_over": _("Declared: %(declared)s, but by the roles the game is not over"),
    "declared_other_winner": _("Declared: %(declared)s, but by the roles it is %(derived)s (%(moment)s)"),
}
PROBLEMS: Words = {
    "not_over": _("The game is not over: the result is missing"),
    "roles_unknown": _("Roles are not written"),
    "seats_empty": _("No player is written at seats: %(numbers)s"),
    "set_aside": _("Entry %(revision)s (%(entry)s) no longer stands: %(why)s"),
}


def outcome_words(outcome: Outcome) -> str:
    """The result with its reason and clause; a ruling's or a broken-off game's own words after it."""
    words = gettext("%(result)s: %(reason)s") % {
        "result": result_words(outcome.result).capitalize(),
        "reason": REASONS[outcome.reason],
    }
    words = with_clause(words, outcome.clause)
    return f"{words}. {outcome.text}" if outcome.text else words


def contradiction_words(contradiction: Contradiction, names: Names) -> str:
    """Where record and rules disagree."""
    words = str(CONTRADICTIONS[contradiction.code])
    words = with_clause(words % sentence_params(contradiction.params, names), contradiction.clause)
    return gettext("%(contradiction)s. The judge’s ruling is due") % {"contradiction": words}


def problem_words(problem: Problem, names: Names) -> str:
    """What blocks signing, with its clause."""
    if problem.code in BREACHES:
        return breach_of_record_words(problem, names)
    if problem.code in CONTRADICTIONS:
        return contradiction_words(Contradiction(problem.code, problem.clause, 0, problem.params), names)
    params = sentence_params(problem.params, names)
    if problem.code == "set_aside":
        params["entry"] = KIND_WORDS[str(problem.params["kind"])]
        params["why"] = refusal_words(cast(Refusal, problem.params["why"]), names)
        return str(PROBLEMS["set_aside"]) % params
    return with_clause(str(PROBLEMS[problem.code]) % params, problem.clause)
