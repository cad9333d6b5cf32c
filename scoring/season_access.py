"""Who may what with a season: everybody reads a public one, whoever organizes it changes it, staff may set one up."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import Http404

from protocols.access import Viewer

from .season_models import Season


def seasons_for(user: Viewer) -> QuerySet[Season]:
    """The seasons that the person may know of, the latest first."""
    if user is None or not user.is_authenticated:
        return Season.objects.filter(is_public=True)
    if getattr(user, "is_superuser", False):
        return Season.objects.all()
    return Season.objects.filter(Q(is_public=True) | Q(pk__in=_of(user)))


def season_for(user: Viewer, slug: str) -> Season:
    """A season that is public or the person's own. Raises Http404."""
    found = seasons_for(user).filter(slug=slug).first()
    if found is None:
        raise Http404
    return found


def owned_season(user: Viewer, slug: str) -> Season:
    """A season that the person organizes. Raises Http404, or PermissionDenied for one that they only see."""
    season = season_for(user, slug)
    if not owns(user, season):
        raise PermissionDenied
    return season


def owns(user: Viewer, season: Season) -> bool:
    """Whether the person organizes the season; a superuser may whatever an organizer may."""
    if user is None or not user.is_authenticated:
        return False
    return bool(getattr(user, "is_superuser", False)) or season.owners.filter(pk=user.pk).exists()


def may_set_up(user: Viewer) -> bool:
    """Whether the person may set up a season: the site's staff may, as with tournaments."""
    return user is not None and user.is_authenticated and bool(getattr(user, "is_staff", False))


def _of(user: Any) -> QuerySet[Any]:
    return Season.owners.through.objects.filter(user=user.pk).values("season")
