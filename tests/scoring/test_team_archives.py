"""Who came into a team and left it, teams in the archive."""

from __future__ import annotations

from decimal import Decimal

import pytest

from protocols.models import Player, Tournament, nickname_key
from protocols.models.written_once import WrittenOnceError
from protocols.services.errors import Invalid
from scoring.archives import archive_of, rebuild
from scoring.penalty_services import revoke_penalty
from scoring.team_archives import teams_told, write_teams_told
from scoring.team_models import Team, TeamChange, TeamMember
from scoring.team_paste import read_teams
from scoring.team_selectors import Listed
from scoring.team_services import give_penalty, set_members
from tests.exchange.records import empty_site

from .lines import PLAYERS
from .teams import LIST, logged_in, organizer, pasted, red_cup, totals_of
from .tournaments import player

pytestmark = pytest.mark.django_db

TWICE = "Команда называет игроков, которых нет в архиве, или игрок стоит в двух командах."


@pytest.fixture
def cup(db: None) -> Tournament:
    return red_cup()


# ---------------------------------------------------------------- the archive


def test_teams_go_along_in_the_archive(cup: Tournament) -> None:
    pasted(cup)
    late = Player.objects.create(nickname="Опоздавший")
    set_members(Team.objects.get(name="Юг"), [Listed(late.pk, late.nickname, is_captain=True)])
    north = Team.objects.get(name="Север")
    penalty = give_penalty(north, points=Decimal("2.5"), reason="Опоздание", by=organizer(), clause="п. 4")
    revoke_penalty(penalty, reason="Назначен по ошибке", by=organizer())
    give_penalty(north, points=Decimal(1), reason="Опоздание на тур 2", by=organizer())
    raw, totals = archive_of(cup), totals_of(cup)
    empty_site()
    made = rebuild(raw).tournament
    assert (archive_of(made), totals_of(made)) == (raw, totals)
    assert rebuild(raw).was_known is True


def test_each_change_of_a_line_up_is_written_down_with_who_and_when(cup: Tournament) -> None:
    client = logged_in("organizer")
    seen = read_teams(cup, LIST).fingerprint
    assert client.post("/t/cup/teams/paste/", {"text": LIST, "seen": seen}).status_code == 302
    north, south = Team.objects.get(name="Север"), Team.objects.get(name="Юг")
    address = f"/t/cup/teams/{north.pk}/edit/"
    assert client.post(address, {"part": "team", "name": "Северяне", "city": "Омск"}).status_code == 302
    assert client.post(address, {"part": "team", "name": "Северяне", "city": "Омск"}).status_code == 302
    shorter = LIST.replace("Север", "Северяне").replace(f", {PLAYERS[1]}", "")
    seen = read_teams(cup, shorter).fingerprint
    assert client.post("/t/cup/teams/paste/", {"text": shorter, "seen": seen}).status_code == 302
    assert client.post(f"/t/cup/teams/{south.pk}/edit/", {"part": "remove"}).status_code == 302
    told = [(each.name, each.by.username, each.change) for each in TeamChange.objects.order_by("pk")]
    assert [(name, by) for name, by, _change in told] == [
        ("Север", "organizer"), ("Юг", "organizer"), ("Северяне", "organizer"), ("Северяне", "organizer"),
        ("Юг", "organizer"),
    ]  # fmt: skip
    assert told[2][2] == {"name": ["Север", "Северяне"], "city": ["", "Омск"]}
    assert told[3][2] == {"left": [PLAYERS[1]]}
    assert told[0][2]["made"] is True and told[4][2]["removed"] is True
    page = client.get(address).content.decode()
    assert f"вышли: {PLAYERS[1]}" in page
    assert "название: было «Север», стало «Северяне»" in page
    assert "команда удалена" in client.get("/t/cup/teams/edit/").content.decode()
    with pytest.raises(WrittenOnceError):
        TeamChange.objects.all().delete()


def test_the_log_of_line_ups_goes_along_in_the_archive(cup: Tournament) -> None:
    test_each_change_of_a_line_up_is_written_down_with_who_and_when(cup)
    told, raw = list(TeamChange.objects.order_by("at", "name").values_list("name", "change", "at")), archive_of(cup)
    empty_site()
    made = rebuild(raw).tournament
    assert archive_of(made) == raw
    assert list(TeamChange.objects.order_by("at", "name").values_list("name", "change", "at")) == told


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ({"name": "север"}, "Две команды архива называются одинаково."),
        ({"members": [{"player": PLAYERS[0], "captain": False, "replacement": False}]}, TWICE),
        ({"members": [{"player": "Никто", "captain": False, "replacement": False}]}, TWICE),
    ],
)
def test_an_archive_whose_teams_contradict_themselves_is_refused(
    cup: Tournament, broken: dict[str, object], why: str
) -> None:
    pasted(cup)
    told = teams_told(cup)
    told[1] |= broken
    TeamMember.objects.all().delete()
    Team.objects.all().delete()
    with pytest.raises(Invalid) as error:
        write_teams_told(cup, told, {nickname_key(name): player(name) for name in PLAYERS})
    assert error.value.messages == [why]
    assert Team.objects.count() == 0
