"""Who serves in a tournament in which role: given, changed and taken, with who did it and when."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ..models import OPEN, Game, Invitation, Member, MemberChange, MemberRole, Tournament
from .errors import Invalid
from .people import printed_name

JUDGING = (MemberRole.JUDGE, MemberRole.HEAD_JUDGE)
"""The roles whose bearers may be given a game."""
MOST_NAMED = 5  # games that a refusal names


def appoint(
    tournament: Tournament, user: User, role: str, *, by: User | None = None, invitation: Invitation | None = None
) -> Member:
    """Gives a person a role in the tournament; one they have already stays theirs. Raises Invalid.

    `by` is who is told to have done it; what a file or a rehearsal sets up has nobody.
    """
    if role not in MemberRole.values:
        raise Invalid(_("There is no such role."))
    with transaction.atomic():
        member, is_new = Member.objects.get_or_create(tournament=tournament, user=user, role=role)
        if is_new and by is not None:
            _write(member, MemberChange.What.GIVEN, by, invitation)
    return member


def dismiss(tournament: Tournament, user: User, role: str, *, by: User | None = None) -> None:
    """Takes a role from a person.

    Raises Invalid for the last organizer, and, naming the games, for a judge who would be left with games that are
    not signed and without a role in which they judge.
    """
    with transaction.atomic():
        _hold(tournament)
        _take(tournament, user, role, by)


def change_role(member: Member, role: str, *, by: User) -> Member:
    """Gives the person another role instead. Raises Invalid as `dismiss`, and for a role that they have already."""
    with transaction.atomic():
        _hold(member.tournament)
        held = Member.objects.filter(tournament=member.tournament_id, user=member.user_id, role=role)
        if held.exists():
            words = {"person": printed_name(member.user), "role": MemberRole(role).label}
            raise Invalid(_("%(person)s already serves as %(role)s.") % words)
        changed = appoint(member.tournament, member.user, role, by=by)
        _take(member.tournament, member.user, member.role, by)
    return changed


def _hold(tournament: Tournament) -> None:
    """Holds the tournament's row until the transaction ends: of two organizers who remove each other one stays."""
    Tournament.objects.select_for_update().get(pk=tournament.pk)


def _take(tournament: Tournament, user: User, role: str, by: User | None) -> None:
    serving = Member.objects.filter(tournament=tournament, role=role)
    member = serving.filter(user=user).first()
    if member is None:
        return
    if role == MemberRole.ORGANIZER and not serving.exclude(user=user).filter(user__is_active=True).exists():
        raise Invalid(_("A tournament needs an organizer."))
    if role in JUDGING:
        _refuse_with_games(tournament, user, role)
    if by is not None:
        _write(member, MemberChange.What.TAKEN, by, None)
    member.delete()


def _refuse_with_games(tournament: Tournament, user: User, role: str) -> None:
    """Raises Invalid where the person judges games that are not signed and would judge here no longer."""
    judges_still = Member.objects.filter(tournament=tournament, user=user, role__in=JUDGING).exclude(role=role)
    if judges_still.exists():
        return
    games = Game.objects.filter(tournament=tournament, judge=user, status__in=OPEN)
    named = [
        _("game %(number)d, table %(table)d (%(stage)s)") % {"number": number, "table": table, "stage": stage}
        for number, table, stage in games.order_by("stage__number", "number", "table_number").values_list(
            "number", "table_number", "stage__name"
        )
    ]
    if named:
        more = len(named) - MOST_NAMED
        told = ", ".join(named[:MOST_NAMED]) + (_(" and %(count)d more") % {"count": more} if more > 0 else "")
        words = {"person": printed_name(user), "games": told}
        raise Invalid(_("%(person)s still has games that are not signed: %(games)s. Hand them over first.") % words)


def _write(member: Member, what: str, by: User, invitation: Invitation | None) -> None:
    MemberChange.objects.create(
        tournament=member.tournament, user=member.user, role=member.role, what=what, invitation=invitation,
        done_by=by, done_at=timezone.now(),
    )  # fmt: skip
