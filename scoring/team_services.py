"""Teams are written here: their names, their members, and what is taken off their sums."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from protocols.exchange.lines import line_written
from protocols.models import Player, Tournament, nickname_key
from protocols.services.errors import Invalid

from .penalty_models import MOST_PENALTY
from .penalty_services import exact_points, said_of_penalty
from .team_models import (
    CITY_LENGTH,
    TEAM_NAME_LENGTH,
    Team,
    TeamMember,
    TeamPenalty,
)
from .team_selectors import Listed

MOST_TEAMS = 200  # of a tournament
MOST_MEMBERS = 50  # of a team


def add_team(tournament: Tournament, *, name: str, city: str = "") -> Team:
    """A new team without members. Raises Invalid."""
    with transaction.atomic():
        hold_tournament(tournament)
        if Team.objects.filter(tournament=tournament).count() >= MOST_TEAMS:
            raise Invalid(_("A tournament has at most %(most)d teams.") % {"most": MOST_TEAMS})
        team = Team(tournament=tournament)
        _name(team, name, city)
        team.save()
    return team


def set_team(team: Team, *, name: str, city: str = "") -> Team:
    """Gives the team another name or city. Raises Invalid."""
    with transaction.atomic():
        hold_tournament(team.tournament)
        _name(team, name, city)
        team.save()
    return team


def remove_team(team: Team) -> None:
    """Removes the team; its members stay players. Raises Invalid for a team that was ever given a penalty."""
    with transaction.atomic():
        hold_tournament(team.tournament)
        if TeamPenalty.objects.filter(team=team).exists():
            raise Invalid(_("The team was given a penalty, which stays on record: the team can’t be removed."))
        team.delete()


def set_members(team: Team, members: Sequence[Listed]) -> None:
    """Whoever plays for the team, in the place of those before; written whole or not at all. Raises Invalid."""
    with transaction.atomic():
        hold_tournament(team.tournament)
        write_members(team, members)


def write_members(team: Team, members: Sequence[Listed]) -> None:
    """The same inside a transaction that holds the tournament."""
    players = [member.player_id for member in members]
    names = {member.player_id: member.nickname for member in members}
    if len(players) > MOST_MEMBERS:
        raise Invalid(_("A team has at most %(most)d members.") % {"most": MOST_MEMBERS})
    twice = sorted({names[player] for player in players if players.count(player) > 1})
    if twice:
        raise Invalid(*(_("%(nickname)s is there twice.") % {"nickname": name} for name in twice))
    if sum(member.is_captain for member in members) > 1:
        raise Invalid(_("A team has one captain."))
    elsewhere = TeamMember.objects.filter(tournament=team.tournament, player__in=players).exclude(team=team)
    taken = [
        _("%(nickname)s plays for “%(team)s” already.") % {"nickname": nickname, "team": other}
        for nickname, other in elsewhere.order_by("player__nickname_key").values_list("player__nickname", "team__name")
    ]
    if taken:
        raise Invalid(*taken)
    if Player.objects.filter(pk__in=players).count() != len(players):
        raise Invalid(_("One of these players is not there any more."))
    TeamMember.objects.filter(team=team).delete()
    TeamMember.objects.bulk_create(
        TeamMember(
            tournament_id=team.tournament_id,
            team=team,
            player_id=member.player_id,
            is_captain=member.is_captain,
            is_replacement=member.is_replacement,
        )
        for member in members
    )


def give_penalty(team: Team, *, points: Decimal, reason: str, by: User, clause: str = "") -> TeamPenalty:
    """Takes so many points, above 0, off the team's sum, from now on. Raises Invalid."""
    reason, clause = said_of_penalty(reason, clause)
    if not team.tournament.rules.team_penalties:
        raise Invalid(_("Under the regulation of the tournament there are no penalties of a team."))
    exact = exact_points(points)
    if not 1 <= exact <= MOST_PENALTY:
        raise Invalid(
            _("A penalty takes off more than 0 and at most %(most)d points.") % {"most": MOST_PENALTY // 1000}
        )
    return TeamPenalty.objects.create(
        team=team, points=exact, clause=clause, reason=reason, given_by=by, given_at=timezone.now()
    )


def hold_tournament(tournament: Tournament) -> Tournament:
    """Holds the tournament's row until the transaction ends, so that of two people one is the first."""
    return Tournament.objects.select_for_update().get(pk=tournament.pk)


def name_flaw(name: str) -> str:
    """Why this can't be a team's name, in words; empty where it can."""
    if not line_written(name) or not nickname_key(name):
        return _("A team needs a name.")
    if len(line_written(name)) > TEAM_NAME_LENGTH:
        return _("A team’s name has at most %(most)d characters.") % {"most": TEAM_NAME_LENGTH}
    return ""


def _name(team: Team, name: str, city: str) -> None:
    flaw = name_flaw(name)
    if flaw:
        raise Invalid(flaw)
    name, city = line_written(name), line_written(city)
    if len(city) > CITY_LENGTH:
        raise Invalid(_("The text is too long: at most %(most)d characters.") % {"most": CITY_LENGTH})
    same = Team.objects.filter(tournament=team.tournament, name_key=nickname_key(name)).exclude(pk=team.pk)
    if same.exists():
        raise Invalid(_("The tournament has a team “%(team)s” already.") % {"team": same[0].name})
    team.name, team.city = name, city
