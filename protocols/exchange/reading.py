"""A file's bytes as JSON with a path to every value, so that what is wrong can be named in one line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from math import isfinite
from typing import Any

MAX_BYTES = 2_000_000
MAX_DEPTH = 20
YEARS = range(1900, 2200)  # in which games are played; at the ends of time databases and time zones fail
NICKNAME_LENGTH = 40  # as many as the official form has room for


class Unreadable(Exception):
    """The file is not what it should be. `code` names the words, `params` what they need.

    Codes: empty, too_big, encoding, not_json, too_deep, repeated_key, bad_text, other_shape, missing, wrong_value,
    too_long, not_at_the_table.
    """

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(f"{code} {params}")
        self.code = code
        self.params = params


@dataclass(frozen=True, slots=True)
class Breach:
    """The file contradicts itself or the rules: `code` names the words, `clause` the rule, `params` the figures."""

    code: str
    clause: str
    params: Mapping[str, object] = field(default_factory=dict)


class Contradictory(Exception):
    """The file can be read but not believed; every breach is named.

    `nicknames` are those of each game by its number, 0 in a file of one game.
    """

    def __init__(self, breaches: list[Breach], nicknames: Mapping[int, tuple[str, ...]] | None = None) -> None:
        super().__init__("; ".join(f"{breach.code} ({breach.clause}) {dict(breach.params)}" for breach in breaches))
        self.breaches = breaches
        self.nicknames = nicknames or {}


def parse(raw: bytes) -> Part:
    """The file's JSON. Raises `Unreadable`."""
    if len(raw) > MAX_BYTES:
        raise Unreadable("too_big", most=MAX_BYTES)
    if not raw.strip():
        raise Unreadable("empty")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable("encoding", position=error.start) from None
    if text.startswith("\0") or "\0" in text[:4]:  # UTF-16 without a mark is valid UTF-8 where it is Latin
        raise Unreadable("encoding", position=0)
    try:
        value = json.loads(text, parse_float=Decimal, parse_constant=_refuse_constant, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise Unreadable("not_json", line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise Unreadable("too_deep") from None
    except ValueError:  # a number of thousands of digits
        raise Unreadable("not_json", line=1, column=1) from None
    _check(value, 0)
    return Part(value, "")


def _refuse_constant(name: str) -> None:  # NaN and Infinity are Python's, not JSON's
    raise Unreadable("not_json", line=1, column=1)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        raise Unreadable("repeated_key", key=next(name for name in names if names.count(name) > 1))
    return found


def _check(value: object, depth: int) -> None:
    """Refuses what no database keeps: a NUL, half a surrogate pair, endless depth."""
    if depth > MAX_DEPTH:
        raise Unreadable("too_deep")
    if isinstance(value, str):
        if "\0" in value or any("\ud800" <= letter <= "\udfff" for letter in value):
            raise Unreadable("bad_text")
    elif isinstance(value, dict):
        for key, item in value.items():
            _check(key, depth)
            _check(item, depth + 1)
    elif isinstance(value, list):
        for item in value:
            _check(item, depth + 1)


@dataclass(frozen=True, slots=True)
class Part:
    """A value of the file and where it stands, as «players[3].death.round»."""

    value: Any
    path: str

    def wrong(self) -> Unreadable:
        """The error that this value is not what stands here in such a file."""
        shown = json.dumps(self.value, ensure_ascii=False, default=str)
        return Unreadable("wrong_value", path=self.path, value=shown if len(shown) <= 40 else shown[:39] + "…")

    def has(self, name: str) -> bool:
        """Whether this object holds something under that name."""
        return isinstance(self.value, dict) and self.value.get(name) is not None

    def at(self, name: str) -> Part:
        """What this object holds under that name."""
        if not isinstance(self.value, dict):
            raise self.wrong()
        path = f"{self.path}.{name}" if self.path else name
        if name not in self.value:
            raise Unreadable("missing", path=path)
        return Part(self.value[name], path)

    def items(self, most: int = 1000) -> Iterator[Part]:
        """The parts of this list, in order; their paths count from 1, as people do."""
        if not isinstance(self.value, list):
            raise self.wrong()
        if len(self.value) > most:
            raise Unreadable("too_long", path=self.path, most=most)
        for number, item in enumerate(self.value, 1):
            yield Part(item, f"{self.path}[{number}]")

    def text(self, most: int = 200) -> str:
        """This text, without the blanks around it."""
        if not isinstance(self.value, str):
            raise self.wrong()
        found = " ".join(self.value.split())
        # U+200D joins the parts of an emoji and counts as unprintable.
        if len(found) > most or not found.replace("\u200d", "").isprintable():
            raise self.wrong()
        return found

    def integer(self, least: int, most: int) -> int:
        """This whole number within its range."""
        if isinstance(self.value, bool) or not isinstance(self.value, int) or not least <= self.value <= most:
            raise self.wrong()
        return self.value

    def choice(self, names: Iterable[str]) -> str:
        """This one of the names."""
        if not isinstance(self.value, str) or self.value not in names:
            raise self.wrong()
        return self.value

    def seat(self) -> int:
        """This seat, 1–10."""
        return self.integer(1, 10)

    def decimal(self) -> Decimal:
        """This number, exactly; «0,5», «0.5» and 0.5 are the same."""
        value = self.value
        if isinstance(value, str):
            value = value.strip().replace(",", ".", 1)
        elif isinstance(value, bool) or not isinstance(value, int | Decimal):
            raise self.wrong()
        try:
            found = Decimal(value)
        except InvalidOperation:
            raise self.wrong() from None
        if not found.is_finite() or abs(found) > 100 or found != found.quantize(Decimal("0.001")):
            raise self.wrong()
        return found


def plain(value: Any) -> Any:
    """The value as JSON again; a number too large for JSON's readers as text."""
    if isinstance(value, Decimal):
        number = float(value)
        return number if isfinite(number) else format(value, "f")
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value
