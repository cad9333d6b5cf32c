"""Cuts are written here: how many come into a stage, who came, and the lot at the line (RULES §7)."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from protocols.models import Game, Stage, Status, Tournament
from protocols.services.errors import Invalid
from protocols.services.shape import plain_text

from .cut_models import MOST_PLACES, Cut, CutPlace, CutSize
from .cut_selectors import Cuts, StageCut, cuts_of
from .models import Lot
from .services import draw_among


def set_cut_size(stage: Stage, size: int | None) -> None:
    """How many come into the stage from those before it; None: it has no cut. Raises Invalid."""
    with transaction.atomic():
        tournament = _held(stage.tournament)
        if size is not None:
            if not Stage.objects.filter(tournament=tournament, number__lt=stage.number).exists():
                raise Invalid(_("There is no stage before this one: nobody could come from it."))
            if not 1 <= size <= MOST_PLACES:
                raise Invalid(_("From 1 to %(most)d players can come in.") % {"most": MOST_PLACES})
        if Cut.objects.filter(stage=stage, withdrawn_at=None).exists():
            raise Invalid(_("The cut has been taken: take it back first, if the stage has not begun."))
        if size is None:
            CutSize.objects.filter(stage=stage).delete()
        else:
            CutSize.objects.update_or_create(stage=stage, defaults={"size": size})


def draw_cut_lot(stage: Stage, players: Collection[int], *, by: User) -> Lot:
    """Draws the lot among exactly those whom the line goes through, once (A 8.5.4).

    Raises NoLotDue for anybody else, and where the line is clear.
    """

    def due() -> dict[frozenset[int], int]:
        found = _of(cuts_of(stage.tournament), stage)
        tied = found.passing.tied if found.passing is not None and found.waits_for is None else ()
        return {frozenset(place.player_id for place in tied): tied[0].number or 0} if tied else {}

    return draw_among(stage.tournament, players, by=by, due=due)


def take_cut(stage: Stage, *, seen: str, confirmed: bool, by: User) -> Cut:
    """Stores who comes into the stage, with what it was computed from: once, and for good.

    `seen` is the fingerprint of what the organizer looked at; `confirmed`: they saw which games before the cut are not
    signed and where protests are open. Raises Invalid, naming what stands against it.
    """
    try:
        with transaction.atomic():
            _held(stage.tournament)
            cuts = cuts_of(stage.tournament)
            found = _of(cuts, stage)
            why_not = obstacle(found)
            if why_not:
                raise Invalid(why_not)
            if found.fingerprint != seen:
                raise Invalid(_("The results have changed since this page was opened: look once more who comes in."))
            if found.open and not confirmed:
                raise Invalid(_("Confirm that you take the cut although not every result before it is final."))
            assert found.passing is not None and found.size is not None
            cut = Cut.objects.create(
                stage=stage,
                size=found.size,
                fingerprint=found.fingerprint,
                unsigned=found.unsigned,
                protests=found.protests,
                taken_by=by,
                taken_at=timezone.now(),
            )
            names = cuts.nicknames
            CutPlace.objects.bulk_create(
                CutPlace(
                    cut=cut,
                    place=place.number or 0,
                    player_id=place.player_id,
                    nickname=names[place.player_id],
                    rating=str(place.rating.total),
                )
                for place in found.passing.through
            )
    except IntegrityError:  # somebody took the same cut at the same moment
        raise Invalid(_("The cut has been taken already.")) from None
    return cut


def obstacle(found: StageCut) -> str:
    """Why the cut can't be taken now, in words; empty where it can."""
    if found.taken is not None:
        return _("The cut has been taken already.")
    if found.passing is None:
        return _("It is not said how many come into this stage.")
    if found.waits_for is not None:
        return _("First take the cut into “%(stage)s”: who has not come in there can’t come in here.") % {
            "stage": found.waits_for.name
        }
    if not found.passing.ranked:
        return _("No game before this stage is signed.")
    if found.passing.ranked < found.passing.size:
        words = ngettext(
            "%(size)d should come in, and the table has %(players)d player: lower the number.",
            "%(size)d should come in, and the table has %(players)d players: lower the number.",
            found.passing.ranked,
        )
        return words % {"size": found.passing.size, "players": found.passing.ranked}
    if found.passing.tied:
        return _("Equal players stand across the line: first draw the lot among them.")
    return ""


def withdraw_cut(stage: Stage, *, reason: str, by: User) -> Cut:
    """Takes a cut back, with a reason, before anything of the stage is played; it stays on record. Raises Invalid."""
    reason = plain_text(reason)
    if not reason:
        raise Invalid(_("Write why the cut is taken back."))
    with transaction.atomic():
        _held(stage.tournament)
        cut = Cut.objects.filter(stage=stage, withdrawn_at=None).first()
        if cut is None:
            raise Invalid(_("No cut into this stage has been taken."))
        later = Stage.objects.filter(tournament=stage.tournament, number__gt=stage.number)
        if Cut.objects.filter(stage__in=later, withdrawn_at=None).exists():
            raise Invalid(_("A cut into a later stage has been taken from these players: take that one back first."))
        if Game.objects.filter(stage=stage).exclude(status=Status.PREPARED, revision=0).exists():
            raise Invalid(_("The stage has begun: its cut can’t be taken back."))
        cut.withdrawn_at, cut.withdrawn_by, cut.withdrawn_because = timezone.now(), by, reason
        cut.save(update_fields=["withdrawn_at", "withdrawn_by", "withdrawn_because"])
    return cut


def _held(tournament: Tournament) -> Tournament:
    """Holds the tournament's row until the transaction ends, so that of two people one is the first."""
    return Tournament.objects.select_for_update().get(pk=tournament.pk)


def _of(cuts: Cuts, stage: Stage) -> StageCut:
    found = cuts.of(stage.number)
    if found is None:
        raise Invalid(_("There is no stage before this one: nobody could come from it."))
    return found
