"""Protests as they are read: those of a game, and which games wait for a decision."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from .models import Game, Member, MemberRole, Protest, Status, Tournament

_UNDECIDED = Q(decision__announced_at=None)  # no decision at all, or one that nobody knows yet


def protests_of(game: Game) -> QuerySet[Protest]:
    """The protests against the game in the order of filing, with who made them and their decisions; one query."""
    found: QuerySet[Protest] = Protest.objects.filter(game=game).order_by("number")
    return found.select_related("player", "decision", "filed_by", "admitted_by")


def undecided_protests_of(tournament: Tournament) -> QuerySet[Protest]:
    """The protests that the public doesn't know the decision of, the oldest first."""
    found: QuerySet[Protest] = Protest.objects.filter(_UNDECIDED, game__tournament=tournament)
    return found.select_related("player", "decision", "game", "game__stage").order_by("filed_at", "pk")


def commission_of(tournament: Tournament) -> QuerySet[Member]:
    """The members of the appeals commission (A 8.7.2)."""
    found: QuerySet[Member] = Member.objects.filter(tournament=tournament, role=MemberRole.COMMISSION)
    return found.select_related("user").order_by("user_id")


def _of_this(protests: QuerySet[Protest]) -> Exists:
    return Exists(protests.filter(game=OuterRef("pk")))


def is_contested() -> Q:
    """Signed games with a protest that is not decided, or whose decision is not announced.

    What stands in the protest's field of a record that came in a file is such a protest, until protests of its
    players are filed here.
    """
    told_by_file = ~Q(protest="") & ~_of_this(Protest.objects.all())
    return Q(status=Status.SIGNED) & (_of_this(Protest.objects.filter(_UNDECIDED)) | told_by_file)
