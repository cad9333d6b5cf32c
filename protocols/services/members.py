"""Who serves in a tournament in which role: given, changed and taken, with who did it and when."""

from __future__ import annotations

import logging

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ..models import (
    OPEN,
    Game,
    Invitation,
    Member,
    MemberChange,
    MemberRole,
    Participant,
    Player,
    Seat,
    Status,
    Tournament,
    nickname_key,
)
from ..selectors import players_named
from .errors import Invalid
from .people import printed_name

logger = logging.getLogger(__name__)

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


def say_who_plays(member: Member, nickname: str, *, by: User) -> Player | None:
    """Says as whom the person plays, so that they judge no table of their own and see no roles there; "" says: nobody.

    Raises Invalid for a nickname that doesn't take part here, for a player who is somebody else's, where the person
    judges an unsigned game in which that player sits (naming table, seat and nickname), and while they sit at a table
    that is not over.
    """
    user = member.user
    with transaction.atomic():
        _hold(member.tournament)
        before = Player.objects.select_for_update().filter(user=user).first()
        player = _player_here(member.tournament, nickname) if nickname.strip() else None
        if player == before:
            return player
        if before is not None:
            _refuse_while_playing(user, before)
            Player.objects.filter(pk=before.pk).update(user=None)
        if player is not None:
            if player.user_id is not None:
                words = {"nickname": player.nickname, "person": printed_name(player.user)}
                raise Invalid(_("%(nickname)s is %(person)s already; a player has one account.") % words)
            _refuse_own_tables(user, player)
            Player.objects.filter(pk=player.pk).update(user=user)
        told = player.nickname if player else "nobody"
        logger.info("%s says that %s plays as %s", by.get_username(), user.get_username(), told)
    return player


def _player_here(tournament: Tournament, nickname: str) -> Player:
    """Who takes part here under that nickname. Raises Invalid."""
    player = players_named([nickname_key(nickname)]).get(nickname_key(nickname))
    takes_part = player is not None and (
        Participant.objects.filter(tournament=tournament, player=player).exists()
        or Seat.objects.filter(game__tournament=tournament, player=player).exists()
    )
    if player is None or not takes_part:
        raise Invalid(_("Nobody takes part here as “%(nickname)s”.") % {"nickname": nickname.strip()})
    return player


def _refuse_while_playing(user: User, player: Player) -> None:
    """Raises Invalid at a table that is not over: whoever plays there is not to see its roles (RULES §9)."""
    sits = Seat.objects.filter(player=player, game__status=Status.RUNNING).select_related("game").first()
    if sits is not None:
        words = {
            "person": printed_name(user), "nickname": sits.nickname, "seat": sits.number,
            "table": sits.game.table_number,
        }  # fmt: skip
        raise Invalid(
            _("%(person)s plays at table %(table)d now, seat %(seat)d, %(nickname)s: change this after the game.")
            % words
        )


def _refuse_own_tables(user: User, player: Player) -> None:
    """Raises Invalid where the person judges a game that is not signed and in which that player sits."""
    own = Seat.objects.filter(player=player, game__judge=user, game__status__in=OPEN).select_related("game")
    messages = [
        _("Game %(number)d, table %(table)d, seat %(seat)d, %(nickname)s: the judge of the game can’t play in it.")
        % {
            "number": seat.game.number, "table": seat.game.table_number, "seat": seat.number, "nickname": seat.nickname,
        }
        for seat in own.order_by("game__number", "game__table_number")
    ]  # fmt: skip
    if messages:
        raise Invalid(*messages)


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
