"""What an organizer writes of a season: its period, its figures, its tournaments, and who else organizes it."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Mapping
from typing import Any
from zoneinfo import available_timezones

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from protocols.models import Tournament
from protocols.services.errors import Invalid

from .season_models import Season
from .season_ratings import SEASON_KEYS

RESERVED = ("new",)  # addresses that are pages of the site
FIGURES = (
    "title", "starts_on", "ends_on", "time_zone", "takes_all", "counted", "reckoning", "best", "least_games",
    "tie_keys", "is_public",
)  # fmt: skip
"""What is written of a season beside its address, its tournaments and its organizers."""


def create_season(*, slug: str, by: User, tournaments: Iterable[Tournament] = (), **figures: Any) -> Season:
    """Sets up a season of these `FIGURES`; whoever does it organizes it. Raises Invalid."""
    season = Season(slug=slug)
    with transaction.atomic():
        _write(season, figures)
        season.owners.add(by)
        season.tournaments.set(tournaments)
    return season


def set_season(
    season: Season, *, owners: Collection[str], tournaments: Iterable[Tournament], figures: Mapping[str, Any]
) -> None:
    """Changes a season. `owners` are the logins of whoever organizes it, one at least. Raises Invalid."""
    found = list(User.objects.filter(username__in=owners, is_active=True))
    missing = sorted(set(owners) - {user.username for user in found})
    if missing:
        raise Invalid(_("There is nobody with this login: %(names)s.") % {"names": ", ".join(missing)})
    if not found:
        raise Invalid(_("A season needs an organizer."))
    with transaction.atomic():
        Season.objects.select_for_update().get(pk=season.pk)
        _write(season, figures)
        season.owners.set(found)
        season.tournaments.set(tournaments)


def eligible(season: Season | None, starts_on: datetime.date, ends_on: datetime.date) -> QuerySet[Tournament]:
    """The public tournaments and evenings with a game in the period, or begun in it, and those chosen before."""
    period = (starts_on, ends_on)
    inside = Q(starts_on__range=period) | Q(games__played_on__range=period)
    found = Q(is_public=True) & inside
    if season is not None:
        found |= Q(seasons=season.pk)
    return Tournament.objects.filter(found).distinct().order_by("-starts_on", "-pk")


def _write(season: Season, figures: Mapping[str, Any]) -> None:
    for name in FIGURES:
        if name in figures:
            setattr(season, name, figures[name])
    if season.slug in RESERVED:
        raise Invalid(_("This address is taken by the site: choose another."))
    if season.time_zone not in available_timezones():
        raise Invalid(_("There is no such time zone: %(zone)s.") % {"zone": season.time_zone})
    keys = list(season.tie_keys)
    if len(set(keys)) != len(keys) or not set(keys) <= set(SEASON_KEYS):
        raise Invalid(_("A tie key is named twice, or is none."))
    try:
        season.full_clean()
        with transaction.atomic():
            season.save()
    except ValidationError as error:
        raise Invalid(*error.messages) from error
    except IntegrityError as error:
        raise Invalid(_("This address is taken: choose another.")) from error
