"""`manage.py verify` finds whatever was altered, taken away or added behind the services' back."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from protocols.models import Entry, Foul, Game, Player, Seat, SeatResult, SignedSheet, Tournament, triggers
from protocols.models.entries import genesis
from protocols.rules import entries as e
from protocols.services.sign import reopen, seal
from protocols.services.verify import differences

from .conftest import Cast
from .play import BEGUN, OATH, WON_BY_RED, extra, foul, speech, written


@pytest.fixture
def signed(game: Game, cast: Cast) -> Game:
    """A game signed twice."""
    written(game, cast.judge, [*BEGUN, foul(3), foul(3), OATH])
    seal(game, revision=6, by=cast.judge)
    reopen(game, by=cast.head_judge, reason="Доп. баллы")
    written(game, cast.judge, [extra(2, 500)])
    seal(game, revision=7, by=cast.head_judge)
    return game


def sql(statement: str) -> None:
    """Speaks to the database as somebody who owns it."""
    triggers.remove(connection)
    with connection.cursor() as cursor:
        cursor.execute(statement)


@contextmanager
def unheld_by_foreign_keys() -> Iterator[None]:
    """A hand at SQLite's own shell, where foreign keys are off; all is as it was afterwards."""
    if connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            yield
            transaction.set_rollback(True)
        return
    with transaction.atomic():  # SQLite looks at its keys when the outer transaction ends
        yield
        transaction.set_rollback(True)


def verify() -> tuple[bool, list[str]]:
    """Whether the command succeeds, and what it prints about each game."""
    out = StringIO()
    try:
        call_command("verify", stdout=out)
    except CommandError:
        return False, out.getvalue().splitlines()
    return True, out.getvalue().splitlines()


def test_what_the_services_wrote_agrees(signed: Game, cast: Cast) -> None:
    assert differences(signed) == []
    assert verify() == (True, ["1 игра сходится."])


def test_an_empty_database_agrees(db: None) -> None:
    assert verify() == (True, ["0 игр сходится."])


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE protocols_entry SET seat = 4 WHERE revision = 4", ["запись 4 не такая, какой её внесли"]),
        (
            "UPDATE protocols_entry SET recorded_at = '2024-01-05 10:00:00' WHERE revision = 4",
            ["запись 4 не такая, какой её внесли"],
        ),
        (
            "DELETE FROM protocols_entry WHERE revision = 4",
            ["нет записи 4", "запись 5 не связана с предыдущей"],
        ),
        ("DELETE FROM protocols_entry WHERE revision = 7", ["нет записи 7"]),
        ("UPDATE protocols_game SET revision = 6", ["запись 7 не учтена в игре"]),
        ("UPDATE protocols_seatresult SET extra = 1000 WHERE seat = 2 AND in_force",
         ["бланк 2: результаты мест не те, что в записях"]),
        ("DELETE FROM protocols_seatresult WHERE seat = 2 AND in_force",
         ["бланк 2: результаты мест не те, что в записях"]),
        ("UPDATE protocols_seatresult SET in_force = false", ["бланк 2: результаты мест числятся не там"]),
        ("UPDATE protocols_game SET status = 'annulled'", ["в игре значится «аннулирована», по записям — «подписана»"]),
        ("UPDATE protocols_game SET ended_at = NULL",
         ["время окончания не согласуется с записями", "бланк 2: окончание игры не то, что подписано"]),
        ("UPDATE protocols_game SET ended_at = '2001-01-01 10:00:00'",
         ["бланк 2: окончание игры не то, что подписано"]),
        ("UPDATE protocols_game SET table_number = 7", ["бланк 2: шапка игры не та, что подписана"]),
        ("UPDATE protocols_game SET played_on = '2001-01-01'", ["бланк 2: шапка игры не та, что подписана"]),
        ("UPDATE protocols_game SET judge_name = 'Другая'", ["бланк 2: шапка игры не та, что подписана"]),
        ("UPDATE protocols_game SET protest = 'Против'", ["бланк 2: протест не тот, что подписан"]),
        ("UPDATE protocols_signedsheet SET signed_at = '2001-01-01 10:00:00' WHERE number = 2",
         ["бланк 2: время подписи не то, что подписано"]),
        ("UPDATE protocols_signedsheet SET rules_version = '0' WHERE number = 2",
         ["бланк 2: составлен по правилам, которых этот сайт не знает"]),
        ("DELETE FROM protocols_seat WHERE number = 3", ["бланк 2: на месте 3 другой игрок, чем в результате"]),
        ("UPDATE protocols_seat SET nickname = 'Подмена' WHERE number = 3",
         ["бланк 2: место 3 названо «Подмена», а на бланке «Вихрь»"]),
        ("UPDATE protocols_tournament SET regulation = 'B'",
         ["бланк 2: подписан по другому регламенту, чем тот, по которому идёт игра"]),
        ("UPDATE protocols_signedsheet SET regulation = '0' WHERE number = 2",
         ["не читается то, что хранится: KeyError '0'"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_every_meddling_is_found(signed: Game, statement: str, says: list[str]) -> None:
    sql(statement)
    assert differences(Game.objects.get(pk=signed.pk)) == says
    assert verify()[0] is False


def test_an_entry_added_behind_the_services_back_is_found(signed: Game, cast: Cast) -> None:
    extra_row = Entry.of_value(
        speech(2), revision=8, game=signed, uuid=uuid4(), author=cast.stranger, recorded_at=timezone.now()
    )
    extra_row.chain(Entry.objects.get(revision=7).hash, signed.uuid)
    extra_row.save()
    assert differences(signed) == ["запись 8 не учтена в игре"]


def test_an_entry_counted_and_chained_behind_a_signature_is_found(signed: Game, cast: Cast) -> None:
    extra_row = Entry.of_value(
        extra(4, 100), revision=8, game=signed, uuid=uuid4(), author=cast.stranger, recorded_at=timezone.now()
    )
    extra_row.chain(Entry.objects.get(revision=7).hash, signed.uuid)
    extra_row.save()
    sql("UPDATE protocols_game SET revision = 8")
    assert differences(Game.objects.get(pk=signed.pk)) == ["запись 8 внесена после подписи"]
    assert verify()[0] is False


def test_the_last_entry_of_a_signed_record_cannot_go_even_where_the_count_is_put_right(signed: Game) -> None:
    sql("DELETE FROM protocols_entry WHERE revision = 7")
    sql("UPDATE protocols_game SET revision = 6")
    assert "бланк 2: записи, по которым он составлен, изменились" in differences(Game.objects.get(pk=signed.pk))
    assert verify()[0] is False


def test_a_sheet_taken_away_is_found(signed: Game) -> None:
    sql("DELETE FROM protocols_seatresult WHERE NOT in_force")
    sql("DELETE FROM protocols_signedsheet WHERE number = 1")
    assert differences(signed) == ["нет бланка 1"]
    assert verify()[0] is False


def test_the_sheet_in_force_taken_away_is_found_even_where_its_results_went_with_it(signed: Game) -> None:
    sql("DELETE FROM protocols_seatresult WHERE in_force")
    sql("DELETE FROM protocols_signedsheet WHERE number = 2")
    assert differences(signed) == ["нет действующего бланка"]
    assert verify()[0] is False
    sql("UPDATE protocols_game SET sheet_in_force_id = NULL, status = 'over'")  # the database agrees with itself again


def test_a_sheet_needs_no_pdf(signed: Game, settings: Settings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "none"
    assert verify() == (True, ["1 игра сходится."])


def test_the_command_ends_with_a_number_other_than_0_where_something_disagrees(signed: Game) -> None:
    sql("UPDATE protocols_entry SET seat = 4 WHERE revision = 4")
    with pytest.raises(CommandError) as raised:
        call_command("verify", stdout=StringIO())
    assert raised.value.returncode != 0


def test_a_record_rewritten_with_a_new_chain_is_found_by_the_signed_sheet(signed: Game) -> None:
    triggers.remove(connection)
    last = genesis(signed.uuid)
    for row in Entry.objects.order_by("revision"):
        if row.revision == 4:
            row.seat = 4
        row.chain(last, signed.uuid)
        last = row.hash
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE protocols_entry SET seat = %s, previous_hash = %s, hash = %s WHERE id = %s",
                [row.seat, row.previous_hash, row.hash, row.pk],
            )
    assert Foul.objects.get(revision=4).seat == 4
    assert differences(signed) == [
        "бланк 1: записи, по которым он составлен, изменились",
        "бланк 1: по записям выходит другой бланк",
        "бланк 2: записи, по которым он составлен, изменились",
        "бланк 2: по записям выходит другой бланк",
    ]


@pytest.mark.parametrize("part", ["sheet", "signature", "players"])
def test_an_altered_sheet_is_found(signed: Game, part: str) -> None:
    sheet = SignedSheet.objects.get(number=1)
    changes: dict[str, Callable[[], object]] = {
        "sheet": lambda: sheet.data["sheet"].update(result="black"),
        "signature": lambda: sheet.data["signature"].update(name="Другая"),
        "players": lambda: sheet.data["players"].reverse(),
    }
    changes[part]()
    triggers.remove(connection)
    sheet._state.adding = False
    type(sheet)._base_manager.filter(pk=sheet.pk).update(data=sheet.data)
    assert differences(signed) == ["бланк 1: бланк не такой, каким его подписали"]


def test_a_result_given_to_another_player_is_found(signed: Game) -> None:
    stranger = Player.objects.create(nickname="Чужой")
    SeatResult.objects.filter(in_force=True, seat=3).update(player=stranger)
    assert differences(signed) == ["бланк 2: на месте 3 другой игрок, чем в бланке"]


def test_a_nickname_changed_at_its_seat_after_signing_is_found(signed: Game) -> None:
    Seat.objects.filter(game=signed, number=3).update(nickname="Иначе")
    assert differences(signed) == ["бланк 2: место 3 названо «Иначе», а на бланке «Вихрь»"]


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ("protocols_game", "{game}: в {table} остались строки игры, которой нет: {rows}"),
        ("protocols_stage", "{uuid}: нет её стадии"),
        ("protocols_tournament", "{uuid}: нет её турнира"),
    ],
)
def test_a_row_deleted_past_the_foreign_keys_is_found_by_what_it_leaves(signed: Game, table: str, says: str) -> None:
    left = {"protocols_entry": 7, "protocols_signedsheet": 2, "protocols_seatresult": 20, "protocols_seat": 10}
    lines = [
        says.format(game=signed.pk, uuid=signed.uuid, table=name, rows=rows) for name, rows in left.items()
    ]  # fmt: skip
    with unheld_by_foreign_keys():
        sql(f"DELETE FROM {table}")
        assert verify() == (False, lines if table == "protocols_game" else lines[:1])


def test_a_result_of_a_sheet_that_is_not_there_is_found(signed: Game) -> None:
    with unheld_by_foreign_keys():
        sql("DELETE FROM protocols_seatresult WHERE seat = 2 AND in_force")
        sql("UPDATE protocols_seatresult SET sheet_id = 999, in_force = true WHERE seat = 2 AND NOT in_force")
        assert f"{signed.uuid}: нет бланка, к которому относится результат места 2" in verify()[1]


def test_a_game_moved_to_another_tournament_than_its_stage_is_found(signed: Game) -> None:
    other = Tournament.objects.create(title="Другой", slug="drugoy", starts_on=signed.played_on, regulation="A")
    sql(f"UPDATE protocols_game SET tournament_id = {other.pk}")
    assert "её стадия — из другого турнира" in differences(Game.objects.get(pk=signed.pk))


@pytest.mark.parametrize("many", [1, 3])
def test_a_game_costs_as_many_queries_whatever_its_length(
    game: Game, cast: Cast, many: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    written(game, cast.judge, WON_BY_RED)
    written(game, cast.judge, [extra(seat, 500) for seat in range(1, many + 1)])
    seal(game, revision=4 + many, by=cast.judge)
    with django_assert_num_queries(4):
        assert differences(game) == []


def test_strikes_and_late_entries_agree_too(game: Game, cast: Cast) -> None:
    written(game, cast.judge, [*BEGUN, foul(3), speech(2), e.Strike(moment=speech(2).moment, of=4)])
    written(game, cast.judge, [foul(5, clause="6.6.1")])
    assert differences(game) == []
