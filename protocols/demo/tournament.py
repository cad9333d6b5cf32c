"""Builds the demo tournament through the services that the site uses."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from uuid import uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ..models import MemberRole, RegulationCode, Stage, Tournament
from ..services.importing import Target, import_file
from ..services.prepare import add_stage, appoint, create_game, create_tournament, seat_players
from ..services.record import record_batch
from .game import NICKNAMES, entries_so_far

FOLDER = Path(__file__).resolve().parent
SLUG = "demo"
PASSWORD = "mafia-demo"  # noqa: S105 — of the demo's own logins, told at every start

QUALIFYING = ("raise-all-5-5-on-day-1", "fourth-foul-during-the-vote", "don-and-sheriff-checks")
FINAL = "full-black-win"
EVENING = "2013-12-07"
NOT_BEGUN = ("Астра", "Барс", "Вихрь", "Дельта", "Ёлка", "Жасмин", "Зенит", "Ирис", "Каштан", "Лотос")


@dataclass(frozen=True)
class Login:
    """A person of the demo."""

    username: str
    first_name: str
    last_name: str
    role: MemberRole
    words: str | Promise


LOGINS = (
    Login("judge", "Анна", "Белова", MemberRole.JUDGE, _("judge; has a game under way and one not begun")),
    Login("judge2", "Игорь", "Тихонов", MemberRole.JUDGE, _("another judge")),
    Login("head", "Олег", "Ветров", MemberRole.HEAD_JUDGE, _("head judge")),
    Login("organizer", "Вера", "Морозова", MemberRole.ORGANIZER, _("organizer")),
)


def working_logins() -> list[Login]:
    """The demo's people whose password is still the one that the demo gave them."""
    users = {user.username: user for user in User.objects.filter(username__in=[login.username for login in LOGINS])}
    return [
        login for login in LOGINS if login.username in users and users[login.username].check_password(PASSWORD)
    ]  # fmt: skip


@transaction.atomic
def build_demo() -> Tournament:
    """The demo tournament with its people, games and the club's evening, all or nothing."""
    people = {login.username: _person(login) for login in LOGINS}
    tournament = create_tournament(
        title=gettext("Demo tournament"),
        slug=SLUG,
        starts_on=timezone.localdate(),
        regulation=RegulationCode.FEDERATION,
        by=people["organizer"],
    )
    for login in LOGINS:
        appoint(tournament, people[login.username], login.role)
    qualifying = add_stage(tournament, name=gettext("Qualifying"))
    final = add_stage(tournament, name=gettext("Final"), multiplier=Decimal("1.5"), is_final=True)
    judges = (people["judge"], people["judge2"])
    for number, name in enumerate(QUALIFYING):
        _take(name, qualifying, judges[number % 2])
    _take(FINAL, final, people["head"])
    _game_under_way(qualifying, people["judge"])
    _game_not_begun(qualifying, people["judge"])
    evening = import_file(
        _file("evenings", EVENING), name=f"{EVENING}.json", target=Target(), by=people["organizer"], sign=True
    )
    appoint(evening.tournament, people["head"], MemberRole.HEAD_JUDGE)
    return tournament


def _person(login: Login) -> User:
    user, is_new = User.objects.get_or_create(
        username=login.username,
        defaults={
            "first_name": login.first_name,
            "last_name": login.last_name,
            "is_staff": login.role is MemberRole.ORGANIZER,  # may set up tournaments
        },
    )
    if is_new:
        user.set_password(PASSWORD)
        user.save()
    return user


def _file(kind: str, name: str) -> bytes:
    return (FOLDER / kind / f"{name}.json").read_bytes()


def _take(name: str, stage: Stage, judge: User) -> None:
    target = Target(tournament=stage.tournament.slug, stage=stage.name, judge=judge)
    import_file(_file("games", name), name=f"{name}.json", target=target, by=judge, sign=True)


def _game_under_way(stage: Stage, judge: User) -> None:
    game = create_game(stage, played_on=timezone.localdate(), judge=judge)
    seat_players(game, NICKNAMES, confirm_new=True)
    answer = record_batch(entries_so_far(), game=game, revision=0, by=judge, uuid=uuid4())
    assert answer.kind == "written", (answer.kind, answer.refusal, answer.index)


def _game_not_begun(stage: Stage, judge: User) -> None:
    game = create_game(stage, played_on=timezone.localdate(), judge=judge)
    seat_players(game, NOT_BEGUN, confirm_new=True)
