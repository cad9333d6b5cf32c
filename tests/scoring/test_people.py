"""A player's page across tournaments: every figure from signed protocols, and nothing of what nobody may know."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from protocols.models import Game, Stage, Tournament
from protocols.services.prepare import create_tournament
from scoring.people import Person, person_of
from scoring.people_charts import HEIGHT, WIDTH, Bar, chart

from .lines import PLAYERS
from .test_pages import rows_of
from .tournaments import PLAYED_ON, player, prepared, signed, stage_of, tournament

pytestmark = pytest.mark.django_db


def evening(slug: str, regulation: str = "A") -> Stage:
    """An evening run by the cup's organizer."""
    organizer = User.objects.get(username="organizer")
    made = create_tournament(
        title=f"Вечер {slug}", starts_on=PLAYED_ON + timedelta(days=7), regulation=regulation, by=organizer, slug=slug
    )
    return stage_of(made)


def two_tournaments() -> None:
    """Three games in the cup and one on an evening; Астра is the sheriff in all, shot on night 1 in one."""
    cup = tournament()
    stage = stage_of(cup)
    signed(stage, "black", extra={2: "0.5"})
    signed(stage, "red", shot=1, hits=3)
    signed(stage, "red", removed=(1,))
    game = signed(evening("second"), "red", roles="ЧККККККШЧД", shot=2, hits=1)
    Game.objects.filter(pk=game.pk).update(played_on=PLAYED_ON + timedelta(days=7))


def known(nickname: str) -> Person:
    """What is known of the player."""
    found = person_of(player(nickname))
    assert found is not None
    return found


def test_games_wins_roles_seats_best_moves_and_first_nights_are_counted(db: None) -> None:
    two_tournaments()
    person = known("Астра")
    assert (person.total.games, person.total.wins, person.removed, person.first_nights) == (4, 2, 1, 1)
    by_role = {role: (record.games, record.wins) for role, record in person.by_role.items()}
    assert by_role == {"sheriff": (3, 2), "black": (1, 0)}
    assert (person.by_seat[1].games, person.by_seat[2].games) == (4, 0)
    assert dict(person.hits) == {3: 1}
    assert dict(known("Барс").hits) == {1: 1}


def test_places_and_points_are_those_of_each_tournaments_table(client: Client) -> None:
    two_tournaments()
    for nickname in PLAYERS:
        for each in known(nickname).appearances:
            rows = {row[1]: row for row in rows_of(client, f"/t/{each.tournament.slug}/standings/")[1:]}
            assert each.place is not None
            number = each.place.number if not each.place.is_shared else f"{each.place.number}–{each.place.last}"
            assert rows[nickname][0] == str(number)
            assert rows[nickname][3] == str(each.place.rating.games)
            assert each.players == 10
    assert [each.tournament.slug for each in known("Астра").appearances] == ["second", "cup"]


def test_annulled_games_count_for_nobody(db: None) -> None:
    stage = stage_of(tournament())
    signed(stage, "red")
    signed(stage, "annulled")
    assert known("Астра").total.games == 1


def test_of_running_games_and_of_hidden_tournaments_there_is_nothing(client: Client) -> None:
    two_tournaments()
    page = f"/players/{player('Астра').pk}/"
    before = client.get(page).content
    prepared(Stage.objects.filter(tournament__slug="cup")[0])
    assert client.get(page).content == before
    Tournament.objects.filter(slug="cup").update(is_public=False)
    assert "Кубок" not in client.get(page).content.decode()
    assert known("Астра").total.games == 1
    Tournament.objects.update(is_public=False)
    assert client.get(page).status_code == 404


def test_who_only_sits_at_a_table_not_signed_has_no_page(client: Client) -> None:
    prepared(stage_of(tournament()))
    assert client.get(f"/players/{player('Астра').pk}/").status_code == 404
    assert client.get("/players/999999/").status_code == 404


def test_a_replaced_player_keeps_past_games(db: None) -> None:
    stage = stage_of(tournament())
    signed(stage, "red")
    signed(stage, "red", nicknames=("Замена", *PLAYERS[1:]))
    assert (known("Астра").total.games, known("Замена").total.games, known("Барс").total.games) == (1, 1, 2)


def test_who_was_removed_from_a_tournament_has_no_place_there(client: Client) -> None:
    signed(stage_of(tournament()), "red", expelled=(1,))
    (each,) = known("Астра").appearances
    assert each.place is not None
    assert each.place.number is None
    assert each.players == 9
    assert "удалён с турнира" in client.get(f"/players/{player('Астра').pk}/").content.decode()


def test_the_page_costs_the_same_queries_whatever_was_played(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    two_tournaments()
    who = player("Астра")
    with django_assert_num_queries(8):
        person_of(who)
    signed(evening("third", "F"), "red")
    with django_assert_num_queries(8):
        person_of(who)


def test_every_chart_has_its_figures_in_a_table_beside_it(client: Client) -> None:
    two_tournaments()
    page = client.get(f"/players/{player('Астра').pk}/").content.decode()
    assert page.count("<svg") == page.count("</desc>") == page.count("chart__table") == 4
    rows = rows_of(client, f"/players/{player('Астра').pk}/")
    assert ["шериф", "3", "2", "67%"] in rows
    assert ["1", "4", "2", "50%"] in rows
    assert ["названо 3 чёрных", "1"] in rows
    assert "style=" not in page


def test_a_chart_fits_its_picture_whatever_the_values() -> None:
    for values in ([0], [0, 0], [1], [10**12, 1], [-5, 5], [-7, -1], list(range(100))):
        drawn = chart("k", "", "", [Bar("", value, None, "1") for value in values], (), ())
        for column in drawn.columns:
            assert 0 <= column.left <= column.left + column.width <= WIDTH
            assert 12 <= column.top <= column.top + column.height <= HEIGHT
            assert column.value_top >= 12


def test_fouls_are_those_of_the_protocols(client: Client) -> None:
    from tests.protocols.world import world

    cup = world()
    seats = list(cup.signed.seats.order_by("number"))
    fouls = 0
    sheet = cup.signed.sheet_in_force
    assert sheet is not None
    for seat in seats:
        person = person_of(seat.player)
        assert person is not None
        row = sheet.sheet.rows[seat.number - 1]
        assert person.all_fouls == len(row.fouls)
        fouls += person.all_fouls
