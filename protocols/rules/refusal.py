"""Why an entry may not be written: a value with its code, its clause and what the words need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refused entry: `code` names the words, `clause` the rule, `params` the seats and figures."""

    code: str
    clause: str
    params: Mapping[str, object] = field(default_factory=dict)
