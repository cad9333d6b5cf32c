"""Who changed which team's line-up, when, and how: written down by comparing the teams before and after."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from protocols.models import Tournament

from .selectors import alphabetical
from .team_models import Team, TeamChange, TeamMember


@dataclass(slots=True)
class LineUp:
    """A team as it is at a moment: nicknames in the order of the alphabet."""

    name: str
    city: str
    members: list[str] = field(default_factory=list)
    captain: str = ""
    replacements: list[str] = field(default_factory=list)


@contextmanager
def logged(tournament: Tournament, *, by: User) -> Iterator[None]:
    """What is done to the tournament's teams inside is written down, in the same transaction, a row a team."""
    with transaction.atomic():
        Tournament.objects.select_for_update().get(pk=tournament.pk)
        before = line_ups_of(tournament)
        yield
        after = line_ups_of(tournament)
        at = timezone.now()
        TeamChange.objects.bulk_create(
            TeamChange(
                tournament=tournament, team_id=pk if pk in after else None, name=(after.get(pk) or before[pk]).name,
                change=change, by=by, at=at,
            )
            for pk in dict.fromkeys([*before, *after])
            if (change := change_of(before.get(pk), after.get(pk)))
        )  # fmt: skip


def line_ups_of(tournament: Tournament) -> dict[int, LineUp]:
    """Every team with its members, by team; two queries."""
    teams = Team.objects.filter(tournament=tournament).order_by("pk")
    found = {pk: LineUp(name, city) for pk, name, city in teams.values_list("pk", "name", "city")}
    rows = TeamMember.objects.filter(tournament=tournament).order_by()
    for pk, nickname, is_captain, is_replacement in rows.values_list(
        "team", "player__nickname", "is_captain", "is_replacement"
    ):
        found[pk].members.append(nickname)
        if is_captain:
            found[pk].captain = nickname
        if is_replacement:
            found[pk].replacements.append(nickname)
    for each in found.values():
        each.members.sort(key=alphabetical)
        each.replacements.sort(key=alphabetical)
    return found


def change_of(was: LineUp | None, now: LineUp | None) -> dict[str, Any]:
    """What is different, empty where nothing is: `made` or `removed`, and what of name, city and members changed."""
    old, new = was or LineUp("", ""), now or LineUp("", "")
    change: dict[str, Any] = {"made": True} if was is None else {"removed": True} if now is None else {}
    if was is not None and now is not None:
        change |= {name: pair for name in ("name", "city") if (pair := _pair(old, new, name))}
    joined = [each for each in new.members if each not in old.members]
    left = [each for each in old.members if each not in new.members]
    change |= {"joined": joined} if joined else {}
    change |= {"left": left} if left else {}
    return change | {name: pair for name in ("captain", "replacements") if (pair := _pair(old, new, name))}


def _pair(old: LineUp, new: LineUp, name: str) -> list[Any]:
    pair = [getattr(old, name), getattr(new, name)]
    return pair if pair[0] != pair[1] else []
