"""The registration of a tournament: opened by its organizer until a moment, applied to by anybody, answered."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ..exchange.lines import line_written
from ..models import NICKNAME_LENGTH, Application, ApplicationState, Tournament, nickname_key
from ..models.rounds import MOST_PARTICIPANTS
from .errors import Invalid

MOST_WAITING = 400  # applications of a tournament that nobody has answered
MOST_A_MINUTE = 40  # applications to a tournament, from everywhere together: a hall has one address
LONGEST_OPEN = timedelta(days=400)


def open_registration(tournament: Tournament, *, closes_at: datetime, places: int | None = None) -> None:
    """Takes applications until that moment. Raises Invalid for a moment that has passed or is far away."""
    now = timezone.now()
    if not now < closes_at < now + LONGEST_OPEN:
        raise Invalid(_("The registration has to close in the future, and within a year."))
    if places is not None and not 1 <= places <= MOST_PARTICIPANTS:
        raise Invalid(_("A tournament takes %(most)d participants.") % {"most": MOST_PARTICIPANTS})
    with transaction.atomic():
        held = _held(tournament)
        for row in (held, tournament):
            row.registration_closes_at, row.registration_closed_at, row.places = closes_at, None, places
        held.save(update_fields=["registration_closes_at", "registration_closed_at", "places"])


def close_registration(tournament: Tournament) -> None:
    """Takes no more applications from now on; those that wait stay to be answered."""
    with transaction.atomic():
        held = _held(tournament)
        if held.takes_applications:
            held.registration_closed_at = timezone.now()
            held.save(update_fields=["registration_closed_at"])
        tournament.registration_closed_at = held.registration_closed_at


def apply(tournament: Tournament, *, nickname: str, name: str, city: str = "", team: str = "") -> Application:
    """Puts an application into the organizer's list. Raises Invalid.

    Nothing of the answer depends on who applied before or takes part: that is not everybody's to know.
    """
    nickname = line_written(nickname)
    if not nickname or not nickname_key(nickname) or len(nickname) > NICKNAME_LENGTH:
        raise Invalid(_("A nickname has from 1 to %(most)d characters.") % {"most": NICKNAME_LENGTH})
    with transaction.atomic():
        held = _held(tournament)
        now = timezone.now()
        if not held.takes_applications:
            raise Invalid(_("The registration has been closed."))
        made = Application.objects.filter(tournament=held)
        if made.filter(state=ApplicationState.WAITING).count() >= MOST_WAITING:
            raise Invalid(_("Too many applications wait for the organizer: none is taken until they are answered."))
        if made.filter(applied_at__gt=now - timedelta(minutes=1)).count() >= MOST_A_MINUTE:
            raise Invalid(_("Too many people are registering at this moment: please try again in a minute."))
        return Application.objects.create(
            tournament=held, nickname=nickname, name=line_written(name), city=line_written(city),
            team=line_written(team), applied_at=now,
        )  # fmt: skip


def take_back(application: Application) -> None:
    """Deletes an application that whoever sent it wants no more. Raises Invalid for one that was accepted."""
    with transaction.atomic():
        held = Application.objects.select_for_update().get(pk=application.pk)
        if held.state == ApplicationState.ACCEPTED:
            raise Invalid(_("You have been accepted: ask the organizer to withdraw you."))
        held.delete()


def refuse(application: Application, *, by: User, reason: str = "") -> None:
    """Refuses an application; the reason, if there is one, is read by whoever sent it. Raises Invalid."""
    with transaction.atomic():
        held = waiting(application)
        held.state, held.answer = ApplicationState.REFUSED, line_written(reason)[:200]
        held.answered_at, held.answered_by = timezone.now(), by
        held.save()


def forget_refused(tournament: Tournament) -> int:
    """Deletes what is kept of those who were refused; gives how many they were."""
    found, _kinds = Application.objects.filter(tournament=tournament, state=ApplicationState.REFUSED).delete()
    return found


def waiting(application: Application) -> Application:
    """The application, held until the transaction ends. Raises Invalid where it has been answered or taken back."""
    held = Application.objects.select_for_update().filter(pk=application.pk, state=ApplicationState.WAITING).first()
    if held is None:
        raise Invalid(_("%(nickname)s has been answered already.") % {"nickname": application.nickname})
    return held


def _held(tournament: Tournament) -> Tournament:
    return Tournament.objects.select_for_update(of=("self",)).get(pk=tournament.pk)
