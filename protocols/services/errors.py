"""What a service answers when it can't do what was asked; everything else propagates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ..rules.outcome import Problem
from ..rules.refusal import Refusal

if TYPE_CHECKING:
    from ..selectors import Record


class Refused(Exception):
    """The rules refuse it, with the clause."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.code)
        self.refusal = refusal


class NotReady(Exception):
    """The protocol may not be signed yet; every reason with its clause, and the nicknames by seat (A 9.9)."""

    def __init__(self, problems: Iterable[Problem], names: Mapping[int, str]) -> None:
        self.problems = list(problems)
        self.names = dict(names)
        super().__init__(", ".join(problem.code for problem in self.problems))


class Invalid(Exception):
    """The input makes no sense; messages for the person who typed it, in words."""

    def __init__(self, *messages: str) -> None:
        super().__init__(" ".join(messages))
        self.messages = list(messages)


class Stale(Exception):
    """Somebody was faster; the record as it is now."""

    def __init__(self, record: Record) -> None:
        super().__init__(record.revision)
        self.record = record
