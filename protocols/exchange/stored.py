"""Breaches as JSON and back, so that what was found in a file stays on record as it was found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from decimal import Decimal
from enum import IntEnum, StrEnum
from typing import Any

from protocols.rules.refusal import Refusal
from protocols.rules.state import Exit, Outcome
from protocols.rules.terms import Moment, Phase

from .mafiaratings import Death, Time
from .reading import Breach

KINDS: dict[str, type[Any]] = {kind.__name__: kind for kind in (Breach, Death, Exit, Outcome, Refusal, Time)}


def to_json(value: Any) -> Any:
    """The value as JSON; what is no plain value is an object of one key, the name of its kind."""
    match value:
        case Moment():
            return {"Moment": [int(part) for part in value]}
        case Decimal():
            return {"Decimal": str(value)}
        case StrEnum():
            return str(value)
        case IntEnum():
            return int(value)
        case tuple() | list():
            return [to_json(item) for item in value]
        case Mapping():
            return {"params": {key: to_json(item) for key, item in value.items()}}
    if type(value).__name__ in KINDS:
        return {type(value).__name__: {each.name: to_json(getattr(value, each.name)) for each in fields(value)}}
    return value


def from_json(value: Any) -> Any:
    """The value again; lists come back as tuples, names of teams and results as plain text."""
    if isinstance(value, list):
        return tuple(from_json(item) for item in value)
    if not isinstance(value, dict):
        return value
    ((kind, held),) = value.items()
    match kind:
        case "Moment":
            day, phase, ballot, step = held
            return Moment(day, Phase(phase), ballot, step)
        case "Decimal":
            return Decimal(held)
        case "params":
            return {key: from_json(item) for key, item in held.items()}
    return KINDS[kind](**{name: from_json(item) for name, item in held.items()})
