"""Team standings as a page and a sheet of paper show them: rows of ready words and figures."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from protocols.regulation_text import sentence_of
from protocols.regulation_words import regulation_title
from protocols.rules.regulation import Regulation

from .explain import Compared
from .explain_words import KeyWords, compared_words, exact_figure
from .exports import Exported
from .exports_tables import Cell, Table, points
from .ratings import MILLION, ONE
from .standings import Decision
from .table import NONE, tie_keys
from .team_models import TeamPenalty
from .team_selectors import Listed, TeamFacts, TournamentTeams
from .teams import Share, TeamPlace
from .tiebreaks import LOT, RATING, keys_of
from .wording import decimals_of, decision_words, figure, key_words, place_words


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A member: the place and the rating in the personal standings, and whether it counts for the team."""

    player_id: int
    nickname: str
    is_captain: bool
    is_replacement: bool
    has_played: bool
    place: str
    rating: str
    counts: bool
    why_not: str  # empty where it counts


@dataclass(frozen=True, slots=True)
class PenaltyRow:
    """A penalty in force."""

    points: str
    clause: str
    reason: str
    given_at: datetime.datetime


@dataclass(frozen=True, slots=True)
class TeamBeside:
    """A neighbour of the ranked, and every key compared with it; the last decided unless all are equal."""

    name: str
    is_above: bool
    keys: tuple[KeyWords, ...]


@dataclass(frozen=True, slots=True)
class TeamRow:
    """One team's row, unfolded."""

    team_id: int
    place: str
    name: str
    city: str
    addition: str  # the ratings that count, exactly, added up: «7,5 + 3 = 10,5»; empty where fewer than two do
    sum: str
    penalty: str
    total: str
    members: tuple[MemberRow, ...]
    penalties: tuple[PenaltyRow, ...]
    decision: str  # what put it above the next
    besides: tuple[TeamBeside, ...]
    shares_with: tuple[str, ...]
    is_ranked: bool


def team_rows(teams: TournamentTeams, nicknames: dict[int, str], rules: Regulation) -> list[TeamRow]:
    """Every row; each column has as many decimals as its figures need, at most the regulation’s."""
    places, most = teams.places, rules.decimals
    ratings = [share.place.rating.total for row in places for share in row.shares if share.place is not None]
    decimals = decimals_of([*ratings, *(row.total for row in places), *(row.sum for row in places)], MILLION, most)
    names = {row.team_id: teams.facts[row.team_id].name for row in places}
    rows = []
    for index, row in enumerate(places):
        team = teams.facts[row.team_id]
        shares = [each for each in places if row.is_shared and each.number == row.number and each is not row]
        counted = [share.place.rating.total for share in row.shares if share.counts and share.place is not None]
        added = " + ".join(exact_figure(each) for each in counted)
        rows.append(
            TeamRow(
                team_id=row.team_id,
                place=places_words(row),
                name=team.name,
                city=team.city,
                addition=f"{added} = {exact_figure(row.sum)}" if len(counted) > 1 else "",
                sum=figure(row.sum, MILLION, decimals),
                penalty=figure(-row.penalty, MILLION, decimals) if row.penalty else NONE,
                total=figure(row.total, MILLION, decimals),
                members=tuple(_member(share, team, nicknames, rules, decimals) for share in row.shares),
                penalties=tuple(penalty_row(each) for each in team.in_force),
                decision=team_decision_words(row.decision, most),
                besides=tuple(_besides(places, index, names, rules)),
                shares_with=tuple(names[each.team_id] for each in shares),
                is_ranked=row.number is not None,
            )
        )
    return rows


def _besides(
    places: tuple[TeamPlace, ...], index: int, names: dict[int, str], rules: Regulation
) -> Iterator[TeamBeside]:
    """The ranked teams next to this one, with the values of both in each key up to the one that differs."""
    mine, keys = places[index], keys_of(rules)
    for at, is_above in ((index - 1, True), (index + 1, False)):
        if mine.number is None or not 0 <= at < len(places) or places[at].number is None:
            continue
        other = places[at]
        compared = [Compared(key, *pair) for key, *pair in zip(keys, mine.values, other.values, strict=True)]
        until = next((place for place, each in enumerate(compared) if each.mine != each.theirs), len(compared) - 1)
        words = [compared_words(each, decides=each.mine != each.theirs) for each in compared[: until + 1]]
        words[0] = replace(words[0], name=_("total"), clause="§7")
        yield TeamBeside(names[other.team_id], is_above, tuple(words))


def _member(share: Share, team: TeamFacts, nicknames: dict[int, str], rules: Regulation, decimals: int) -> MemberRow:
    listed = next(member for member in team.members if member.player_id == share.player_id)
    place = share.place
    if share.counts:
        why_not = ""
    elif place is None:
        why_not = _("no counted game")
    elif place.number is None:
        why_not = _("removed from the tournament")
    else:
        why_not = _("not among the best %(count)d") % {"count": rules.team_best}
    return MemberRow(
        player_id=share.player_id,
        nickname=nicknames.get(share.player_id, listed.nickname),
        is_captain=listed.is_captain,
        is_replacement=listed.is_replacement,
        has_played=place is not None,
        place=place_words(place) if place is not None else NONE,
        rating=figure(place.rating.total, MILLION, decimals) if place is not None else NONE,
        counts=share.counts,
        why_not=why_not,
    )


def penalty_row(penalty: TeamPenalty) -> PenaltyRow:
    """A penalty in words."""
    taken = figure(-penalty.points, ONE, decimals_of([penalty.points], ONE, most=3))
    return PenaltyRow(taken, penalty.clause, penalty.reason, penalty.given_at)


def places_words(row: TeamPlace) -> str:
    """The place as a number, «3–5» where equal teams share it, a dash for a team without one."""
    if row.number is None:
        return NONE
    return f"{row.number}–{row.last}" if row.is_shared else str(row.number)


def team_decision_words(decision: Decision | None, most: int) -> str:
    """What put a team above the next: the key, with both values where the table doesn't show them different."""
    words = decision_words(decision, most)
    if decision is not None and decision.key == RATING:
        return words.replace(key_words(RATING), _("total"), 1)
    return words


def teams_context(export: Exported) -> dict[str, Any]:
    """What the page and the paper of the teams show alike."""
    found, rules = export.found, export.found.tournament.rules
    rows = team_rows(export.teams, found.nicknames, rules) if export.teams is not None else []
    asked = rules.tie_keys[: rules.tie_keys.index(LOT)] if LOT in rules.tie_keys else rules.tie_keys
    return {
        "tournament": found.tournament,
        "regulation": regulation_title(found.tournament),
        "progress": export.progress,
        "until": export.until,
        "said": export.said,
        "teams": rows,
        "rules": [sentence_of(rules, "teams", key) for key in ("sum", "penalties")],
        "tie_keys": tie_keys(rules)[: len(asked)],
        "has_penalties": any(row.penalties for row in rows) and rules.team_penalties,
    }


# ---------------------------------------------------------------- files


def teams_table(export: Exported) -> Table:
    """The team standings in their order; the members in one cell."""
    head = (
        _("Place"), _("Team"), _("City"), _("Total"), _("Sum"), _("Penalties"), _("Members"), _("Above the next by"),
    )  # fmt: skip
    teams = export.teams
    rules = export.found.tournament.rules
    rows: list[tuple[Cell, ...]] = []
    for row, words in zip(teams.places if teams else (), _rows(export), strict=True):
        place: Cell = words.place if row.number is None or row.is_shared else row.number
        members = ", ".join(member_words(member) for member in words.members)
        decision = team_decision_words(row.decision, rules.decimals)
        rows.append(
            (place, words.name, words.city, points(row.total), points(row.sum), points(-row.penalty), members, decision)
        )
    return Table(_("Teams"), head, tuple(rows), kept=2)


def members_table(export: Exported) -> Table:
    """Every member of every team, by team: the rating, and whether it counts."""
    head = (_("Team"), _("Nickname"), _("Place"), _("Rating"), _("In the sum"), _("Notes"))
    teams = export.teams
    rows: list[tuple[Cell, ...]] = []
    for row, words in zip(teams.places if teams else (), _rows(export), strict=True):
        for share, member in zip(row.shares, words.members, strict=True):
            number = share.place.number if share.place is not None else None
            place: Cell = number if number is not None and not (share.place and share.place.is_shared) else member.place
            rating = points(share.place.rating.total) if share.place is not None else None
            counts = _("yes") if member.counts else _("no")
            rows.append((words.name, member.nickname, place, rating, counts, ", ".join(notes_of_member(member))))
    return Table(_("Members of teams"), head, tuple(rows), kept=2)


def _rows(export: Exported) -> list[TeamRow]:
    found = export.found
    return team_rows(export.teams, found.nicknames, found.tournament.rules) if export.teams is not None else []


def member_words(member: MemberRow) -> str:
    """A member with the rating, in brackets where it does not count."""
    words = f"{member.nickname} {member.rating}"
    return words if member.counts else f"({words})"


def notes_of_member(member: MemberRow) -> list[str]:
    """What is to be said of a member."""
    notes = [_("captain")] if member.is_captain else []
    notes += [_("replacement")] if member.is_replacement else []
    return notes + ([member.why_not] if member.why_not else [])


def listed_words(member: Listed) -> str:
    """A member without any rating."""
    marks = [_("captain")] if member.is_captain else []
    marks += [_("replacement")] if member.is_replacement else []
    return f"{member.nickname} ({', '.join(marks)})" if marks else member.nickname
