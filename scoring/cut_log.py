"""A correction that would change a cut is written down when it is made; nobody is seated anew (RULES §7).

Whatever a cut is computed from tells of its change by itself: a sheet that is signed or reopened, a stage, the
tournament's regulation, a lot. It is looked at once the change stands, so that no signature ever waits or fails for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import connections, transaction
from django.db.models.signals import post_save
from django.utils import timezone

from protocols.models import SignedSheet, Stage, Tournament

from .cut_models import Cut, CutNotice
from .cut_selectors import Cuts, cuts_of
from .models import Lot


@dataclass(frozen=True)
class Noting:
    """Looks at the cuts of the tournament."""

    tournament_id: int
    using: str

    def __call__(self) -> None:
        """Writes down what has changed; a tournament without cuts costs one query."""
        cuts = Cut.objects.using(self.using).filter(stage__tournament=self.tournament_id, withdrawn_at=None)
        if cuts.exists():
            note_changes(Tournament.objects.get(pk=self.tournament_id))


def note_changes(tournament: Tournament) -> None:
    """A line of the log for every cut of which the results say something else than at the last line."""
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=tournament.pk)
        cuts = cuts_of(tournament)
        last: dict[int, CutNotice] = {}
        for notice in CutNotice.objects.filter(cut__stage__tournament=tournament).order_by("noticed_at", "pk"):
            last[notice.cut_id] = notice
        CutNotice.objects.bulk_create(_new_notices(cuts, last))


def _new_notices(cuts: Cuts, last: dict[int, CutNotice]) -> list[CutNotice]:
    found = []
    for each in cuts.stages:
        if each.taken is None:
            continue
        change, before = each.change, last.get(each.taken.pk)
        now = [cuts.names(players) for players in (change.comes, change.goes, change.tied)]
        then = [before.comes, before.goes, before.tied] if before is not None else [[], [], []]
        if not any(now) and any(not game.is_signed for game in each.open):
            continue  # a game before the cut is open again: what it will say is not known yet
        if now != then:
            comes, goes, tied = now
            found.append(CutNotice(cut_id=each.taken.pk, noticed_at=timezone.now(), comes=comes, goes=goes, tied=tied))
    return found


def note_later(tournament_id: int, using: str) -> None:
    """Has the cuts looked at when the change stands, once for all changes that stand or fall together."""
    noting, connection = Noting(tournament_id, using), connections[using]
    standing = set(connection.savepoint_ids)
    if any(function == noting and set(points) <= standing for points, function, *_ in connection.run_on_commit):
        return
    transaction.on_commit(noting, using=using, robust=True)


def _when_saved(sender: type[Any], instance: Any, using: str, **facts: Any) -> None:
    if sender is Tournament:
        tournament_id = instance.pk
    elif sender is SignedSheet:
        tournament_id = instance.game.tournament_id
    else:
        tournament_id = instance.tournament_id
    note_later(tournament_id, using)


def listen() -> None:
    """Begins to hear of changes."""
    for model in (SignedSheet, Stage, Tournament, Lot):
        post_save.connect(_when_saved, sender=model, dispatch_uid=f"cut_log.{model.__name__}")
