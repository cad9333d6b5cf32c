"""The opened figures of a player in words: what the page lists under each of them."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from protocols.rules.points import thousandths
from protocols.rules.regulation import Base, Reckoning, Regulation
from protocols.rules.terms import ROLE_LETTERS, Result, Role

from .discipline_words import FineRow
from .explain import Beside, Compared, Compensated, Opened, Part, Piece, besides, compensations, opened, rules_of
from .explain_clauses import Rule, clauses_of, clauses_of_count, comment_of, rules_behind
from .ratings import MILLION, ONE, Exact
from .selectors import DrawnLot, PlayedGame, TournamentStandings
from .standings import Place
from .table import NONE
from .tiebreaks import CLAUSES, RATING
from .wording import (
    IN_THOUSANDTHS,
    decimals_of,
    figure,
    key_words,
    multiplier_words,
    place_words,
    reckoning_words,
    result_words,
)

MOST = 6  # decimals of millionths: with so many every sum of points is exact


@dataclass(frozen=True, slots=True)
class PieceWords:
    """A component of a game, and the clauses it rests on."""

    text: str
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PartWords:
    """One game of an opened figure."""

    uuid: uuid.UUID
    stage: str
    number: int
    table_number: int
    pieces: tuple[PieceWords, ...]
    brings: str  # empty where games are counted
    is_left_out: bool


@dataclass(frozen=True, slots=True)
class OpenedWords:
    """An opened figure."""

    key: str
    name: str
    value: str
    parts: tuple[PartWords, ...]
    notes: tuple[str, ...]
    rules: tuple[Rule, ...]  # of the regulation, that it rests on


@dataclass(frozen=True, slots=True)
class KeyWords:
    """A tie key with both values."""

    name: str
    clause: str
    mine: str
    theirs: str
    decides: bool


@dataclass(frozen=True, slots=True)
class BesideWords:
    """A neighbour, and what decided between the two."""

    player_id: int
    nickname: str
    place: str
    head: str
    reason: str  # empty where a key decided
    keys: tuple[KeyWords, ...]
    lot: DrawnLot | None


def exact_figure(value: Exact, unit: int = MILLION) -> str:
    """As many decimals as the value has; «≈» before one that no decimals write.

    >>> exact_figure(4_125_000), exact_figure(3_000_000), exact_figure(Fraction(400_000, 3))
    ('4,125', '3', '≈ 0,133333')
    """
    words = figure(value, unit, decimals_of([value], unit, most=MOST))
    return words if Fraction(value * 10**MOST, unit).denominator == 1 else f"≈ {words}"


def opened_words(
    found: TournamentStandings,
    place: Place,
    played: Sequence[PlayedGame],
    fines: Sequence[FineRow] = (),
    *,
    knows_no_extra: bool = False,
) -> list[OpenedWords]:
    """Every figure of the player, opened; `fines` are the player's penalties outside a game that take points off.

    `knows_no_extra`: the extra points of all games are hidden, so that no figure stands for them.
    """
    made = []
    for each in opened(found, place, played):
        is_count = each.unit == 1
        most = found.tournament.rules.decimals
        value = str(each.value) if is_count else figure(each.value, MILLION, most)
        if each.key in (*IN_THOUSANDTHS, "penalty_key") and each.key != "penalty":
            value = exact_figure(each.value)
        parts = tuple(_part(found, part, each) for part in each.parts)
        notes, rules = (*_notes(found, place, each), *_fined(each, fines)), tuple(rules_behind(found, each))
        if knows_no_extra and each.key in ("extra_points", "extra"):
            value, notes = NONE, (_("Extra points are not announced yet."),)
        made.append(OpenedWords(each.key, _name(each.key), value, parts, notes, rules))
    return made


def _name(key: str) -> str:
    names = {
        "rating": _("Rating"),
        "games": _("Games"),
        "wins": _("Wins"),
        "points": _("Points"),
        "extra_points": _("Extra points"),
        "penalty": _("Penalties"),
        "compensation": _("Compensation Ci"),
        "extra": _("Extra points as compared at equal ratings"),
        "penalty_key": _("Penalties as compared at equal ratings"),
    }
    words = names.get(key) or key_words(key)
    return words[:1].upper() + words[1:]


def _part(found: TournamentStandings, part: Part, figure_opened: Opened) -> PartWords:
    game, result = part.played.game, part.played.result
    is_count = figure_opened.unit == 1
    if is_count:
        how = f"{result_words(result.result, result.won)}, {ROLE_LETTERS[Role(result.role)]}"
        pieces: tuple[PieceWords, ...] = (PieceWords(how, clauses_of_count(figure_opened.key, part.played)),)
    else:
        pieces = tuple(_piece(piece, part.played, rules_of(found, part.played)) for piece in part.pieces)
    return PartWords(
        uuid=game.uuid,
        stage=result.stage.name,
        number=game.number,
        table_number=game.table_number,
        pieces=pieces,
        brings="" if is_count else exact_figure(part.brings),
        is_left_out=part.is_left_out,
    )


def _piece(piece: Piece, played: PlayedGame, of_stage: Regulation) -> PieceWords:
    words = f"{_component(piece, played)} {exact_figure(piece.value)}"
    comment = comment_of(played) if piece.component == "extra" else ""
    if comment:
        words += " " + _("(“%(comment)s”)") % {"comment": comment}
    if piece.factor != ONE:
        words += f" {multiplier_words(piece.factor)} = {exact_figure(piece.brings)}"
    elif piece.is_spared:
        words += " " + _("(not multiplied)")
    return PieceWords(words, clauses_of(piece, played, of_stage))


def _component(piece: Piece, played: PlayedGame) -> str:
    """The component, with what the game says of it."""
    if piece.component == "win" and played.result.sheet.rules.base == Base.RESULT:
        won, result = played.result.won, played.result.result
        return _("for the draw") if result == Result.DRAW else _("for the win") if won else _("for the loss")
    return component_words(piece.component)


def component_words(name: str) -> str:
    """A component of a game’s points, in a sentence."""
    return {
        "win": _("for the result"),
        "speech": _("mark for speeches"),
        "extra": _("the judge’s extra"),
        "best_move": _("best move"),
        "penalty": _("penalty"),
        "compensation": "Ci",
    }[name]


def _notes(found: TournamentStandings, place: Place, each: Opened) -> list[str]:
    rules, notes = found.tournament.rules, []
    if each.is_from_outside:
        return [_("Given by the organizer before the tournament; no game changes it.")]
    if not each.parts:
        return [] if each.fine else [_("No game puts anything into it.")]
    if each.key == "rating":
        total, games = exact_figure(each.total), place.rating.games
        if rules.reckoning == Reckoning.AVERAGE:
            words = ngettext("%(total)s : %(n)d game = %(value)s", "%(total)s : %(n)d games = %(value)s", games)
            notes.append(words % {"total": total, "n": games, "value": exact_figure(each.value + each.fine)})
        elif rules.reckoning == Reckoning.BEST:
            notes.append(_("Together, %(best)s: %(total)s.") % {"best": reckoning_words(rules), "total": total})
        else:
            notes.append(_("Together: %(total)s.") % {"total": total})
    elif each.unit != 1:
        notes.append(_("Together: %(total)s.") % {"total": exact_figure(each.total)})
    if each.key in ("points", "extra_points", "penalty", "compensation") and rules.reckoning != Reckoning.SUM:
        notes.append(_("Of all games; how they make the rating stands under “Rating”."))
    if each.key in ("extra", "best_move", "penalty_key"):
        notes.append(_("Compared as on the sheets, without the multiplier."))
    if each.key in ("rating", "compensation"):
        names = {stage.pk: stage.name for stage in found.stages}
        notes += [_compensation(names[made.stage_id], made) for made in compensations(found, place)]
    return notes


def _fined(each: Opened, fines: Sequence[FineRow]) -> list[str]:
    """What was given outside a game, one by one, and what that leaves."""
    if not each.fine:
        return []
    left = _("Less the penalties outside a game, which are not multiplied: %(value)s.")
    return [*(fine.words for fine in fines), left % {"value": exact_figure(each.value)}]


def _compensation(stage: str, made: Compensated) -> str:
    assert made.rules.compensation is not None
    return _(
        "%(stage)s: Ci = min(%(most)s; %(most)s · K / round(%(share)s · N)). Games N = %(games)d, of them shot on the "
        "first night as red or sheriff K = %(shot)d: min(%(most)s; %(most)s · %(shot)d / %(divisor)d) = %(rate)s for "
        "each lost one, of which there are %(lost)d."
    ) % {
        "stage": stage,
        "most": exact_figure(thousandths(made.rules.compensation), ONE),
        "share": exact_figure(thousandths(made.rules.compensation_share), ONE),
        "games": made.games,
        "shot": made.shot,
        "divisor": made.divisor,
        "rate": exact_figure(made.rate),
        "lost": made.lost,
    }


def beside_words(found: TournamentStandings, place: Place) -> list[BesideWords]:
    """The neighbours in the table, and what decided."""
    return [_beside(found, each) for each in besides(found, place)]


def _beside(found: TournamentStandings, each: Beside) -> BesideWords:
    decided = each.compared[-1].key if each.how == "key" else ""
    reasons = {
        "key": "",  # the list of keys says it
        "lot": _("equal in everything compared; the lot decided"),
        "due": _("equal in everything compared; a lot decides"),
        "shared": _("equal in everything compared; the places are shared"),
    }
    is_shared = each.how in ("due", "shared")
    head = _("Beside, on the same places:") if is_shared else _("Above:") if each.is_above else _("Below:")
    return BesideWords(
        player_id=each.place.player_id,
        nickname=found.nicknames[each.place.player_id],
        place=place_words(each.place),
        head=head,
        reason=reasons[each.how],
        keys=tuple(compared_words(key, decides=key.key == decided) for key in each.compared),
        lot=each.lot,
    )


def compared_words(key: Compared, *, decides: bool) -> KeyWords:
    """Both values, with as many decimals as tell them apart."""
    if key.key != RATING and key.key not in IN_THOUSANDTHS:
        return KeyWords(key_words(key.key), CLAUSES[key.key], str(key.mine), str(key.theirs), decides)
    unit = MILLION if key.key == RATING else ONE
    places = decimals_of([key.mine, key.theirs], unit, most=MOST)
    mine, theirs = figure(key.mine, unit, places), figure(key.theirs, unit, places)
    while key.mine != key.theirs and mine == theirs:
        places += 1
        mine, theirs = figure(key.mine, unit, places), figure(key.theirs, unit, places)
    return KeyWords(key_words(key.key), CLAUSES[key.key], mine, theirs, decides)
