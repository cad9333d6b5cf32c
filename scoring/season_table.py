"""A season as pages, paper and files show it: rows of ready words and figures."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from protocols.models import nickname_key
from protocols.regulation_words import regulation_title
from protocols.rules.points import thousandths
from protocols.rules.regulation import Reckoning
from protocols.rules.terms import ROLE_LETTERS, Role

from .ratings import MILLION, ONE
from .season_models import Season
from .season_ratings import Counted
from .season_selectors import PlayersSeason, SeasonGame, SeasonPart, SeasonTable
from .standings import Place
from .tiebreaks import CLAUSES, RATING
from .wording import (
    decimals_of,
    decision_words,
    figure,
    key_words,
    multiplier_words,
    place_words,
    result_words,
    short_figure,
)

NONE = "—"


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """One player's row."""

    player_id: int
    place: str
    nickname: str
    rating: str
    games: int
    wins: int
    points: str
    extra_points: str
    penalty: str
    compensation: str
    decision: str
    clause: str
    is_ranked: bool


@dataclass(frozen=True, slots=True)
class Decimals:
    """How many decimals each column needs, so that its figures stand on one comma."""

    rating: int
    points: int
    extra_points: int
    penalty: int
    compensation: int

    @classmethod
    def of(cls, places: Sequence[Place]) -> Decimals:
        """Those of the whole table, whichever of its rows are shown."""
        figures = [place.rating.figures for place in places]
        return cls(
            decimals_of([place.rating.total for place in places], MILLION),
            decimals_of([each.points for each in figures], MILLION),
            decimals_of([each.extra_points for each in figures], MILLION),
            decimals_of([each.penalty for each in figures], MILLION),
            decimals_of([each.compensation for each in figures], MILLION),
        )


def has_compensation(found: SeasonTable) -> bool:
    """Whether anybody was compensated."""
    return any(place.rating.figures.compensation for place in found.table.places)


def rows_of(found: SeasonTable, places: Sequence[Place]) -> list[SeasonRow]:
    """The rows of these places, in the look of the whole table."""
    decimals = Decimals.of(found.table.places)
    rows = []
    for place in places:
        rating, figures = place.rating, place.rating.figures
        rows.append(
            SeasonRow(
                player_id=place.player_id,
                place=place_words(place),
                nickname=found.nicknames[place.player_id],
                rating=figure(rating.total, MILLION, decimals.rating),
                games=rating.games,
                wins=rating.wins,
                points=figure(figures.points, MILLION, decimals.points),
                extra_points=figure(figures.extra_points, MILLION, decimals.extra_points),
                penalty=figure(figures.penalty, MILLION, decimals.penalty) if figures.penalty else NONE,
                compensation=figure(figures.compensation, MILLION, decimals.compensation)
                if figures.compensation
                else NONE,
                decision=decision_words(place.decision) if place.number is not None else fewer_words(found, place),
                clause=CLAUSES[place.decision.key] if place.decision and place.decision.key != RATING else "",
                is_ranked=place.number is not None,
            )
        )
    return rows


def fewer_words(found: SeasonTable, place: Place) -> str:
    """Why a player has no place."""
    words = ngettext(
        "%(games)d game of the %(least)d needed", "%(games)d games of the %(least)d needed", place.rating.games
    )
    return words % {"games": place.rating.games, "least": found.season.least_games}


def matching(found: SeasonTable, query: str) -> list[Place]:
    """The places of players whose nickname holds the query, however it is capitalised; е finds ё."""
    asked = _folded(query)
    return [place for place in found.table.places if asked in _folded(found.nicknames[place.player_id])]


def _folded(nickname: str) -> str:
    return nickname_key(nickname).replace("ё", "е")


def period_words(season: Season) -> str:
    """The first and the last day."""
    return f"{date_format(season.starts_on, 'j E Y')} — {date_format(season.ends_on, 'j E Y')}"


def rules_words(season: Season) -> str:
    """What makes the rating, in one sentence."""
    rules = season.rules
    if rules.reckoning == Reckoning.BEST:
        games = ngettext("the sum of the best %(n)d game", "the sum of the best %(n)d games", rules.best)
        tournaments = ngettext(
            "the sum of the ratings of the best %(n)d tournament",
            "the sum of the ratings of the best %(n)d tournaments",
            rules.best,
        )
        words = (games if rules.counted.is_games else tournaments) % {"n": rules.best}
    elif rules.reckoning == Reckoning.AVERAGE:
        words = _("the average of all games") if rules.counted.is_games else _("the average rating of tournaments")
    else:
        words = _("the sum of all games") if rules.counted.is_games else _("the sum of the ratings of tournaments")
    return words + (", " + _("without multipliers of stages") if rules.counted == Counted.PLAIN_GAMES else "")


def least_words(season: Season) -> str:
    """How many games are needed for a place; empty where none are."""
    if not season.least_games:
        return ""
    words = ngettext("for a place: %(n)d game", "for a place: %(n)d games", season.least_games)
    return words % {"n": season.least_games}


def keys_words(season: Season) -> list[str]:
    """The tie keys in their order."""
    return [key_words(key) for key in season.rules.tie_keys]


def state_words(season: Season) -> str:
    """Whether it goes on, by the day that it is where it is played."""
    if season.is_over:
        return _("the season is over")
    return _("the season goes on") if season.today >= season.starts_on else _("the season has not begun")


def context_of(found: SeasonTable) -> dict[str, Any]:
    """What the page and the paper show alike, the rows apart."""
    season = found.season
    return {
        "season": season,
        "period": period_words(season),
        "rules": rules_words(season),
        "least": least_words(season),
        "keys": keys_words(season),
        "state": state_words(season),
        "progress": found.progress,
        "tournaments_count": found.tournaments,
        "players_count": len(found.table.places),
        "has_compensation": has_compensation(found),
        "on": found.on,
    }


# ---------------------------------------------------------------- one player


@dataclass(frozen=True, slots=True)
class GameLine:
    """One game: what it brought, and whether that counts."""

    game: Any
    stage: str
    role: str
    result: str
    multiplier: str
    win: str
    extra: str
    best_move: str
    penalty: str
    compensation: str
    total: str
    is_counted: bool
    counts: bool


@dataclass(frozen=True, slots=True)
class PartBlock:
    """A tournament: what it brought, by which regulation, and its games."""

    title: str
    slug: str
    starts_on: datetime.date
    regulation: str
    reckoned: str
    total: str
    is_counted: bool
    games: tuple[GameLine, ...]


def blocks_of(played: PlayersSeason) -> list[PartBlock]:
    """The tournaments of a player, each with its games."""
    season = played.found.season
    return [_block(season, part) for part in played.parts]


def _block(season: Season, part: SeasonPart) -> PartBlock:
    is_games = season.rules.counted.is_games
    rules = part.tournament.rules
    reckoned = ""
    if not is_games and rules.reckoning == Reckoning.AVERAGE:
        reckoned = _("the sum divided by the games")
    elif not is_games and rules.reckoning == Reckoning.BEST:
        reckoned = ngettext("the best %(count)d game", "the best %(count)d games", rules.best_games or 1) % {
            "count": rules.best_games
        }
    if not is_games and part.rating.from_tournament:
        reckoned = _("removed from the tournament: it brings nothing")
    counted = [each.rating.figures.total for each in part.games if each.rating is not None and each.is_counted]
    total = sum(counted) if is_games else part.rating.total
    return PartBlock(
        title=part.tournament.title,
        slug=part.tournament.slug,
        starts_on=part.tournament.starts_on,
        regulation=regulation_title(part.tournament),
        reckoned=reckoned,
        total=figure(total, MILLION),
        is_counted=part.is_counted,
        games=tuple(_game(season, each) for each in part.games),
    )


def _game(season: Season, played: SeasonGame) -> GameLine:
    result, rating = played.result, played.rating
    multiplier = ONE if season.counted == Counted.PLAIN_GAMES else thousandths(result.stage.multiplier)
    figures = rating.figures if rating else None

    def part(value: int) -> str:
        return short_figure(value, ONE) if figures and value else ""

    return GameLine(
        game=played.game,
        stage=result.stage.name,
        role=ROLE_LETTERS[Role(result.role)] if result.role else "",
        result=result_words(result.result, result.won),
        multiplier=multiplier_words(multiplier) if multiplier != ONE else "",
        win=short_figure(result.win + result.speech, ONE) if figures else "",
        extra=part(result.extra),
        best_move=part(result.best_move),
        penalty=part(result.penalty),
        compensation=short_figure(figures.compensation, MILLION) if figures and figures.compensation else "",
        total=figure(figures.total, MILLION) if figures else "",
        is_counted=played.is_counted and rating is not None,
        counts=rating is not None,
    )


def keys_of(played: PlayersSeason) -> list[tuple[str, str]]:
    """The tie keys with the player's values."""
    rating = played.place.rating
    values = {
        "extra": short_figure(rating.tie_extra, ONE),
        "wins": str(rating.wins),
        "don_sheriff_wins": str(rating.don_sheriff_wins),
        "first_victim": str(rating.first_victim),
        "best_move": short_figure(rating.best_move, ONE),
        "penalty": short_figure(rating.penalty, ONE),
    }
    return [(key_words(key), values[key]) for key in played.found.season.rules.tie_keys]
