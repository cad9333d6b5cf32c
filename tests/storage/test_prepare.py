"""Tournaments, headers, seats and judges before a game (A 9.2, 9.3)."""

from datetime import date
from decimal import Decimal

import pytest
from django.db import IntegrityError, connection, transaction
from pytest_django import DjangoAssertNumQueries

from protocols.models import Game, Member, MemberRole, Player, Seat, Stage, Status, Tournament
from protocols.models.tournament import nickname_key, nickname_written
from protocols.services.errors import Invalid
from protocols.services.prepare import (
    add_stage,
    appoint,
    create_game,
    create_tournament,
    dismiss,
    hand_over,
    seat_players,
    set_header,
    set_stage,
    set_tournament,
)
from protocols.services.sign import reopen, seal

from .conftest import NICKNAMES, Cast
from .play import WON_BY_RED, written

DAY = date(2024, 2, 3)


def seated(game: Game) -> list[tuple[int, str]]:
    """Seats and nicknames as stored."""
    return list(Seat.objects.filter(game=game).order_by("number").values_list("number", "nickname"))


# ---------------------------------------------------------------- seats


def test_new_nicknames_wait_to_be_confirmed(stage: Stage, cast: Cast) -> None:
    game = create_game(stage, played_on=DAY, judge=cast.judge)
    Player.objects.create(nickname="Барс")
    asked = seat_players(game, ["барс", "Новенький", "Ещё один"])
    assert (asked.unknown, asked.is_written) == ({2: "Новенький", 3: "Ещё один"}, False)
    assert (seated(game), Player.objects.count()) == ([], 1)
    done = seat_players(game, ["барс", "Новенький", "Ещё один"], confirm_new=True)
    assert (done.unknown, done.is_written) == ({}, True)
    assert seated(game) == [(1, "Барс"), (2, "Новенький"), (3, "Ещё один")]
    assert seat_players(game, ["БАРС", "новенький", "ещё  ОДИН"]).is_written
    assert Player.objects.count() == 3


def test_a_nickname_is_trimmed_and_composed(stage: Stage, cast: Cast) -> None:
    game = create_game(stage, played_on=DAY, judge=cast.judge)
    seat_players(game, [" Й\t\u0438\u0306\u200b ", "Ёж", "Еж", "№ 7", "👩‍🚀"], confirm_new=True)
    assert seated(game) == [(1, "Й й"), (2, "Ёж"), (3, "Еж"), (4, "№ 7"), (5, "👩‍🚀")]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Ёлка", "ёлка", True),
        ("Ёлка", "Елка", False),
        ("STRASSE", "straße", True),
        ("Ｍａｘ", "max", True),
        ("и\u0306од", "Йод", True),
        ("а", "a", False),
    ],
)
def test_who_is_the_same_player(one: str, other: str, same: bool) -> None:
    assert (nickname_key(one) == nickname_key(other)) is same


def test_no_nickname_is_made_of_nothing_visible() -> None:
    nothing = ["", " \t\n", "\u200b\u202e", "\x00", "\u200d", " \u200c \u200d"]
    assert [nickname_written(text) for text in nothing] == [""] * len(nothing)


@pytest.mark.parametrize("typed", ["Аст\u200dра", "Астра\u200c", "\u200dАстра", "Астр\u200bа"])
def test_what_can_not_be_seen_makes_no_other_nickname(typed: str) -> None:
    assert nickname_written(typed) == "Астра"


@pytest.mark.parametrize("typed", ["и\u200b\u0306од", "👩‍🚀", "می\u200cخواهم", "❤️‍🔥 7"])
def test_a_nickname_as_stored_stays_as_it_is(typed: str) -> None:
    assert nickname_written(nickname_written(typed)) == nickname_written(typed)


def test_a_nickname_of_signs_that_stand_for_many_letters_can_be_kept(stage: Stage, cast: Cast) -> None:
    game = create_game(stage, played_on=DAY, judge=cast.judge)
    seat_players(game, ["\ufdfa" * 40], confirm_new=True)
    assert seat_players(game, ["\ufdfa" * 40]).is_written
    assert seated(game) == [(1, "\ufdfa" * 40)]


def test_a_player_twice_is_named_with_both_seats(game: Game) -> None:
    nicknames = [*NICKNAMES[:8], "ёлка 7", "Барс"]
    with pytest.raises(Invalid) as caught:
        seat_players(game, nicknames)
    assert caught.value.messages == [
        "ёлка 7: один игрок на местах 1 и 9.",
        "Барс: один игрок на местах 2 и 10.",
    ]
    assert seated(game) == list(enumerate(NICKNAMES, start=1))


def test_an_eleventh_player_is_named_with_the_seat(game: Game) -> None:
    with pytest.raises(Invalid) as caught:
        seat_players(game, [*NICKNAMES, "Лишний"], confirm_new=True)
    assert caught.value.messages == ["Место 11, Лишний: за столом десять мест."]
    assert (seated(game), Player.objects.filter(nickname="Лишний").count()) == (
        list(enumerate(NICKNAMES, start=1)), 0
    )  # fmt: skip


def test_a_nickname_has_up_to_forty_characters(game: Game) -> None:
    assert seat_players(game, {1: "Ж" * 40}, confirm_new=True).is_written
    with pytest.raises(Invalid) as caught:
        seat_players(game, {1: "Ж" * 41}, confirm_new=True)
    assert caught.value.messages == ["Место 1: никнейм длиннее 40 знаков."]


def test_the_judge_does_not_sit_at_her_own_table(game: Game, cast: Cast) -> None:
    Player.objects.create(nickname="Арбитр", user=cast.judge)
    with pytest.raises(Invalid) as caught:
        seat_players(game, [*NICKNAMES[:9], "Арбитр"])
    assert caught.value.messages == ["Место 10, Арбитр: судья игры в ней не играет."]
    appoint(game.tournament, cast.player, MemberRole.JUDGE)  # sits on seat 2
    with pytest.raises(Invalid) as caught:
        hand_over(game, cast.player)
    assert caught.value.messages == ["player не может судить за столом 1: играет там, место 2, Барс."]
    assert Game.objects.get(pk=game.pk).judge == cast.judge


def test_seats_change_until_the_protocol_is_signed(game: Game, cast: Cast) -> None:
    written(game, cast.judge, WON_BY_RED)
    assert seat_players(game, NICKNAMES[::-1]).is_written
    assert seated(game)[0] == (1, "Клён")


@pytest.mark.parametrize("many", [1, 3])
def test_seating_costs_the_same_for_one_and_three(
    game: Game, many: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    queries = 8 if connection.vendor == "postgresql" else 7  # there new players wait for each other by a lock
    with django_assert_num_queries(queries):
        seat_players(game, NICKNAMES[:many])


# ---------------------------------------------------------------- tournaments and stages


def test_whoever_sets_a_tournament_up_organizes_it(cast: Cast) -> None:
    made = create_tournament(title=" Чемпионат № 1 ", starts_on=DAY, regulation="F", by=cast.organizer)
    assert (made.title, made.slug, made.rules.code) == ("Чемпионат № 1", "chempionat-no-1", "F")
    assert list(Member.objects.values_list("tournament", "user", "role")) == [(made.pk, cast.organizer.pk, "organizer")]
    again = create_tournament(title="Чемпионат № 1", starts_on=DAY, regulation="A", by=cast.organizer)
    assert again.slug == "chempionat-no-1-2"
    assert create_tournament(title="東京", starts_on=DAY, regulation="A", by=cast.organizer).slug == "tournament"


@pytest.mark.parametrize("wrong", [{"title": "  "}, {"regulation": "Z"}, {"slug": "с пробелом"}, {"title": "x" * 200}])
def test_a_tournament_that_makes_no_sense_is_invalid(cast: Cast, wrong: dict[str, str]) -> None:
    right = {"title": "Кубок", "regulation": "A", "slug": "kubok"}
    with pytest.raises(Invalid):
        create_tournament(starts_on=DAY, by=cast.organizer, **{**right, **wrong})  # type: ignore[arg-type]
    assert (Tournament.objects.count(), Member.objects.count()) == (0, 0)


def test_the_regulation_stays_once_a_sheet_is_signed(game: Game, cast: Cast) -> None:
    tournament = game.tournament
    set_tournament(tournament, title="Кубок", starts_on=DAY, regulation="F")
    assert Tournament.objects.get(pk=tournament.pk).regulation == "F"
    set_tournament(tournament, title="Кубок", starts_on=DAY, regulation="A")
    written(game, cast.judge, WON_BY_RED)
    seal(game, revision=4, by=cast.judge)
    reopen(game, by=cast.head_judge, reason="Проверка")
    with pytest.raises(Invalid):
        set_tournament(tournament, title="Кубок", starts_on=DAY, regulation="B")
    set_tournament(tournament, title="Кубок II", starts_on=DAY, regulation="A")
    stored = Tournament.objects.get(pk=tournament.pk)
    assert (stored.title, stored.regulation) == ("Кубок II", "A")


def test_stages_are_numbered_as_they_come(tournament: Tournament) -> None:
    add_stage(tournament, name="Отбор")
    final = add_stage(tournament, name="Финал", multiplier=Decimal("1.5"), is_final=True)
    assert (final.number, final.multiplier, final.is_final) == (2, Decimal("1.5"), True)
    for wrong in ({"name": " "}, {"name": "Ещё", "number": 2}, {"name": "Ещё", "multiplier": Decimal(0)}):
        with pytest.raises(Invalid):
            add_stage(tournament, **wrong)
    with pytest.raises(Invalid):
        set_stage(final, name="Финал", multiplier=Decimal("-1"), is_final=True)
    assert Stage.objects.count() == 2


def test_a_tournament_keeps_an_organizer(tournament: Tournament, cast: Cast) -> None:
    with pytest.raises(Invalid):
        dismiss(tournament, cast.organizer, MemberRole.ORGANIZER)
    appoint(tournament, cast.head_judge, MemberRole.ORGANIZER)
    dismiss(tournament, cast.organizer, MemberRole.ORGANIZER)
    dismiss(tournament, cast.judge, MemberRole.JUDGE)
    assert set(Member.objects.filter(tournament=tournament).values_list("user__username", "role")) == {
        ("commissioner", "commission"),
        ("head_judge", "head_judge"),
        ("head_judge", "organizer"),
        ("other_judge", "judge"),
    }
    with pytest.raises(Invalid):
        appoint(tournament, cast.stranger, "king")


# ---------------------------------------------------------------- games


def test_games_are_numbered_at_their_table(stage: Stage, cast: Cast) -> None:
    numbers = [create_game(stage, played_on=DAY, judge=cast.judge, table_number=table).number for table in (1, 1, 2, 1)]
    assert numbers == [1, 2, 1, 3]
    with pytest.raises(Invalid):
        create_game(stage, played_on=DAY, judge=cast.judge, number=2)
    with pytest.raises(Invalid):
        create_game(stage, played_on=DAY, judge=cast.judge, number=0)
    assert Game.objects.count() == 4


def test_a_new_game_is_prepared_and_names_its_judge(stage: Stage, cast: Cast) -> None:
    game = create_game(stage, played_on=DAY, judge=cast.judge)
    assert (game.status, game.revision, game.judge_name) == (Status.PREPARED, 0, "Анна Королёва")
    assert create_game(stage, played_on=DAY, judge=None, judge_name="Старый судья").judge_name == "Старый судья"
    assert create_game(stage, played_on=DAY, judge=cast.other_judge).judge_name == "other_judge"


def test_a_header_is_changed_within_its_tournament(game: Game, cast: Cast) -> None:
    final = add_stage(game.tournament, name="Финал")
    header = {"number": 3, "table_number": 2, "played_on": DAY, "judge_name": " Королёва А. "}
    set_header(game, stage=final, **header)  # type: ignore[arg-type]
    stored = Game.objects.get(pk=game.pk)
    assert (stored.stage, stored.number, stored.table_number) == (final, 3, 2)
    assert (stored.played_on, stored.judge_name) == (DAY, "Королёва А.")
    foreign = add_stage(Tournament.objects.get(title="Другой"), name="Отбор")
    with pytest.raises(Invalid):
        set_header(game, stage=foreign, **header)  # type: ignore[arg-type]


@pytest.mark.parametrize("day", [date(1, 1, 1), date(1899, 12, 31), date(9999, 12, 31)])
def test_a_header_takes_no_day_at_which_time_zones_fail(game: Game, day: date) -> None:
    with pytest.raises(Invalid):
        set_header(game, stage=game.stage, number=1, table_number=1, played_on=day, judge_name="Орлова")
    assert Game.objects.get(pk=game.pk).played_on == date(2024, 1, 5)


def test_a_header_takes_no_number_of_another_game(game: Game, cast: Cast) -> None:
    create_game(game.stage, played_on=DAY, judge=cast.judge, number=2)
    with pytest.raises(Invalid):
        set_header(game, stage=game.stage, number=2, table_number=1, played_on=DAY, judge_name="")
    assert Game.objects.get(pk=game.pk).number == 1


def test_a_game_goes_to_another_judge_in_the_middle(game: Game, cast: Cast) -> None:
    written(game, cast.judge, WON_BY_RED[:3])
    hand_over(game, cast.other_judge)
    stored = Game.objects.get(pk=game.pk)
    assert (stored.judge, stored.judge_name, stored.revision) == (cast.other_judge, "other_judge", 3)
    for nobody in (cast.stranger, cast.foreign_head_judge, cast.organizer):
        with pytest.raises(Invalid):
            hand_over(game, nobody)


@pytest.mark.parametrize(
    "cells",
    [{"number": 0}, {"number": 11}, {"nickname": ""}, {"number": 2}, {"player_number": 2}],
    ids=str,
)
def test_the_database_refuses_a_malformed_seat(game: Game, cells: dict[str, object]) -> None:
    seat = Seat.objects.get(game=game, number=1)
    if "player_number" in cells:
        cells = {"player": Seat.objects.get(game=game, number=2).player}
    with pytest.raises(IntegrityError), transaction.atomic():
        Seat.objects.filter(pk=seat.pk).update(**cells)
