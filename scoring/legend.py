"""What a printed table needs so that it can be read without the site: columns, multipliers, keys, and what decided.

A legend is made of ready words. Everything in it is told by the regulation of the tournament and by the order that the
table has; nothing is reckoned again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from django.utils.translation import gettext as _

from protocols.models import Stage
from protocols.regulation_text import Sentence, sentence_of, tie_key_names
from protocols.rules.points import thousandths
from protocols.rules.regulation import Regulation

from .selectors import TournamentStandings
from .standings import Place
from .team_selectors import TournamentTeams
from .teams import TeamPlace
from .tiebreaks import CLAUSES, LOT, RATING, has_lot
from .wording import decision_words, multiplier_words, place_words, reckoning_words


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table: its head, and what stands in it, with the clause."""

    name: str
    text: str
    clause: str = ""


@dataclass(frozen=True, slots=True)
class StageTerms:
    """A stage's multiplier and what it is for; `regulation` where the stage has one of its own."""

    name: str
    multiplier: str
    text: str
    clause: str
    regulation: str


@dataclass(frozen=True, slots=True)
class Tie:
    """Neighbours of equal totals, from the top, and what put them in this order."""

    places: str
    names: tuple[str, ...]
    decided: str
    clause: str


@dataclass(frozen=True, slots=True)
class Legend:
    """Everything that stands below a printed table."""

    columns: tuple[Column, ...]
    stages: tuple[StageTerms, ...]
    keys: tuple[tuple[str, str], ...]  # in words, each with its clause
    ties: tuple[Tie, ...]
    rules: tuple[Sentence, ...] = ()


def legend_of(found: TournamentStandings) -> Legend:
    """The legend of the personal standings."""
    return Legend(tuple(_columns(found)), _stages(found), keys_in_words(found.tournament.rules), tuple(_ties(found)))


def legend_of_teams(found: TournamentStandings, teams: TournamentTeams) -> Legend:
    """The legend of the team standings."""
    rules = found.tournament.rules
    columns = (
        Column(_("Members"), _("in the order of the personal standings; in brackets who does not count"), ""),
        Column(_("Sum"), _("the ratings of the members that count, added up"), "§7"),
        Column(_("Total"), _("the sum less the team’s penalties; it makes the order"), "§7"),
        Column(_("Above the next by"), _("the first key in which the row differs from the next")),
    )
    keys = tuple((words, clause) for words, clause in keys_in_words(rules) if clause != CLAUSES[LOT])
    told = tuple(sentence_of(rules, "teams", key) for key in ("sum", "penalties"))
    return Legend(columns, _stages(found), keys, tuple(_team_ties(teams, rules)), told)


def keys_in_words(rules: Regulation) -> tuple[tuple[str, str], ...]:
    """The tie keys in the regulation's order, the lot last where there is one."""
    names = tie_key_names(rules)
    asked = rules.tie_keys[: rules.tie_keys.index(LOT) + 1] if LOT in rules.tie_keys else rules.tie_keys
    return tuple((names[key], CLAUSES[key]) for key in asked)


def _columns(found: TournamentStandings) -> Iterator[Column]:
    played = [found.tournament.rules, *found.terms.own.values()]
    has_ci, has_marks = any(each.compensation is not None for each in played), any(each.has_marks for each in played)
    mark_in_points = has_marks and any(each.has_marks and each.speech_in_points for each in played)
    reckoning = reckoning_words(found.tournament.rules)
    sum_words = (
        _("points + extra points + penalties + Ci, over all stages")
        if has_ci
        else _("points + extra points + penalties, over all stages")
    )
    yield Column(_("Place"), _("“3–5” is shared by players equal in everything; “—”: removed from the tournament"))
    yield Column(_("Rating"), f"{sum_words}; {_('counts')}: {reckoning}" if reckoning else sum_words, "A 8.6")
    yield Column(_("Games"), _("signed games that count"))
    yield Column(_("Wins"), _("of them won"))
    points = _("for the results of games, and the marks for speeches") if mark_in_points else _("for results of games")
    yield Column(_("Points"), points, "A 8.2")
    extra = _("the judge’s, and those of the best move")
    if has_marks and not mark_in_points:
        extra = _("the judge’s, those of the best move, and the marks for speeches")
    yield Column(_("Extra points"), extra, "A 8.4")
    taken = _("for removals and warnings") if any(each.warning for each in played) else _("for removals from a game")
    yield Column(_("Penalties"), taken, "A 8.2.4")
    if has_ci:
        ci = _(
            "for each lost game in which the player, red or sheriff, was shot on night 1, by the regulation’s formula"
        )
        yield Column("Ci", ci, "§6")
    yield Column(_("Above the next by"), _("the first key in which the row differs from the next"))


def _stages(found: TournamentStandings) -> tuple[StageTerms, ...]:
    return tuple(_stage(found, stage) for stage in found.stages)


def _stage(found: TournamentStandings, stage: Stage) -> StageTerms:
    own = found.terms.own.get(stage.pk)
    multiplier = thousandths(stage.multiplier)
    told = sentence_of(own or found.tournament.rules, "rating", "multiplied")
    is_multiplied = multiplier != 1000
    return StageTerms(
        stage.name,
        multiplier_words(multiplier),
        told.text if is_multiplied else "",
        told.clause if is_multiplied else "",
        stage.regulation_version.name if own is not None and stage.regulation_version is not None else "",
    )


def _ties(found: TournamentStandings) -> Iterator[Tie]:
    """Every two neighbours that the rating shown does not tell apart, and every group that shares its places."""
    ranked = [place for place in found.table.places if place.number is not None]
    most, names, seen = found.tournament.rules.decimals, found.nicknames, set[int]()
    for upper, lower in pairwise(ranked):
        if upper.is_shared and upper.number == lower.number:
            if upper.number not in seen:
                seen.add(upper.number or 0)
                group = tuple(names[place.player_id] for place in ranked if place.number == upper.number)
                how = _("equal in every key; a lot is due") if upper.lot_due else _("equal in every key; shared")
                clause = CLAUSES[LOT] if has_lot(found.tournament.rules) else CLAUSES[RATING]
                yield Tie(place_words(upper), group, how, clause)
            continue
        words = decision_words(upper.decision, most)
        if upper.decision is None or upper.decision.key == LOT:  # a lot is told whole, with who drew it
            continue
        if upper.decision.key == RATING and ":" not in words:
            continue
        pair = (names[upper.player_id], names[lower.player_id])
        yield Tie(_range(upper, lower), pair, words, CLAUSES[upper.decision.key])


def _range(upper: Place, lower: Place) -> str:
    return f"{upper.last}–{lower.number}"


def _team_ties(teams: TournamentTeams, rules: Regulation) -> Iterator[Tie]:
    ranked = [row for row in teams.places if row.number is not None]
    seen = set[int]()
    for upper, lower in pairwise(ranked):
        if upper.is_shared and upper.number == lower.number:
            if upper.number not in seen:
                seen.add(upper.number or 0)
                group = tuple(_name(teams, row) for row in ranked if row.number == upper.number)
                yield Tie(f"{upper.number}–{upper.last}", group, _("equal in every key; shared"), CLAUSES[RATING])
        elif upper.decision is not None and upper.decision.key != RATING:
            pair = (_name(teams, upper), _name(teams, lower))
            words = decision_words(upper.decision, rules.decimals)
            yield Tie(f"{upper.last}–{lower.number}", pair, words, CLAUSES[upper.decision.key])


def _name(teams: TournamentTeams, row: TeamPlace) -> str:
    return teams.facts[row.team_id].name
