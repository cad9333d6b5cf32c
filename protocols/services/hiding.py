"""Hiding results from the public for the last rounds, and announcing them: each act is kept with who and when."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ..hiding import OPEN, veil_of
from ..models import Hidden, Hiding, Stage, Tournament
from .errors import Invalid


def hide(tournament: Tournament, *, what: str, stage: Stage, number: int, by: User) -> Hiding:
    """Hides the table, or its extra points, from that round of the stage on until it is announced. Raises Invalid."""
    if what not in (Hidden.TABLE, Hidden.EXTRA):
        raise Invalid(_("Say what is hidden: the whole table, or only the extra points."))
    if stage.tournament_id != tournament.pk or number < 1:
        raise Invalid(_("Say from which round of which stage on."))
    with transaction.atomic():
        _held(tournament)
        veil = veil_of(tournament)
        if (veil.what, veil.stage_number, veil.number) == (what, stage.number, number):
            raise Invalid(_("Just this is hidden already."))
        return _act(tournament, what=what, stage=stage, number=number, by=by)


def announce(tournament: Tournament, *, by: User) -> Hiding:
    """Shows everything to everybody, in one act. Raises Invalid where nothing is hidden."""
    with transaction.atomic():
        _held(tournament)
        if veil_of(tournament) == OPEN:
            raise Invalid(_("Nothing is hidden: everything is announced."))
        return _act(tournament, what=Hidden.NOTHING, by=by)


def take_back(tournament: Tournament, *, by: User) -> Hiding:
    """Hides again what was hidden before the announcement. Raises Invalid where nothing was announced."""
    with transaction.atomic():
        _held(tournament)
        acts = list(Hiding.objects.filter(tournament=tournament).select_related("stage").order_by("-pk")[:2])
        if len(acts) < 2 or acts[0].what != Hidden.NOTHING:
            raise Invalid(_("There is no announcement to take back."))
        before = acts[1]
        return _act(tournament, what=before.what, stage=before.stage, number=before.number, by=by)


def _held(tournament: Tournament) -> None:
    """Holds the tournament's row until the transaction ends, so that of two people one is the first."""
    Tournament.objects.select_for_update().get(pk=tournament.pk)


def _act(
    tournament: Tournament, *, what: str, by: User, stage: Stage | None = None, number: int | None = None
) -> Hiding:
    return Hiding.objects.create(
        tournament=tournament, what=what, stage=stage, number=number, done_by=by, done_at=timezone.now()
    )
