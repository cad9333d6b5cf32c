"""From the sheet to what the form shows: every cell of both sides as text, with the size of its letters.

`_sheet.html` draws a `Form` and decides nothing; screen and paper get the same one.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from decimal import Decimal

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from .lettering import Size, lines_fit, size_for
from .rules.regulation import Edition
from .rules.sheet import Row, Sheet
from .sheet_back import density_of, protest_lines, remark_lines
from .sheet_check import Check
from .sheet_votes import Block, front_blocks, more_blocks
from .wording import points_words

# Inner widths, mm, of the places that somebody's words go into.
HEAD_MM, NICKNAME_MM, NAME_MM, PROTEST_MM = 97.0, 51.2, 49.0, 86.0
NICKNAME_SIZES = (
    Size("s12", 12, 1), Size("s10", 10, 1), Size("s9", 9, 1), Size("s9", 9, 2), Size("s8", 8, 2),
    Size("s8", 8, 3), Size("s7", 7, 3),
)  # fmt: skip
LINE_SIZES = (Size("s12", 12, 1), Size("s10", 10, 1), Size("s9", 9, 1), Size("s8", 8, 1), Size("s7", 7, 2))
PROTEST_SIZE = Size("s8", 8, 1)
SIGNATURE_MM, SIGNATURE_SIZE = 34.4, Size("s7", 7, 3)


@dataclass(frozen=True)
class Signature:
    """The electronic signature under a sheet: whose, and when."""

    name: str
    at: datetime.datetime


@dataclass(frozen=True)
class Labels:
    """The words that stand on the form before anything is written on it."""

    tournament: str = ""
    stage: str = ""
    date: str = ""
    table: str = ""
    game: str = ""
    player: str = ""
    role: str = ""
    fouls: str = ""
    points: str = ""
    extra_points: str = ""
    result: str = ""
    best_move: str = ""
    protest: str = ""
    judge: str = ""
    remarks: str = ""
    comments: str = ""


@dataclass(frozen=True)
class Text:
    """Words with the class of their size."""

    words: str
    size: str


@dataclass(frozen=True)
class Player:
    """One of the ten rows."""

    seat: str
    star: str  # «*» for a player who left
    nickname: Text
    role: str
    fouls: tuple[str, ...]  # four boxes: a tick, «!» or nothing
    points: str
    extra_points: str


@dataclass(frozen=True)
class BestMove:
    """The box «Лучший ход»: who, and three cells; `words` in their place where only the number of hits is known."""

    who: Text
    cells: tuple[str, ...]
    words: str


@dataclass(frozen=True)
class Form:
    """Both sides of the form."""

    title: str
    labels: Labels
    tournament: Text
    stage: Text
    date: str
    table: str
    game: str
    players: tuple[Player, ...]
    blocks: tuple[Block, ...]
    result: str
    best_move: BestMove
    protest: Text
    judge: Text
    signature: str
    signature_below: str  # where its box is too small for the name
    nights: str
    is_draft: bool
    header_again: str  # on the back
    overleaf: tuple[Block, ...]
    remarks: tuple[str, ...]
    protest_lines: tuple[str, ...]
    density: str  # how close the lines of the back stand
    check: Check | None = None  # of a signed sheet
    is_ink: bool = False  # only what is written, to be laid over the printed form


def form_of(
    sheet: Sheet, signature: Signature | None = None, *, is_draft: bool = False, check: Check | None = None
) -> Form:
    """The form as it is drawn; a draft says so, a signed sheet carries its electronic signature and its proof."""
    header = sheet.header
    overleaf = more_blocks(sheet)
    protest_on_front = lines_fit(sheet.protest, PROTEST_MM, PROTEST_SIZE)
    remarks = remark_lines(sheet)
    signed = _signature(signature)
    signature_fits = lines_fit(signed, SIGNATURE_MM, SIGNATURE_SIZE)
    protest = () if protest_on_front else protest_lines(sheet.protest)
    return Form(
        title=_title(sheet),
        labels=labels_of(sheet.edition),
        tournament=_text(header.tournament, HEAD_MM),
        stage=_text(header.stage, HEAD_MM),
        date=_date(header.date) or pgettext("form", "____/____/________"),
        table=str(header.table or ""),
        game=str(header.game or ""),
        players=tuple(_player(row) for row in sheet.rows),
        blocks=front_blocks(sheet),
        result=result_words(sheet),
        best_move=_best_move(sheet),
        protest=_text(sheet.protest if protest_on_front else pgettext("form", "see overleaf"), PROTEST_MM),
        judge=_text(header.judge, NAME_MM, NICKNAME_SIZES),
        signature=signed if signature_fits else pgettext("form", "signed electronically, see below"),
        signature_below="" if signature_fits else signed,
        nights=_nights(sheet),
        is_draft=is_draft,
        header_again=_header_again(sheet),
        overleaf=overleaf,
        remarks=remarks,
        protest_lines=protest,
        density=density_of(len(overleaf), remarks, protest, is_checked=check is not None),
        check=check,
    )


def labels_of(edition: str) -> Labels:
    """The labels in the edition's words: «Результат игры» in A, otherwise «Победившая команда» (A 9.7, B-P7)."""
    return Labels(
        tournament=pgettext("form", "Tournament"),
        stage=pgettext("form", "Stage of the tournament"),
        date=pgettext("form", "Date"),
        table=pgettext("form", "Table No."),
        game=pgettext("form", "Game No."),
        player=pgettext("form", "Player"),
        role=pgettext("form", "Role"),
        fouls=pgettext("form", "Fouls"),
        points=pgettext("form", "Points"),
        extra_points=pgettext("form", "Extra points"),
        result=pgettext("form", "Result of the game") if edition == Edition.A else pgettext("form", "Winning team"),
        best_move=pgettext("form", "Best move"),
        protest=pgettext("form", "Protest"),
        judge=pgettext("form", "Judge"),
        remarks=pgettext("form", "Explanations of extra points and penalties"),
        comments=pgettext("form", "Comments on the protest"),
    )


def _text(words: str, width: float, sizes: tuple[Size, ...] = LINE_SIZES) -> Text:
    return Text(words, size_for(words, width, sizes).css)


def _date(iso: str) -> str:
    return date_format(datetime.date.fromisoformat(iso), "d.m.Y") if iso else ""


def _title(sheet: Sheet) -> str:
    names = {"game": sheet.header.game or "—", "table": sheet.header.table or "—"}
    return _("Protocol: game %(game)s, table %(table)s") % names


def _header_again(sheet: Sheet) -> str:
    header = sheet.header
    parts = [header.tournament, header.stage, _date(header.date)]
    if header.table:
        parts.append(_("table %(number)d") % {"number": header.table})
    if header.game:
        parts.append(_("game %(number)d") % {"number": header.game})
    return " · ".join(part for part in parts if part)


def _player(row: Row) -> Player:
    boxes = (["✓"] * len(row.fouls) + [""] * 4)[:4]
    if row.disqualified and not boxes[3]:
        boxes[3] = "!"
    return Player(
        seat=str(row.seat),
        star="*" if row.left else "",
        nickname=_text(row.nickname, NICKNAME_MM, NICKNAME_SIZES),
        role=row.role,
        fouls=tuple(boxes),
        points=_points(row.points),
        extra_points=_points(row.extra_points),
    )


def _points(value: Decimal | None) -> str:
    return "" if value is None else points_words(value)


def result_words(sheet: Sheet) -> str:
    """What stands in the result box, in the edition's words; empty while the game goes on (A 9.7, B-P7)."""
    if sheet.edition == Edition.A:
        winners = {"red": pgettext("form", "red win"), "black": pgettext("form", "black win")}
    else:
        winners = {"red": pgettext("form", "red"), "black": pgettext("form", "black")}
    others = {
        "draw": pgettext("form", "draw"),
        "annulled": pgettext("form", "the game is annulled"),
        "replay": pgettext("form", "to be replayed"),
    }
    return (winners | others).get(sheet.result, "")


def _best_move(sheet: Sheet) -> BestMove:
    """The victim of night 1 and the seats named; dashes after a miss (A 9.6, B-P6)."""
    seat = sheet.best_move_seat
    who = f"{seat}\N{NO-BREAK SPACE}{sheet.nickname_of(seat)}" if seat else ""
    cells = ("—",) * 3 if sheet.best_move_dash else tuple(str(named) for named in sheet.best_move) or ("",) * 3
    words = ""
    if sheet.best_move_hits is not None:
        words = pgettext("form", "named right: %(hits)d") % {"hits": sheet.best_move_hits}
    return BestMove(_text(who, NAME_MM, NICKNAME_SIZES), cells, words)


def _signature(signature: Signature | None) -> str:
    if signature is None:
        return pgettext("form", "signature")
    at = date_format(localtime(signature.at), "d.m.Y H:i")
    return _("signed electronically: %(name)s, %(at)s") % {"name": signature.name, "at": at}


def _nights(sheet: Sheet) -> str:
    """The shots so far, so that a half-filled form can be carried on by pen."""
    if not sheet.nights:
        return ""
    miss = pgettext("form", "miss")
    shots = " · ".join(f"{night} — {seat or miss}" for night, seat in sheet.nights)
    return _("Shots by night: %(shots)s") % {"shots": shots}
