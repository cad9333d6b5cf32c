"""One player's games as a page shows them: what each brought, so that every figure of the standings can be checked."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from django.utils.translation import gettext as _

from protocols.models import SeatResult
from protocols.rules.points import thousandths
from protocols.rules.regulation import COMPONENTS, Regulation
from protocols.rules.terms import ROLE_LETTERS, Role

from .explain import opening
from .explain_words import component_words
from .ratings import MILLION, ONE, Figures
from .selectors import PlayedGame, TournamentStandings
from .standings import Place
from .table import NONE
from .tiebreaks import CLAUSES, keys_of
from .wording import figure, key_words, multiplier_words, place_words, result_words, short_figure


@dataclass(frozen=True, slots=True)
class GameRow:
    """One game: its components as on the sheet, and what they bring under the multiplier."""

    uuid: uuid.UUID
    number: int
    table_number: int
    played_on: datetime.date
    role: str  # a letter of the official protocol
    result: str
    counts: bool
    notes: tuple[str, ...]
    win: str
    speech: str
    extra: str
    best_move: str
    penalty: str
    compensation: str
    total: str


@dataclass(frozen=True, slots=True)
class StageBlock:
    """A stage's games and what they bring together."""

    name: str
    multiplier: str  # empty where nothing is multiplied
    multiplied: str  # which components it multiplies
    games: tuple[GameRow, ...]
    total: str


@dataclass(frozen=True, slots=True)
class Summary:
    """Where a player stands, and by what."""

    place: str
    shares_with: tuple[str, ...]  # nicknames of the players on the same places
    lot_due: bool
    rating: str
    games: int
    figures: tuple[tuple[str, str, str], ...]  # the parts of the rating: what opens them, name and figure
    keys: tuple[tuple[str, str, str, str], ...]  # the tie keys: name, value, clause and what opens them


def games_by_stage(found: TournamentStandings, played: Iterable[PlayedGame]) -> list[StageBlock]:
    """The games of each stage in order, under the stage's multiplier."""
    blocks = []
    for stage, group in groupby(played, key=lambda game: game.result.stage):
        games = list(group)
        total = sum((game.rating.figures for game in games if game.rating), Figures())
        multiplier = thousandths(stage.multiplier)
        blocks.append(
            StageBlock(
                name=stage.name,
                multiplier=multiplier_words(multiplier) if multiplier != ONE else "",
                multiplied=_multiplied_words(found.terms.own.get(stage.pk, found.tournament.rules)),
                games=tuple(_row(game) for game in games),
                total=figure(total.total, MILLION),
            )
        )
    return blocks


def _multiplied_words(rules: Regulation) -> str:
    """The components that a stage’s multiplier is for, of those that the regulation has."""
    absent = {"speech": not rules.has_marks, "compensation": rules.compensation is None}
    return ", ".join(
        component_words(name) for name in COMPONENTS if name in rules.multiplied and not absent.get(name, False)
    )


def _row(played: PlayedGame) -> GameRow:
    game, result, rating = played.game, played.result, played.rating
    counts = rating is not None
    compensation = rating.figures.compensation if rating else 0

    def part(value: int) -> str:
        return short_figure(value, ONE) if counts and value else ""

    return GameRow(
        uuid=game.uuid,
        number=game.number,
        table_number=game.table_number,
        played_on=game.played_on,
        role=ROLE_LETTERS[Role(result.role)] if result.role else "",
        result=result_words(result.result, result.won),
        counts=counts,
        notes=tuple(_notes(result, hides_extra=played.hides_extra)),
        win=short_figure(result.win, ONE) if counts else "",
        speech=part(result.speech),
        extra=part(result.extra),
        best_move=part(result.best_move),
        penalty=part(result.penalty),
        compensation=short_figure(compensation, MILLION) if compensation else "",
        total=figure(rating.figures.total, MILLION) if rating else "",
    )


def _notes(result: SeatResult, *, hides_extra: bool) -> Iterable[str]:
    if result.first_victim:
        yield _("shot on the first night")
    if result.from_tournament:
        yield _("removed from the tournament")
    elif result.removed:
        yield _("removed")
    if hides_extra:
        yield _("extra points are hidden")


def summary_of(found: TournamentStandings, place: Place, *, knows_no_extra: bool = False) -> Summary:
    """A player's row of the standings, unfolded; `knows_no_extra`: the extra points of all games are hidden."""
    rating, rules = place.rating, found.tournament.rules
    most = rules.decimals
    extra = figure(rating.figures.extra_points, MILLION, most)
    figures = [
        ("points", _("Points"), figure(rating.figures.points, MILLION, most)),
        ("extra_points", _("Extra points"), NONE if knows_no_extra else extra),
        ("penalty", _("Penalties"), figure(rating.figures.penalty, MILLION, most)),
    ]
    if any(each.compensation is not None for each in (rules, *found.terms.own.values())):
        figures.append(("compensation", _("Compensation Ci"), figure(rating.figures.compensation, MILLION, most)))
    values = {
        "extra": NONE if knows_no_extra else short_figure(rating.tie_extra, ONE),
        "wins": str(rating.wins),
        "don_sheriff_wins": str(rating.don_sheriff_wins),
        "first_victim": str(rating.first_victim),
        "best_move": short_figure(rating.best_move, ONE),
        "penalty": short_figure(rating.penalty, ONE),
        "qualifying": short_figure(rating.qualifying, ONE),
    }
    return Summary(
        place=place_words(place),
        shares_with=tuple(
            found.nicknames[other.player_id]
            for other in found.table.places
            if place.is_shared and other.number == place.number and other.player_id != place.player_id
        ),
        lot_due=place.lot_due,
        rating=figure(rating.total, MILLION, most),
        games=rating.games,
        figures=tuple(figures),
        keys=tuple(
            (key_words(key), values[key], CLAUSES[key], opening(key)) for key in keys_of(rules) if key in values
        ),
    )
