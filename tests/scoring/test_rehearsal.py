"""A tournament rehearsed before its day: a copy, or one made up, played at random through the services."""

from __future__ import annotations

from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from protocols.models import Game, Seat, SignedSheet, Tournament
from protocols.rehearsal.play import Table
from protocols.rules.fold import replay
from protocols.rules.outcome import is_over, problems
from protocols.rules.regulation import PRESETS
from protocols.services.verify_all import disagreements_of
from scoring.cut_selectors import cuts_of
from scoring.rehearsing import RoundOver, Written, made_up, perform
from scoring.selectors import standings_of
from tests.protocols.tables import table
from tests.protocols.world import PASSWORD

pytestmark = pytest.mark.django_db


def rehearse(*arguments: str) -> list[str]:
    """What the command tells."""
    told = StringIO()
    call_command("rehearse", *arguments, stdout=told)
    return told.getvalue().splitlines()


@pytest.mark.parametrize("code", PRESETS)
def test_a_game_at_random_ends_by_the_rules_and_can_be_signed(code: str) -> None:
    for seed in range(20):
        played = Table(seed, PRESETS[code])
        entries = list(played.play())
        state = replay(entries, PRESETS[code])
        assert is_over(state)
        assert state.set_aside == []
        assert problems(state) == []
        assert len(state.extra_points) == 3


def test_one_seed_plays_one_game() -> None:
    assert list(Table(7).play()) == list(Table(7).play()) != list(Table(8).play())


def test_a_made_up_tournament_is_played_to_its_final_and_every_sheet_agrees() -> None:
    assert rehearse("--players", "20", "--games", "2", "--seed", "4") == [
        "Репетиция: /t/rehearsal/ (--seed 4)",
        "Отборочная стадия, тур 1: 2 игры",
        "Отборочная стадия, тур 2: 2 игры",
        "В «Финал» проходят: " + ", ".join(_passed()),
        "Финал, тур 1: 1 игра",
        "Финал, тур 2: 1 игра",
        "Финал, тур 3: 1 игра",
    ]
    tournament = Tournament.objects.get(slug="rehearsal")
    assert SignedSheet.objects.count() == Game.objects.count() == 7
    assert list(disagreements_of(list(Game.objects.values_list("pk", flat=True)))) == []
    assert len(standings_of(tournament).table.places) == 20
    assert not tournament.is_public


def _passed() -> list[str]:
    found = cuts_of(Tournament.objects.get(slug="rehearsal")).of(2)
    assert found is not None and found.taken is not None
    return [place.nickname for place in found.taken.passed]


def test_the_final_sits_by_place_and_moves_on_a_seat_each_game() -> None:
    rehearse("--players", "20", "--games", "2", "--seed", "4")
    seats = [
        list(Seat.objects.filter(game=game).order_by("number").values_list("nickname", flat=True))
        for game in Game.objects.filter(stage__is_final=True).order_by("number")
    ]
    first = seats[0]
    assert first == _passed()
    assert seats == [first, [*first[1:], first[0]], [*first[2:], *first[:2]]]


def test_the_tables_of_a_round_are_played_at_once() -> None:
    tournament = made_up(20, 1, 2, seed=1, finals=0)
    events = list(perform(tournament, seed=1))
    begun = [event.game.table_number for event in events if isinstance(event, Written)]
    assert begun[:6] == [1, 2, 1, 2, 1, 2]
    assert [event.number for event in events if isinstance(event, RoundOver)] == [1]


def test_the_last_games_of_a_stage_may_wait_for_their_signature() -> None:
    lines = rehearse("--players", "20", "--games", "1", "--seed", "1", "--unsigned", "1")
    assert lines[1] == "Отборочная стадия, тур 1: 2 игры; не подписано: 1"
    assert list(Game.objects.filter(stage__is_final=False).values_list("status", flat=True)) == ["signed", "over"]


def test_a_copy_has_the_seats_and_regulation_of_its_tournament_and_leaves_it_alone() -> None:
    cup = table("A")
    before = list(Game.objects.values_list("uuid", "revision", "status"))
    lines = rehearse(cup.game.tournament.slug, "--seed", "2")
    copy = Tournament.objects.get(slug=f"{cup.game.tournament.slug}-rehearsal")
    assert lines[0] == f"Репетиция: {cup.game.tournament.title}: /t/{copy.slug}/ (--seed 2)"
    game = Game.objects.get(tournament=copy)
    assert (game.status, copy.regulation, copy.is_public) == ("signed", "A", False)
    seats = Seat.objects.order_by("number").values_list("player", "nickname")
    assert list(seats.filter(game=game)) == list(seats.filter(game=cup.game))
    assert list(Game.objects.exclude(pk=game.pk).values_list("uuid", "revision", "status")) == before


def test_naming_a_rehearsal_goes_on_with_it() -> None:
    tournament = made_up(20, 1, 2, seed=1, finals=0)
    rehearse(tournament.slug)
    assert Tournament.objects.count() == 1
    assert set(Game.objects.values_list("status", flat=True)) == {"signed"}


def test_who_it_is_for_sees_it_and_nobody_else_does() -> None:
    organizer = User.objects.create_user("vera", password=PASSWORD)
    rehearse("--players", "20", "--games", "1", "--for", "vera")
    client = Client()
    assert client.get("/t/rehearsal/standings/").status_code == 404
    client.force_login(organizer)
    assert client.get("/t/rehearsal/standings/").status_code == 200


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["nowhere"], "Турнира «nowhere» нет."),
        (["--for", "nobody"], "Логина «nobody» нет."),
        (["--speed", "-1"], "Скорость и число неподписанных игр не бывают отрицательными."),
    ],
)
def test_what_there_is_not_is_named(arguments: list[str], why: str) -> None:
    with pytest.raises(CommandError) as error:
        rehearse(*arguments)
    assert str(error.value) == why
    assert Tournament.objects.count() == 0


def test_a_number_that_nobody_can_be_seated_by_says_what_would_work() -> None:
    with pytest.raises(CommandError) as error:
        rehearse("--players", "9", "--games", "3")
    lines = str(error.value).splitlines()
    assert lines[:2] == ["За столом десять игроков, а их всего 9.", "Что получится:"]
    assert lines[2].startswith("  игроков 10, игр у каждого 3:")
    assert Tournament.objects.count() == 0


def test_a_tournament_without_seats_is_not_copied() -> None:
    cup = table("A")
    before = Tournament.objects.count()
    Seat.objects.filter(game=cup.game).delete()
    with pytest.raises(CommandError) as error:
        rehearse(cup.game.tournament.slug)
    assert str(error.value) == f"В «{cup.game.tournament.title}» нет игры с десятью игроками: сначала рассадите их."
    assert Tournament.objects.count() == before
