"""A regulation as plain JSON and back: points are exact decimals written as text, sets are sorted lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from decimal import Decimal, InvalidOperation
from enum import Enum
from typing import Any, get_type_hints

from .regulation import PRESETS, Regulation

HINTS = get_type_hints(Regulation)
NAMES = tuple(field.name for field in fields(Regulation) if field.name != "code")
"""Every switch and number, in the order of the rulebook."""
LATER = frozenset({"best_move_after_miss"})
"""Switches that files and seals once did without: told only where they are on, so that all others read as before."""


class NotARegulation(ValueError):
    """Such data is no regulation; `name` is the switch or number that it can't be read for."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def to_data(regulation: Regulation) -> dict[str, Any]:
    """Every switch and number by its name, of `LATER` those that are on; the code of its preset stands beside them.

    >>> to_data(PRESETS["F"])["best_move_red"], to_data(PRESETS["A"])["compensation"]
    ([[3, '0.4'], [2, '0.25']], None)
    """
    told = {name: getattr(regulation, name) for name in NAMES}
    return {name: _plain(value) for name, value in told.items() if name not in LATER or value}


def from_data(code: str, data: Mapping[str, Any]) -> Regulation:
    """The regulation that `to_data` made; what the data does not name is as in the preset of that code.

    Raises `NotARegulation` for an unknown name or a value that can't stand there.

    >>> from_data("B", to_data(PRESETS["B"])) == from_data("B", {}) == PRESETS["B"]
    True
    """
    if code not in PRESETS:
        raise NotARegulation("code")
    values = {}
    for name, value in data.items():
        if name not in NAMES:
            raise NotARegulation(name)
        try:
            values[name] = _value(str(HINTS[name]), HINTS[name], value)
        except (TypeError, ValueError, InvalidOperation, KeyError):
            raise NotARegulation(name) from None
    return replace(PRESETS[code], **values)


def changed(regulation: Regulation, other: Regulation) -> tuple[str, ...]:
    """The names of what differs between the two, in the order of the rulebook; points are compared as numbers."""
    return tuple(name for name in NAMES if getattr(regulation, name) != getattr(other, name))


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return format(value.normalize() if value else Decimal(0), "f")
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return str(value) if isinstance(value, str) else value


def _value(kind: str, hint: Any, value: Any) -> Any:
    """The value as the dataclass holds it, by the kind of the field."""
    if value is None:
        if "None" in kind:
            return None
        raise TypeError
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint(value)
    if hint is bool or hint is int:
        if type(value) is not hint:
            raise TypeError
        return value
    if "tuple[tuple[int" in kind:
        return tuple((_whole(hits), _number(points)) for hits, points in value)
    if kind == "tuple[decimal.Decimal, ...]":
        return tuple(_number(points) for points in value)
    if "Decimal" in kind:
        return _number(value)
    if "int" in kind:
        return _whole(value)
    texts = [_text(item) for item in value] if isinstance(value, list | tuple) else None
    if texts is None:
        raise TypeError
    return frozenset(texts) if "frozenset" in kind else tuple(texts)


def _number(value: Any) -> Decimal:
    if not isinstance(value, str):
        raise TypeError
    found = Decimal(value)
    if not found.is_finite():
        raise ValueError
    return found


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise TypeError
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value
