"""Standings of 150 and 2,000 games, from the query to the order, beside the raw fetch of their rows (aim: ≤ 3×).

Run by `python -m tests.bench standings` once a database, as `python -m tests.bench.standings`.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any

import django

from . import places
from .tables import Sample, ms, show, times, verdict
from .timing import Act, in_turn

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from protocols.models import Player, Tournament

SIZES = {150: 60, 2000: 300}  # games → players
AIM = 3.0
REPEATS = 25
ROLES = ("red",) * 6 + ("black",) * 2 + ("sheriff", "don")
CALLS = ("floor: raw fetch of the rows", "the rows through the ORM, as tuples", "ours: from the query to the order")


def played_tournament(games: int, players: list[Player], judge: User) -> Tournament:
    """A tournament of signed games with results at random, three stages, the last multiplied."""
    from django.utils import timezone

    from protocols.models import Game, SeatResult, SignedSheet, Stage, Status, Tournament

    day, now = datetime.date(2025, 5, 17), timezone.now()
    tournament = Tournament.objects.create(title=f"{games}", slug=f"games-{games}", starts_on=day, regulation="F")
    stages = [
        Stage.objects.create(tournament=tournament, name=name, number=number, multiplier=multiplier)
        for number, (name, multiplier) in enumerate((("Отбор", "1"), ("Полуфинал", "1"), ("Финал", "1.5")), start=1)
    ]
    stage_of = [stages[2 if index >= games * 0.95 else 1 if index >= games * 0.8 else 0] for index in range(games)]
    table = Game.objects.bulk_create(
        Game(tournament=tournament, stage=stage, number=index + 1, table_number=1, played_on=day, judge=judge)
        for index, stage in enumerate(stage_of)
    )
    sheets = SignedSheet.objects.bulk_create(
        SignedSheet(
            game=game, number=1, revision=0, data={}, sha256="0" * 64, record_hash="0" * 64, rules_version="1",
            regulation="F", signed_by=judge, signed_at=now,
        )
        for game in table
    )  # fmt: skip
    chance = Random(games)
    rows = [
        SeatResult(
            sheet=sheet, game=game, tournament=tournament, stage_id=game.stage_id, player=player, **result
        )
        for game, sheet in zip(table, sheets, strict=True)
        for player, result in zip(chance.sample(players, 10), _ten_results(chance), strict=True)
    ]  # fmt: skip
    SeatResult.objects.bulk_create(rows, batch_size=2000)
    for game, sheet in zip(table, sheets, strict=True):
        game.status, game.sheet_in_force = Status.SIGNED, sheet
    Game.objects.bulk_update(table, ["status", "sheet_in_force"], batch_size=200)
    return tournament


def _ten_results(chance: Random) -> Iterator[dict[str, object]]:
    roles = list(ROLES)
    chance.shuffle(roles)
    winner = chance.choice(("red", "black"))
    victim = chance.choice((None, *range(10)))
    for seat, role in enumerate(roles, start=1):
        won = (role in ("black", "don")) == (winner == "black")
        removed = chance.random() < 0.03
        yield {
            "seat": seat,
            "role": role,
            "result": winner,
            "won": won,
            "win": 1000 if won else 0,
            "penalty": -500 if removed else 0,
            "removed": removed,
            "extra": chance.choice((0, 0, 0, 100, 250, 300)),
            "best_move": chance.choice((0, 250, 400)) if seat - 1 == victim else 0,
            "first_victim": seat - 1 == victim,
        }


def main() -> None:
    """Measures on the database of the environment; prints JSON: size → times of each call."""
    django.setup()
    from django.contrib.auth.models import User
    from django.db import connection

    from protocols.models import Player, SeatResult, nickname_key
    from scoring.ratings import Line
    from scoring.selectors import lines_of, standings_of

    judge = User.objects.create_user("judge")
    names = [f"Игрок {number}" for number in range(max(SIZES.values()))]
    players = Player.objects.bulk_create(Player(nickname=name, nickname_key=nickname_key(name)) for name in names)
    taken = {}
    tournaments = {games: played_tournament(games, players[:count], judge) for games, count in SIZES.items()}
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    for games, tournament in tournaments.items():
        rows = SeatResult.objects.filter(tournament=tournament, in_force=True).order_by().values_list(*Line._fields)
        sql, parameters = rows.query.sql_with_params()

        def raw(sql: str = sql, parameters: Any = parameters) -> Any:
            with connection.cursor() as cursor:
                cursor.execute(sql, parameters)
                return cursor.fetchall()

        acts: list[Act] = [raw, lambda t=tournament: lines_of(t), lambda t=tournament: standings_of(t)]  # type: ignore[misc]
        assert len(raw()) == 10 * games
        assert len(standings_of(tournament).table.places) == SIZES[games]
        taken[games] = [sample.values for sample in in_turn(acts, REPEATS)]
    print(json.dumps(taken))


def measure() -> None:
    """Prints one table for both databases."""
    rows = []
    for database in places.databases():
        with places.place(database) as env:
            taken = json.loads(places.run(env, "-m", "tests.bench.standings"))
        for games, values in taken.items():
            samples = [Sample(tuple(one)) for one in values]
            floor = samples[0].median
            for name, sample in zip(CALLS, samples, strict=True):
                ratio = sample.median / floor
                aim = f"≤ {AIM:.0f}×: {verdict(ratio, AIM)}" if name == CALLS[-1] else ""
                label = f"{database}, {int(games):,} games: {name}"
                rows.append((label, len(sample.values), ms(sample.median), sample.spread, times(ratio), aim))
    show("Standings, ms", ("", "n", "median", "p10–p90", "to floor", "aim"), rows)


if __name__ == "__main__":
    main()
