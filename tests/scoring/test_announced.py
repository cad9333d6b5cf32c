"""Rounds that are not announced yet count in no season and on no player's page, for whoever asks."""

from __future__ import annotations

from datetime import date

import pytest
from django.contrib.auth.models import User
from django.test import Client

from protocols.models import Game, Hidden, Tournament
from protocols.services.hiding import announce, hide
from scoring.season_services import create_season

from .test_pages import as_, rows_of
from .tournaments import player, signed, stage_of, tournament

pytestmark = pytest.mark.django_db
PAGE = "/seasons/autumn/"


@pytest.fixture
def cup() -> Tournament:
    """Three games of a stage, black won the second and the third; the season of its autumn."""
    made = tournament()
    stage = stage_of(made)
    for number, winner in enumerate(("red", "black", "black"), start=1):
        game = signed(stage, winner, extra={2: "0.5"})
        Game.objects.filter(pk=game.pk).update(round=number)
    create_season(
        title="Осень", slug="autumn", starts_on=date(2026, 9, 1), ends_on=date(2026, 11, 30), takes_all=True,
        counted="games", by=User.objects.get(username="organizer"),
    )  # fmt: skip
    return made


def hidden_from(cup: Tournament, what: str, number: int) -> None:
    """The organizer hides that from that round on."""
    hide(cup, what=what, stage=cup.stages.get(), number=number, by=User.objects.get(username="organizer"))


def counted(client: Client, nickname: str) -> tuple[str, str]:
    """Rating and games of the player in the season."""
    return next((row[2], row[3]) for row in rows_of(client, PAGE)[1:] if row[1] == nickname)


@pytest.mark.parametrize("what", [Hidden.TABLE, Hidden.EXTRA])
@pytest.mark.parametrize("who", ["anybody", "judge", "head", "organizer"])
def test_hidden_rounds_count_in_no_season_for_whoever_asks(
    client: Client, cup: Tournament, what: str, who: str
) -> None:
    hidden_from(cup, what, 2)
    reader = client if who == "anybody" else as_(who)
    assert counted(reader, "Барс") == ("3,5", "1")
    assert "2 игры подписаны, но ещё не объявлены: в таблице их нет." in reader.get(PAGE).content.decode()
    page = reader.get(f"{PAGE}players/{player('Барс').pk}/").content.decode()
    assert page.count("Отборочная, № ") == 1


def test_everything_counts_once_it_is_announced(client: Client, cup: Tournament) -> None:
    hidden_from(cup, Hidden.TABLE, 2)
    announce(cup, by=User.objects.get(username="organizer"))
    assert counted(client, "Барс") == ("4,5", "3")
    assert "не объявлен" not in client.get(PAGE).content.decode()


def test_nothing_of_a_tournament_hidden_from_its_first_round_on_is_seen(client: Client, cup: Tournament) -> None:
    hidden_from(cup, Hidden.TABLE, 1)
    assert rows_of(client, PAGE) == []
    assert client.get(f"/players/{player('Барс').pk}/").status_code == 404
    assert client.get(f"{PAGE}players/{player('Барс').pk}/").status_code == 404


@pytest.mark.parametrize("what", [Hidden.TABLE, Hidden.EXTRA])
def test_a_players_page_knows_nothing_of_hidden_rounds(client: Client, cup: Tournament, what: str) -> None:
    address = f"/players/{player('Каштан').pk}/"
    hidden_from(cup, what, 3)
    (row,) = [row for row in rows_of(client, address) if row[0] == "Кубок"]
    assert (row[2], row[3], row[4]) == ("4,00", "2", "1")
    assert ["дон", "2", "1", "50%"] in rows_of(client, address)
    assert rows_of(as_("organizer"), address) == rows_of(client, address)


def test_the_files_leave_hidden_rounds_out(client: Client, cup: Tournament) -> None:
    hidden_from(cup, Hidden.TABLE, 2)
    data = client.get(f"{PAGE}season.json").json()
    assert (data["games_counted"], data["games_not_announced"], data["preliminary"]) == (1, 2, True)
    assert {row["games"] for row in data["standings"]} == {1}
    assert "не объявлены" in client.get(f"{PAGE}season.csv").getvalue().decode("utf-8-sig")
