"""The demo tournament: made once, through the services, with games in every state."""

import io
import time

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from protocols.demo.tournament import FOLDER
from protocols.models import Game, Member, Status, Tournament
from protocols.rules.terms import Phase
from protocols.selectors import record_of
from protocols.services.prepare import create_tournament
from protocols.services.verify import differences

from .files import DATA

pytestmark = pytest.mark.django_db

LOGINS = ["judge", "judge2", "head", "organizer"]


def demo(*arguments: str) -> list[str]:
    """What the command says."""
    out = io.StringIO()
    call_command("demo", *arguments, stdout=out)
    return out.getvalue().splitlines()


def told(lines: list[str]) -> list[str]:
    """The logins among the lines."""
    return [line.split()[0] for line in lines if line.startswith("  ")]


def test_it_holds_games_in_every_state() -> None:
    demo("--if-empty")
    games = Game.objects.filter(tournament__slug="demo").order_by("stage__number", "number")
    assert [(game.stage.number, game.number, game.status) for game in games] == [
        (1, 1, Status.SIGNED),
        (1, 2, Status.SIGNED),
        (1, 3, Status.SIGNED),
        (1, 4, Status.RUNNING),
        (1, 5, Status.PREPARED),
        (2, 1, Status.SIGNED),
    ]
    assert [str(stage.multiplier) for stage in Tournament.objects.get(slug="demo").stages.all()] == ["1.000", "1.500"]
    evening = Tournament.objects.get(slug="evening-2013-12-07")
    assert (evening.regulation, {game.status for game in evening.games.all()}) == ("A", {Status.SIGNED})
    assert [differences(game) for game in Game.objects.all()] == [[]] * 9


def test_its_game_under_way_stands_in_the_middle_of_day_2() -> None:
    demo("--if-empty")
    state = record_of(Game.objects.get(status=Status.RUNNING)).state
    assert (state.moment.day, state.moment.phase, state.moment.step) == (2, Phase.SPEECHES, 3)
    assert state.days[2].nominations == [(2, 6), (3, 7), (4, 2)]
    assert {seat: len(player.fouls) for seat, player in state.seats.items() if player.fouls} == {3: 1, 8: 3, 10: 1}
    assert (state.living, state.seats[8].silence_due, state.derived) == ([2, 3, 4, 6, 7, 8, 9, 10], True, None)


def test_a_second_start_changes_nothing_and_tells_the_logins_again() -> None:
    first = demo("--if-empty")
    assert told(first) == LOGINS
    before = (Game.objects.count(), list(User.objects.values_list("username", "password")))
    assert demo("--if-empty") == first
    assert (Game.objects.count(), list(User.objects.values_list("username", "password"))) == before


def test_a_changed_password_stays_and_is_not_told() -> None:
    demo("--if-empty")
    head = User.objects.get(username="head")
    head.set_password("своё слово")
    head.save()
    assert told(demo("--if-empty")) == ["judge", "judge2", "organizer"]
    head.refresh_from_db()
    assert head.check_password("своё слово")


def test_a_site_in_use_gets_no_demo() -> None:
    organizer = User.objects.create_user("vera")
    create_tournament(title="Кубок", starts_on=timezone.localdate(), regulation="F", by=organizer)
    assert demo("--if-empty") == []
    assert User.objects.count() == 1


def test_it_is_not_made_twice() -> None:
    demo()
    with pytest.raises(CommandError):
        demo()
    assert Tournament.objects.count() == 2


def test_its_people_serve_as_they_are_told() -> None:
    demo("--if-empty")
    members = Member.objects.filter(tournament__slug="demo").values_list("user__username", "role")
    assert sorted(members) == [
        ("head", "head_judge"),
        ("judge", "judge"),
        ("judge2", "judge"),
        ("organizer", "organizer"),
    ]
    assert not User.objects.filter(is_superuser=True).exists()


def test_it_is_made_in_seconds() -> None:
    start = time.monotonic()
    demo("--if-empty")
    assert time.monotonic() - start < 10


def test_its_files_are_the_real_ones() -> None:
    files = sorted(FOLDER.glob("*/*.json"))
    assert len(files) == 5
    assert [path.read_bytes() for path in files] == [
        (DATA / path.parent.name / path.name).read_bytes() for path in files
    ]
