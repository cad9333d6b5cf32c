"""Where a player's figures come from: every figure of the standings taken apart into what each game put into it.

  piece    one component of one game: as on the sheet, what it is multiplied by, and what that brings
  opened   a figure with its pieces by game; their sum is the figure, exactly
  beside   a neighbour in the table, and the tie key that decided between the two

Nothing is reckoned a second time: the multipliers, Ci and the order come from `ratings` and `standings`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from protocols.rules.regulation import Reckoning, Regulation

from .ratings import (
    DON_OR_SHERIFF,
    MILLION,
    ONE,
    Exact,
    Tally,
    compensation_of_a_game,
    divisor_of,
    factors_of,
    grouped,
    whole,
)
from .selectors import DrawnLot, PlayedGame, TournamentStandings
from .standings import Place
from .tiebreaks import KEYS, LOT, decisive, keys_of


@dataclass(frozen=True, slots=True)
class Piece:
    """One component of one game: `value` in millionths, times `factor` thousandths, is `brings` in millionths."""

    component: str  # of COMPONENTS
    value: Exact
    factor: int
    is_spared: bool  # the stage multiplies, but not this component

    @property
    def brings(self) -> Exact:
        """What goes into the rating."""
        return whole(Fraction(self.value) * Fraction(self.factor, ONE))


@dataclass(frozen=True, slots=True)
class Part:
    """What one game puts into a figure: millionths of a point, or 1 where games are counted."""

    played: PlayedGame
    brings: Exact
    pieces: tuple[Piece, ...] = ()
    is_left_out: bool = False  # not among the best games that the regulation counts


@dataclass(frozen=True, slots=True)
class Opened:
    """A figure and what it comes from. `total` is the sum of the parts; `value` what that makes the figure."""

    key: str
    value: Exact
    unit: int  # 1 for a count of games, a million for points
    parts: tuple[Part, ...]
    is_from_outside: bool = False  # given by the organizer, no game puts anything into it
    fine: Exact = 0  # what penalties outside a game take off beside the parts, from 0

    @property
    def total(self) -> Exact:
        """The sum of the parts that count."""
        return sum(part.brings for part in self.parts if not part.is_left_out)


@dataclass(frozen=True, slots=True)
class Compensated:
    """Ci of a stage with its numbers: each of `lost` games brings `rate` millionths, before the multiplier."""

    stage_id: int
    rules: Regulation
    games: int  # N
    shot: int  # K
    divisor: int
    lost: int
    rate: Exact


@dataclass(frozen=True, slots=True)
class Compared:
    """One tie key, with both values in the key's own unit."""

    key: str
    mine: Exact
    theirs: Exact


@dataclass(frozen=True, slots=True)
class Beside:
    """A neighbour in the table: the keys compared, of which the last decided, or what else did."""

    place: Place
    is_above: bool
    how: str  # key, lot, due or shared
    compared: tuple[Compared, ...]
    lot: DrawnLot | None = None


def pieces_of(played: PlayedGame, regulation: Regulation) -> tuple[Piece, ...]:
    """The components that a game has, under its stage's multiplier; none for a game that counts for nobody."""
    if played.rating is None:
        return ()
    line, factors = played.rating.line, factors_of(played.rating.multiplier, regulation)
    values: list[tuple[str, Exact]] = [
        (name, getattr(line, name) * 1000) for name in ("win", "speech", "extra", "best_move", "penalty")
    ]
    compensation = played.rating.figures.compensation
    if compensation and factors["compensation"] != ONE:
        compensation = whole(Fraction(compensation) * Fraction(ONE, factors["compensation"]))
    values.append(("compensation", compensation))
    is_multiplied = played.rating.multiplier != ONE
    return tuple(
        Piece(name, value, factors[name], is_multiplied and factors[name] == ONE)
        for name, value in values
        if value or name == "win"
    )


def columns_of(regulation: Regulation) -> dict[str, tuple[str, ...]]:
    """The components that stand in each column of the table."""
    speech = ("speech",)
    return {
        "points": ("win", *(speech if regulation.speech_in_points else ())),
        "extra_points": ("extra", "best_move", *(() if regulation.speech_in_points else speech)),
        "penalty": ("penalty",),
        "compensation": ("compensation",),
    }


def opened(found: TournamentStandings, place: Place, played: Sequence[PlayedGame]) -> list[Opened]:
    """Every figure of a player's row, and every tie key of the regulation, taken apart; `played` are all their games.

    The rating first. A figure that no game puts anything into has no parts and is zero.
    """
    rules, rating = found.tournament.rules, place.rating
    counted = [game for game in played if game.rating is not None]
    pieces = {id(game): pieces_of(game, rules_of(found, game)) for game in counted}
    out = left_out(counted, rules)

    def parts(read: Callable[[PlayedGame], tuple[str, ...]]) -> tuple[Part, ...]:
        made = []
        for game in counted:
            names = read(game)
            asked = tuple(piece for piece in pieces[id(game)] if piece.component in names and piece.value)
            if asked:
                made.append(Part(game, sum(piece.brings for piece in asked), asked))
        return tuple(made)

    def column(name: str) -> tuple[Part, ...]:
        return parts(lambda game: columns_of(rules_of(found, game))[name])

    def counting(holds: Callable[[PlayedGame], bool]) -> tuple[Part, ...]:
        return tuple(Part(game, 1) for game in counted if holds(game))

    def plain(names: tuple[str, ...]) -> tuple[Part, ...]:
        """As on the sheets, without a multiplier: what A 8.5 compares."""
        made = []
        for game in counted:
            asked = tuple(
                Piece(piece.component, piece.value, ONE, False)
                for piece in pieces[id(game)]
                if piece.component in names and piece.value
            )
            if asked:
                made.append(Part(game, sum(piece.brings for piece in asked), asked))
        return tuple(made)

    every = tuple(
        Part(game, sum(piece.brings for piece in pieces[id(game)]), pieces[id(game)], id(game) in out)
        for game in counted
    )
    fine = found.terms.penalties.get(place.player_id, 0) * 1000
    figures = [Opened("rating", rating.total, MILLION, every, fine=fine)]
    figures += [
        Opened("games", rating.games, 1, counting(lambda game: True)),
        Opened("wins", rating.wins, 1, counting(lambda game: bool(game.result.won))),
        Opened("points", rating.figures.points, MILLION, column("points")),
        Opened("extra_points", rating.figures.extra_points, MILLION, column("extra_points")),
        Opened("penalty", rating.figures.penalty, MILLION, column("penalty"), fine=fine),
    ]
    if any(each.compensation is not None for each in (rules, *found.terms.own.values())):
        figures.append(Opened("compensation", rating.figures.compensation, MILLION, column("compensation")))
    with_best_move = ("best_move", *(() if rules.speech_in_points else ("speech",)))
    keys: dict[str, Callable[[], Opened]] = {
        "extra": lambda: Opened(
            "extra", rating.tie_extra * 1000, MILLION,
            plain(("extra", *(with_best_move if rules.tie_extra_with_best_move else ()))),
        ),
        "don_sheriff_wins": lambda: Opened(
            "don_sheriff_wins", rating.don_sheriff_wins, 1,
            counting(lambda game: bool(game.result.won) and game.result.role in DON_OR_SHERIFF),
        ),
        "first_victim": lambda: Opened(
            "first_victim", rating.first_victim, 1, counting(lambda game: game.result.first_victim)
        ),
        "best_move": lambda: Opened("best_move", rating.best_move * 1000, MILLION, plain(("best_move",))),
        "penalty": lambda: Opened(
            opening("penalty"), rating.penalty * 1000, MILLION, plain(("penalty",)), fine=fine
        ),
        "qualifying": lambda: Opened("qualifying", rating.qualifying * 1000, MILLION, (), is_from_outside=True),
    }  # fmt: skip
    asked = list(keys_of(rules))
    asked += [name for name in ("don_sheriff_wins", "first_victim") if name not in asked]
    return figures + [keys[name]() for name in asked if name in keys]


def opening(key: str) -> str:
    """What a tie key’s value is opened by: the key, or another word where a column of the table has the same."""
    return "penalty_key" if key == "penalty" else key


def rules_of(found: TournamentStandings, played: PlayedGame) -> Regulation:
    """The regulation of the game's stage: its own, or the tournament's."""
    return found.terms.own.get(played.result.stage_id, found.tournament.rules)


def left_out(counted: Sequence[PlayedGame], regulation: Regulation) -> set[int]:
    """Which games the rating leaves out, by `id`: all but the best, of equal ones the later."""
    if regulation.reckoning != Reckoning.BEST:
        return set()
    best = sorted(counted, key=lambda game: -(game.rating.figures.total if game.rating else 0))
    return {id(game) for game in best[regulation.best_games :]} if regulation.best_games is not None else set()


def compensations(found: TournamentStandings, place: Place) -> list[Compensated]:
    """Ci of every stage that brings the player any, with the numbers put into its formula."""
    tallies: dict[int, Tally] = {part.tally.stage_id: part.tally for part in place.rating.stages}
    made = []
    for stage, tally in tallies.items():
        rules = found.terms.own.get(stage, found.tournament.rules)
        if rules.compensation is None or not tally.red_first_victim_lost:
            continue
        counted = grouped(tally, tallies, found.terms.groups)
        made.append(_compensated(stage, rules, counted, tally.red_first_victim_lost))
    return made


def _compensated(stage: int, rules: Regulation, counted: Tally, lost: int) -> Compensated:
    return Compensated(
        stage, rules, counted.games, counted.red_first_victim, divisor_of(counted, rules), lost,
        compensation_of_a_game(counted, rules),
    )  # fmt: skip


def besides(found: TournamentStandings, place: Place) -> list[Beside]:
    """The neighbours above and below among the ranked, and what decided; none for a player without a place."""
    ranked = [each for each in found.table.places if each.number is not None]
    at = next((index for index, each in enumerate(ranked) if each.player_id == place.player_id), None)
    if at is None:
        return []
    made = []
    if at > 0:
        made.append(_beside(found, place, ranked[at - 1], is_above=True))
    if at + 1 < len(ranked):
        made.append(_beside(found, place, ranked[at + 1], is_above=False))
    return made


def _beside(found: TournamentStandings, mine: Place, other: Place, *, is_above: bool) -> Beside:
    keys = keys_of(found.tournament.rules)
    key = decisive(mine.rating, other.rating, keys)
    asked = keys if key is None else keys[: keys.index(key) + 1]
    compared = tuple(Compared(each, KEYS[each](mine.rating), KEYS[each](other.rating)) for each in asked)
    if key is not None:
        return Beside(other, is_above, "key", compared)
    upper = other if is_above else mine
    if upper.decision is not None and upper.decision.key == LOT:
        return Beside(other, is_above, "lot", compared, _lot_of(found.lots.values(), mine.player_id))
    return Beside(other, is_above, "due" if mine.lot_due else "shared", compared)


def _lot_of(lots: Iterable[DrawnLot], player: int) -> DrawnLot | None:
    return next((lot for lot in lots if player in lot.players), None)
