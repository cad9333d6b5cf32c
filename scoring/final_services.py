"""A stage seated from its cut: who sits, in which order, and the games made of it (RULES §7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from protocols.models import Participant, ParticipantState, Player, Round, SeatingKind, SeatingRun, SeatingState, Stage
from protocols.seating.terms import SEATS
from protocols.services import seating_rounds, seating_runs
from protocols.services.errors import Invalid

from .cut_selectors import StageCut, cuts_of
from .cut_services import obstacle

ROTATED = (SeatingKind.LOT, SeatingKind.PLACE)


@dataclass(frozen=True, slots=True)
class Sitting:
    """Who sits in a stage: those who came in by place, and, after them, whoever takes the place of one who can't."""

    players: tuple[int, ...]
    gone: tuple[str, ...] = ()  # came in, and plays no more
    instead: tuple[str, ...] = ()

    @property
    def tables(self) -> int:
        """How many tables of ten they fill."""
        return len(self.players) // SEATS


def why_not(found: StageCut, sitting: Sitting, kind: str = SeatingKind.LOT) -> str:
    """Why the stage can't be seated from its cut now in this way, in words; empty where it can."""
    if found.taken is None:
        return obstacle(found) or _("The cut into this stage is not taken yet: take it, and seat whoever came in.")
    missing = len(sitting.gone) - len(sitting.instead)
    if missing:
        words = ngettext(
            "%(names)s can’t play, and the table has nobody left to come instead: %(n)d seat stays empty. "
            "Take the cut back and make it smaller.",
            "%(names)s can’t play, and the table has nobody left to come instead: %(n)d seats stay empty. "
            "Take the cut back and make it smaller.",
            missing,
        )
        return words % {"names": ", ".join(sitting.gone), "n": missing}
    over = len(sitting.players) % SEATS
    if not sitting.tables or (over and kind in ROTATED):
        size = len(sitting.players)
        below, above = size - over, size - over + SEATS
        if not below:
            return _("%(size)d came in, and a table has ten players: a cut of %(above)d would work.") % {
                "size": size, "above": above,
            }  # fmt: skip
        return _(
            "%(size)d came in, and tables have ten players each: a cut of %(below)d or of %(above)d would work. "
            "With %(size)d a seating by search lets players sit out rounds."
        ) % {"size": size, "below": below, "above": above}
    return ""


def sitting_of(found: StageCut) -> Sitting:
    """Who sits in the stage now; two queries. Whoever has withdrawn, or was removed since (A 7.4), is followed by the
    next of the table the cut was taken from."""
    if found.taken is None:
        return Sitting(())
    tournament = found.stage.tournament_id
    absent = set(
        Participant.objects.filter(tournament=tournament, state=ParticipantState.WITHDRAWN).values_list(
            "player", flat=True
        )
    )
    absent |= {place.player_id for place in found.table.places if place.rating.from_tournament}
    passed = found.taken.passed
    stay = [each.player_id for each in passed if each.player_id not in absent]
    gone = [each.nickname for each in passed if each.player_id in absent]
    came = {each.player_id for each in passed}
    waiting = [
        place.player_id
        for place in found.table.places
        if place.number is not None and place.player_id not in came | absent
    ]
    instead = waiting[: len(gone)]
    names = dict(Player.objects.filter(pk__in=instead).values_list("pk", "nickname"))
    return Sitting((*stay, *instead), tuple(gone), tuple(names[player] for player in instead))


def draw_seats(stage: Stage, *, kind: SeatingKind, games: int, seed: int, by: User, knows_instead: bool) -> SeatingRun:
    """The seats of a stage whose cut is taken: by lot or by place, rotated, or by search over several tables.

    Nobody is seated yet. `knows_instead`: whoever asks has seen who comes for whom. Raises Invalid in words.
    """
    with transaction.atomic():
        found = _found(stage)
        sitting = sitting_of(found)
        reason = why_not(found, sitting, kind)
        if reason:
            raise Invalid(reason)
        if sitting.instead and not knows_instead:
            words = {"instead": ", ".join(sitting.instead), "gone": ", ".join(sitting.gone)}
            raise Invalid(_("Confirm that %(instead)s comes in instead of %(gone)s.") % words)
        people = enrolled(stage, sitting.players)
        if kind in ROTATED:
            return seating_runs.ask_for_rotation(stage, people, games=games, kind=kind, by=by, seed=seed)
    return seating_runs.ask_for(stage, people, games=games, tables=sitting.tables, by=by, seed=seed)


def enrolled(stage: Stage, players: Sequence[int]) -> list[Participant]:
    """The participants that these players are, in that order; who plays already, and is on no list, is put on it."""
    tournament = stage.tournament
    there = {each.player_id: each for each in Participant.objects.filter(tournament=tournament)}
    number = Participant.objects.filter(tournament=tournament).aggregate(last=Max("number"))["last"] or 0
    for player in players:
        if player not in there:
            number += 1
            there[player] = Participant.objects.create(tournament=tournament, player_id=player, number=number)
    known = Participant.objects.select_related("player").in_bulk([there[player].pk for player in players])
    return [known[there[player].pk] for player in players]


def seat_from(
    run: SeatingRun, *, by: User, first_round: int, starts_at: datetime | None, minutes: int, confirmed: bool
) -> list[Round]:
    """Makes the games of these seats. Raises Invalid where the cut is no longer the one they were drawn for, where
    games before are not signed and `confirmed` is not said, and as `seating_rounds.use` does."""
    with transaction.atomic():
        found = _found(run.stage)
        sitting = sitting_of(found)
        reason = why_not(found, sitting, run.kind)
        if reason:
            raise Invalid(reason)
        if set(run.players) != set(sitting.players):
            raise Invalid(_("These seats were drawn for other players than those who come in now: draw them anew."))
        return seating_rounds.use(
            run, by=by, first_round=first_round, starts_at=starts_at, minutes=minutes, confirmed=confirmed
        )


def draws_of(stage: Stage) -> list[SeatingRun]:
    """The seatings by lot and by place of a stage, the newest first; none is thrown away."""
    runs = SeatingRun.objects.filter(stage=stage, kind__in=ROTATED, state__in=(SeatingState.DONE, SeatingState.USED))
    return list(runs.select_related("asked_by", "used_by").order_by("-asked_at", "-pk"))


def _found(stage: Stage) -> StageCut:
    found = cuts_of(stage.tournament).of(stage.number)
    if found is None:
        raise Invalid(_("There is no stage before this one: nobody could come from it."))
    return found
