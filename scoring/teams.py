"""Team standings: what the ratings of a team's members make together, by the regulation's rule for teams.

  share    a member's part: the row of the personal standings, and whether it counts
  sum      the ratings that count, added up: of all members, or of the best `team_best`
  total    the sum less the team's own penalties, where the regulation has such

The best members are those who stand highest in the personal standings. Whoever has no place there brings nothing: no
game of theirs counts, or they were removed from the tournament (A 7.4). Teams of equal totals are told apart by the
regulation's tie keys, each added up over the members that count; a lot is drawn among players only, so teams that are
equal in all keys share their places.

Totals are exact millionths of a point, as ratings are; nothing is rounded here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from protocols.rules.regulation import Regulation

from .ratings import Exact
from .standings import Decision, Place, Standings
from .tiebreaks import KEYS, keys_of

IN_MILLIONTHS = 1000  # millionths in a thousandth


@dataclass(frozen=True, slots=True)
class Squad:
    """A team as it is entered."""

    team_id: int
    name: str  # what teams that share a place are listed by
    members: tuple[int, ...]  # players
    penalty: int = 0  # thousandths that are taken off, from 0


@dataclass(frozen=True, slots=True)
class Share:
    """A member's part in the team's sum."""

    player_id: int
    place: Place | None  # in the personal standings; None without a counted game
    counts: bool


@dataclass(frozen=True, slots=True)
class TeamPlace:
    """One row of the team standings."""

    squad: Squad
    shares: tuple[Share, ...]  # as the members stand in the personal standings; those without a place last
    sum: Exact  # millionths of a point, as the next
    penalty: Exact  # taken off, from 0
    values: tuple[Exact, ...]  # what the keys compare, the total first
    number: int | None  # from 1; None for a team of which nobody counts
    last: int | None  # the same, or the last of the places that equal teams share
    decision: Decision | None = None  # None in the last row, and above a row that shares the place

    @property
    def team_id(self) -> int:
        """Whose row it is."""
        return self.squad.team_id

    @property
    def total(self) -> Exact:
        """The sum less the penalties, in millionths of a point."""
        return self.sum - self.penalty

    @property
    def is_shared(self) -> bool:
        """Whether equal teams share the place."""
        return self.number != self.last


def team_standings(table: Standings, squads: Iterable[Squad], regulation: Regulation) -> tuple[TeamPlace, ...]:
    """The order of all teams, by the personal standings: the ranked, then those of which nobody counts."""
    keys = keys_of(regulation)
    order = {place.player_id: (index, place) for index, place in enumerate(table.places)}
    rows = [_row(squad, order, keys, regulation) for squad in squads]

    def by_name(row: TeamPlace) -> tuple[str, int]:
        return row.squad.name, row.team_id

    ranked = sorted(
        (row for row in rows if _counts(row)), key=lambda row: (tuple(-v for v in row.values), by_name(row))
    )
    groups = [list(group) for _values, group in groupby(ranked, key=lambda row: row.values)]
    places: list[TeamPlace] = []
    for index, group in enumerate(groups):
        below = groups[index + 1][0] if index + 1 < len(groups) else None
        first, last = len(places) + 1, len(places) + len(group)
        for row in group:
            decision = _decision(row, below, keys) if below is not None and row is group[-1] else None
            places.append(_placed(row, first, last, decision))
    return (*places, *sorted((row for row in rows if not _counts(row)), key=by_name))


def _row(squad: Squad, order: dict[int, tuple[int, Place]], keys: tuple[str, ...], regulation: Regulation) -> TeamPlace:
    """The team's row without its place."""
    played = sorted((order[player] for player in squad.members if player in order), key=lambda found: found[0])
    ranked = [place for _index, place in played if place.number is not None]
    counted = ranked if regulation.team_best is None else ranked[: regulation.team_best]
    through = {place.player_id for place in counted}
    shares = [Share(place.player_id, place, place.player_id in through) for _index, place in played]
    shares += [Share(player, None, False) for player in squad.members if player not in order]
    values: list[Exact] = [sum(KEYS[key](place.rating) for place in counted) for key in keys]
    penalty = squad.penalty * IN_MILLIONTHS if regulation.team_penalties else 0
    whole = values[0]
    values[0] = whole - penalty
    return TeamPlace(squad, tuple(shares), whole, penalty, tuple(values), None, None)


def _counts(row: TeamPlace) -> bool:
    return any(share.counts for share in row.shares)


def _placed(row: TeamPlace, first: int, last: int, decision: Decision | None) -> TeamPlace:
    return TeamPlace(row.squad, row.shares, row.sum, row.penalty, row.values, first, last, decision)


def _decision(row: TeamPlace, below: TeamPlace, keys: tuple[str, ...]) -> Decision:
    """The first key in which the two differ."""
    found = next(index for index in range(len(keys)) if row.values[index] != below.values[index])
    return Decision(keys[found], row.values[found], below.values[found])
