"""A penalty as a tournament's archive tells it, and as it is written again."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from protocols.models.entries import instant_written
from protocols.services.people import person_of_file, printed_name

from .penalty_models import Penalty


def penalty_told(penalty: Penalty) -> dict[str, Any]:
    """What was taken off, why, by whom and when; and the same of its being revoked."""
    told: dict[str, Any] = {
        "points": penalty.points,
        "clause": penalty.clause,
        "reason": penalty.reason,
        "by": printed_name(penalty.given_by),
        "at": instant_written(penalty.given_at),
    }
    if penalty.revoked_at is not None and penalty.revoked_by is not None:
        told["revoked"] = {
            "by": printed_name(penalty.revoked_by),
            "at": instant_written(penalty.revoked_at),
            "reason": penalty.revoked_because,
        }
    return told


def penalty_fields(told: dict[str, Any]) -> dict[str, Any]:
    """The columns of the penalty that the archive tells of."""
    revoked = told.get("revoked")
    return {
        "points": told["points"],
        "clause": told["clause"],
        "reason": told["reason"],
        "given_by": person_of_file(told["by"]),
        "given_at": datetime.fromisoformat(told["at"]),
        "revoked_by": person_of_file(revoked["by"]) if revoked else None,
        "revoked_at": datetime.fromisoformat(revoked["at"]) if revoked else None,
        "revoked_because": revoked["reason"] if revoked else "",
    }
