"""What makes a signed sheet provable: digests of names in the place of names, and the seals over them.

Nicknames enter every seal only as salted digests, so that a name and its salt can be erased later without
breaking a proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .entries import canonical_json, sha256


def digest_of(salt: str, nickname: str) -> str:
    """The digest that stands for a nickname."""
    return sha256(f"{salt} {nickname}".encode())


def seal_of(data: dict[str, Any]) -> str:
    """The SHA-256 of a signed sheet's data, each nickname replaced by its digest."""
    digests: Sequence[str] = data["players"]
    sheet = dict(data["sheet"])
    sheet["rows"] = [{**row, "nickname": digests[row["seat"] - 1]} for row in sheet["rows"]]
    sheet["remarks"] = [
        {**remark, "nickname": digests[remark["seat"] - 1] if remark["seat"] else ""} for remark in sheet["remarks"]
    ]
    return sha256(canonical_json({**data, "sheet": sheet}))


def record_hash(head: str, revision: int, digests: Sequence[str]) -> str:
    """The SHA-256 over the record at that revision, whose last entry has the hash `head`, and the ten digests."""
    return sha256(canonical_json({"head": head, "revision": revision, "players": list(digests)}))
