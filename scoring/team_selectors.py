"""Teams as they are read: two queries, whatever their number."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import Q

from protocols.models import Game, Player, Seat, Tournament

from .selectors import TournamentStandings, alphabetical
from .team_models import Team, TeamChange, TeamMember, TeamPenalty
from .teams import Squad, TeamPlace, team_standings


@dataclass(frozen=True, slots=True)
class Listed:
    """A member of a team."""

    player_id: int
    nickname: str
    is_captain: bool = False
    is_replacement: bool = False


@dataclass(slots=True)
class TeamFacts:
    """A team with its members, the captain first, and all its penalties, the revoked ones too."""

    pk: int
    name: str
    city: str
    members: list[Listed] = field(default_factory=list)
    penalties: list[TeamPenalty] = field(default_factory=list)

    @property
    def in_force(self) -> list[TeamPenalty]:
        """The penalties that are not revoked."""
        return [penalty for penalty in self.penalties if penalty.revoked_at is None]


@dataclass(frozen=True, slots=True)
class TournamentTeams:
    """The team standings of a tournament, with what a page says beside them."""

    places: tuple[TeamPlace, ...]
    facts: dict[int, TeamFacts]  # by team

    @property
    def team_of(self) -> dict[int, str]:
        """The name of each player's team."""
        return {member.player_id: team.name for team in self.facts.values() for member in team.members}


@dataclass(frozen=True, slots=True)
class Together:
    """Members of one team at one table."""

    game: Game
    team: str
    nicknames: tuple[str, ...]
    uuid: uuid.UUID


def team_facts_of(tournament: Tournament) -> list[TeamFacts]:
    """The teams by name: two queries, one where there is none."""
    rows = Team.objects.filter(tournament=tournament).order_by("name_key", "pk")
    members = ("player", "player__nickname", "is_captain", "is_replacement")
    found: dict[int, TeamFacts] = {}
    for pk, name, city, *cells in rows.values_list("pk", "name", "city", *(f"members__{each}" for each in members)):
        team = found.setdefault(pk, TeamFacts(pk, name, city))
        if cells[0] is not None:
            team.members.append(Listed(*cells))
    if found:
        penalties = TeamPenalty.objects.filter(team__in=found).select_related("given_by", "revoked_by")
        for penalty in penalties.order_by("given_at", "pk"):
            found[penalty.team_id].penalties.append(penalty)
    for team in found.values():
        team.members.sort(key=lambda each: (not each.is_captain, each.is_replacement, alphabetical(each.nickname)))
    return sorted(found.values(), key=lambda team: (alphabetical(team.name), team.pk))


def teams_of(found: TournamentStandings) -> TournamentTeams | None:
    """The team standings by these personal ones; None where the tournament has no teams."""
    facts = team_facts_of(found.tournament)
    if not facts:
        return None
    squads = [
        Squad(
            team.pk,
            alphabetical(team.name),
            tuple(member.player_id for member in team.members),
            sum(penalty.points for penalty in team.in_force),
        )
        for team in facts
    ]
    places = team_standings(found.table, squads, found.tournament.rules)
    return TournamentTeams(places, {team.pk: team for team in facts})


def team_names_of(tournament: Tournament) -> dict[int, str]:
    """The name of each player's team; one query."""
    rows = TeamMember.objects.filter(tournament=tournament).order_by()
    return dict(rows.values_list("player", "team__name"))


def has_teams(tournament: Tournament) -> bool:
    """Whether the tournament has teams; one query."""
    return Team.objects.filter(tournament=tournament).exists()


def players_of(tournament: Tournament) -> list[Player]:
    """Whoever has a seat in a game of the tournament, or is in a team of it, by nickname; one query."""
    seated = Seat.objects.filter(game__tournament=tournament).values("player")
    members = TeamMember.objects.filter(tournament=tournament).values("player")
    found = Player.objects.filter(Q(pk__in=seated) | Q(pk__in=members))
    return sorted(found, key=lambda player: alphabetical(player.nickname))


def together_of(tournament: Tournament) -> list[Together]:
    """Where members of one team sit at one table, games that are not over first; one query where there are none."""
    rows = (
        Seat.objects.filter(game__tournament=tournament, player__team_memberships__tournament=tournament)
        .order_by("game__stage__number", "game__number", "game__table_number", "number")
        .values_list("game", "player__team_memberships__team__name", "nickname")
    )
    found: dict[tuple[int, str], list[str]] = {}
    for game, team, nickname in rows:
        found.setdefault((game, team), []).append(nickname)
    several = {key: names for key, names in found.items() if len(names) > 1}
    if not several:
        return []
    games = Game.objects.filter(pk__in={game for game, _team in several}).select_related("stage").in_bulk()
    listed = [Together(games[game], team, tuple(names), games[game].uuid) for (game, team), names in several.items()]
    return sorted(listed, key=lambda each: each.game.is_closed)


def mates_at(game: Game) -> dict[str, list[tuple[int, str]]]:
    """Who of one team sit at this table: seats and nicknames by the team's name; one query."""
    rows = Seat.objects.filter(game=game, player__team_memberships__tournament=game.tournament_id).order_by("number")
    found: dict[str, list[tuple[int, str]]] = {}
    for team, number, nickname in rows.values_list("player__team_memberships__team__name", "number", "nickname"):
        found.setdefault(team, []).append((number, nickname))
    return {team: seats for team, seats in found.items() if len(seats) > 1}


def changes_of(tournament: Tournament, team: int | None) -> list[TeamChange]:
    """The changes of that team's line-up, the latest first; None: of teams that were removed. One query."""
    rows = TeamChange.objects.filter(tournament=tournament, team=team)
    return list(rows.select_related("by").order_by("-at", "-pk"))


def members_by_team(teams: Iterable[TeamFacts]) -> dict[int, str]:
    """The name of each player's team, of these."""
    return {member.player_id: team.name for team in teams for member in team.members}
