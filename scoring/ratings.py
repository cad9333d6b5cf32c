"""What a player has earned over a tournament, from the seats of its signed sheets (A 8.2–8.4, 8.6).

The words of this module:

  line        one seat of one signed game; its points are whole thousandths of a point, as they are stored
  tally       a player's lines of one stage added up
  multiplier  what a stage's points are multiplied by, in whole thousandths: 1500 at the final table (A 8.6)
  rating      a player's tallies, each under its multiplier, added up: the growing total of A 8.6

Thousandths of a point under thousandths of a multiplier are millionths of a point: every figure of a rating is an
exact number of millionths, an integer, or a Fraction where a compensation has to be divided. Nothing is rounded here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, cast

from protocols.rules.points import thousandths
from protocols.rules.regulation import COMPONENTS, Reckoning, Regulation
from protocols.rules.terms import Result, Role, Team

Exact = int | Fraction
MILLION = 1_000_000  # millionths of a point in a point
ONE = 1000  # the multiplier of a stage that multiplies nothing

RED_ROLES = frozenset(role.value for role in Role if role.team == Team.RED)
DON_OR_SHERIFF = frozenset({Role.DON.value, Role.SHERIFF.value})
COUNTED = frozenset(result.value for result in Result if result.counts)


@dataclass(frozen=True)
class Terms:
    """What a tournament has beside its regulation and its multipliers."""

    own: Mapping[int, Regulation] = field(default_factory=dict)  # of stages with a regulation of their own
    groups: Mapping[int, str] = field(default_factory=dict)  # of stages that are counted as one for Ci
    qualifying: Mapping[int, int] = field(default_factory=dict)  # the rating from outside, thousandths by player
    penalties: Mapping[int, int] = field(default_factory=dict)  # outside a game, thousandths taken off, by player


NO_TERMS = Terms()


class Line(NamedTuple):
    """One seat of one signed game; a plain tuple in this order does as well."""

    player_id: int
    stage_id: int
    role: str  # a value of Role
    result: str  # a value of Result
    won: bool | None  # None for a draw; 0 and 1 do as well
    win: int  # thousandths, as the four after it
    penalty: int
    speech: int
    extra: int  # the judge's extra points
    best_move: int
    first_victim: bool  # shot on night 1
    from_tournament: bool  # removed from the tournament in this game (A 6.3, 7.4)


@dataclass(slots=True)
class Tally:
    """A player's lines of one stage added up; points in thousandths, before the multiplier."""

    player_id: int
    stage_id: int
    games: int = 0
    wins: int = 0
    don_sheriff_wins: int = 0
    first_victim: int = 0  # times shot on night 1, in any role
    red_first_victim: int = 0  # of these, as a red player or the sheriff
    red_first_victim_lost: int = 0  # of these, in a lost game
    win: int = 0
    penalty: int = 0
    speech: int = 0
    extra: int = 0
    best_move: int = 0


@dataclass(frozen=True, slots=True)
class Figures:
    """The four parts of a rating, in millionths of a point, the multiplier applied."""

    points: Exact = 0  # the column Баллы, its penalties apart
    extra_points: Exact = 0  # the column Доп. баллы
    penalty: Exact = 0
    compensation: Exact = 0

    @property
    def total(self) -> Exact:
        """All four."""
        return self.points + self.extra_points + self.penalty + self.compensation

    def __add__(self, other: Figures) -> Figures:
        return Figures(
            self.points + other.points,
            self.extra_points + other.extra_points,
            self.penalty + other.penalty,
            self.compensation + other.compensation,
        )


@dataclass(frozen=True, slots=True)
class StageRating:
    """What one stage brings a player."""

    tally: Tally
    multiplier: int  # thousandths
    figures: Figures


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's total over all stages (A 8.6), with what the tie keys of A 8.5 ask."""

    player_id: int
    figures: Figures
    total: Exact  # millionths
    games: int
    wins: int
    don_sheriff_wins: int
    first_victim: int
    tie_extra: int  # thousandths, unmultiplied: what A 8.5 compares first
    best_move: int  # thousandths, unmultiplied, as the next
    penalty: int
    qualifying: int  # from outside the tournament, thousandths; 0 where none is given
    from_tournament: bool  # removed from the tournament
    stages: tuple[StageRating, ...] = ()  # in the order of the lines


@dataclass(frozen=True, slots=True)
class GameRating:
    """What one game brings a player, under its stage's multiplier."""

    line: Line
    multiplier: int
    figures: Figures


def tallies(lines: Iterable[Line]) -> tuple[dict[int, dict[int, Tally]], set[int]]:
    """Tallies by player and stage, and whoever was removed from the tournament.

    Annulled and replayed games count for nobody.
    """
    found: dict[int, dict[int, Tally]] = {}
    removed: set[int] = set()
    # One pass without a call a line: an archive has 20,000 of them.
    for player, stage, role, result, won, win, penalty, speech, extra, best_move, victim, from_tournament in lines:
        if from_tournament:
            removed.add(player)
            found.setdefault(player, {})
        if result not in COUNTED:
            continue
        try:
            tally = found[player][stage]
        except KeyError:
            tally = found.setdefault(player, {})[stage] = Tally(player, stage)
        tally.games += 1
        if win:
            tally.win += win
        if won:
            tally.wins += 1
            if role in DON_OR_SHERIFF:
                tally.don_sheriff_wins += 1
        if penalty:
            tally.penalty += penalty
        if speech:
            tally.speech += speech
        if extra:
            tally.extra += extra
        if best_move:
            tally.best_move += best_move
        if victim:
            tally.first_victim += 1
            if role in RED_ROLES:
                tally.red_first_victim += 1
                if won is not None and not won:
                    tally.red_first_victim_lost += 1
    return found, removed


def whole(value: Fraction) -> Exact:
    """The same number, as an integer where it is one."""
    return value.numerator if value.denominator == 1 else value


def compensation_of_a_game(tally: Tally, regulation: Regulation) -> Exact:
    """Ci, what each lost game of a red first victim brings: min(0.4, 0.4·K/round(0.4·N)), in millionths.

    N are the player's games in the stage, or in the stages of its group, K those in which the player, red or
    sheriff, was shot on night 1, whoever won. round() is half up. Where it gives 0 (one game), 1 divides: the one
    night brings the most, as the minimum would say.
    """
    if regulation.compensation is None:
        return 0
    most = _thousandths(regulation.compensation) * 1000
    divisor = divisor_of(tally, regulation)
    if tally.red_first_victim >= divisor:
        return most
    return whole(Fraction(most * tally.red_first_victim, divisor))


def divisor_of(tally: Tally, regulation: Regulation) -> int:
    """What Ci divides by: round(share·N), at least 1; N are the tally's games."""
    share = _thousandths(regulation.compensation_share)
    return max(1, (2 * share * tally.games + ONE) // (2 * ONE))  # ⌊share·N + 1/2⌋


@lru_cache(maxsize=64)
def _thousandths(points: Decimal) -> int:
    """The same in thousandths, made once for each number of a regulation."""
    return thousandths(points)


def grouped(tally: Tally, stages: Mapping[int, Tally], groups: Mapping[int, str]) -> Tally:
    """What Ci counts for a game of that stage: the player's tally of it, or of all the stages of its group."""
    group = groups.get(tally.stage_id)
    if not group:
        return tally
    whole_group = Tally(tally.player_id, tally.stage_id)
    for stage, other in stages.items():
        if groups.get(stage) == group:
            whole_group.games += other.games
            whole_group.red_first_victim += other.red_first_victim
    return whole_group


def factors_of(multiplier: int, regulation: Regulation) -> Mapping[str, int]:
    """What each component is multiplied by, in thousandths: the regulation names those that the multiplier is for.

    A penalty is no point (A 8.2.3) and goes into the rating as it is (A 8.2.4), unless the regulation says otherwise.
    """
    return {name: multiplier if name in regulation.multiplied else ONE for name in COMPONENTS}


def figures_of(tally: Tally, factors: Mapping[str, int], regulation: Regulation, compensated: Exact) -> Figures:
    """The four parts of what a tally brings; `compensated` is its Ci in millionths, before the multiplier."""
    speech = tally.speech * factors["speech"]
    points = tally.win * factors["win"]
    extra_points = tally.extra * factors["extra"] + tally.best_move * factors["best_move"]
    if regulation.speech_in_points:
        points += speech
    else:
        extra_points += speech
    if compensated and factors["compensation"] != ONE:
        compensated = whole(Fraction(compensated * factors["compensation"], ONE))
    return Figures(points, extra_points, tally.penalty * factors["penalty"], compensated)


def ratings(
    lines: Iterable[Line], regulation: Regulation, multipliers: Mapping[int, int], terms: Terms = NO_TERMS
) -> list[Rating]:
    """Every player's rating, in no order; `multipliers` are thousandths by stage, 1000 where a stage has none.

    Components, multiplier and Ci of a stage go by the stage's own regulation, where it has one; how games make a
    rating goes by the tournament's.
    """
    lines = lines if isinstance(lines, list) or regulation.reckoning != Reckoning.BEST else list(lines)
    found, removed = tallies(lines)
    known: dict[int, tuple[Regulation, int, Mapping[str, int]]] = {}
    rows = []
    for player, stages in found.items():
        parts = []
        for stage, tally in stages.items():
            if stage not in known:
                rules, multiplier = terms.own.get(stage, regulation), multipliers.get(stage, ONE)
                known[stage] = rules, multiplier, factors_of(multiplier, rules)
            rules, multiplier, factors = known[stage]
            lost = tally.red_first_victim_lost
            rate = compensation_of_a_game(grouped(tally, stages, terms.groups), rules) if lost else 0
            parts.append(StageRating(tally, multiplier, figures_of(tally, factors, rules, lost * rate)))
        rows.append(_rating(player, tuple(parts), regulation, player in removed, terms.qualifying.get(player, 0)))
    if regulation.reckoning == Reckoning.BEST:
        rows = _of_the_best(rows, cast("list[Line]", lines), regulation, multipliers, terms)
    return _fined(rows, terms.penalties) if terms.penalties else rows


def _fined(rows: list[Rating], penalties: Mapping[int, int]) -> list[Rating]:
    """The ratings less the penalties outside a game: once, unmultiplied, after whatever makes a total of games.

    A penalty is no point of a game (A 8.2.3) and goes into the rating as it is (A 8.2.4).
    """
    found = []
    for row in rows:
        fine = penalties.get(row.player_id, 0)
        if fine:
            figures = row.figures + Figures(penalty=-fine * 1000)
            row = replace(row, figures=figures, total=row.total - fine * 1000, penalty=row.penalty - fine)
        found.append(row)
    return found


def _of_the_best(
    rows: list[Rating], lines: list[Line], regulation: Regulation, multipliers: Mapping[int, int], terms: Terms
) -> list[Rating]:
    """The ratings with the sum of the best games as their totals; the figures stay those of all games."""
    by_player: dict[int, list[Line]] = {}
    for line in lines:
        by_player.setdefault(line[0], []).append(Line._make(line))
    found = []
    for row in rows:
        games = games_of_player(by_player[row.player_id], regulation, multipliers, terms)
        totals = sorted((game.figures.total for game in games if game is not None), reverse=True)
        found.append(replace(row, total=sum(totals[: regulation.best_games])))
    return found


def _rating(
    player: int, stages: tuple[StageRating, ...], regulation: Regulation, removed: bool, qualifying: int
) -> Rating:
    games = wins = don_sheriff_wins = first_victim = tie_extra = best_move = penalties = 0
    points: Exact = 0
    extra_points: Exact = 0
    penalty: Exact = 0
    compensation: Exact = 0
    for stage in stages:
        tally, figures = stage.tally, stage.figures
        games += tally.games
        wins += tally.wins
        don_sheriff_wins += tally.don_sheriff_wins
        first_victim += tally.first_victim
        tie_extra += tally.extra
        best_move += tally.best_move
        penalties += tally.penalty
        if regulation.tie_extra_with_best_move:
            tie_extra += tally.best_move + (0 if regulation.speech_in_points else tally.speech)
        points += figures.points
        extra_points += figures.extra_points
        penalty += figures.penalty
        compensation += figures.compensation
    total = points + extra_points + penalty + compensation
    if regulation.reckoning == Reckoning.AVERAGE and games:
        total = whole(Fraction(total) * Fraction(1, games))
    return Rating(
        player_id=player,
        figures=Figures(points, extra_points, penalty, compensation),
        total=total,
        games=games,
        wins=wins,
        don_sheriff_wins=don_sheriff_wins,
        first_victim=first_victim,
        tie_extra=tie_extra,
        best_move=best_move,
        penalty=penalties,
        qualifying=qualifying,
        from_tournament=removed,
        stages=stages,
    )


def games_of_player(
    lines: Sequence[Line], regulation: Regulation, multipliers: Mapping[int, int], terms: Terms = NO_TERMS
) -> list[GameRating | None]:
    """What each line of one player brings, in their order; None for a game that counts for nobody.

    The sum of the figures is the sum of the player's games, of which a regulation may count the best, or the average.
    """
    found, _ = tallies(lines)
    games: list[GameRating | None] = []
    for line in lines:
        alone = tallies([line])[0].get(line.player_id, {}).get(line.stage_id)
        if alone is None:
            games.append(None)
            continue
        rules, multiplier = terms.own.get(line.stage_id, regulation), multipliers.get(line.stage_id, ONE)
        stages = found[line.player_id]
        rate: Exact = 0
        if alone.red_first_victim_lost:
            rate = compensation_of_a_game(grouped(stages[line.stage_id], stages, terms.groups), rules)
        games.append(GameRating(line, multiplier, figures_of(alone, factors_of(multiplier, rules), rules, rate)))
    return games
