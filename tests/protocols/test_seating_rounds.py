"""A seating becomes rounds with games and seats: whole or not at all."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.core.management import call_command
from pytest_django import Settings

from protocols.models import Game, Participant, Round, Seat, SeatingKind, SeatingRun, SeatingState, Stage
from protocols.seating.draw import CannotSeat
from protocols.seating.quality import quality_of
from protocols.seating.rotation import rotated
from protocols.services import seating_people, seating_rounds, seating_runs
from protocols.services.errors import Invalid
from protocols.services.prepare import add_stage

from .world import World, world

NAMES = [f"Игрок {number:02d}" for number in range(1, 21)]


@pytest.fixture
def cup(db: None, settings: Settings, tmp_path: object) -> World:
    """The tournament with twenty participants."""
    settings.MEDIA_ROOT = tmp_path
    made = world()
    assert seating_people.register(made.tournament, NAMES, confirm_new=True).is_written
    return made


@pytest.fixture
def stage(cup: World) -> Stage:
    """A stage that has no games yet."""
    return add_stage(cup.tournament, name="Второй круг")


def asked(cup: World, stage: Stage, players: int = 20, games: int = 4) -> SeatingRun:
    """A seating that waits to be drawn."""
    everybody = list(Participant.objects.filter(tournament=cup.tournament))[:players]
    return seating_runs.ask_for(
        stage, everybody, games=games, tables=2, seed=7, seconds=1, by=cup.people["organizer"]
    )  # fmt: skip


def drawn(cup: World, stage: Stage) -> SeatingRun:
    """A seating that is drawn."""
    run = asked(cup, stage)
    call_command("draw_seatings")
    run.refresh_from_db()
    assert run.state == SeatingState.DONE
    return run


def test_nicknames_that_nobody_has_are_asked_about_and_nothing_is_written(cup: World) -> None:
    answer = seating_people.register(cup.tournament, ["Игрок 01", "Никто"])
    assert (answer.unknown, Participant.objects.count()) == (("Никто",), 20)
    with pytest.raises(Invalid, match="стоит в списке дважды"):
        seating_people.register(cup.tournament, ["Барс", "БАРС"], confirm_new=True)


def test_the_same_seed_draws_the_same_numbers(cup: World) -> None:
    def numbers() -> list[tuple[str, int | None]]:
        return list(Participant.objects.order_by("pk").values_list("player__nickname", "number"))

    before = numbers()
    seating_people.draw_numbers(cup.tournament, seed=5)
    first = numbers()
    seating_people.draw_numbers(cup.tournament, seed=5)
    assert (first == numbers(), first == before) == (True, False)
    assert sorted(number or 0 for _name, number in first) == list(range(1, 21))


def test_a_seating_is_drawn_and_becomes_rounds_with_games_and_seats(cup: World, stage: Stage) -> None:
    run = drawn(cup, stage)
    start = datetime(2026, 10, 10, 21, 30, tzinfo=UTC)  # half past midnight in Moscow
    made = seating_rounds.use(run, by=cup.people["organizer"], starts_at=start, minutes=45, confirmed=True)
    assert [(each.number, each.tables) for each in made] == [(1, 2), (2, 2), (3, 2), (4, 2)]
    games = list(Game.objects.filter(stage=stage))
    assert [(game.number, game.table_number, game.round) for game in games[:3]] == [(1, 1, 1), (1, 2, 1), (2, 1, 2)]
    assert {game.played_on.isoformat() for game in games} == {"2026-10-11"}
    assert Seat.objects.filter(game__stage=stage).count() == 80
    run.refresh_from_db()
    assert run.found is not None
    seats = dict(Seat.objects.filter(game=games[0]).values_list("number", "player"))
    assert [seats[seat] for seat in range(1, 11)] == [run.players[each] for each in run.found.rounds[0][0]]
    assert (run.state, run.first_round, quality_of(run.request, run.found).longest_wait) == (SeatingState.USED, 1, 0)
    with pytest.raises(Invalid, match="уже в деле"):
        seating_rounds.use(run, by=cup.people["organizer"], confirmed=True)


def test_unsigned_games_before_it_are_named_and_to_be_confirmed(cup: World, stage: Stage) -> None:
    run = drawn(cup, stage)
    with pytest.raises(Invalid, match="Отборочная, игра 1, стол 1"):
        seating_rounds.use(run, by=cup.people["organizer"])
    assert (Round.objects.count(), Game.objects.filter(stage=stage).count()) == (0, 0)


def test_rounds_that_have_games_are_refused_by_name(cup: World, stage: Stage) -> None:
    seating_rounds.use(drawn(cup, stage), by=cup.people["organizer"], confirmed=True)
    again = drawn(cup, stage)
    with pytest.raises(Invalid, match="Второй круг, игра 1, стол 1"):
        seating_rounds.use(again, by=cup.people["organizer"], first_round=1, confirmed=True)
    assert [each.number for each in seating_rounds.use(again, by=cup.people["organizer"], confirmed=True)] == [
        5,
        6,
        7,
        8,
    ]


def test_a_table_is_of_ten_different_players(cup: World, stage: Stage) -> None:
    keys = list(Participant.objects.values_list("player", flat=True))
    with pytest.raises(Invalid, match="за столом десять игроков, а не 11"):
        seating_rounds.seat_rounds(stage, [[keys[:11]]], confirmed=True)
    with pytest.raises(Invalid, match="Игрок 01 — на двух местах"):
        seating_rounds.seat_rounds(stage, [[keys[:10], [*keys[11:20], keys[0]]]], confirmed=True)
    assert Game.objects.filter(stage=stage).count() == 0


def test_what_cannot_be_seated_is_refused_with_its_reasons(cup: World, stage: Stage) -> None:
    with pytest.raises(CannotSeat, match="too_few_players"):
        asked(cup, stage, players=9, games=10)
    everybody = list(Participant.objects.all())
    with pytest.raises(Invalid, match="стоит в списке дважды"):
        seating_runs.ask_for(
            stage, [*everybody, everybody[0]], games=10, tables=2, seed=1, by=cup.people["organizer"]
        )  # fmt: skip
    asked(cup, stage)
    with pytest.raises(Invalid, match="уже составляется"):
        asked(cup, stage)


def test_a_seating_may_be_stopped_or_thrown_away(cup: World, stage: Stage) -> None:
    run = asked(cup, stage)
    seating_runs.stop(run)
    call_command("draw_seatings")
    run.refresh_from_db()
    assert run.state == SeatingState.DONE
    seating_runs.discard(run)
    assert SeatingRun.objects.count() == 0


def test_who_withdraws_after_the_draw_is_named(cup: World, stage: Stage) -> None:
    run = drawn(cup, stage)
    seating_people.withdraw(Participant.objects.get(player__nickname="Игрок 03"))
    with pytest.raises(Invalid, match="Игрок 03"):
        seating_rounds.use(run, by=cup.people["organizer"], confirmed=True)


def test_ten_rotated_games_give_everybody_every_seat_once() -> None:
    games = rotated(range(10), 10)
    assert games[0] == tuple(range(10))
    assert [sorted(game[seat] for game in games) for seat in range(10)] == [list(range(10))] * 10


@pytest.mark.parametrize("games", range(1, 11))
def test_in_rotated_games_seats_1_2_and_10_come_round_as_evenly_as_there_can_be(games: int) -> None:
    had = [
        sum(game[seat] == player for game in rotated(range(10), games) for seat in (0, 1, 9)) for player in range(10)
    ]
    assert max(had) - min(had) <= 1


def test_a_lot_is_drawn_at_once_and_the_same_seed_gives_it_again(cup: World, stage: Stage) -> None:
    ten = list(Participant.objects.all())[:10]
    by = cup.people["organizer"]
    runs = [
        seating_runs.ask_for_rotation(stage, ten, games=5, kind=kind, seed=3, by=by)
        for kind in (SeatingKind.LOT, SeatingKind.LOT, SeatingKind.PLACE)
    ]
    assert runs[0].plan == runs[1].plan != runs[2].plan
    assert runs[2].plan is not None
    assert runs[2].plan[0] == [list(range(10))]
