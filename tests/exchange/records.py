"""Games with everything a record may hold, and the same database as another site: empty, or with people of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from uuid import uuid4

from django.contrib.auth.models import User
from django.core.management.color import no_style
from django.db import connection

from protocols.exchange.game_file import to_bytes
from protocols.models import Game, MemberRole, Player, Stage, Tournament
from protocols.rules import entries as e
from protocols.rules.terms import AFTER, ROLE_OF_LETTER, SETUP, Moment, Penalty, Phase
from protocols.services.game_files import file_of
from protocols.services.prepare import add_stage, appoint, create_game, create_tournament, seat_players
from protocols.services.record import record, record_batch
from protocols.services.sign import reopen, seal

NICKNAMES = ["Ёлка 7", "Барс", "Вихрь", "Гранит", "Дельта", "Астра", "Жук", "Зенит", "Ирис", "Клён 🍁"]
ROLES = e.Roles(moment=SETUP, roles=tuple(ROLE_OF_LETTER[letter] for letter in "ККШКЧКДКЧК"))
FIRST = Moment(1, Phase.SPEECHES, 0, 1)
PLAYED_ON = date(2026, 10, 10)
EMAIL, LOGIN, CIVIL_NAME = "koroleva@example.org", "login-of-the-head", "Иван Гражданский"


@dataclass(frozen=True)
class People:
    """Who writes: the judge, the head judge who has no name but a login, the organizer whose login is an address."""

    judge: User
    head: User
    organizer: User


def people() -> People:
    """Three people with logins and e-mail addresses."""
    judge = User.objects.create_user("judge", EMAIL, "x", first_name="Анна", last_name="Королёва")
    head = User.objects.create_user(LOGIN, EMAIL, "x", first_name="Олег", last_name="Ветров")
    return People(judge, head, User.objects.create_user(EMAIL, EMAIL, "x"))


def tournament(who: People, regulation: str = "A") -> tuple[Tournament, Stage]:
    """A tournament of theirs and its final."""
    made = create_tournament(
        title="Кубок «Ёлки»", starts_on=PLAYED_ON, regulation=regulation, by=who.organizer, city="Казань", slug="cup"
    )
    appoint(made, who.head, MemberRole.HEAD_JUDGE)
    appoint(made, who.judge, MemberRole.JUDGE)
    return made, add_stage(made, name="Отбор")


def foul(seat: int | None, **more: object) -> e.Foul:
    """A foul in the first minute."""
    return e.Foul(moment=FIRST, seat=seat, **more)  # type: ignore[arg-type]


RICH: list[e.Entry] = [
    ROLES,
    e.Turn(moment=Moment(0, Phase.NIGHT)),
    e.Turn(moment=FIRST, seat=1),
    e.Nomination(moment=FIRST, seat=1, target=4),
    foul(3),
    foul(2, penalty=Penalty.WARNING, text="Шёпот,\nдважды; «ёж» 🦔"),
    e.Strike(moment=FIRST, of=5, text="не тот игрок"),
    foul(4, clause="6.6.1"),
    e.SeatCorrection(moment=SETUP, seat=1, target=2),
    foul(7, penalty=Penalty.TEAM_DEFEAT, clause="6.8.1", text="клятва"),
    e.ExtraPoints(moment=AFTER, seat=2, points=500, text="за версию"),
    e.FoulClause(moment=AFTER, of=8, clause="6.6.2"),
]
"""Kinds of every sort, a strike, a late clause, words with everything in them; red wins."""


def rich_game(who: People, stage: Stage) -> Game:
    """A game that was signed, reopened, gone on with by the head judge and signed again; one player renamed since."""
    game = create_game(stage, played_on=PLAYED_ON, judge=who.judge, round=3, source={"facts": {"ids": [1, 2.5]}})
    seat_players(game, NICKNAMES, confirm_new=True)
    device = datetime(2026, 10, 10, 18, 0, 0, 123456, tzinfo=UTC)
    for value in RICH:
        answer = record(
            value, game=game, revision=game.revision, by=who.judge, uuid=uuid4(), device_time=device, confirmed=True
        )
        assert answer.kind == "written", (value, answer.refusal)
    seal(game, revision=game.revision, by=who.judge)
    reopen(game, by=who.head, reason="Забыт балл")
    answer = record(
        e.ExtraPoints(moment=AFTER, seat=6, points=1000), game=game, revision=game.revision, by=who.head, uuid=uuid4()
    )
    assert answer.is_written
    seal(game, revision=game.revision, by=who.head)
    renamed = Player.objects.get(nickname="Жук")
    renamed.nickname, renamed.name = "Майский Жук", CIVIL_NAME
    renamed.save()
    return game


def reopened_game(who: People, stage: Stage) -> Game:
    """A game whose only sheet is superseded, and on whose fifth seat somebody else sits by now."""
    game = create_game(stage, played_on=PLAYED_ON, judge=who.judge, from_paper=True)
    seat_players(game, NICKNAMES, confirm_new=True)
    write(game, RICH[:10], who.judge)
    seal(game, revision=game.revision, by=who.judge)
    reopen(game, by=who.head, reason="Не тот игрок")
    seat_players(game, [*NICKNAMES[:4], "Подмена", *NICKNAMES[5:]], confirm_new=True)
    return game


def running_game(who: People, stage: Stage) -> Game:
    """A game under way with one seat still free."""
    game = create_game(stage, played_on=PLAYED_ON, judge=who.judge, table_number=2)
    seat_players(game, NICKNAMES[:9], confirm_new=True)
    write(game, RICH[:7], who.judge)
    return game


def prepared_game(who: People, stage: Stage) -> Game:
    """A game in which nothing is written and nobody sits."""
    return create_game(stage, played_on=PLAYED_ON, judge=None, table_number=3)


def archived_game(who: People, stage: Stage) -> Game:
    """A game with results only, over."""
    game = create_game(stage, played_on=PLAYED_ON, judge=who.judge, table_number=4, results_only=True)
    seat_players(game, NICKNAMES, confirm_new=True)
    defeat = foul(7, penalty=Penalty.TEAM_DEFEAT)
    write(game, [ROLES, e.Shot(moment=Moment(1, Phase.NIGHT), target=3), defeat], who.judge)
    return game


GAMES: dict[str, Callable[[People, Stage], Game]] = {
    "signed twice": rich_game,
    "reopened": reopened_game,
    "running": running_game,
    "prepared": prepared_game,
    "results only": archived_game,
}


def write(game: Game, values: list[e.Entry], by: User) -> None:
    """These entries, all taken."""
    answer = record_batch(values, game=game, revision=game.revision, by=by, uuid=uuid4(), confirmed=True)
    assert answer.is_written, (answer.kind, answer.refusal, answer.index)


def bytes_of(game: Game, *, is_public: bool = False) -> bytes:
    """The game's file as the database has it now."""
    stored = Game.objects.select_related("tournament", "stage").get(uuid=game.uuid)
    return to_bytes(file_of(stored, is_public=is_public))


def empty_site() -> None:
    """Nothing is left: the same database is another site now."""
    connection.check_constraints()  # PostgreSQL empties no table with checks still to be made
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    statements = connection.ops.sql_flush(no_style(), tables, reset_sequences=False, allow_cascade=True)
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def another_site() -> None:
    """A site with people and players of its own, some of them called as ours are."""
    empty_site()
    for name in ("x", "y", "z", "judge"):
        User.objects.create_user(name, first_name="Анна", last_name="Королёва")
    for nickname in ("Чужой", "БАРС", "ёлка 7"):
        Player.objects.create(nickname=nickname)
