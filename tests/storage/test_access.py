"""Who may what: the table's judge, another one, the head judge, the organizer, a player, strangers."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404
from pytest_django import DjangoAssertNumQueries

from protocols import access
from protocols.models import Game, MemberRole, Player, Tournament
from protocols.selectors import sheet_of, tournaments_for, visible_games_of
from protocols.services.hiding import hide
from protocols.services.prepare import appoint, create_game, seat_players
from protocols.services.sign import seal

from .conftest import NICKNAMES, Cast
from .play import BEGUN, WON_BY_RED, written

PEOPLE = [
    "judge", "head_judge", "organizer", "superuser", "other_judge", "commissioner", "player", "stranger",
    "foreign_head_judge", "anonymous",
]  # fmt: skip
OK, DENIED, MISSING = "yes", 403, 404


def person(cast: Cast, name: str) -> Any:
    """Somebody of the cast, or nobody."""
    return AnonymousUser() if name == "anonymous" else getattr(cast, name)


def answer(call: Callable[..., Any], *args: Any) -> object:
    """What a call of access says."""
    try:
        call(*args)
    except Http404:
        return MISSING
    except PermissionDenied:
        return DENIED
    return OK


def answers(call: Callable[..., Any], cast: Cast, what: object) -> dict[str, object]:
    """What it says to each."""
    return {name: answer(call, person(cast, name), what) for name in PEOPLE}


def row(*values: object) -> dict[str, object]:
    """One answer for each of PEOPLE."""
    return dict(zip(PEOPLE, values, strict=True))


OPEN_GAME = {
    access.public_game: row(OK, OK, OK, OK, *[MISSING] * 6),
    access.judged_game: row(OK, OK, OK, OK, DENIED, DENIED, *[MISSING] * 4),
    access.writable_game: row(OK, OK, DENIED, DENIED, DENIED, DENIED, *[MISSING] * 4),
    access.prepared_game: row(OK, OK, OK, OK, DENIED, DENIED, *[MISSING] * 4),
    access.headed_game: row(DENIED, OK, DENIED, DENIED, DENIED, DENIED, *[MISSING] * 4),
    access.heard_game: row(DENIED, OK, OK, OK, DENIED, DENIED, *[MISSING] * 4),
}


@pytest.mark.parametrize("call", OPEN_GAME, ids=lambda call: call.__name__)
@pytest.mark.parametrize("entries", [[], BEGUN, WON_BY_RED], ids=["prepared", "running", "over"])
def test_an_unsigned_game_is_for_those_who_serve_in_it(
    game: Game, cast: Cast, call: Callable[..., Any], entries: list[Any]
) -> None:
    written(game, cast.judge, entries)
    assert answers(call, cast, game.uuid) == OPEN_GAME[call]


@pytest.mark.parametrize("call", OPEN_GAME, ids=lambda call: call.__name__)
def test_a_signed_game_is_read_by_everybody_and_written_by_as_few(
    game: Game, cast: Cast, call: Callable[..., Any]
) -> None:
    written(game, cast.judge, WON_BY_RED)
    seal(game, revision=4, by=cast.judge)
    signed = {
        access.public_game: row(*[OK] * len(PEOPLE)),
        access.heard_game: row(DENIED, OK, OK, OK, DENIED, OK, *[MISSING] * 4),
    }
    assert answers(call, cast, game.uuid) == signed.get(call, OPEN_GAME[call])


def test_a_signed_game_of_a_closed_tournament_is_for_its_members(game: Game, cast: Cast) -> None:
    written(game, cast.judge, WON_BY_RED)
    seal(game, revision=4, by=cast.judge)
    Tournament.objects.filter(pk=game.tournament_id).update(is_public=False)
    expected = row(*[OK] * 6, *[MISSING] * 4)
    assert answers(access.public_game, cast, game.uuid) == expected
    assert answers(access.tournament_for, cast, game.tournament.slug) == expected


@pytest.mark.parametrize("what", ["table", "extra"])
def test_the_commission_reads_a_signed_game_that_is_hidden_from_others(game: Game, cast: Cast, what: str) -> None:
    written(game, cast.judge, WON_BY_RED)
    seal(game, revision=4, by=cast.judge)
    hide(game.tournament, what=what, stage=game.stage, number=1, by=cast.organizer)
    hidden = MISSING if what == "table" else OK
    assert answers(access.public_game, cast, game.uuid) == row(OK, OK, OK, OK, hidden, OK, *[hidden] * 4)
    shown = what == "table"
    knowing = {name: access.sees_extra(person(cast, name), game) for name in PEOPLE}
    assert knowing == row(True, True, True, True, shown, True, *[shown] * 4)


def test_there_is_no_game_of_another_number(game: Game, cast: Cast) -> None:
    for call in OPEN_GAME:
        assert set(answers(call, cast, uuid4()).values()) == {MISSING}


def test_a_judge_of_another_tournament_has_no_say_here(game: Game, cast: Cast) -> None:
    other = Tournament.objects.get(title="Другой")
    appoint(other, cast.stranger, MemberRole.ORGANIZER)
    assert [answer(call, cast.stranger, game.uuid) for call in OPEN_GAME] == [MISSING] * len(OPEN_GAME)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (access.tournament_for, row(*[OK] * len(PEOPLE))),
        (access.organized, row(DENIED, DENIED, OK, OK, *[DENIED] * 6)),
        (access.overseen, row(DENIED, OK, OK, OK, *[DENIED] * 6)),
        (access.served, row(OK, OK, OK, OK, OK, *[DENIED] * 5)),
        (access.heard, row(DENIED, OK, OK, OK, DENIED, OK, *[DENIED] * 4)),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_who_may_what_in_a_tournament(
    game: Game, cast: Cast, call: Callable[..., Any], expected: dict[str, object]
) -> None:
    assert answers(call, cast, game.tournament.slug) == expected
    assert set(answers(call, cast, "no-such-one").values()) == {MISSING}


# ---------------------------------------------------------------- roles (RULES §9)


def seeing(cast: Cast, game: Game) -> dict[str, object]:
    """Who sees roles on the game's sheet."""
    return {name: sheet_of(game, person(cast, name)).rows[6].role == "Д" for name in PEOPLE}


def test_roles_are_for_those_who_serve_until_the_protocol_is_signed(game: Game, cast: Cast) -> None:
    serving = row(True, True, True, True, *[False] * 6)
    for value in WON_BY_RED:
        written(game, cast.judge, [value])
        assert seeing(cast, game) == serving
        assert {name: access.sees_roles(person(cast, name), game) for name in PEOPLE} == serving
    assert sheet_of(game, None).result == ""
    seal(game, revision=4, by=cast.judge)
    assert seeing(cast, game) == row(*[True] * len(PEOPLE))


@pytest.mark.parametrize("name", ["head_judge", "organizer", "superuser"])
def test_whoever_plays_at_a_running_table_sees_neither_board_nor_roles(game: Game, cast: Cast, name: str) -> None:
    user = person(cast, name)
    Player.objects.create(nickname="Играющий", user=user)
    seat_players(game, [*NICKNAMES[:9], "Играющий"])
    written(game, cast.judge, BEGUN)
    assert not access.sees_roles(user, game)
    assert sheet_of(game, user).rows[6].role == ""
    assert {answer(call, user, game.uuid) for call in OPEN_GAME if call is not access.public_game} == {DENIED}
    assert sheet_of(access.public_game(user, game.uuid), user).rows[6].role == ""
    written(game, cast.judge, WON_BY_RED[3:])
    assert access.sees_roles(user, game)
    assert answer(access.judged_game, user, game.uuid) == OK


# ---------------------------------------------------------------- lists


def test_a_list_holds_what_each_may_know_of(game: Game, cast: Cast) -> None:
    signed = create_game(game.stage, played_on=game.played_on, judge=cast.other_judge)
    seat_players(signed, NICKNAMES)
    written(signed, cast.other_judge, WON_BY_RED)
    seal(signed, revision=4, by=cast.other_judge)
    seen = {
        name: list(visible_games_of(game.tournament, person(cast, name)).values_list("number", flat=True))
        for name in PEOPLE
    }
    assert seen == row(*[[1, 2]] * 4, *[[2]] * 6)


def test_a_closed_tournament_is_listed_for_its_members(tournament: Tournament, cast: Cast) -> None:
    Tournament.objects.update(is_public=False)
    seen = {name: len(tournaments_for(person(cast, name))) for name in PEOPLE}
    assert seen == row(1, 1, 1, 2, 1, 1, 0, 0, 1, 0)


# ---------------------------------------------------------------- what it costs


def test_fetching_and_authorising_is_one_query(
    game: Game, cast: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        found = access.judged_game(cast.head_judge, game.uuid)
        assert found.tournament.rules.code == found.rules.code
        assert access.sees_roles(cast.head_judge, found)
        assert access.standing_at(cast.head_judge, found).is_head_judge
    with django_assert_num_queries(1):
        assert not access.sees_roles(cast.stranger, found)


@pytest.mark.parametrize("many", [1, 3])
def test_a_list_of_games_is_one_query(
    game: Game, cast: Cast, many: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(1, many):
        create_game(game.stage, played_on=game.played_on, judge=cast.judge)
    with django_assert_num_queries(1):
        for each in visible_games_of(game.tournament, cast.head_judge):
            assert access.sees_roles(cast.head_judge, each)
            assert (each.stage.name, each.tournament.title) == ("Отбор", "Кубок Ёлки")
