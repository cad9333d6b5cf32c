"""Applications accepted: the player is known or new, takes part, and joins the team."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from protocols.exchange.roster import ORDER, Listed, Row
from protocols.look_alikes import skeleton
from protocols.models import Application, ApplicationState, Participant, ParticipantState, Tournament
from protocols.services.errors import Invalid
from protocols.services.registration import waiting
from protocols.services.roster import NEW, Told, read_roster

from .roster_teams import take_roster
from .team_log import logged
from .team_services import hold_tournament


@dataclass(frozen=True, slots=True)
class Waiting:
    """An application that waits: who it may be, and which other ones look like it."""

    application: Application
    told: Told
    others: tuple[str, ...]  # nicknames of other applications that wait

    @property
    def is_plain(self) -> bool:
        """Whether nothing about it has to be decided."""
        return not self.told.alike and not self.others and self.told.state != ParticipantState.REGISTERED


def waiting_of(tournament: Tournament) -> list[Waiting]:
    """The applications that wait, in the order in which they came."""
    found = list(Application.objects.filter(tournament=tournament, state=ApplicationState.WAITING))
    looks: dict[str, list[Application]] = {}
    for each in found:
        looks.setdefault(skeleton(each.nickname), []).append(each)
    # Each is asked about by itself: the line is its key, and of several that look alike none stands for another.
    told: dict[int, Told] = {}
    for same in range(max(map(len, looks.values()), default=0)):
        rows = [_row(group[same]) for group in looks.values() if len(group) > same]
        told |= {line.row.line: line for line in read_roster(tournament, _listed(rows)).lines}
    return [
        Waiting(
            each, told[each.pk],
            tuple(other.nickname for other in looks[skeleton(each.nickname)] if other.pk != each.pk),
        )
        for each in found
    ]  # fmt: skip


def accept(application: Application, *, by: User, choice: str = "") -> Application:
    """Makes whoever applied a participant; `choice` says who a look-alike is. Raises Invalid."""
    with transaction.atomic():
        tournament = hold_tournament(application.tournament)
        held = waiting(application)
        told = read_roster(tournament, _listed([_row(held)])).lines[0]
        if told.alike and choice not in (NEW, *(each.choice for each in told.alike)):
            words = _("Say whether %(nickname)s is the player who is known here or another one.")
            raise Invalid(words % {"nickname": held.nickname})
        with logged(tournament, by=by):
            written = take_roster(tournament, _listed([_row(held)]), choices={held.pk: choice})
        held.state, held.player = ApplicationState.ACCEPTED, written.players[held.pk]
        held.answered_at, held.answered_by = timezone.now(), by
        held.save()
    return held


def accept_plain(tournament: Tournament, shown: Collection[int], *, by: User) -> int:
    """Accepts those of the applications shown about which nothing has to be decided, while there are places.

    Gives how many they were. Raises Invalid where a place is left for none.
    """
    with transaction.atomic():
        held = hold_tournament(tournament)
        found = [each.application for each in waiting_of(held) if each.is_plain and each.application.pk in shown]
        taking = Participant.objects.filter(tournament=held, state=ParticipantState.REGISTERED).count()
        room = len(found) if held.places is None else max(0, held.places - taking)
        if found and not room:
            raise Invalid(_("All places are taken: accept one by one whom you want to take beyond them."))
        for each in found[:room]:
            accept(each, by=by)
    return len(found[:room])


def _row(application: Application) -> Row:
    return Row(application.pk, application.nickname, application.name, application.city, application.team)


def _listed(rows: list[Row]) -> Listed:
    return Listed(tuple(rows), (), ORDER, has_headings=False)
