"""The tables of an export: columns and cells, the same for CSV and XLSX."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from fractions import Fraction

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from protocols.hiding import EXTRA_COMPONENTS
from protocols.rules.terms import ROLE_LETTERS, Role

from .exports import Exported, PlayedSeat, nicknames_of
from .nominations import EXTRA, FIRST_VICTIM
from .preliminary import preliminary_words
from .ratings import MILLION, ONE
from .table import rows_of
from .wording import key_words, result_words

Cell = str | int | Fraction | datetime.date | None  # a Fraction is points, exact


@dataclass(frozen=True, slots=True)
class Table:
    """A table with one line of head; `name` is that of its sheet."""

    name: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    kept: int  # columns at the left that stay in view, up to the nickname


def points(value: int | Fraction, unit: int = MILLION) -> Fraction:
    """So many `unit`ths as points."""
    return Fraction(value) / unit


def as_of_words(export: Exported) -> str:
    """As of when the result is; empty for the one of now."""
    if export.until is None:
        return ""
    words = _("The table as of: %(moment)s, by the protocols as they are today.")
    return words % {"moment": export.until.words}


def said_beside(export: Exported) -> str:
    """What must be said beside every table: as of when it is, and that it is preliminary."""
    return " ".join(filter(None, (export.said, as_of_words(export), preliminary_words(export.progress))))


def nomination_words(key: str) -> str:
    """The name of a nomination."""
    return {
        Role.RED.value: _("Best red player"),
        Role.SHERIFF.value: _("Best sheriff"),
        Role.BLACK.value: _("Best black player"),
        Role.DON.value: _("Best don"),
        EXTRA: _("Most extra points"),
        FIRST_VICTIM: _("Most often shot on the first night"),
    }[key]


def notes_of(seat: PlayedSeat) -> list[str]:
    """What befell the player in the game, and what of it is hidden."""
    notes = [_("shot on the first night")] if seat.line.first_victim else []
    if seat.line.from_tournament:
        notes.append(_("removed from the tournament"))
    elif seat.removed:
        notes.append(_("removed"))
    return [*notes, _("extra points are hidden")] if seat.hides_extra else notes


def standings_table(export: Exported) -> Table:
    """The standings in their order; equal players have the words of the places that they share.

    Extra points are an empty cell where those of all of a player's games are hidden.
    """
    unknown = export.without_extra
    teams = export.teams.team_of if export.teams is not None else {}
    head = (
        _("Place"), _("Nickname"), *((_("Team"),) if teams else ()),
        _("Rating"), _("Games"), _("Wins"), _("Points"), _("Extra points"), _("Penalties"),
        *(("Ci",) if export.has_compensation else ()),
        capfirst(key_words("don_sheriff_wins")), capfirst(key_words("first_victim")), _("Above the next by"),
    )  # fmt: skip
    rows = []
    for row, place in zip(rows_of(export.found), export.found.table.places, strict=True):
        rating, figures = place.rating, place.rating.figures
        decision = _("removed from the tournament") if place.number is None else row.decision
        extra = None if row.player_id in unknown else points(figures.extra_points)
        cells: tuple[Cell, ...] = (
            row.place if place.number is None or place.is_shared else place.number,
            row.nickname, *((teams.get(row.player_id, ""),) if teams else ()),
            points(rating.total), rating.games, rating.wins,
            points(figures.points), extra, points(figures.penalty),
            *((points(figures.compensation),) if export.has_compensation else ()),
            rating.don_sheriff_wins, rating.first_victim, _("lot due") if row.lot_due else decision,
        )  # fmt: skip
        rows.append(cells)
    return Table(_("Standings"), head, tuple(rows), kept=2)


def games_table(export: Exported) -> Table:
    """Every seat of every signed game in the order of play: components as on the sheet, and what they brought."""
    head = (
        _("Stage"), _("Game"), _("Table"), _("Date"), _("Seat at the table"), _("Nickname"), _("Role"), _("Result"),
        _("Win points"), *((_("Speeches"),) if export.has_marks else ()), _("The judge’s"), _("Best move"),
        _("Penalties"), *(("Ci",) if export.has_compensation else ()), _("Multiplier"), _("To the rating"), _("Notes"),
    )  # fmt: skip
    return Table(_("Games"), head, tuple(_seat_cells(export, seat) for seat in export.seats), kept=6)


def _seat_cells(export: Exported, seat: PlayedSeat) -> tuple[Cell, ...]:
    rating, line = seat.rating, seat.line

    def part(component: str) -> Cell:
        is_hidden = seat.hides_extra and component in EXTRA_COMPONENTS
        return seat.points(component) if rating and not is_hidden else None

    return (
        seat.stage.name, seat.game, seat.table, seat.played_on, seat.seat,
        export.found.nicknames[line.player_id],
        ROLE_LETTERS[Role(line.role)] if line.role else "", result_words(line.result, line.won),
        part("win"), *((part("speech"),) if export.has_marks else ()), part("extra"), part("best_move"),
        part("penalty"),
        *((points(rating.figures.compensation) if rating else None,) if export.has_compensation else ()),
        points(rating.multiplier, ONE) if rating else None,
        points(rating.figures.total) if rating else None,
        ", ".join(notes_of(seat)),
    )  # fmt: skip


def fines_table(export: Exported) -> Table:
    """Every penalty outside a game that takes points off, in the order of time."""
    head = (_("Nickname"), _("Kind"), _("Penalties"), _("Clause"), _("Reason"))
    rows = tuple(
        (each.nickname, each.kind_words, Fraction(-each.thousandths, ONE), each.clause, each.reason)
        for each in export.fines
    )
    return Table(_("Penalties outside games"), head, rows, kept=1)


def nominations_table(export: Exported) -> Table:
    """Every nomination, a row for each who shares it."""
    head = (pgettext("award", "Nomination"), _("Nickname"), _("Value"), _("Games"))
    rows: list[tuple[Cell, ...]] = []
    for each in export.nominations:
        names = nicknames_of(each, export.found.nicknames)
        value = int(each.value) if each.key == FIRST_VICTIM else each.value
        rows.extend(
            (nomination_words(each.key), name, value, games) for name, games in zip(names, each.games, strict=True)
        )
        if not names:
            rows.append((nomination_words(each.key), _("nobody"), None, None))
    return Table(pgettext("award", "Nominations"), head, tuple(rows), kept=2)
