"""The part of a case that comes after the game: its end, a protest, its decision."""

from __future__ import annotations

import re
from datetime import datetime

from protocols.rules.protests import DecisionKind, Earlier, Protest, refuse_decision, refuse_protest
from protocols.rules.refusal import Refusal

from .script import Unreadable
from .table import Table

ENDED = re.compile(r"ended ([\d:]+)")
PROTEST = re.compile(r'protest (\d+) at ([\d:]+) "([^"]*)"(?: admitted "([^"]*)")?')
DECIDE = re.compile(r'decide ([a-z ]+) "([^"]*)"')


def is_about_protest(text: str) -> bool:
    """Whether the statement is one of these."""
    return text.split()[0] in ("ended", "protest", "decide")


def write_protest(text: str, table: Table) -> Refusal | None:
    """Writes the end, the protest or its decision at the table, or says why not."""
    if found := ENDED.fullmatch(text):
        table.ended_at = time_of(found[1])
        return None
    if found := PROTEST.fullmatch(text):
        protest = Protest(int(found[1]), found[3], time_of(found[2]), found[4] or "")
        earlier = None
        if protest.seat in table.protests:
            earlier = Earlier.DECIDED if table.decision else Earlier.OPEN
        refusal = refuse_protest(protest, table.ended_at, table.regulation, earlier)
        if refusal is None:
            table.protests = table.protests | {protest.seat}
    elif found := DECIDE.fullmatch(text):
        refusal = refuse_decision(table.decision, found[2], table.regulation)
        if refusal is None:
            table.decision = DecisionKind(found[1].replace(" ", "_"))
    else:
        raise Unreadable(f"no sentence about a protest reads «{text}»")
    if refusal:
        table.seen.add(refusal.code)
    return refusal


def time_of(text: str) -> datetime:
    """«21:40» or «21:40:05» of one evening."""
    return datetime.fromisoformat(f"2026-11-30T{text}")
