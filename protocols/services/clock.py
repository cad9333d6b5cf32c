"""The one way to set a game's clock: the deadline is stored, not the count."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from ..models import Entry, Game, GameClock
from .errors import Invalid

LONGEST = timedelta(hours=1)  # no minute is set further off, and none has been over for longer


@dataclass(frozen=True, slots=True)
class Setting:
    """What a device set: the time of `entry` is up at `deadline`, or stands still with `left` ms; not both.

    `changed_at` is when the judge did it, by the server's clock as the device knows it.
    """

    entry: UUID
    deadline: datetime | None
    left: int | None
    changed_at: datetime


def set_clock(game: Game, setting: Setting) -> GameClock | None:
    """The clock as it is after the setting; None where no entry of the game's record has that number.

    A setting older than the one stored, or of an earlier entry, changes nothing. Raises Invalid for a time that
    can't be.
    """
    now = timezone.now()
    _check(setting, now)
    revision = Entry.objects.filter(game=game, uuid=setting.entry).values_list("revision", flat=True).first()
    if revision is None:
        return GameClock.objects.filter(game=game).first()
    # A device whose clock is ahead must not keep all others from the clock.
    changed_at = min(setting.changed_at, now)
    values = {
        "entry": setting.entry,
        "revision": revision,
        "deadline": setting.deadline,
        "left": setting.left,
        "changed_at": changed_at,
    }
    older = Q(revision__lt=revision) | Q(revision=revision, changed_at__lte=changed_at)
    if not GameClock.objects.filter(older, game=game).update(**values):
        GameClock.objects.bulk_create([GameClock(game=game, **values)], ignore_conflicts=True)
    return GameClock.objects.filter(game=game).first()


def _check(setting: Setting, now: datetime) -> None:
    far = setting.deadline is not None and abs(setting.deadline - now) > LONGEST
    much = setting.left is not None and abs(setting.left) > LONGEST // timedelta(milliseconds=1)
    if far or much or (setting.deadline is None) == (setting.left is None):
        raise Invalid(_("Such a time can’t be set."))
