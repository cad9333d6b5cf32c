"""What the database adds up for a season: the sums of its players over thousands of games, each sum an exact integer.

The points of a line are thousandths and so are the factors of its stage: their products are millionths, added up as
integers by the database itself. Only Ci, which divides, is reckoned here, from counts (RULES §6).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd
from typing import Any, TypeAlias

from django.db import connection
from django.db.models import QuerySet

from protocols.models import Game
from protocols.rules.regulation import Reckoning, Regulation

from .ratings import COUNTED, ONE, RED_ROLES, Exact, Tally, compensation_of_a_game, factors_of, grouped, whole
from .season_ratings import SeasonRules, Share

SMALL = 20  # a factor up to which PostgreSQL's short integers can't overflow, and its sums are fast
PARTS = ("win", "speech", "apart", "extra", "best_move", "penalty")  # apart: marks in the column of extra points

Rate: TypeAlias = tuple[int, int, int, int, Exact]  # of Ci, as _rates tells


@dataclass(frozen=True, slots=True)
class SeasonStage:
    """A stage as a season needs it."""

    pk: int
    tournament_id: int
    group: str  # of stages that are counted as one for Ci
    rules: Regulation
    tournament_rules: Regulation
    factors: Mapping[str, int]  # what each part is multiplied by, in thousandths


def season_factors(multiplier: int, rules: Regulation) -> dict[str, int]:
    """What each part is multiplied by under that multiplier, in thousandths."""
    found = dict(factors_of(multiplier, rules))
    in_points = rules.speech_in_points
    return found | {"speech": found["speech"] if in_points else 0, "apart": 0 if in_points else found["speech"]}


@dataclass(frozen=True, slots=True)
class Counting:
    """The stages whose signed games a season counts; `games`: only these of them."""

    stages: tuple[SeasonStage, ...]
    games: QuerySet[Game] | None = None

    def of(self, tournaments: set[int]) -> Counting:
        """The same of these tournaments alone."""
        return replace(self, stages=tuple(stage for stage in self.stages if stage.tournament_id in tournaments))


def shares_of(counting: Counting, rules: SeasonRules) -> list[Share]:
    """What each tournament brings each player; where games are added up, what all of them bring, as of tournament 0."""
    if not counting.stages:
        return []
    if rules.counted.is_games:
        return _of_games(counting, rules, _rates(counting))
    removed = set(_removed(counting))
    if rules.reckoning == Reckoning.SUM and all(
        stage.tournament_rules.reckoning == Reckoning.SUM for stage in counting.stages
    ):
        return _added_up(counting, rules, removed)
    by_both = {(share.player_id, share.tournament_id): share for share in _sums(counting, rules, "r.tournament_id")}
    for player, _stage, tournament, lost, rate in _rates(counting):
        by_both[player, tournament].compensation += lost * rate
    _reckon(by_both, counting)
    for pair in removed & by_both.keys():
        by_both[pair].has_place = False
    return list(by_both.values())


def _of_games(counting: Counting, rules: SeasonRules, rates: Iterable[Rate]) -> list[Share]:
    """What all games bring, as of tournament 0."""
    found = {share.player_id: share for share in _sums(counting, rules, "0")}
    for player, _stage, _tournament, lost, rate in rates:
        found[player].compensation += lost * rate
    return list(found.values())


def _added_up(counting: Counting, rules: SeasonRules, removed: set[tuple[int, int]]) -> list[Share]:
    """Sums of sums: what all tournaments bring together, as of tournament 0, and those that bring nothing, of 1."""
    pairs = ", ".join(f"({player}, {tournament})" for player, tournament in sorted(removed))
    apart = f"CASE WHEN (r.player_id, r.tournament_id) IN (VALUES {pairs}) THEN 1 ELSE 0 END" if removed else "0"
    found = {(share.player_id, share.tournament_id): share for share in _sums(counting, rules, apart)}
    for player, _stage, tournament, lost, rate in _rates(counting):
        found[player, int((player, tournament) in removed)].compensation += lost * rate
    for (_player, is_removed), share in found.items():
        share.has_place = not is_removed
    return list(found.values())


def _reckon(by_both: dict[tuple[int, int], Share], counting: Counting) -> None:
    """Gives the totals of tournaments whose regulation doesn't add up (averages, the best games)."""
    reckoned = {stage.tournament_id: stage.tournament_rules for stage in counting.stages}
    averages = {pk for pk, rules in reckoned.items() if rules.reckoning == Reckoning.AVERAGE}
    best = {pk: rules.best_games or 0 for pk, rules in reckoned.items() if rules.reckoning == Reckoning.BEST}
    if averages:
        for (_player, tournament), share in by_both.items():
            if tournament in averages and share.games:
                share.total = whole(Fraction(share.brought) / share.games)
    if best:
        some = counting.of(set(best))
        for key, values in _values(some, "r.tournament_id", list(_rates(some))).items():
            by_both[key].total = _sum_of_best(values, best[key[1]])


def shares_and_best_of(counting: Counting, rules: SeasonRules) -> tuple[list[Share], dict[int, Exact] | None]:
    """The shares, and the sum of each player's best games where these are what counts, else None."""
    if not rules.asks_each_game:
        return shares_of(counting, rules), None
    if not counting.stages:
        return [], {}
    rates = list(_rates(counting))
    values = _values(counting, "0", rates)
    return _of_games(counting, rules, rates), {
        player: _sum_of_best(own, rules.best) for (player, _none), own in values.items()
    }


def _sum_of_best(values: list[tuple[Exact, int]], best: int) -> Exact:
    """The sum of the `best` highest of values that are given with how many games brought each.

    >>> _sum_of_best([(1, 3), (5, 2), (4, 1)], 4), _sum_of_best([(2, 1)], 3)
    (15, 2)
    """
    total: Exact = 0
    for value, games in sorted(values, reverse=True):
        if games >= best:
            return total + value * best
        total += value * games
        best -= games
    return total


# ---------------------------------------------------------------- what the database is asked

FIRST_RED = f"r.first_victim AND r.role IN ({', '.join(repr(role) for role in sorted(RED_ROLES))})"
LOST = "r.won IS NOT NULL AND NOT r.won"
TOTAL = " + ".join(f"r.{'speech' if part == 'apart' else part} * f.{part}" for part in PARTS)


def _sums(counting: Counting, rules: SeasonRules, tournament: str) -> Iterator[Share]:
    """The sums by player and by `tournament`, a column or 0; what no tie key asks for is not added up."""
    asked = set(rules.tie_keys)
    columns = [
        "COUNT(*)",
        _how_many("r.won"),
        _how_many("r.won AND r.role IN ('don', 'sheriff')") if "don_sheriff_wins" in asked else "0",
        _how_many("r.first_victim") if "first_victim" in asked else "0",
        "SUM(r.extra)" if "extra" in asked else "0",
        "SUM(r.best_move)" if "best_move" in asked else "0",
        "SUM(r.win * f.win + r.speech * f.speech)",
        "SUM(r.extra * f.extra + r.best_move * f.best_move + r.speech * f.apart)",
        "SUM(r.penalty * f.penalty)",
        "SUM(r.penalty)" if "penalty" in asked else "0",
    ]
    unit, rows = _rows(counting, f"r.player_id, {tournament}, {', '.join(columns)}", by=f"{tournament}, r.player_id")
    for player, of, games, wins, pairs, victim, extra, best_move, points, extra_points, penalty, fines in rows:
        yield Share(
            player, of, games, wins, pairs, victim, extra, best_move, fines,
            points * unit, extra_points * unit, penalty * unit,
        )  # fmt: skip


def _values(
    counting: Counting, tournament: str, rates: Iterable[Rate]
) -> dict[tuple[int, int], list[tuple[Exact, int]]]:
    """What games brought, in millionths and in no order, each with how many brought it: by player and `tournament`.

    Games that brought a player the same are one row, so that a hundred games are a dozen rows.
    """
    with_ci = f"f.ci = 1 AND {FIRST_RED} AND {LOST}"
    found: dict[tuple[int, int], list[tuple[Exact, int]]] = {}
    by = f"{tournament}, r.player_id, {TOTAL}"
    unit, rows = _rows(counting, f"r.player_id, {tournament}, {TOTAL}, COUNT(*)", where=f"NOT ({with_ci})", by=by)
    for player, of, total, games in rows:
        try:
            found[player, of].append((total * unit, games))
        except KeyError:
            found[player, of] = [(total * unit, games)]
    of_stage = {(player, stage): rate for player, stage, _of, _lost, rate in rates}
    if of_stage:
        unit, rows = _rows(counting, f"r.player_id, {tournament}, r.stage_id, {TOTAL}", where=with_ci)
        for player, of, stage, total in rows:
            found.setdefault((player, of), []).append((total * unit + of_stage[player, stage], 1))
    return found


def _rates(counting: Counting) -> Iterator[Rate]:
    """Ci: the player, stage, tournament, the lost games as a red first victim, and what each brings, in millionths."""
    with_ci = {stage.tournament_id for stage in counting.stages if stage.rules.compensation is not None}
    if not with_ci:
        return
    some = counting.of(with_ci)
    stages = {stage.pk: stage for stage in some.stages}
    groups = {stage.pk: stage.group for stage in some.stages if stage.group}
    columns = f"r.player_id, r.stage_id, COUNT(*), {_how_many(FIRST_RED)}, {_how_many(f'{FIRST_RED} AND {LOST}')}"
    lost_some = f"{_how_many(f'{FIRST_RED} AND {LOST}')} > 0"
    by = "r.stage_id, r.player_id" + ("" if groups else f" HAVING {lost_some}")
    _unit, rows = _rows(some, columns, by=by)
    tallies: dict[tuple[int, int], dict[int, Tally]] = {}  # of stages that are counted together with others
    losers = []
    for player, stage, games, victim, lost in rows:
        if not (lost or stage in groups):
            continue
        tally = Tally(player, stage, games=games, red_first_victim=victim, red_first_victim_lost=lost)
        if stage in groups:
            tallies.setdefault((player, stages[stage].tournament_id), {})[stage] = tally
        if lost and stages[stage].rules.compensation is not None:
            losers.append(tally)
    factors = {stage.pk: stage.factors["compensation"] for stage in some.stages}
    for tally in losers:
        of = stages[tally.stage_id]
        together = grouped(tally, tallies.get((tally.player_id, of.tournament_id), {}), groups)
        rate = compensation_of_a_game(together, of.rules)
        if factors[of.pk] != ONE:
            rate = whole(Fraction(rate * factors[of.pk], ONE))
        yield tally.player_id, tally.stage_id, of.tournament_id, tally.red_first_victim_lost, rate


def _removed(counting: Counting) -> Iterator[tuple[int, int]]:
    """Who was removed from which tournament (A 6.3, 7.4), in a game that counts or in one that doesn't.

    They are few, with an index of their own: all are read, and those of other stages left out here.
    """
    stages = {stage.pk for stage in counting.stages}
    columns = "r.player_id, r.tournament_id, r.stage_id"
    _unit, rows = _rows(counting, columns, where="r.from_tournament", only_counted=False, of_any_stage=True)
    return ((player, tournament) for player, tournament, stage in rows if stage in stages)


def _how_many(condition: str) -> str:
    return f"SUM(CASE WHEN {condition} THEN 1 ELSE 0 END)"


def _rows(
    counting: Counting,
    columns: str,
    *,
    where: str = "",
    by: str = "",
    only_counted: bool = True,
    of_any_stage: bool = False,
) -> tuple[int, Iterable[Any]]:
    """Rows of the lines in force beside the factors of their stages, and the unit of the factors, in thousandths.

    `by` begins with what the rows lie together by, a stage or a tournament: grouped by the player first, SQLite reads
    them in the order of players, which takes three times as long.
    """
    factors, joined, conditions = NO_FACTORS, "", ["r.in_force"]
    if "f." in columns + where:
        factors, joined = _Factors.of(counting.stages), "JOIN f ON f.stage = r.stage_id"
    elif not of_any_stage:
        conditions.append(f"r.stage_id IN ({', '.join(str(stage.pk) for stage in counting.stages)})")
    if only_counted:
        conditions.append(f"r.result IN ({', '.join(repr(result) for result in sorted(COUNTED))})")
    parameters: Any = None
    if counting.games is not None:
        games, parameters = counting.games.order_by().values("pk").query.sql_with_params()
        conditions.append(f"r.game_id IN ({games})")
    if where:
        conditions.append(where)
    # Every word of it is ours and every value an integer; what is asked of the games comes as parameters.
    holds = " AND ".join(f"({each})" for each in conditions)
    sql = f"{factors.table}SELECT {columns} FROM protocols_seatresult r {joined} WHERE {holds}"  # noqa: S608
    if by:
        sql += f" GROUP BY {by.removeprefix('0, ')}"
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        rows: list[Any] = cursor.fetchall()
    if factors.is_long and connection.vendor == "postgresql":  # its sums of long integers are decimals
        return factors.unit, [tuple(map(int, row)) for row in rows]
    return factors.unit, rows


@dataclass(frozen=True, slots=True)
class _Factors:
    """The factors of some stages as a table of the query; they are few and have much in common.

    1000 and 1500 are 2 and 3 of 500.
    """

    unit: int  # thousandths
    is_long: bool
    table: str

    @classmethod
    def of(cls, stages: Iterable[SeasonStage]) -> _Factors:
        """The factors of these stages, one or more."""
        known = [(stage.pk, int(stage.rules.compensation is not None), stage.factors) for stage in stages]
        unit = gcd(*(found[part] for _pk, _ci, found in known for part in PARTS)) or ONE
        is_long = max(found[part] for _pk, _ci, found in known for part in PARTS) > SMALL * unit
        rows = ", ".join(
            f"({pk}, {ci}, {', '.join(str(found[part] // unit) for part in PARTS)})" for pk, ci, found in known
        )
        columns = ", ".join(f"CAST({part} AS bigint) AS {part}" for part in PARTS) if is_long else ", ".join(PARTS)
        table = (
            f"WITH given(stage, ci, {', '.join(PARTS)}) AS (VALUES {rows}), "  # noqa: S608
            f"f AS (SELECT stage, ci, {columns} FROM given) "
        )
        return cls(unit, is_long, table)


NO_FACTORS = _Factors(ONE, False, "")
