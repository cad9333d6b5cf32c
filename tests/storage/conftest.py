"""The cast and the games that tests of storage begin with."""

from dataclasses import dataclass
from datetime import date

import pytest
from django.contrib.auth.models import User

from protocols.models import Game, MemberRole, Player, Stage, Tournament
from protocols.services.prepare import add_stage, appoint, create_game, create_tournament, seat_players

NICKNAMES = ["Ёлка 7", "Барс", "Вихрь", "Гранит", "Дельта", "Астра", "Жук", "Зенит", "Ирис", "Клён"]
PASSWORD = "a long enough one"  # of everybody


@dataclass
class Cast:
    """Everybody who may come near a game: those of its tournament, and those of another."""

    judge: User
    other_judge: User
    head_judge: User
    organizer: User
    commissioner: User  # sits on the appeals commission
    player: User  # sits at the table, serves in nothing
    stranger: User
    foreign_head_judge: User
    superuser: User


@pytest.fixture
def cast(db: None) -> Cast:
    """Nine people with a login; who serves where is up to the tournament."""
    people = {name: User.objects.create_user(name, password=PASSWORD) for name in Cast.__dataclass_fields__}
    superuser = people["superuser"]
    superuser.is_superuser = superuser.is_staff = True
    superuser.save()
    judge = people["judge"]
    judge.first_name, judge.last_name = "Анна", "Королёва"
    judge.save()
    return Cast(**people)


@pytest.fixture
def tournament(cast: Cast) -> Tournament:
    """A tournament under edition A with its organizer, head judge, two judges and commission; another has its own."""
    made = create_tournament(
        title="Кубок Ёлки", starts_on=date(2024, 1, 5), regulation="A", by=cast.organizer, city="Казань"
    )
    appoint(made, cast.head_judge, MemberRole.HEAD_JUDGE)
    appoint(made, cast.judge, MemberRole.JUDGE)
    appoint(made, cast.other_judge, MemberRole.JUDGE)
    appoint(made, cast.commissioner, MemberRole.COMMISSION)
    other = create_tournament(title="Другой", starts_on=date(2024, 1, 6), regulation="A", by=cast.foreign_head_judge)
    appoint(other, cast.foreign_head_judge, MemberRole.HEAD_JUDGE)
    return made


@pytest.fixture
def stage(tournament: Tournament) -> Stage:
    """Its first stage."""
    return add_stage(tournament, name="Отбор")


@pytest.fixture
def game(stage: Stage, cast: Cast) -> Game:
    """The judge's game with ten players; the cast's player sits on seat 2."""
    made = create_game(stage, played_on=date(2024, 1, 5), judge=cast.judge)
    seat_players(made, NICKNAMES, confirm_new=True)
    Player.objects.filter(nickname="Барс").update(user=cast.player)
    return made
