"""Several entries at once stand or fall together."""

from uuid import uuid4

import pytest
from pytest_django import DjangoAssertNumQueries

from protocols.models import Entry, Game
from protocols.rules import entries as e
from protocols.rules.terms import SETUP, Moment, Phase, Role
from protocols.selectors import record_of
from protocols.services.errors import Invalid
from protocols.services.record import record_batch
from protocols.services.verify import differences

from .conftest import Cast
from .play import BEGUN, CLAIM, NIGHT_ZERO, ROLES, WON_BY_RED, foul, nominate, speech, vote, written


def test_a_batch_is_written_in_order_under_one_claim(game: Game, cast: Cast) -> None:
    answer = record_batch(WON_BY_RED, game=game, revision=0, by=cast.judge, uuid=uuid4())
    assert (answer.kind, answer.entry, answer.revision) == ("written", 1, 4)
    assert [value.kind for value in record_of(game).values] == ["roles", "turn", "turn", "foul"]
    assert answer.state == record_of(game).state
    game.refresh_from_db()
    assert (game.revision, game.status) == (4, "over")
    assert differences(game) == []


def test_one_refused_entry_keeps_all_from_being_written(game: Game, cast: Cast) -> None:
    values = [*BEGUN, nominate(1, 5), nominate(1, 6), speech(2)]
    answer = record_batch(values, game=game, revision=0, by=cast.judge, uuid=uuid4())
    assert answer.kind == "refused"
    assert answer.refusal is not None
    assert (answer.index, answer.refusal.code) == (4, "has_nominated")
    stored = Game.objects.get(pk=game.pk)
    assert (Entry.objects.count(), stored.revision, stored.status) == (0, 0, "prepared")


def test_roles_of_a_refused_batch_are_not_kept(game: Game, cast: Cast) -> None:
    twice = e.Roles(moment=SETUP, roles=(*ROLES.roles[:9], Role.DON))
    answer = record_batch([ROLES, NIGHT_ZERO, twice], game=game, revision=0, by=cast.judge, uuid=uuid4())
    assert (answer.kind, answer.index) == ("refused", 2)
    assert record_of(game).state.roles is None


def test_a_resent_batch_is_known(game: Game, cast: Cast) -> None:
    uuid = uuid4()
    record_batch(BEGUN, game=game, revision=0, by=cast.judge, uuid=uuid)
    again = record_batch(BEGUN, game=game, revision=0, by=cast.judge, uuid=uuid)
    assert (again.kind, again.entry, again.revision, Entry.objects.count()) == ("known", 1, 3, 3)


def test_a_batch_of_somebody_slower_is_stale(game: Game, cast: Cast) -> None:
    written(game, cast.judge, [ROLES])
    answer = record_batch([NIGHT_ZERO, speech(1)], game=game, revision=0, by=cast.judge, uuid=uuid4())
    assert (answer.kind, answer.revision, Entry.objects.count()) == ("stale", 1, 1)


def test_a_batch_by_which_others_fall_asks_once_for_all(game: Game, cast: Cast) -> None:
    written(game, cast.judge, [*BEGUN, nominate(1, 5), speech(2), nominate(2, 6)])
    written(game, cast.judge, [e.Turn(moment=Moment(1, Phase.BALLOT)), vote(5, 4, 1), vote(6, 6, 2)])
    moment = record_of(game).state.moment
    strikes = [e.Strike(moment=moment, of=9), e.Strike(moment=moment, of=8), e.Strike(moment=moment, of=4)]
    asked = record_batch(strikes, game=game, revision=9, by=cast.judge, uuid=uuid4())
    assert (asked.kind, asked.index, Entry.objects.count()) == ("confirm", 2, 9)
    assert [entry.revision for entry, _ in asked.fallen] == [7]
    taken = record_batch(strikes, game=game, revision=9, by=cast.judge, uuid=uuid4(), confirmed=True)
    assert (taken.kind, taken.revision) == ("written", 12)
    assert taken.state == record_of(game).state


def test_an_empty_batch_is_invalid(game: Game, cast: Cast) -> None:
    with pytest.raises(Invalid):
        record_batch([], game=game, revision=0, by=cast.judge, uuid=uuid4())


@pytest.mark.parametrize("many", [1, 3])
def test_a_batch_takes_one_query_and_its_claim(
    game: Game, cast: Cast, many: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    written(game, cast.judge, BEGUN)
    with django_assert_num_queries(1 + CLAIM):
        values = [foul(seat) for seat in range(1, many + 1)]
        record_batch(values, game=game, revision=3, by=cast.judge, uuid=uuid4())
