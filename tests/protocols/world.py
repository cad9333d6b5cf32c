"""A tournament with a game in every state and everybody who may look at it, written through the services."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from uuid import uuid4

from django.contrib.auth.models import User

from protocols.exchange import formats
from protocols.exchange.mafiaratings import GameLog
from protocols.exchange.playback import played
from protocols.models import Game, MemberRole, Stage, Tournament
from protocols.rules import entries as e
from protocols.rules.regulation import FEDERATION
from protocols.rules.terms import SETUP, Role
from protocols.services.prepare import add_stage, appoint, create_game, create_tournament, seat_players
from protocols.services.record import record_batch
from protocols.services.sign import seal

GAMES = Path(__file__).resolve().parent.parent / "data" / "games"
PASSWORD = "a long enough one"
PLAYED_ON = date(2026, 10, 10)


@dataclass(frozen=True)
class World:
    """The tournament «Кубок» and its games; `people` by username, `elsewhere` another tournament."""

    tournament: Tournament
    stage: Stage
    people: dict[str, User]
    elsewhere: Tournament
    prepared: Game
    running: Game
    over: Game
    signed: Game
    nicknames: tuple[str, ...]
    roles: tuple[Role, ...]  # of every game here


def person(username: str, surname: str = "", *, is_staff: bool = False) -> User:
    """A login."""
    return User.objects.create_user(username, password=PASSWORD, last_name=surname, is_staff=is_staff)


def log_of(name: str) -> GameLog:
    """A real game, from its file."""
    log = formats.read((GAMES / f"{name}.json").read_bytes())
    assert isinstance(log, GameLog)
    return log


def world() -> World:
    """One game of each state at the tables of `judge`, and one tournament that has nothing to do with it."""
    people = {
        "organizer": person("organizer", "Орлова", is_staff=True),
        "head": person("head", "Главная"),
        "judge": person("judge", "Соколова"),
        "other": person("other", "Другова"),
        "foreign": person("foreign", "Чужова"),
        "plain": person("plain", "Простова"),
    }
    cup = create_tournament(
        title="Кубок", city="Тверь", starts_on=PLAYED_ON, regulation="F", by=people["organizer"], slug="cup"
    )
    appoint(cup, people["head"], MemberRole.HEAD_JUDGE)
    appoint(cup, people["judge"], MemberRole.JUDGE)
    appoint(cup, people["other"], MemberRole.JUDGE)
    elsewhere = create_tournament(
        title="Другой турнир", starts_on=PLAYED_ON, regulation="A", by=people["foreign"], slug="elsewhere"
    )
    appoint(elsewhere, people["foreign"], MemberRole.HEAD_JUDGE)
    stage = add_stage(cup, name="Отборочная")
    add_stage(elsewhere, name="Финал")

    log = log_of("full-black-win")
    entries = played(log, FEDERATION).entries
    judge = people["judge"]
    prepared = game_of(stage, judge, log.nicknames)
    running = game_of(stage, judge, log.nicknames)
    write(running, with_roles_first(entries)[:40], judge)
    over = game_of(stage, judge, log.nicknames)
    write(over, entries, judge)
    signed = game_of(stage, judge, log.nicknames)
    write(signed, entries, judge)
    seal(signed, revision=signed.revision, by=judge)
    roles = next(entry.roles for entry in entries if isinstance(entry, e.Roles))
    return World(cup, stage, people, elsewhere, prepared, running, over, signed, tuple(log.nicknames), roles)


def with_roles_first(entries: list[e.Entry]) -> list[e.Entry]:
    """The same entries with the roles written before the game."""
    return sorted(entries, key=lambda entry: not isinstance(entry, e.Roles))


def game_of(stage: Stage, judge: User, nicknames: list[str] | tuple[str, ...] = ()) -> Game:
    """The next game of the stage, its players seated."""
    game = create_game(stage, played_on=PLAYED_ON, judge=judge)
    if nicknames:
        assert seat_players(game, list(nicknames), confirm_new=True).is_written
    return game


def write(game: Game, entries: list[e.Entry], judge: User) -> None:
    """These entries, all taken."""
    answer = record_batch(entries, game=game, revision=game.revision, by=judge, uuid=uuid4())
    assert answer.is_written, (answer.kind, answer.refusal, answer.index)


def roles_entry(roles: tuple[Role, ...]) -> e.Roles:
    """The roles, as written before the game."""
    return e.Roles(moment=SETUP, roles=roles)
