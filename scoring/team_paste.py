"""Teams pasted as lines «Team: nickname, nickname»: first read and shown, then written whole or not at all.

A line gives a team its whole line-up: who is not on it leaves the team. A line with a tab in it, as a spreadsheet
gives it, is cut at its tabs; one with a semicolon after the name, at these; any other at its commas. «(к)» after a
nickname is the captain, «(з)» a replacement.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from protocols.exchange.lines import line_written
from protocols.look_alikes import skeleton
from protocols.models import NICKNAME_LENGTH, Player, Tournament, nickname_key, nickname_written
from protocols.selectors import players_named
from protocols.services.errors import Invalid
from protocols.services.prepare import new_players

from .team_log import logged
from .team_models import Team, TeamMember
from .team_selectors import Listed, TeamFacts, players_of, team_facts_of
from .team_services import MOST_MEMBERS, MOST_TEAMS, name_flaw, write_members

LONGEST_PASTE = 20_000  # characters
MOST_COMPARED = 200  # unknown nicknames; more are compared by their look only
ALIKE = 0.75  # of 1, by difflib
MARK = re.compile(r"\s*[(\[](к|капитан|c|captain|з|запасной|замена|s|substitute)[)\]]\s*$", re.IGNORECASE)
CAPTAINS = frozenset({"к", "капитан", "c", "captain"})


@dataclass(slots=True)
class PastedMember:
    """A nickname of a line: who it is, and what is to be said of it before anything is written."""

    nickname: str  # of the player, or as it is pasted
    key: str
    player: int | None  # None: nobody has the nickname
    is_captain: bool
    is_replacement: bool
    alike: tuple[str, ...] = ()  # nicknames that it may be mistaken for
    leaves: str = ""  # the team that the player leaves for this one
    is_seated: bool = True  # has a seat in a game of the tournament; True where nobody has one yet


@dataclass(slots=True)
class PastedTeam:
    """A line: a team, new or known, and its whole line-up."""

    name: str
    key: str
    team: int | None  # None: a new one
    members: list[PastedMember] = field(default_factory=list)
    leaving: tuple[str, ...] = ()  # members of today who are not on the line
    alike: tuple[str, ...] = ()  # teams that it may be mistaken for


@dataclass(slots=True)
class Plan:
    """What the lines would write."""

    teams: list[PastedTeam] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)  # with any of these nothing can be written

    @property
    def unknown(self) -> list[PastedMember]:
        """Nicknames that nobody has: they would be new players."""
        return [member for team in self.teams for member in team.members if member.player is None]

    @property
    def fingerprint(self) -> str:
        """The same while the lines mean the same."""
        told = [
            (team.key, team.team, team.leaving, [(each.key, each.player, each.leaves) for each in team.members])
            for team in self.teams
        ]
        return hashlib.sha256(repr((told, self.errors)).encode()).hexdigest()


def read_teams(tournament: Tournament, text: str) -> Plan:
    """What the pasted lines mean; writes nothing. At most `LONGEST_PASTE` characters are looked at."""
    plan = Plan()
    if len(text) > LONGEST_PASTE:
        plan.errors.append(_("The list is too long: at most %(most)d characters.") % {"most": LONGEST_PASTE})
        return plan
    lines = [line for line in enumerate(text.splitlines(), start=1) if line[1].strip()]
    cut = [(number, *_cut(line)) for number, line in lines]
    facts = team_facts_of(tournament)
    keys = {
        nickname_key(each) for _number, _name, names in cut for name in names for each in (name, MARK.sub("", name))
    }
    known = players_named(keys)
    for number, name, names in cut:
        team = _team(name, facts)
        team.members = [_member(each, known) for each in names]
        plan.teams.append(team)
        plan.errors.extend(_flaws(number, team))
    plan.errors.extend(_twice(plan.teams))
    new = sum(team.team is None for team in plan.teams)
    if len(facts) + new > MOST_TEAMS:
        plan.errors.append(_("A tournament has at most %(most)d teams.") % {"most": MOST_TEAMS})
    _move(plan, facts)
    _look_alike(plan, facts, players_of(tournament), _seated(tournament))
    return plan


def write_teams(tournament: Tournament, text: str, *, seen: str, confirm_new: bool, by: User) -> Plan:
    """Writes the teams of the lines, as they were seen. Raises Invalid, and then nothing is written.

    `seen` is the fingerprint of the plan that the organizer looked at; `confirm_new`: unknown nicknames are of new
    players.
    """
    with logged(tournament, by=by):
        plan = read_teams(tournament, text)
        if plan.errors:
            raise Invalid(*plan.errors)
        if not plan.teams:
            raise Invalid(_("There is no line with a team."))
        if plan.fingerprint != seen:
            raise Invalid(_("Teams or players have changed since the list was shown: look at it once more."))
        if plan.unknown and not confirm_new:
            raise Invalid(_("Confirm that the nicknames that nobody has are new players."))
        made = new_players(member.nickname for member in plan.unknown)
        moving = [member.player for team in plan.teams for member in team.members if member.player is not None]
        teams = [_written(tournament, team) for team in plan.teams]
        TeamMember.objects.filter(team__in=teams).delete()
        TeamMember.objects.filter(tournament=tournament, player__in=moving).delete()
        for team, told in zip(teams, plan.teams, strict=True):
            write_members(team, [_listed(member, made) for member in told.members])
    return plan


def _written(tournament: Tournament, told: PastedTeam) -> Team:
    if told.team is not None:
        return Team.objects.get(pk=told.team)
    team = Team(tournament=tournament, name=told.name)
    team.save()
    return team


def _listed(member: PastedMember, made: dict[str, Player]) -> Listed:
    player = member.player if member.player is not None else made[member.key].pk
    return Listed(player, member.nickname, member.is_captain, member.is_replacement)


def _cut(line: str) -> tuple[str, list[str]]:
    """The team's name and the nicknames of a line."""
    if "\t" in line:
        name, *names = line.split("\t")
        name = name.removesuffix(":")
    else:
        name, _colon, rest = line.partition(":")
        names = rest.split(";" if ";" in rest else ",")
    return line_written(name), [written for each in names if (written := nickname_written(each))]


def _team(name: str, facts: Sequence[TeamFacts]) -> PastedTeam:
    key = nickname_key(name)
    found = next((team for team in facts if nickname_key(team.name) == key), None)
    return PastedTeam(found.name if found else name, key, found.pk if found else None)


def _member(text: str, known: dict[str, Player]) -> PastedMember:
    mark = None if nickname_key(text) in known else MARK.search(text)
    kind = mark[1].casefold() if mark else ""
    nickname = nickname_written(text[: mark.start()] if mark else text)
    key = nickname_key(nickname)
    player = known.get(key)
    key = player.nickname_key if player else key  # of who the player has turned out to be
    return PastedMember(
        nickname=player.nickname if player else nickname,
        key=key,
        player=player.pk if player else None,
        is_captain=kind in CAPTAINS,
        is_replacement=bool(kind) and kind not in CAPTAINS,
    )


def _flaws(number: int, team: PastedTeam) -> Iterable[str]:
    flaw = name_flaw(team.name)
    if flaw:
        yield _("Line %(line)d: %(why)s") % {"line": number, "why": flaw}
    if not team.members:
        words = _("Line %(line)d: there is nobody after the name of the team “%(team)s”.")
        yield words % {"line": number, "team": team.name[:80]}
    if len(team.members) > MOST_MEMBERS:
        why = _("A team has at most %(most)d members.") % {"most": MOST_MEMBERS}
        yield _("Line %(line)d: %(why)s") % {"line": number, "why": why}
    if sum(member.is_captain for member in team.members) > 1:
        yield _("Line %(line)d: %(why)s") % {"line": number, "why": _("A team has one captain.")}
    for member in team.members:
        if not member.key or len(member.nickname) > NICKNAME_LENGTH:
            words = _("Line %(line)d: “%(nickname)s” is no nickname: it has at most %(most)d characters.")
            yield words % {"line": number, "nickname": member.nickname[:80], "most": NICKNAME_LENGTH}


def _twice(teams: Sequence[PastedTeam]) -> Iterable[str]:
    names = Counter(team.key for team in teams)
    for team in {team.key: team for team in teams if team.key and names[team.key] > 1}.values():
        yield _("The team “%(team)s” has two lines.") % {"team": team.name}
    places: dict[str, list[PastedTeam]] = {}
    nicknames: dict[str, str] = {}
    for team in teams:
        for member in team.members:
            places.setdefault(member.key, []).append(team)
            nicknames[member.key] = member.nickname
    for key, found in places.items():
        if len(found) > 1 and len({team.key for team in found}) == 1:
            words = _("%(nickname)s is twice in the line of “%(team)s”.")
            yield words % {"nickname": nicknames[key], "team": found[0].name}
        elif len(found) > 1:
            words = _("%(nickname)s is in the lines of “%(team)s” and “%(other)s”: a player has one team.")
            yield words % {"nickname": nicknames[key], "team": found[0].name, "other": found[1].name}


def _move(plan: Plan, facts: Sequence[TeamFacts]) -> None:
    """Who leaves which team: an error where the other team has no line of its own."""
    now = {member.player_id: team for team in facts for member in team.members}
    named = {team.team for team in plan.teams}
    for team in plan.teams:
        for member in team.members:
            other = now.get(member.player) if member.player is not None else None
            if other is None or other.pk == team.team:
                continue
            if other.pk in named:
                member.leaves = other.name
            else:
                words = _("%(nickname)s plays for “%(team)s” already.")
                plan.errors.append(words % {"nickname": member.nickname, "team": other.name})
        stays = {member.player for member in team.members}
        today = next((each.members for each in facts if each.pk == team.team), [])
        team.leaving = tuple(member.nickname for member in today if member.player_id not in stays)


def _seated(tournament: Tournament) -> set[int]:
    rows = Player.objects.filter(seats__game__tournament=tournament).order_by()
    return set(rows.values_list("pk", flat=True).distinct())


def _look_alike(plan: Plan, facts: Sequence[TeamFacts], players: Sequence[Player], seated: set[int]) -> None:
    """Says of each nickname and each new team what it may be mistaken for."""
    names = [player.nickname for player in players]
    names += [member.nickname for team in plan.teams for member in team.members]
    by_look: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        by_look.setdefault(skeleton(name), []).append(name)
    are_few = len(plan.unknown) <= MOST_COMPARED
    for team in plan.teams:
        for member in team.members:
            own = skeleton(member.nickname)
            is_new = member.player is None and are_few
            looks = get_close_matches(own, by_look, n=3, cutoff=ALIKE) if is_new else [own]
            alike = [name for each in looks for name in by_look.get(each, ()) if nickname_key(name) != member.key]
            member.alike = tuple(dict.fromkeys(alike))
            member.is_seated = not seated or member.player in seated
    teams = list(dict.fromkeys([team.name for team in facts] + [team.name for team in plan.teams]))
    for team in plan.teams:
        if team.team is None:
            team.alike = tuple(
                name for name in teams if nickname_key(name) != team.key and skeleton(name) == skeleton(team.name)
            )
