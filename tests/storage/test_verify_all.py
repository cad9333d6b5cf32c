"""Games are proved in blocks, by several processes: nothing hides in a block, and nothing is found that isn't there."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from protocols.models import Game, Stage, triggers
from protocols.services.prepare import create_game, seat_players
from protocols.services.sign import seal
from protocols.services.verify_all import Disagreement, disagreements, disagreements_of, every_game

from .conftest import NICKNAMES, Cast
from .play import BEGUN, WON_BY_RED, foul, written

ALL_IN_ONE, ACROSS = 100, 2  # games read at once
UNREADABLE = ["не читается то, что хранится"]


def games_of(stage: Stage, judge: User) -> list[Game]:
    """Seven games: three signed, one without a single entry, one running, two signed."""
    games = []
    for number in range(7):
        game = create_game(stage, played_on=date(2024, 1, 5), judge=judge)
        seat_players(game, NICKNAMES, confirm_new=True)
        if number == 4:
            written(game, judge, [*BEGUN, foul(3)])
        elif number != 3:
            written(game, judge, WON_BY_RED)
            seal(game, revision=4, by=judge)
        games.append(game)
    return games


@pytest.fixture
def games(stage: Stage, cast: Cast) -> list[Game]:
    """Seven games of one stage."""
    return games_of(stage, cast.judge)


def sql(statement: str, *values: Any) -> None:
    """Speaks to the database as somebody who owns it."""
    triggers.remove(connection)
    never = {"sqlite": "2024-13-32 25:00:00", "postgresql": "infinity"}[connection.vendor]  # Python has no such time
    with connection.cursor() as cursor:
        cursor.execute(statement.format(never=never), values)


def said_of(game: Game, *found: str) -> Disagreement:
    """What is said of a game of the tournament."""
    return Disagreement(f"kubok-elki · Отбор · {game.number}/1 ({game.uuid})", list(found))


def words(found: list[str]) -> list[str]:
    """What is said without the words of the database."""
    return [what.partition(": ")[0] if what.startswith(UNREADABLE[0]) else what for what in found]


def test_games_that_agree_are_not_named(games: list[Game]) -> None:
    assert list(disagreements(every_game())) == []


@pytest.mark.parametrize("block", [ALL_IN_ONE, ACROSS])
@pytest.mark.parametrize("at", [0, 2, 4, 6], ids=lambda at: f"game {at + 1} of 7")
@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE protocols_entry SET seat = 4 WHERE revision = 4 AND game_id = %s",
         ["запись 4 не такая, какой её внесли"]),
        ("DELETE FROM protocols_entry WHERE revision = 3 AND game_id = %s",
         ["нет записи 3", "запись 4 не связана с предыдущей"]),
        ("DELETE FROM protocols_entry WHERE game_id = %s",
         ["нет записи 1", "нет записи 2", "нет записи 3", "нет записи 4"]),
        ("UPDATE protocols_entry SET recorded_at = '{never}' WHERE revision = 2 AND game_id = %s", UNREADABLE),
    ],
    ids=["altered", "deleted", "all deleted", "unreadable"],
)  # fmt: skip
def test_a_difference_anywhere_in_a_block_is_found_and_given_to_no_other_game(
    games: list[Game], block: int, at: int, statement: str, says: list[str]
) -> None:
    sql(statement, games[at].pk)
    found = [Disagreement(game, words(what)) for game, what in disagreements(every_game(), block=block)]
    assert found == [said_of(games[at], *says)]


def test_rows_moved_from_game_to_game_are_found_in_both(games: list[Game]) -> None:
    sql("UPDATE protocols_entry SET game_id = %s WHERE revision = 4 AND game_id = %s", games[3].pk, games[5].pk)
    assert list(disagreements(every_game())) == [
        said_of(games[3], "запись 4 не учтена в игре", "запись 4 не связана с предыдущей",
                "запись 4 не такая, какой её внесли"),
        said_of(games[5], "нет записи 4"),
    ]  # fmt: skip


def test_entries_of_a_game_without_any_are_missed_though_its_neighbours_have_them(games: list[Game]) -> None:
    sql("UPDATE protocols_game SET revision = 1 WHERE id = %s", games[3].pk)
    assert list(disagreements(every_game())) == [said_of(games[3], "нет записи 1")]


def test_a_result_told_to_be_of_another_game_is_found_where_its_sheet_is(games: list[Game]) -> None:
    sql("UPDATE protocols_seatresult SET game_id = %s, in_force = false WHERE seat = 2 AND game_id = %s",
        games[3].pk, games[5].pk)  # fmt: skip
    assert list(disagreements(every_game())) == [said_of(games[5], "бланк 1: результаты мест числятся не там")]


def test_a_result_moved_to_the_sheet_of_another_game_is_found_in_both(games: list[Game]) -> None:
    to, of = games[1].sheet_in_force_id, games[5].sheet_in_force_id
    sql("DELETE FROM protocols_seatresult WHERE seat = 7 AND sheet_id = %s", to)
    sql("UPDATE protocols_seatresult SET sheet_id = %s WHERE seat = 7 AND sheet_id = %s", to, of)
    assert list(disagreements(every_game())) == [
        said_of(games[1], "бланк 1: результаты мест числятся не там"),
        said_of(games[5], "бланк 1: результаты мест не те, что в записях"),
    ]


def test_a_game_whose_own_row_is_unreadable_hides_no_other(games: list[Game]) -> None:
    sql("UPDATE protocols_game SET ended_at = '{never}' WHERE id = %s", games[2].pk)
    sql("UPDATE protocols_entry SET seat = 4 WHERE revision = 4 AND game_id = %s", games[5].pk)
    row, altered = disagreements(every_game())
    assert (row.game, words(row.found)) == (str(games[2].pk), UNREADABLE)
    assert altered == said_of(games[5], "запись 4 не такая, какой её внесли")


def test_a_block_costs_as_many_queries_however_many_games_are_in_it(games: list[Game]) -> None:
    counts = []
    for keys in (every_game()[:1], every_game()):
        with CaptureQueriesContext(connection) as queries:
            assert disagreements_of(keys) == []
        counts.append(len(queries))
    assert counts == [5, 5]


def test_a_judge_who_writes_while_the_proof_reads_is_no_difference(games: list[Game], cast: Cast) -> None:
    running = games[4]

    def writes_first(execute: Callable[..., Any], statement: str, *rest: Any) -> Any:
        if 'FROM "protocols_entry"' in statement and running.revision == 4:
            running.revision = -1  # once
            judge_writes()
        return execute(statement, *rest)

    def judge_writes() -> None:
        fresh = Game.objects.get(pk=running.pk)
        written(fresh, cast.judge, [foul(5)])

    with connection.execute_wrapper(writes_first):
        assert disagreements_of(every_game()) == []
    assert Game.objects.get(pk=running.pk).revision == 5


@pytest.mark.django_db(transaction=True)
def test_several_processes_find_what_one_does_in_the_order_of_play(games: list[Game]) -> None:
    for at in (0, 4, 5):
        sql("UPDATE protocols_entry SET seat = 4 WHERE revision = 4 AND game_id = %s", games[at].pk)
    expected = [said_of(games[at], "запись 4 не такая, какой её внесли") for at in (0, 4, 5)]
    for processes in (1, 2, 3):
        assert list(disagreements(every_game(), processes=processes, block=ACROSS)) == expected
    with pytest.raises(CommandError, match=r"^Не сходятся 3 игры\.$"):
        call_command("verify", processes=2)
    # what was altered is put right, so that the database can be emptied
    sql("UPDATE protocols_entry SET seat = 3 WHERE revision = 4")


def test_what_is_not_committed_yet_is_proved_by_the_process_that_sees_it(games: list[Game]) -> None:
    sql("UPDATE protocols_entry SET seat = 4 WHERE revision = 4 AND game_id = %s", games[6].pk)
    found = disagreements(every_game(), processes=2, block=ACROSS)
    assert list(found) == [said_of(games[6], "запись 4 не такая, какой её внесли")]
