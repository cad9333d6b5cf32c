"""The one way in which data is written down as bytes, so that the same data has the same digest everywhere."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def canonical_json(data: Any) -> bytes:
    """JSON with sorted keys, no spaces, UTF-8."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def sha256(data: bytes) -> str:
    """The SHA-256 in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def canonical_file(data: dict[str, Any]) -> bytes:
    r"""The same JSON as a file: each member on a line of its own, and each item of a member that is a list.

    >>> canonical_file({"b": [1, {"y": 2, "x": 1}], "a": {}})
    b'{\n"a":{},\n"b":[\n1,\n{"x":1,"y":2}\n]\n}\n'
    """
    members = [canonical_json(name) + b":" + _member(data[name]) for name in sorted(data)]
    return b"{\n" + b",\n".join(members) + b"\n}\n"


def _member(value: Any) -> bytes:
    if not isinstance(value, list) or not value:
        return canonical_json(value)
    return b"[\n" + b",\n".join(canonical_json(item) for item in value) + b"\n]"
