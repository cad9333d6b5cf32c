"""Protests as they are read: those of a game, and which games wait for a decision."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Q, QuerySet

from .models import Game, Member, MemberRole, Protest, ProtestDecision, Status, Tournament

_UNDECIDED = Q(decision__announced_at=None)  # no decision at all, or one that nobody knows yet


def protests_of(game: Game) -> QuerySet[Protest]:
    """The protests against the game in the order of filing, with who made them and their decisions; one query."""
    found: QuerySet[Protest] = Protest.objects.filter(game=game).order_by("number")
    return found.select_related("player", "decision", "filed_by", "admitted_by")


def protests_by_game(games: Collection[int]) -> dict[int, list[Protest]]:
    """The same of several games by the games' keys, of those that have any; one query."""
    found: dict[int, list[Protest]] = {}
    rows = Protest.objects.filter(game__in=games).select_related("player", "decision").order_by("game", "number")
    for each in rows:
        found.setdefault(each.game_id, []).append(each)
    return found


def protests_filed(tournament: Tournament) -> list[tuple[int, str]]:
    """What of the tournament's protests is printed on its sheets: which there are, and when each was decided."""
    rows = Protest.objects.filter(game__tournament=tournament).order_by("pk")
    return [(pk, at.isoformat() if at else "") for pk, at in rows.values_list("pk", "decision__announced_at")]


def undecided_protests_of(tournament: Tournament) -> QuerySet[Protest]:
    """The protests that the public doesn't know the decision of, the oldest first."""
    found: QuerySet[Protest] = Protest.objects.filter(_UNDECIDED, game__tournament=tournament)
    return found.select_related("player", "decision", "game", "game__stage").order_by("filed_at", "pk")


def commission_of(tournament: Tournament) -> QuerySet[Member]:
    """The members of the appeals commission (A 8.7.2)."""
    found: QuerySet[Member] = Member.objects.filter(tournament=tournament, role=MemberRole.COMMISSION)
    return found.select_related("user").order_by("user_id")


def is_contested() -> Q:
    """Signed games with a protest that is not decided, or whose decision is not announced.

    What stands in the protest's field of a record that came in a file is such a protest, until protests of its
    players are filed here.
    """
    # Sets that the database makes once: asked game by game, a season of thousands would take longer.
    told_by_file = ~Q(protest="") & ~Q(pk__in=Protest.objects.order_by().values("game"))
    undecided = Q(pk__in=Protest.objects.filter(_UNDECIDED).order_by().values("game"))
    return Q(status=Status.SIGNED) & (told_by_file | undecided)


def has_decision() -> Q:
    """Games with a decision on a protest that is announced."""
    return Q(pk__in=ProtestDecision.objects.filter(announced_at__isnull=False).order_by().values("game"))
