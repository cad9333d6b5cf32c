"""Standings of a tournament as they are stored: signed games alone, few queries, lots drawn once (A 8.5.4, 8.6)."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from protocols.models import Game, Player, Tournament
from protocols.models.written_once import WrittenOnceError
from protocols.services.sign import reopen, seal
from scoring.models import Lot, LotPlace, tied_key
from scoring.selectors import Progress, games_played, nicknames_of, progress_of, standings_of
from scoring.services import NoLotDue, draw_lots

from .lines import PLAYERS
from .tournaments import played, player, prepared, signed, stage_of, tournament

pytestmark = pytest.mark.django_db
Row = tuple[str, str, int, int]


def rows_of(made: Tournament) -> list[Row]:
    """Place, nickname, rating in millionths and games."""
    found = standings_of(made)
    return [
        (
            f"{place.number}–{place.last}" if place.is_shared else str(place.number),
            found.nicknames[place.player_id],
            int(place.rating.total),
            place.rating.games,
        )
        for place in found.table.places
    ]


def test_only_signed_games_count() -> None:
    made = tournament()
    stage = stage_of(made)
    game = played(stage, extra={2: "0.5"})
    prepared(stage)
    assert (rows_of(made), progress_of(made)) == ([], Progress(signed=0, open=2))
    seal(game, revision=game.revision, by=User.objects.get(username="judge"))
    assert progress_of(made) == Progress(signed=1, open=1)
    assert rows_of(made) == [
        ("1", "Барс", 3_500_000, 1),
        ("2", "Астра", 3_000_000, 1),
        *[("3–7", nickname, 3_000_000, 1) for nickname in ("Вихрь", "Гранит", "Дельта", "Ёлка", "Жасмин")],
        *[("8–10", nickname, 0, 1) for nickname in ("Зенит", "Ирис", "Каштан")],
    ]


def test_the_final_is_multiplied_and_its_penalty_is_not() -> None:
    made = tournament()
    signed(stage_of(made), "black")
    final = stage_of(made, "Финал", "1.5")
    signed(final, "red", shot=1, hits=3, extra={10: "0.5"}, removed=(1, 2))
    assert {row[1]: row[2] for row in rows_of(made)} == {
        "Астра": 4_250_000,  # (3 + 0.5) · 1.5 − 1: the sheriff named all three
        "Барс": 3_500_000,  # 3 · 1.5 − 1
        **dict.fromkeys(("Вихрь", "Гранит", "Дельта", "Ёлка", "Жасмин"), 4_500_000),
        "Зенит": 4_000_000,
        "Ирис": 4_000_000,
        "Каштан": 4_750_000,
    }


@pytest.mark.parametrize("result", ["annulled", "replay"])
def test_an_annulled_or_replayed_game_is_signed_and_counts_for_nobody(result: str) -> None:
    made = tournament()
    signed(stage_of(made), result)
    assert (rows_of(made), progress_of(made)) == ([], Progress(signed=0, open=0))


def test_a_reopened_game_leaves_the_table_until_it_is_signed_again() -> None:
    made = tournament()
    stage = stage_of(made)
    game = signed(stage)
    before = rows_of(made)
    head = User.objects.get(username="head")
    reopen(game, by=head, reason="перепутаны роли")
    assert rows_of(made) == []
    again = Game.objects.get(pk=game.pk)
    seal(again, revision=again.revision, by=User.objects.get(username="judge"))
    assert rows_of(made) == before


def test_whoever_is_removed_from_the_tournament_is_listed_last() -> None:
    made = tournament()
    signed(stage_of(made), "red", expelled=(1,))
    assert rows_of(made)[-1] == ("None", "Астра", 2_000_000, 1)


def test_games_of_another_tournament_are_not_counted() -> None:
    made = tournament()
    signed(stage_of(made))
    other = Tournament.objects.create(title="Другой", slug="other", starts_on=made.starts_on, regulation="A")
    signed(stage_of(other), "black")
    assert len(rows_of(made)) == 10
    assert {row[3] for row in rows_of(made)} == {1}


@pytest.mark.parametrize("games", [1, 3])
def test_standings_cost_four_queries(games: int, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    made = tournament()
    stage = stage_of(made)
    for number in range(games):
        signed(stage, "red", nicknames=[f"{nickname} {number}" for nickname in PLAYERS])
    made = Tournament.objects.get(pk=made.pk)
    with django_assert_num_queries(4):
        assert len(standings_of(made).table.places) == 10 * games


@pytest.mark.parametrize("count", [0, 1, 31, 32, 33, 70])
def test_nicknames_of_any_number_of_players_cost_one_query(
    count: int, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    made = Player.objects.bulk_create(
        Player(nickname=f"Игрок {number}", nickname_key=f"игрок {number}") for number in range(count + 1)
    )
    with django_assert_max_num_queries(1):
        names = nicknames_of({player.pk for player in made[:count]})
    assert names == {player.pk: player.nickname for player in made[:count]}


def test_nobody_asks_for_lots_where_nobody_is_tied(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    made = tournament("F")
    signed(stage_of(made), "red", extra={seat: f"{seat / 20:.2f}" for seat in range(1, 11)})
    made = Tournament.objects.get(pk=made.pk)
    with django_assert_num_queries(3):
        assert standings_of(made).table.due == ()


@pytest.mark.parametrize("games", [1, 3])
def test_a_players_games_cost_one_query(games: int, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    made = tournament()
    stage = stage_of(made)
    for _ in range(games):
        signed(stage)
    made, astra = Tournament.objects.get(pk=made.pk), player("Астра")
    with django_assert_num_queries(1):
        found = games_played(made, astra.pk)
        assert [game.rating.figures.total for game in found if game.rating] == [3_000_000] * games


# --- lots


def blacks_of_a_red_win() -> tuple[Tournament, list[int], User]:
    """Three players on the places 8–10, equal in everything."""
    made = tournament()
    signed(stage_of(made))
    return made, [player(nickname).pk for nickname in ("Зенит", "Ирис", "Каштан")], User.objects.get(username="head")


def test_a_lot_is_kept_with_who_drew_it_and_orders_the_table() -> None:
    made, tied, head = blacks_of_a_red_win()
    before = timezone.now()
    lot = draw_lots(made, tied, by=head)
    assert (lot.first_place, lot.drawn_by, before <= lot.drawn_at <= timezone.now()) == (8, head, True)
    order = list(LotPlace.objects.filter(lot=lot).values_list("player", flat=True))
    assert sorted(order) == sorted(tied)
    found = standings_of(made)
    assert [(place.number, place.player_id) for place in found.table.places[7:]] == list(enumerate(order, start=8))
    assert [place.decision.key for place in found.table.places[7:9] if place.decision] == ["lot", "lot"]
    assert [(drawn.players, drawn.drawn_by) for drawn in found.lots.values()] == [(tuple(order), "Главная")]


def test_a_lot_is_drawn_once() -> None:
    made, tied, head = blacks_of_a_red_win()
    draw_lots(made, tied, by=head)
    with pytest.raises(NoLotDue):
        draw_lots(made, tied, by=head)
    assert Lot.objects.count() == 1


@pytest.mark.parametrize("wrong", [[], ["Зенит", "Ирис"], ["Зенит", "Ирис", "Каштан", "Астра"], ["Астра", "Барс"]])
def test_a_lot_is_drawn_only_among_exactly_those_who_are_tied(wrong: list[str]) -> None:
    made, _, head = blacks_of_a_red_win()
    with pytest.raises(NoLotDue):
        draw_lots(made, [player(nickname).pk for nickname in wrong], by=head)
    assert Lot.objects.count() == 0


def test_a_lot_holds_only_while_the_same_players_are_tied() -> None:
    made, tied, head = blacks_of_a_red_win()
    draw_lots(made, tied, by=head)
    signed(stage_of(made, "Вторая"), "red", extra={8: "0.5"})
    found = standings_of(made)
    assert found.lots == {}
    assert [group for group in found.table.due if group & set(tied)] == [frozenset(tied[1:])]


def test_every_order_of_a_lot_comes_up() -> None:
    made, tied, head = blacks_of_a_red_win()
    orders = set()
    for _ in range(100):
        with transaction.atomic():
            lot = draw_lots(made, tied, by=head)
            orders.add(tuple(LotPlace.objects.filter(lot=lot).values_list("player", flat=True)))
            transaction.set_rollback(True)
    assert len(orders) == 6  # one in 10⁷ runs fails by chance


def test_a_drawn_lot_is_never_changed() -> None:
    made, tied, head = blacks_of_a_red_win()
    lot = draw_lots(made, tied, by=head)
    for change in (
        lot.save,
        lot.delete,
        Lot.objects.all().delete,
        lambda: Lot.objects.update(first_place=1),
        lambda: LotPlace.objects.update(position=4),
    ):
        with pytest.raises(WrittenOnceError):
            change()


def test_the_database_holds_one_lot_among_the_same_players() -> None:
    made, tied, head = blacks_of_a_red_win()
    draw_lots(made, tied, by=head)
    with pytest.raises(IntegrityError), transaction.atomic():
        Lot.objects.create(tournament=made, tied=tied_key(tied), first_place=8, drawn_by=head, drawn_at=timezone.now())
