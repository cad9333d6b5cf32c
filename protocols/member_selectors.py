"""What is read of a tournament's people: who serves as what, who is invited, what became of roles."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils import timezone

from .models import MOST_TRIES, OPEN, Game, Invitation, Member, MemberChange, MemberRole, Player, Tournament
from .selectors import members_of

MOST_TOLD = 50  # of the invitations that ended, and of the changes


def roles_of(tournament: Tournament) -> list[tuple[str, list[Member]]]:
    """Who serves, by role from the organizer to the commission, in the order of names; empty roles too. One query."""
    found = sorted(
        members_of(tournament).select_related("user__player"), key=lambda member: _name(member.user).casefold()
    )
    return [(str(role.label), [each for each in found if each.role == role]) for role in MemberRole]


def _name(person: User) -> str:
    return person.get_full_name() or person.get_username()


def nickname_of(person: User) -> str:
    """As whom the person plays; empty where they don't."""
    return Player.objects.filter(user=person).values_list("nickname", flat=True).first() or ""


def invitations_waiting(tournament: Tournament) -> QuerySet[Invitation]:
    """The invitations that can still be accepted, the newest first."""
    open_ones = Invitation.objects.filter(
        tournament=tournament, accepted_at=None, withdrawn_at=None, closes_at__gt=timezone.now(),
        wrong_tries__lt=MOST_TRIES,
    )  # fmt: skip
    return open_ones.select_related("made_by").order_by("-pk")


def invitations_ended(tournament: Tournament) -> QuerySet[Invitation]:
    """The last invitations that can't be accepted any more, the newest first."""
    ended = Q(accepted_at__isnull=False) | Q(withdrawn_at__isnull=False) | Q(closes_at__lte=timezone.now())
    found = Invitation.objects.filter(ended | Q(wrong_tries__gte=MOST_TRIES), tournament=tournament)
    return found.select_related("made_by", "accepted_by", "withdrawn_by").order_by("-pk")[:MOST_TOLD]


def member_changes_of(tournament: Tournament) -> QuerySet[MemberChange]:
    """What became of roles and who did it, the newest first."""
    found = MemberChange.objects.filter(tournament=tournament)
    return found.select_related("user", "done_by", "invitation__made_by").order_by("-pk")[:MOST_TOLD]


def open_games_of_judge(tournament: Tournament, judge: User) -> QuerySet[Game]:
    """The games of the tournament that the person judges and that are not signed, in the order of play."""
    games = Game.objects.filter(tournament=tournament, judge=judge, status__in=OPEN).select_related("stage")
    return games.order_by("stage__number", "number", "table_number")
