"""A team as it stands in an export; EXPORTS.md tells what each key means."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from .ratings import MILLION, ONE
from .team_selectors import TournamentTeams
from .teams import TeamPlace


def team_told(teams: TournamentTeams, row: TeamPlace, exact: Callable[..., str]) -> dict[str, Any]:
    """The team's place and sums, its members, and its penalties in force; `exact` writes a number."""
    team = teams.facts[row.team_id]
    members = {member.player_id: member for member in team.members}
    return {
        "place": row.number,
        "last_place": row.last,
        "name": team.name,
        "city": team.city,
        "total": exact(row.total, MILLION),
        "sum": exact(row.sum, MILLION),
        "penalties": exact(-row.penalty, MILLION),
        "above_the_next_by": row.decision.key if row.decision else None,
        "members": [
            {
                "nickname": members[share.player_id].nickname,
                "rating": exact(share.place.rating.total, MILLION) if share.place else None,
                "counts": share.counts,
                "captain": members[share.player_id].is_captain,
                "replacement": members[share.player_id].is_replacement,
            }
            for share in row.shares
        ],
        "given": [
            {
                "points": exact(Fraction(penalty.points, ONE)),
                "clause": penalty.clause,
                "reason": penalty.reason,
                "given_at": penalty.given_at.isoformat(),
            }
            for penalty in team.in_force
        ],
    }
