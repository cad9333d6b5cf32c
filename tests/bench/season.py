"""The season of a 20,000-game archive, everybody's rating in order, beside the database's own GROUP BY (aim: ≤ 4×).

Run by `python -m tests.bench season` once a database, as `python -m tests.bench.season`.
"""

from __future__ import annotations

import datetime
import json
from random import Random
from typing import TYPE_CHECKING, Any

import django

from . import places
from .standings import _ten_results
from .tables import Sample, ms, show, times, verdict
from .timing import Act, in_turn

if TYPE_CHECKING:
    from scoring.models import Season

TOURNAMENTS, GAMES, PLAYERS, AT_ONE = 200, 100, 2000, 60  # a tournament has GAMES games of AT_ONE players
AIM = 4.0
SUM = "SELECT player_id, COUNT(*), SUM(win + penalty + speech + extra + best_move) FROM protocols_seatresult r"
CHOSEN = "JOIN protocols_game g ON g.id = r.game_id JOIN protocols_tournament t ON t.id = g.tournament_id"
COUNTED = "WHERE in_force AND result IN ('red', 'black', 'draw')"
WITHIN = "g.played_on BETWEEN %s AND %s"
FLOORS = ("floor: GROUP BY player", "the same, of public tournaments and the season's days")
REPEATS = 15
FIRST_DAY = datetime.date(2025, 1, 1)
WAYS = {
    "all games, their points added up": {"counted": "games"},
    "all games without multipliers, the average": {"counted": "plain_games", "reckoning": "average", "least_games": 40},
    "the ratings of tournaments, added up": {"counted": "tournaments"},
    "the best 5 tournaments": {"counted": "tournaments", "reckoning": "best", "best": 5},
    "the best 40 games": {"counted": "games", "reckoning": "best", "best": 40},
}
"""The ways of reckoning that are measured; the first is what the aim speaks of: the sum of the same rows."""


def archive(tournaments: int, games: int, players: int, at_one: int) -> Season:
    """Signed games with results at random: every third tournament under edition A, B, the Federation's with its Ci.

    Each has three stages, the last under 1.5; gives the season of all of them.
    """
    from django.contrib.auth.models import User
    from django.utils import timezone

    from protocols.models import Game, Player, SeatResult, SignedSheet, Stage, Status, Tournament, nickname_key
    from scoring.models import Season

    judge, now, chance = User.objects.create_user("judge"), timezone.now(), Random(tournaments)
    names = [f"Игрок {number}" for number in range(players)]
    everybody = Player.objects.bulk_create(Player(nickname=name, nickname_key=nickname_key(name)) for name in names)
    for number in range(tournaments):
        day = FIRST_DAY + datetime.timedelta(days=number)
        code = "ABF"[number % 3]
        tournament = Tournament.objects.create(title=f"{number}", slug=f"t-{number}", starts_on=day, regulation=code)
        stages = [
            Stage.objects.create(tournament=tournament, name=name, number=at, multiplier=multiplier)
            for at, (name, multiplier) in enumerate((("Отбор", "1"), ("Полуфинал", "1"), ("Финал", "1.5")), start=1)
        ]
        stage_of = [stages[2 if at >= games * 0.95 else 1 if at >= games * 0.8 else 0] for at in range(games)]
        table = Game.objects.bulk_create(
            Game(tournament=tournament, stage=stage, number=at + 1, table_number=1, played_on=day, judge=judge)
            for at, stage in enumerate(stage_of)
        )
        sheets = SignedSheet.objects.bulk_create(
            SignedSheet(
                game=game, number=1, revision=0, data={}, sha256="0" * 64, record_hash="0" * 64, rules_version="1",
                regulation=code, signed_by=judge, signed_at=now,
            )
            for game in table
        )  # fmt: skip
        some = chance.sample(everybody, at_one)
        SeatResult.objects.bulk_create(
            (
                SeatResult(
                    sheet=sheet, game=game, tournament=tournament, stage_id=game.stage_id, player=player, **result
                )
                for game, sheet in zip(table, sheets, strict=True)
                for player, result in zip(chance.sample(some, 10), _ten_results(chance), strict=True)
            ),
            batch_size=1000,
        )
        for game, sheet in zip(table, sheets, strict=True):
            game.status, game.sheet_in_force = Status.SIGNED, sheet
        Game.objects.bulk_update(table, ["status", "sheet_in_force"], batch_size=200)
    last = FIRST_DAY + datetime.timedelta(days=tournaments)
    return Season.objects.create(title="Архив", slug="archive", starts_on=FIRST_DAY, ends_on=last, takes_all=True)


def main() -> None:
    """Measures on the database of the environment; prints JSON: the times of each call, the floor first."""
    django.setup()
    from django.db import connection, transaction

    from scoring.season_selectors import season_table

    with transaction.atomic():
        season = archive(TOURNAMENTS, GAMES, PLAYERS, AT_ONE)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")

    def asked(sql: str, *parameters: datetime.date) -> Any:
        with connection.cursor() as cursor:
            cursor.execute(sql, parameters or None)
            return cursor.fetchall()

    def floor() -> Any:
        return asked(f"{SUM} {COUNTED} GROUP BY player_id")

    def chosen() -> Any:
        period = season.starts_on, season.ends_on
        return asked(f"{SUM} {CHOSEN} {COUNTED} AND t.is_public AND {WITHIN} GROUP BY player_id", *period)

    def table(way: dict[str, Any]) -> Any:
        for name, value in ({"reckoning": "sum", "least_games": 0, "best": 1} | way).items():
            setattr(season, name, value)
        return season_table(season)

    acts: list[Act] = [floor, chosen, *(lambda way=way: table(way) for way in WAYS.values())]
    assert len(table({"counted": "games"}).table.places) == len(floor())
    print(json.dumps([sample.values for sample in in_turn(acts, REPEATS)]))


def measure() -> None:
    """Prints one table for both databases."""
    rows = []
    for database in places.databases():
        with places.place(database) as env:
            taken = json.loads(places.run(env, "-m", "tests.bench.season"))
        samples = [Sample(tuple(one)) for one in taken]
        base = samples[0].median
        for name, sample in zip(FLOORS + tuple(WAYS), samples, strict=True):
            ratio = sample.median / base
            aim = f"≤ {AIM:.0f}×: {verdict(ratio, AIM)}" if name in WAYS else ""
            rows.append(
                (f"{database}: {name}", len(sample.values), ms(sample.median), sample.spread, times(ratio), aim)
            )
    title = f"A season of {TOURNAMENTS * GAMES:,} games and {PLAYERS:,} players, ms"
    show(title, ("", "n", "median", "p10–p90", "to floor", "aim"), rows)


if __name__ == "__main__":
    main()
