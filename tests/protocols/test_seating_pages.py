"""The pages of participants and seatings, from a list of names to seated rounds."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings

from protocols.models import Game, Round, SeatingRun, SeatingState, Stage
from protocols.services.hiding import hide
from protocols.services.prepare import add_stage

from .test_pages_access import client_of
from .test_seating_rounds import NAMES
from .world import World, world


@pytest.fixture
def cup(db: None, settings: Settings, tmp_path: object) -> World:
    """The tournament, with a media folder of its own."""
    settings.MEDIA_ROOT = tmp_path
    return world()


@pytest.fixture
def stage(cup: World) -> Stage:
    """A stage that has no games yet."""
    return add_stage(cup.tournament, name="Второй круг")


@pytest.fixture
def organizer(cup: World) -> Client:
    """The organizer's browser."""
    return client_of("organizer")


def test_from_a_list_of_names_to_seated_rounds(cup: World, stage: Stage, organizer: Client) -> None:
    names = "\n".join(NAMES)
    asked = organizer.post("/t/cup/participants/", {"part": "add", "nicknames": names})
    assert (asked.status_code, cup.tournament.participants.count()) == (422, 0)
    added = organizer.post("/t/cup/participants/", {"part": "add", "nicknames": names, "confirm_new": "on"})
    assert (added.status_code, cup.tournament.participants.count()) == (302, 20)

    players = [str(key) for key in cup.tournament.participants.values_list("pk", flat=True)]
    typed = {"part": "draw", "games": "4", "tables": "2", "seconds": "1", "seed": "7", "players": players}
    drawing = organizer.post("/t/cup/seating/2/", typed)
    run = SeatingRun.objects.get()
    assert drawing["Location"] == f"/t/cup/seating/{run.uuid}/"
    assert "Остановить на лучшем из найденного" in organizer.get(drawing["Location"]).content.decode()
    call_command("draw_seatings")
    shown = organizer.get(drawing["Location"]).content.decode()
    assert ("Насколько она хороша" in shown, shown.count('<svg class="matrix__picture"')) == (True, 2)
    assert " style=" not in shown

    use = {"part": "use", "first_round": "1", "minutes": "60", "starts_at": "2026-10-10T12:00"}
    refused = organizer.post(drawing["Location"], use)
    assert (refused.status_code, Game.objects.filter(stage=stage).count()) == (422, 0)
    used = organizer.post(drawing["Location"], {**use, "confirmed": "on"})
    assert (used["Location"], Game.objects.filter(stage=stage).count()) == ("/t/cup/seating/2/", 8)
    run.refresh_from_db()
    assert run.state == SeatingState.USED
    assert "Тур 4" in organizer.get("/t/cup/seating/2/").content.decode()
    starts = [each.starts_at.isoformat() for each in stage.rounds.all() if each.starts_at]
    assert starts[:2] == ["2026-10-10T09:00:00+00:00", "2026-10-10T10:00:00+00:00"]


def test_a_size_that_does_not_work_is_answered_with_those_that_do(cup: World, stage: Stage, organizer: Client) -> None:
    added = {"part": "add", "nicknames": "\n".join(NAMES[:13]), "confirm_new": "on"}
    organizer.post("/t/cup/participants/", added)
    players = [str(key) for key in cup.tournament.participants.values_list("pk", flat=True)]
    typed = {"part": "draw", "games": "7", "tables": "1", "seconds": "1", "players": players}
    html = organizer.post("/t/cup/seating/2/", typed).content.decode()
    assert "игроков 13, игр у каждого 10: всего игр 13" in html
    few = organizer.post("/t/cup/seating/2/", typed | {"players": players[:9]}).content.decode()
    assert "За столом" in few
    assert SeatingRun.objects.count() == 0


def test_only_the_organizer_seats(cup: World, stage: Stage) -> None:
    for who, status in (("head", 403), ("judge", 403), ("plain", 403)):
        answers = [client_of(who).get(path).status_code for path in ("/t/cup/participants/", "/t/cup/seating/2/")]
        assert answers == [status, status]


# ---------------------------------------------------------------- what everybody reads


def test_a_seating_is_read_by_everybody_once_it_is_open(cup: World, organizer: Client) -> None:
    first = cup.nicknames[0]
    assert first not in Client().get("/t/cup/seating/").content.decode()
    assert 'href="/t/cup/seating/"' not in Client().get("/t/cup/").content.decode()
    organizer.post(f"/t/cup/seating/{cup.stage.number}/", {"part": "open"})
    page = Client().get(f"/t/cup/seating/?q={first.lower()}").content.decode()
    assert f"<mark>{first}</mark>" in page
    assert 'href="/t/cup/seating/"' in Client().get("/t/cup/").content.decode()
    organizer.post(f"/t/cup/seating/{cup.stage.number}/", {"part": "close"})
    assert first not in Client().get("/t/cup/seating/").content.decode()


def test_a_seating_says_nothing_of_roles_and_results(cup: World, organizer: Client) -> None:
    organizer.post(f"/t/cup/seating/{cup.stage.number}/", {"part": "open"})
    before = Client().get("/t/cup/seating/").content.decode()
    for words in ("дон", "шериф", "Победа", "красн", "чёрн"):
        assert words not in before


def test_a_round_starts_by_the_clock_of_the_tournament(cup: World, organizer: Client) -> None:
    organizer.post(f"/t/cup/seating/{cup.stage.number}/", {"part": "open"})
    cup.tournament.time_zone = "Asia/Vladivostok"
    cup.tournament.save()
    starts = datetime(2026, 10, 10, 1, 30, tzinfo=UTC)
    Round.objects.create(stage=cup.stage, number=1, tables=1, starts_at=starts)
    assert "10 октября, 11:30" in Client().get("/t/cup/seating/").content.decode()


def test_hiding_the_table_hides_no_seating(cup: World, organizer: Client) -> None:
    organizer.post(f"/t/cup/seating/{cup.stage.number}/", {"part": "open"})
    before = Client().get("/t/cup/seating/").content
    hide(cup.tournament, what="table", stage=cup.stage, number=1, by=cup.people["head"])
    assert Client().get("/t/cup/seating/").content == before


def test_the_seating_of_a_closed_tournament_is_not_found(cup: World) -> None:
    cup.tournament.is_public = False
    cup.tournament.save()
    assert Client().get("/t/cup/seating/").status_code == 404
