"""The record that a process keeps of a running game is the one in the database, whoever wrote it."""

from random import Random

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from protocols import selectors
from protocols.models import Game, RegulationCode, Tournament
from protocols.rules import entries as e
from protocols.rules.terms import AFTER
from protocols.selectors import live_record_of, record_of
from protocols.services.prepare import create_game

from .conftest import Cast
from .play import BEGUN, OATH, foul, nominate, speech, written


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    """Each test begins as a process does."""
    selectors._kept.clear()


def again(game: Game) -> Game:
    """The game as another request fetches it."""
    return Game.objects.select_related("tournament", "stage").get(pk=game.pk)


def assert_alike(game: Game) -> None:
    """The record kept and the one read whole are the same."""
    live, whole = live_record_of(again(game)), record_of(game)
    assert (live.rows, live.values, live.state) == (whole.rows, whole.values, whole.state)


def test_looking_again_reads_only_what_was_written_since(game: Game, cast: Cast) -> None:
    written(game, cast.judge, BEGUN)
    live_record_of(game)
    written(game, cast.judge, [nominate(1, 5), speech(2)])
    with CaptureQueriesContext(
        connection,
    ) as seen:
        assert live_record_of(game).revision == 5
    assert [query["sql"].count('"revision" >= ') for query in seen.captured_queries] == [1]


@pytest.mark.parametrize("many", [1, 3])
def test_it_is_one_query_the_first_time_and_after(
    game: Game, cast: Cast, many: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    written(game, cast.judge, BEGUN[:many])
    selectors._kept.clear()
    for _ in range(2):
        with django_assert_num_queries(1):
            assert live_record_of(game).revision == many


def test_entries_in_turn_late_ones_clauses_and_strikes_are_played_on_alike(game: Game, cast: Cast) -> None:
    chance = Random(7)
    written(game, cast.judge, BEGUN)
    for seat in range(2, 9):
        assert_alike(game)
        written(game, cast.judge, [nominate(seat - 1, 11 - seat), speech(seat)])
        (answer,) = written(game, cast.judge, [foul(chance.randint(1, 10), minute=chance.randint(1, seat))])
        assert_alike(game)
        assert answer.entry is not None
        written(game, cast.judge, [e.FoulClause(moment=AFTER, of=answer.entry, clause="6.6.2")])
        if seat % 3 == 0:
            written(game, cast.judge, [e.Strike(moment=answer.state.moment, of=answer.entry)])
    assert_alike(game)


def test_what_was_rolled_back_is_forgotten(game: Game, cast: Cast) -> None:
    written(game, cast.judge, BEGUN)
    with pytest.raises(RuntimeError), transaction.atomic():
        written(game, cast.judge, [foul(4)])
        assert live_record_of(game).revision == 4
        raise RuntimeError
    written(again(game), cast.judge, [foul(9)])
    assert_alike(game)
    assert len(live_record_of(game).state.seats[4].fouls) == 0


def test_a_record_handed_out_stays_as_it_was(game: Game, cast: Cast) -> None:
    written(game, cast.judge, BEGUN)
    before = live_record_of(game)
    rows, values, state = list(before.rows), list(before.values), before.state.copy()
    written(game, cast.judge, [foul(4), OATH])
    assert live_record_of(game).revision == 5
    assert (before.rows, before.values, before.state) == (rows, values, state)


def test_another_regulation_plays_the_record_anew(game: Game, cast: Cast) -> None:
    written(game, cast.judge, BEGUN)
    live_record_of(game)
    Tournament.objects.filter(pk=game.tournament_id).update(regulation=RegulationCode.FEDERATION)
    changed = again(game)
    assert live_record_of(changed).state.regulation == changed.rules


def test_as_many_records_are_kept_as_may_be(game: Game, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selectors, "KEPT", 2)
    for number in (11, 12, 13):
        other = create_game(game.stage, played_on=game.played_on, judge=cast.judge, number=number)
        written(other, cast.judge, BEGUN[:1])
        live_record_of(other)
    assert len(selectors._kept) == 2
