"""What people read: the one place where the core's codes become words, each with its clause.

`names` is always the ten nicknames by seat, as the players sit now. Every sentence names seat and nickname.
"""

from .differences import difference_words
from .ends import contradiction_words, outcome_words, problem_words
from .entries import entry_words, short_words
from .invariants import caution_words
from .moments import ballot_words, moment_words
from .notices import notice_words
from .refusals import refusal_words
from .sheet_changes import ChangeWords, sheet_changes_words
from .terms import (
    clause_words,
    clauses_words,
    how_left_words,
    names_of,
    penalty_words,
    points_words,
    result_words,
    role_words,
    seat_words,
    seats_words,
    team_words,
)

__all__ = [
    "ChangeWords",
    "ballot_words",
    "caution_words",
    "clause_words",
    "clauses_words",
    "contradiction_words",
    "difference_words",
    "entry_words",
    "how_left_words",
    "moment_words",
    "names_of",
    "notice_words",
    "outcome_words",
    "penalty_words",
    "points_words",
    "problem_words",
    "refusal_words",
    "result_words",
    "role_words",
    "seat_words",
    "seats_words",
    "sheet_changes_words",
    "short_words",
    "team_words",
]
