"""What calendars were told: an event that says something else than before gets the next SEQUENCE (RFC 5545, 3.8.7.4).

The comparison is made when a feed is read, so that no change can pass it by, whoever made it and how.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from ..models import Tournament
from ..models.feeds import FeedEvent

EVERYBODY = "everybody"


def for_player(player_id: int) -> str:
    """The feed of a player."""
    return f"player:{player_id}"


def for_judge(user_id: int) -> str:
    """The feed of a judge."""
    return f"judge:{user_id}"


@dataclass(frozen=True, slots=True)
class Stamp:
    """How often an event has changed since it was first told, and when it did last."""

    sequence: int
    changed_at: datetime


def was_told(tournament: Tournament, audience: str) -> bool:
    """Whether this feed has ever had an event; whoever was replaced everywhere since keeps it, without events."""
    return FeedEvent.objects.filter(tournament=tournament, audience=audience).exists()


def stamped(tournament: Tournament, audience: str, digests: Mapping[UUID, str]) -> dict[UUID, Stamp]:
    """The stamps of the events of a feed, by their UIDs; `digests` are of what they say now.

    One query as long as nothing has changed; otherwise what has is written, once if two ask at the same moment.
    """
    found = _told(audience, digests)
    if any(uid not in found or found[uid].digest != digest for uid, digest in digests.items()):
        with transaction.atomic():
            Tournament.objects.select_for_update().get(pk=tournament.pk)
            found = _told(audience, digests)
            _write(tournament, audience, digests, found)
    return {uid: Stamp(found[uid].sequence, found[uid].changed_at) for uid in digests}


def _told(audience: str, digests: Mapping[UUID, str]) -> dict[UUID, FeedEvent]:
    return {event.uid: event for event in FeedEvent.objects.filter(audience=audience, uid__in=list(digests))}


def _write(tournament: Tournament, audience: str, digests: Mapping[UUID, str], found: dict[UUID, FeedEvent]) -> None:
    now = timezone.now().replace(microsecond=0)  # calendars tell no less than seconds
    new, changed = [], []
    for uid, digest in digests.items():
        event = found.get(uid)
        if event is None:
            event = FeedEvent(tournament=tournament, audience=audience, uid=uid, digest=digest, changed_at=now)
            found[uid] = event
            new.append(event)
        elif event.digest != digest:
            event.digest, event.sequence, event.changed_at = digest, event.sequence + 1, now
            changed.append(event)
    FeedEvent.objects.bulk_create(new)
    FeedEvent.objects.bulk_update(changed, ["digest", "sequence", "changed_at"])
