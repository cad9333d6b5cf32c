"""The teams of a tournament in its archive: their members, and every penalty given and revoked."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from protocols.models import Player, Tournament, nickname_key
from protocols.models.entries import instant_written
from protocols.services.errors import Invalid
from protocols.services.people import person_of_file, printed_name

from .penalty_archives import penalty_fields, penalty_told
from .team_models import Team, TeamChange, TeamMember, TeamPenalty


def teams_told(tournament: Tournament) -> list[dict[str, Any]]:
    """The teams by name, each with its members by nickname and its penalties in the order of time."""
    teams = Team.objects.filter(tournament=tournament).prefetch_related(
        "members__player", "penalties__given_by", "penalties__revoked_by"
    )
    log: dict[int, list[TeamChange]] = {}
    for change in TeamChange.objects.filter(tournament=tournament, team__isnull=False).select_related("by"):
        log.setdefault(change.team_id or 0, []).append(change)
    return [
        {
            "name": team.name,
            "city": team.city,
            "members": [
                {"player": each.player.nickname, "captain": each.is_captain, "replacement": each.is_replacement}
                for each in sorted(team.members.all(), key=lambda each: each.player.nickname_key)
            ],
            **_log(log.get(team.pk, [])),
            "penalties": sorted(
                (penalty_told(each) for each in team.penalties.all()), key=lambda told: repr(told["at"])
            ),
        }
        for team in sorted(teams, key=lambda team: team.name_key)
    ]


def removed_told(tournament: Tournament) -> list[dict[str, Any]]:
    """The changes of teams that are there no more, in the order of time."""
    changes = TeamChange.objects.filter(tournament=tournament, team=None).select_related("by")
    return sorted((_change(each) for each in changes), key=repr)


def _log(changes: list[TeamChange]) -> dict[str, Any]:
    """The log of a team, in the order of time; nothing where it was never changed."""
    told = sorted((_change(each) for each in changes), key=lambda each: (each["at"], repr(each)))
    return {"log": told} if told else {}


def _change(change: TeamChange) -> dict[str, Any]:
    at = instant_written(change.at)
    return {"at": at, "by": printed_name(change.by), "name": change.name, "change": change.change}


def write_changes_told(tournament: Tournament, team: Team | None, told: list[dict[str, Any]]) -> None:
    """Writes the log of a team, or of those that were removed."""
    TeamChange.objects.bulk_create(
        TeamChange(
            tournament=tournament, team=team, name=each["name"], change=each["change"],
            by=person_of_file(each["by"]), at=datetime.fromisoformat(each["at"]),
        )
        for each in told
    )  # fmt: skip


def write_teams_told(tournament: Tournament, told: list[dict[str, Any]], players: Mapping[str, Player]) -> None:
    """Writes the teams that an archive tells of. Raises Invalid for what no site could have written."""
    names = [nickname_key(team["name"]) for team in told]
    members = [nickname_key(each["player"]) for team in told for each in team["members"]]
    if len(set(names)) != len(names):
        raise Invalid(_("Two teams of the archive have one name."))
    if not set(members) <= set(players) or len(set(members)) != len(members):
        raise Invalid(_("A team names players who are not in the archive, or a player is in two teams."))
    for each in told:
        if sum(member["captain"] for member in each["members"]) > 1:
            raise Invalid(_("A team has one captain."))
        team = Team.objects.create(tournament=tournament, name=each["name"], city=each["city"])
        TeamMember.objects.bulk_create(
            TeamMember(
                tournament=tournament,
                team=team,
                player=players[nickname_key(member["player"])],
                is_captain=member["captain"],
                is_replacement=member["replacement"],
            )
            for member in each["members"]
        )
        write_changes_told(tournament, team, each.get("log", []))
        for penalty in each["penalties"]:
            TeamPenalty.objects.create(team=team, **penalty_fields(penalty))
