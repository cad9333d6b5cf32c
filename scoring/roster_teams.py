"""The teams that a list of players names: made where there is none, filled up, nobody taken from another one."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from django.db import transaction
from django.utils.translation import gettext as _

from protocols.exchange.roster import Listed
from protocols.look_alikes import skeleton
from protocols.models import Tournament, nickname_key
from protocols.services.errors import Invalid
from protocols.services.roster import Plan, Written, read_roster, write_roster

from .team_models import Team, TeamMember
from .team_selectors import TeamFacts, members_by_team, team_facts_of
from .team_services import MOST_MEMBERS, MOST_TEAMS, hold_tournament


@dataclass(slots=True)
class ToldTeam:
    """A team of the list: whom it would take, and who plays for another one already."""

    name: str
    key: str
    team: int | None = None  # None: a new one
    joins: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    stays: list[tuple[str, str]] = field(default_factory=list)  # nickname, the team that it stays in
    alike: tuple[str, ...] = ()  # teams whose names look the same


@dataclass(slots=True)
class RosterPlan:
    """What the list would write: people and teams."""

    people: Plan
    teams: list[ToldTeam] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    @property
    def fingerprint(self) -> str:
        """The same while the list means the same."""
        teams = [(each.key, each.team, each.joins, each.stays, each.alike) for each in self.teams]
        return hashlib.sha256(repr((self.people.fingerprint, teams, self.errors)).encode()).hexdigest()


def read_all(tournament: Tournament, listed: Listed) -> RosterPlan:
    """What the list means; writes nothing."""
    people = read_roster(tournament, listed)
    plan = RosterPlan(people, errors=list(people.errors))
    facts = team_facts_of(tournament) if any(told.row.team for told in people.lines) else []
    known = {nickname_key(each.name): each for each in facts}
    now = members_by_team(facts)
    teams: dict[str, ToldTeam] = {}
    for told in people.lines:
        key = nickname_key(told.row.team)
        if not key or told.repeats is not None:
            continue
        found = known.get(key)
        name, pk = (found.name, found.pk) if found else (told.row.team, None)
        team = teams.setdefault(key, ToldTeam(name, key, pk))
        team.lines.append(told.row.line)
        other = now.get(told.player.pk) if told.player is not None else None
        if other is None:
            team.joins.append(told.nickname)
        elif nickname_key(other) != key:
            team.stays.append((told.nickname, other))
    plan.teams = list(teams.values())
    _look(plan, facts)
    _bounds(plan, facts)
    return plan


def take_roster(
    tournament: Tournament, listed: Listed, *, choices: Mapping[int, str], seen: str | None = None
) -> Written:
    """Writes the list and its teams, whole or not at all; as they were `seen`, where that is told. Raises Invalid."""
    with transaction.atomic():
        hold_tournament(tournament)
        plan = read_all(tournament, listed)
        if plan.errors:
            raise Invalid(*plan.errors)
        if seen is not None and plan.fingerprint != seen:
            raise Invalid(_("Players or participants have changed since the list was shown: look at it once more."))
        written = write_roster(tournament, plan.people, seen=plan.people.fingerprint, choices=choices)
        _fill(tournament, plan, written)
    return written


def _look(plan: RosterPlan, facts: list[TeamFacts]) -> None:
    names = list(dict.fromkeys([team.name for team in facts] + [team.name for team in plan.teams]))
    looks = {name: skeleton(name) for name in names}
    for team in plan.teams:
        if team.team is None:
            alike = [name for name in names if nickname_key(name) != team.key and looks[name] == looks[team.name]]
            team.alike = tuple(alike)


def _bounds(plan: RosterPlan, facts: list[TeamFacts]) -> None:
    if len(facts) + sum(team.team is None for team in plan.teams) > MOST_TEAMS:
        plan.errors.append(_("A tournament has at most %(most)d teams.") % {"most": MOST_TEAMS})
    sizes = {team.pk: len(team.members) for team in facts}
    for team in plan.teams:
        if sizes.get(team.team or 0, 0) + len(team.joins) > MOST_MEMBERS:
            words = _("“%(team)s”: a team has at most %(most)d members.")
            plan.errors.append(words % {"team": team.name, "most": MOST_MEMBERS})


def _fill(tournament: Tournament, plan: RosterPlan, written: Written) -> None:
    """Puts the players into their teams; who is in one of the tournament's teams stays there."""
    taken = set(TeamMember.objects.filter(tournament=tournament).values_list("player", flat=True))
    members = []
    for told in plan.teams:
        team = Team.objects.get(pk=told.team) if told.team is not None else Team(tournament=tournament, name=told.name)
        if told.team is None:
            team.save()
        for line in told.lines:
            player = written.players[line]
            if player.pk not in taken:
                taken.add(player.pk)
                members.append(TeamMember(tournament=tournament, team=team, player=player))
    TeamMember.objects.bulk_create(members)
