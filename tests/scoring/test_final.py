"""A stage seated from its cut: by lot or by place, one table or several, shown before it is made into games (§7)."""

from __future__ import annotations

from io import BytesIO

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pypdf import PdfReader
from pytest_django import Settings

from protocols.models import Game, Participant, ParticipantState, Seat, SeatingRun, SeatingState, Stage
from protocols.services import seating_people
from scoring.cut_selectors import cuts_of
from scoring.cut_services import set_cut_size, take_cut
from tests.protocols.markup import Page

from .lines import PLAYERS
from .tournaments import PASSWORD, played, signed, stage_of, tournament

MORE = [f"Второй {number}" for number in range(1, 11)]
EVERYBODY = {seat: f"{seat / 20:.2f}" for seat in range(1, 11)}  # different extra points: nobody is tied
PAGE = "/t/cup/cuts/2/seats/"


@pytest.fixture
def final(db: None, settings: Settings, tmp_path: object) -> Stage:
    """A final after a stage of two games that twenty played, its cut not taken."""
    settings.MEDIA_ROOT = tmp_path
    made = tournament("F")
    first, last = stage_of(made), stage_of(made, "Финал", "1.5")
    signed(first, "red", extra=EVERYBODY)
    signed(first, "black", nicknames=MORE, extra={seat: f"{0.5 + seat / 20:.2f}" for seat in range(1, 11)})
    return last


def taken(final: Stage, size: int) -> list[str]:
    """The cut, taken; the nicknames by place."""
    set_cut_size(final, size)
    found = cuts_of(final.tournament).of(final.number)
    assert found is not None
    take_cut(final, seen=found.fingerprint, confirmed=True, by=User.objects.get(username="organizer"))
    names = cuts_of(final.tournament).of(final.number)
    assert names is not None and names.taken is not None
    return [each.nickname for each in names.taken.passed]


def browser(username: str = "organizer") -> Client:
    """Somebody's browser."""
    client = Client()
    client.force_login(User.objects.get(username=username))
    return client


def drawn(client: Client, **typed: object) -> SeatingRun:
    """The seats drawn by these answers."""
    answer = client.post(PAGE, {"part": "draw", "kind": "lot", "games": "5", "seed": "7", **typed})
    assert (answer.status_code, answer["Location"]) == (302, PAGE)
    return SeatingRun.objects.latest("pk")


def seats(final: Stage) -> list[list[str]]:
    """The nicknames of the games by seat."""
    games = Game.objects.filter(stage=final).order_by("number", "table_number")
    return [
        list(Seat.objects.filter(game=game).order_by("number").values_list("nickname", flat=True)) for game in games
    ]


def test_without_a_cut_the_page_tells_the_organizer_what_to_do(final: Stage) -> None:
    html = browser().get(PAGE).content.decode()
    assert ("К отсечке" in html, "Разыграть места" in html) == (True, False)
    assert [browser(who).get(PAGE).status_code for who in ("head", "judge")] == [403, 403]
    refused = browser().post(PAGE, {"part": "draw", "kind": "lot", "games": "5"})
    assert (refused.status_code, SeatingRun.objects.count()) == (422, 0)


def test_by_place_the_first_sits_first_and_everybody_has_every_seat_in_ten_games(final: Stage) -> None:
    names = taken(final, 10)
    run = drawn(browser(), kind="place", games="10")
    assert Game.objects.filter(stage=final).count() == 0  # it is looked at first
    used = browser().post(PAGE, {"part": "use", "run": run.uuid, "first_round": "1", "minutes": "60"})
    assert used["Location"] == PAGE
    played_seats = seats(final)
    assert (len(played_seats), played_seats[0]) == (10, names)
    assert all({game[seat] for game in played_seats} == set(names) for seat in range(10))


def test_a_lot_is_repeated_by_its_seed_and_each_draw_stays_on_record(final: Stage) -> None:
    taken(final, 10)
    client = browser()
    first, second, other = drawn(client), drawn(client), drawn(client, seed="8")
    assert (first.plan == second.plan, first.plan == other.plan) == (True, False)
    html = client.get(PAGE).content.decode()
    assert [f"розыгрыш {turn} из 3" in html for turn in (1, 2, 3)] == [True] * 3
    assert html.count("Орлова") >= 3


def test_the_record_of_a_lot_is_printed_with_its_seed_and_who_drew_it(final: Stage) -> None:
    names = taken(final, 10)
    run = drawn(browser())
    answer = browser("head").get(f"{PAGE}{run.uuid}.pdf")
    text = PdfReader(BytesIO(b"".join(answer))).pages[0].extract_text()
    assert [name in text for name in (*names, "зерно 7", "Орлова")] == [True] * 12


def test_a_semi_final_of_two_tables_keeps_its_tens_and_is_told_by_table(final: Stage) -> None:
    names = taken(final, 20)
    client = browser()
    run = drawn(client, kind="place", games="3")
    assert (run.tables, run.plan and [len(tables) for tables in run.plan]) == (2, [2, 2, 2])
    client.post(PAGE, {"part": "use", "run": run.uuid, "first_round": "1", "minutes": "60"})
    first, second = seats(final)[:2]
    assert (first[:3], second[:3]) == ([names[0], names[3], names[4]], [names[1], names[2], names[5]])
    assert {frozenset(game) for game in seats(final)} == {frozenset(first), frozenset(second)}


def test_nine_who_came_in_are_refused_with_what_would_work(final: Stage) -> None:
    taken(final, 9)
    client = browser()
    assert "Прошли 9, а за столом десять игроков: подойдёт отсечка 10." in client.get(PAGE).content.decode()
    assert client.post(PAGE, {"part": "draw", "kind": "lot", "games": "5"}).status_code == 422


def test_whoever_withdrew_is_followed_by_the_next_of_the_table_once_that_is_confirmed(final: Stage) -> None:
    names = taken(final, 10)
    seating_people.register(final.tournament, [names[3]])
    Participant.objects.update(state=ParticipantState.WITHDRAWN)
    client = browser()
    asked = client.post(PAGE, {"part": "draw", "kind": "place", "games": "2"})
    assert (asked.status_code, SeatingRun.objects.count()) == (422, 0)
    run = drawn(client, kind="place", games="2", instead="on")
    client.post(PAGE, {"part": "use", "run": run.uuid, "first_round": "1", "minutes": "60"})
    assert seats(final)[0][:9] == [*names[:3], *names[4:]]
    assert seats(final)[0][9] not in names


def test_games_before_it_that_are_not_signed_are_named_and_have_to_be_confirmed(final: Stage) -> None:
    taken(final, 10)
    played(Stage.objects.get(number=1), nicknames=PLAYERS)
    client = browser()
    run = drawn(client)
    use = {"part": "use", "run": run.uuid, "first_round": "1", "minutes": "60"}
    refused = client.post(PAGE, use)
    assert (refused.status_code, Game.objects.filter(stage=final).count()) == (422, 0)
    assert "Не подписаны: Отборочная, игра 3, стол 1" in refused.content.decode().replace("Ещё не", "Не")
    assert client.post(PAGE, {**use, "confirmed": "on"}).status_code == 302


def test_seats_in_use_are_taken_back_until_a_game_has_begun(final: Stage) -> None:
    taken(final, 10)
    client = browser()
    run = drawn(client)
    use = {"part": "use", "run": run.uuid, "first_round": "1", "minutes": "60"}
    client.post(PAGE, use)
    assert Game.objects.filter(stage=final).count() == 5
    client.post(PAGE, {"part": "back", "run": run.uuid})
    run.refresh_from_db()
    assert (Game.objects.filter(stage=final).count(), run.state) == (0, SeatingState.DONE)
    client.post(PAGE, use)
    Game.objects.filter(stage=final, number=1).update(revision=1)
    kept = client.post(PAGE, {"part": "back", "run": run.uuid})
    assert (kept.status_code, Game.objects.filter(stage=final).count()) == (200, 5)
    assert "начались" in kept.content.decode()


def test_what_was_typed_when_the_login_had_gone_stands_in_its_form_again(final: Stage) -> None:
    taken(final, 10)
    client = Client()
    asked = Page(client.post(PAGE, {"part": "draw", "kind": "place", "games": "4"}).content.decode())
    form = next(form for form in asked.forms if form.action == "/login/again/")
    client.post(form.action, form.sent() | {"username": ["organizer"], "password": [PASSWORD]})
    assert 'name="games" value="4"' in client.get(PAGE).content.decode()
