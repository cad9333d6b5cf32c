"""The games of everybody and the nominations as a page and a sheet of paper show them: ready words and figures."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from protocols.rules.terms import ROLE_LETTERS, Role

from .exports import Exported, PlayedSeat
from .exports_tables import nomination_words, notes_of
from .nominations import EXTRA, FIRST_VICTIM
from .ratings import MILLION, ONE
from .standings import Place
from .table import context_of
from .wording import decimals_of, figure, multiplier_words, place_words, result_words, short_figure


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One game of a player: its components as on the sheet, and what they brought under the multiplier."""

    stage: str
    game: int
    table: int
    seat: int
    role: str  # a letter of the official protocol
    result: str
    notes: str
    win: str
    speech: str
    extra: str
    best_move: str
    penalty: str
    compensation: str
    multiplier: str
    total: str


@dataclass(frozen=True, slots=True)
class PlayerBlock:
    """A player's line of the standings, and the games below it."""

    place: str
    nickname: str
    rating: str
    games: tuple[SeatRow, ...]


@dataclass(frozen=True, slots=True)
class NominationRow:
    """A nomination, who shares it with how many games, and its value."""

    key: str
    name: str
    players: tuple[tuple[int, str, int], ...]  # the player, the nickname, the games
    value: str
    is_of_role: bool  # the games are those in the role

    @property
    def is_shared(self) -> bool:
        """Whether equal players share it."""
        return len(self.players) > 1


def games_context(export: Exported) -> dict[str, Any]:
    """What the paper of all games shows: the players in the order of the standings, each with the games played."""
    seats, decimals = export.seats_by_player, export.found.tournament.rules.decimals
    return {
        **context_of(export.found, export.progress),
        "until": export.until,
        "said": export.said,
        "rating_span": 5 + export.has_marks + export.has_compensation,  # columns from the win points on
        "players": [_block(export, place, seats[place.player_id], decimals) for place in export.found.table.places],
    }


def _block(export: Exported, place: Place, seats: list[PlayedSeat], decimals: int) -> PlayerBlock:
    return PlayerBlock(
        place=place_words(place),
        nickname=export.found.nicknames[place.player_id],
        rating=figure(place.rating.total, MILLION, decimals),
        games=tuple(_row(seat, decimals) for seat in seats),
    )


def _row(seat: PlayedSeat, decimals: int) -> SeatRow:
    line, rating = seat.line, seat.rating
    compensation = rating.figures.compensation if rating else 0

    def part(component: str) -> str:
        points = seat.points(component)
        return _points(points) if rating and points else ""

    return SeatRow(
        stage=seat.stage.name,
        game=seat.game,
        table=seat.table,
        seat=seat.seat,
        role=ROLE_LETTERS[Role(line.role)] if line.role else "",
        result=result_words(line.result, line.won),
        notes=", ".join(notes_of(seat)),
        win=_points(seat.points("win")) if rating else "",
        speech=part("speech"),
        extra=part("extra"),
        best_move=part("best_move"),
        penalty=part("penalty"),
        compensation=short_figure(compensation, MILLION) if compensation else "",
        multiplier=multiplier_words(rating.multiplier) if rating and rating.multiplier != ONE else "",
        total=figure(rating.figures.total, MILLION, decimals) if rating else "",
    )


def _points(value: Fraction) -> str:
    """As many decimals as it has, three at most: points of a sheet are whole thousandths."""
    return figure(value.numerator, value.denominator, decimals_of([value.numerator], value.denominator, most=3))


def nominations_context(export: Exported) -> dict[str, Any]:
    """What the page and the paper of the nominations show alike."""
    names = export.found.nicknames
    rows = [
        NominationRow(
            key=each.key,
            name=nomination_words(each.key),
            players=tuple((pk, names[pk], games) for pk, games in zip(each.players, each.games, strict=True)),
            value=_points(each.value),
            is_of_role=each.key not in (EXTRA, FIRST_VICTIM),
        )
        for each in export.nominations
    ]
    return {
        "tournament": export.found.tournament,
        "progress": export.progress,
        "until": export.until,
        "said": export.said,
        "nominations": rows,
        "has_column_in_extra": export.found.tournament.rules.tie_extra_with_best_move,
    }
