"""Cuts as pages and paper show them: the line in the table, who stands where by it, and what has changed since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from protocols.models import Tournament

from .as_of import Scope
from .cut_selectors import Cuts, StageCut, cuts_of, has_cuts
from .ratings import MILLION
from .selectors import TournamentStandings, progress_of, standings_of
from .table import NONE, Row, context_of
from .team_selectors import team_names_of
from .wording import decimals_of, decision_words, figure, place_words

NEAR = 5  # rows shown below the line


@dataclass(frozen=True, slots=True)
class Warned:
    """A cut that the results as they are now would make another: nicknames from the top of the table."""

    stage_number: int
    stage: str
    comes: tuple[str, ...]
    goes: tuple[str, ...]
    tied: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One row of a cut's page."""

    player_id: int
    place: str
    nickname: str
    rating: str
    decision: str
    is_through: bool
    is_tied: bool
    is_last_above: bool  # the line is drawn below this row


def warnings_of(cuts: Cuts) -> list[Warned]:
    """Every cut that a correction would change."""
    found = []
    for each in cuts.stages:
        change = each.change
        if change:
            names = [tuple(cuts.names(players)) for players in (change.comes, change.goes, change.tied)]
            found.append(Warned(each.stage.number, each.stage.name, *names))
    return found


def standings_context(tournament: Tournament, until: Scope | None = None) -> tuple[TournamentStandings, dict[str, Any]]:
    """The standings with the line of the next cut in them, as the page and the paper show them alike.

    Two queries more than the table where no stage has a cut: for these, and for the names of teams.
    """
    found = standings_of(tournament, until)
    context = context_of(found, progress_of(tournament, until))
    is_now = until is None or until.is_now
    context |= {"until": until.moment if until is not None else None, "warned": [], "has_passed": False}
    if until is not None and until.knows_no_extra:
        context["rows"] = [replace(row, extra_points=NONE) for row in context["rows"]]
    teams = team_names_of(tournament)
    if teams:
        context["rows"] = [replace(row, team=teams.get(row.player_id, "")) for row in context["rows"]]
    context["has_teams"] = bool(teams)
    if has_cuts(tournament):
        cuts = cuts_of(tournament, until)
        context["rows"] = with_cuts(context["rows"], found, cuts, is_now=is_now)
        context["has_passed"] = any(row.passed for row in context["rows"])
        if is_now:
            context["warned"] = warnings_of(cuts)
    return found, context


def with_cuts(rows: Sequence[Row], found: TournamentStandings, cuts: Cuts, *, is_now: bool) -> list[Row]:
    """The rows with the line below whoever comes into the next stage, and with what each has come into."""
    passed: dict[int, str] = {}
    for each in cuts.stages if is_now else ():
        for one in each.taken.passed if each.taken is not None else ():
            passed[one.player_id] = each.stage.name
    line = _next_line(found, cuts, is_now=is_now)
    players, words = (frozenset[int](), "") if line is None else line
    last = max((index for index, row in enumerate(rows) if row.player_id in players), default=-1)
    return [
        replace(row, passed=passed.get(row.player_id, ""), cut_below=words if index == last else "")
        for index, row in enumerate(rows)
    ]


def _next_line(found: TournamentStandings, cuts: Cuts, *, is_now: bool) -> tuple[frozenset[int], str] | None:
    """Who stands above the line of the next stage that has a cut and is not played yet, and what the line says."""
    numbers = {stage.pk: stage.number for stage in found.stages}
    played = [numbers[part.tally.stage_id] for place in found.table.places for part in place.rating.stages]
    ahead = [each for each in cuts.stages if each.passing is not None and each.stage.number > max(played, default=0)]
    if not played or not ahead or ahead[0].passing is None:
        return None
    cut, now = ahead[0], ahead[0].passing
    if is_now and cut.taken is not None:
        above = frozenset(each.player_id for each in cut.taken.passed)
        return above, _("The cut into “%(stage)s”, taken %(day)s: %(size)d came in") % {
            "stage": cut.stage.name,
            "day": date_format(timezone.localtime(cut.taken.taken_at), "d.m.Y"),
            "size": len(above),
        }
    above = frozenset(place.player_id for place in now.through) | now.tied_players
    words = _("The cut into “%(stage)s”: %(size)d come in") % {"stage": cut.stage.name, "size": now.size}
    return above, f"{words}; {tie_words(cut)}" if now.tied else words


def tie_words(cut: StageCut) -> str:
    """That a lot is due at the line."""
    assert cut.passing is not None
    words = ngettext(
        "a lot decides who of %(tied)d takes the last place",
        "a lot decides who of %(tied)d take the last %(count)d places",
        cut.passing.left,
    )
    return words % {"tied": len(cut.passing.tied), "count": cut.passing.left}


def candidates(cut: StageCut, cuts: Cuts) -> list[Candidate]:
    """The table before the cut: whoever comes in or waits for the lot, and the next few."""
    if cut.passing is None:
        return []
    through, tied = {place.player_id for place in cut.passing.through}, cut.passing.tied_players
    above = len(through) + len(tied)
    places = [place for place in cut.table.places if place.number is not None][: above + NEAR]
    decimals = decimals_of([place.rating.total for place in places], MILLION)
    return [
        Candidate(
            player_id=place.player_id,
            place=place_words(place),
            nickname=cuts.nicknames[place.player_id],
            rating=figure(place.rating.total, MILLION, decimals),
            decision=decision_words(place.decision),
            is_through=place.player_id in through,
            is_tied=place.player_id in tied,
            is_last_above=index == above,
        )
        for index, place in enumerate(places, start=1)
    ]


def passed_rows(cut: StageCut) -> list[tuple[int, str, int, str]]:
    """Who passed, as written then: place, nickname, player, rating."""
    if cut.taken is None:
        return []
    decimals = decimals_of([each.rating for each in cut.taken.passed], MILLION)
    return [
        (each.place, each.nickname, each.player_id, figure(each.rating, MILLION, decimals)) for each in cut.taken.passed
    ]
