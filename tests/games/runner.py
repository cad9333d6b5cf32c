"""Plays a case file at a table and says which line fails, and why."""

from __future__ import annotations

from protocols.rules.refusal import Refusal
from protocols.rules.regulation import EDITION_A, Regulation

from . import expectations_of_sheet  # noqa: F401  # its sentences
from .actions import entries_of, option_of, regulation_of
from .expectations import Differs, check
from .protests import is_about_protest, write_protest
from .script import Case, Unreadable
from .table import Table


class Failed(AssertionError):
    """A case that doesn't hold, with the file and the line."""


def play(case: Case) -> Table:
    """The table after the last line. Raises Failed at the first line that doesn't hold."""
    table: Table | None = None
    regulation: Regulation = EDITION_A
    results_only = may_fall = False
    for statement in case.statements:
        text = statement.text
        try:
            if table is None:
                chosen = regulation_of(text) or option_of(text, regulation)
                if chosen:
                    regulation = chosen
                    continue
                if text == "results only":
                    results_only = True
                    continue
                table = Table(regulation, results_only=results_only)
            if statement.is_expected:
                may_fall = may_fall or text.startswith("falls ")
                check(text, table)
            else:
                _write(text, table)
        except (Differs, Unreadable, LookupError, AssertionError) as error:
            raise Failed(f"{case.path.name}:{statement.line}: {text}\n    {error}") from error
    assert table is not None
    fallen = [(entry.kind, why.code, why.clause) for entry, why in table.state.set_aside]
    if fallen and not may_fall:
        raise Failed(f"{case.path.name}: at the end entries no longer stand: {fallen}")
    return table


def _write(text: str, table: Table) -> None:
    if is_about_protest(text):
        _must_be_taken(write_protest(text, table))
        return
    for entry in entries_of(text, table):
        _must_be_taken(table.write(entry))


def _must_be_taken(refusal: Refusal | None) -> None:
    if refusal:
        raise Differs(f"refused: {refusal.code} ({refusal.clause}) {dict(refusal.params)}")
