"""The published JSON Schemas, and a file held against one: what is published is what is asked.

Of JSON Schema (draft 7) it knows the words that ours use; another word in a schema raises KeyError.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from .reading import Part, Unreadable

FOLDER = Path(__file__).resolve().parent / "schemas"
NAMES = ("game-1", "game-2", "tournament-1", "tournament-2", "tournament-3")
Schema = dict[str, Any] | bool

TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}
SAYS_NOTHING = frozenset({"$schema", "$id", "title", "description", "definitions", "then"})


@cache
def schema_bytes(name: str) -> bytes:
    """The schema's file, as it is published."""
    return (FOLDER / f"{name}.json").read_bytes()


@cache
def _schema(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(schema_bytes(name))
    return found


def hold(part: Part, name: str) -> None:
    """Holds the file against the schema of that name. Raises `Unreadable` with the path of the first breach."""
    root = _schema(name)
    _hold(part, root, root)


def _hold(part: Part, schema: Schema, root: dict[str, Any]) -> None:
    if isinstance(schema, bool):
        if not schema:
            raise Unreadable("unknown_member", path=part.path)
        return
    for word in schema:
        if word not in SAYS_NOTHING:
            WORDS[word](part, schema, root)


def _fits(part: Part, schema: Schema, root: dict[str, Any]) -> bool:
    try:
        _hold(part, schema, root)
    except Unreadable:
        return False
    return True


def _ref(part: Part, schema: dict[str, Any], root: dict[str, Any]) -> None:
    _hold(part, root["definitions"][schema["$ref"].removeprefix("#/definitions/")], root)


def _type(part: Part, schema: dict[str, Any], root: dict[str, Any]) -> None:
    names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if not any(TYPES[name](part.value) for name in names):
        raise part.wrong()


def _const(part: Part, schema: dict[str, Any], root: dict[str, Any]) -> None:
    if type(part.value) is not type(schema["const"]) or part.value != schema["const"]:
        raise part.wrong()


def _enum(part: Part, schema: dict[str, Any], root: dict[str, Any]) -> None:
    if not any(type(part.value) is type(each) and part.value == each for each in schema["enum"]):
        raise part.wrong()


def _bound(word: str, size: Callable[[Any], int], is_least: bool, *types: type) -> Callable[..., None]:
    def hold_bound(part: Part, schema: dict[str, Any], root: dict[str, Any]) -> None:
        value = part.value
        if not isinstance(value, types) or isinstance(value, bool):
            return
        if size(value) < schema[word] if is_least else size(value) > schema[word]:
            raise part.wrong()

    return hold_bound


def _pattern(part: Part, schema: dict[str, Any], root: dict[str, Any]) -> None:
    pattern = schema["pattern"]
    assert pattern.startswith("^") and pattern.endswith("$"), pattern  # so that `$` never means «before a line break»
    if isinstance(part.value, str) and not re.fullmatch(pattern[1:-1], part.value, re.ASCII):
        raise part.wrong()


def _required(part: Part, schema: dict[str, Any], root: dict[str, Any]) -> None:
    if isinstance(part.value, dict):
        for name in schema["required"]:
            part.at(name)


def _properties(part: Part, schema: dict[str, Any], root: dict[str, Any]) -> None:
    if isinstance(part.value, dict):
        for name, each in schema["properties"].items():
            if name in part.value:
                _hold(part.at(name), each, root)


def _others(part: Part, schema: dict[str, Any], root: dict[str, Any]) -> None:
    if isinstance(part.value, dict):
        for name in part.value:
            if name not in schema.get("properties", {}):
                _hold(part.at(name), schema["additionalProperties"], root)


def _names(part: Part, schema: dict[str, Any], root: dict[str, Any]) -> None:
    if isinstance(part.value, dict):
        for name in part.value:
            if not _fits(Part(name, part.path), schema["propertyNames"], root):
                raise Unreadable("unknown_member", path=part.at(name).path)


def _items(part: Part, schema: dict[str, Any], root: dict[str, Any]) -> None:
    if isinstance(part.value, list):
        items = schema["items"]
        for number, item in enumerate(part.value, 1):
            if not isinstance(items, list) or number <= len(items):
                due = items[number - 1] if isinstance(items, list) else items
                _hold(Part(item, f"{part.path}[{number}]"), due, root)


def _all_of(part: Part, schema: dict[str, Any], root: dict[str, Any]) -> None:
    for each in schema["allOf"]:
        _hold(part, each, root)


def _any_of(part: Part, schema: dict[str, Any], root: dict[str, Any]) -> None:
    if not any(_fits(part, each, root) for each in schema["anyOf"]):
        raise part.wrong()


def _if(part: Part, schema: dict[str, Any], root: dict[str, Any]) -> None:
    """Ours all ask for one member's value, and nothing else is known here: a file has thousands of entries."""
    [(name, due)] = schema["if"]["properties"].items()
    if isinstance(part.value, dict) and part.value.get(name) == due["const"]:
        _hold(part, schema["then"], root)


WORDS: dict[str, Callable[[Part, dict[str, Any], dict[str, Any]], None]] = {
    "$ref": _ref,
    "type": _type,
    "const": _const,
    "enum": _enum,
    "minimum": _bound("minimum", int, True, int),
    "maximum": _bound("maximum", int, False, int),
    "minLength": _bound("minLength", len, True, str),
    "maxLength": _bound("maxLength", len, False, str),
    "minItems": _bound("minItems", len, True, list),
    "maxItems": _bound("maxItems", len, False, list),
    "pattern": _pattern,
    "required": _required,
    "properties": _properties,
    "additionalProperties": _others,
    "propertyNames": _names,
    "items": _items,
    "allOf": _all_of,
    "anyOf": _any_of,
    "if": _if,
}
