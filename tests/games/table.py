"""A game as a case plays it: every entry goes the way of the service, and step by step gives what a replay gives."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from protocols.rules import entries as e
from protocols.rules.fold import Preview, new_game, preview, replay, step
from protocols.rules.outcome import problems
from protocols.rules.protests import DecisionKind
from protocols.rules.refusal import Refusal
from protocols.rules.refusals import refuse
from protocols.rules.regulation import EDITION_A, Regulation
from protocols.rules.sheet import Header
from protocols.rules.state import GameState
from protocols.rules.terms import SEATS


class Table:
    """The entries so far and the state that follows from them."""

    def __init__(self, regulation: Regulation = EDITION_A, *, results_only: bool = False) -> None:
        self.regulation = regulation
        self.results_only = results_only
        self.entries: list[e.Entry] = []
        self.state: GameState = new_game(regulation, results_only=results_only)
        self.fallen: list[tuple[e.Entry, Refusal]] = []  # what entries written late or struck out made fall
        self.seen: set[str] = set()  # codes of refusals, notices, contradictions and problems
        self.ended_at: datetime | None = None
        self.protests: frozenset[int] = frozenset()  # seats of those who protested
        self.decision: DecisionKind | None = None

    def copy(self) -> Table:
        """A table to try things at."""
        other = Table(self.regulation, results_only=self.results_only)
        other.entries, other.state, other.fallen = list(self.entries), self.state, list(self.fallen)
        other.seen, other.ended_at, other.decision = self.seen, self.ended_at, self.decision
        other.protests = self.protests
        return other

    def write(self, entry: e.Entry, *, checked: bool = True) -> Refusal | None:
        """Writes the entry, or says why not: on top of the state, or, for an earlier moment, by a replay.

        `checked`: the state after a step is compared with the replay of everything.
        """
        refusal = self._write(entry, checked)
        state = self.state
        self.seen |= {notice.code for notice in state.notices}
        self.seen |= {contradiction.code for contradiction in state.contradictions}
        self.seen |= {problem.code for problem in problems(state)}
        self.seen |= {refusal.code} if refusal else set()
        return refusal

    def seen_before(self, entry: e.Entry) -> Preview:
        """What writing the entry would do."""
        return preview(self.entries, entry, self.regulation, results_only=self.results_only, before=self.state)

    def replayed(self) -> GameState:
        """The state as all entries give it."""
        return replay(self.entries, self.regulation, results_only=self.results_only)

    def _write(self, entry: e.Entry, checked: bool) -> Refusal | None:
        if self.is_late(entry):
            seen = self.seen_before(entry)
            if seen.refusal is None:
                self.entries.append(replace(entry, revision=len(self.entries) + 1))
                self.state = seen.after
                self.fallen += seen.fallen
            return seen.refusal
        refusal = refuse(self.state, entry)
        if refusal is None:
            self.entries.append(replace(entry, revision=len(self.entries) + 1))
            self.state = step(self.state, self.entries[-1])
            if checked:
                assert self.state == self.replayed(), differences(self.state, self.replayed())
        return refusal

    def is_late(self, entry: e.Entry) -> bool:
        """Whether the entry belongs before something already written."""
        if isinstance(entry, e.Strike):
            return True
        return any(entry.moment.key < written.moment.key for written in self.entries)

    def last(self, kind: str, seat: int | None = None) -> e.Entry:
        """The last entry of that kind (and seat, where one is named). Raises LookupError."""
        for entry in reversed(self.entries):
            seats = (getattr(entry, "seat", None), getattr(entry, "target", None))
            if entry.kind == kind and (seat is None or seat in seats):
                return entry
        raise LookupError(f"no {kind} is written" + (f" for {seat}" if seat else ""))


def differences(one: GameState, other: GameState) -> dict[str, tuple[object, object]]:
    """The fields in which two states differ."""
    names = [name for name in GameState.__slots__ if getattr(one, name) != getattr(other, name)]
    return {name: (getattr(one, name), getattr(other, name)) for name in names}


_NAMES = ("Астра", "Барс", "Вихрь", "Гранит", "Дельта", "Ёлка", "Жасмин", "Зенит", "Ирис", "Каштан")
NICKNAMES = dict(zip(SEATS, _NAMES, strict=True))
HEADER = Header("Кубок", "Отбор", 12, 3, "2026-11-30", "Орлова")
