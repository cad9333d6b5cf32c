"""Tournaments with signed games, written and signed through the services, as the site does it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from uuid import uuid4

from django.contrib.auth.models import User

from protocols.models import Game, MemberRole, Player, Stage, Tournament, nickname_key
from protocols.rules import entries as e
from protocols.rules.points import thousandths
from protocols.rules.terms import AFTER, ROLE_OF_LETTER, SETUP, Moment, Penalty, Phase, Result
from protocols.services.prepare import add_stage, appoint, create_game, create_tournament, seat_players
from protocols.services.record import record_batch
from protocols.services.sign import seal

from .lines import PLAYERS

PLAYED_ON = date(2026, 10, 10)
ROLES = "КККККККЧЧД".replace("К", "Ш", 1)  # seat 1 the sheriff, 8 and 9 black, 10 the don
PASSWORD = "a long enough one"


def person(username: str, surname: str = "") -> User:
    """A login."""
    return User.objects.create_user(username, password=PASSWORD, last_name=surname)


def tournament(regulation: str = "A", *, slug: str = "cup", is_public: bool = True) -> Tournament:
    """A tournament with its organizer, its head judge and one judge, named so: `organizer`, `head`, `judge`."""
    organizer = person("organizer", "Орлова")
    made = create_tournament(
        title="Кубок", starts_on=PLAYED_ON, regulation=regulation, by=organizer, slug=slug, is_public=is_public
    )
    appoint(made, person("head", "Главная"), MemberRole.HEAD_JUDGE)
    appoint(made, person("judge", "Соколова"), MemberRole.JUDGE)
    return made


def stage_of(made: Tournament, name: str = "Отборочная", multiplier: str = "1") -> Stage:
    """The next stage."""
    return add_stage(made, name=name, multiplier=Decimal(multiplier))


def prepared(stage: Stage, nicknames: Sequence[str] = PLAYERS) -> Game:
    """A game with its ten players, not begun."""
    judge = User.objects.get(username="judge")
    game = create_game(stage, played_on=PLAYED_ON, judge=judge, results_only=True)
    assert seat_players(game, list(nicknames), confirm_new=True).is_written
    return game


def write(game: Game, values: Sequence[e.Entry]) -> None:
    """These entries, all taken."""
    head = User.objects.get(username="head")  # removes players from the tournament, too (A 6.3)
    answer = record_batch(values, game=game, revision=game.revision, by=head, uuid=uuid4())
    assert answer.is_written, (answer.kind, answer.refusal)


def played(
    stage: Stage,
    winner: str = "red",
    *,
    nicknames: Sequence[str] = PLAYERS,
    roles: str = ROLES,
    extra: Mapping[int, str] | None = None,
    shot: int | None = None,
    hits: int | None = None,
    removed: Sequence[int] = (),
    expelled: Sequence[int] = (),
    warned: Sequence[int] = (),
) -> Game:
    """A game with results only, over and not signed: `shot` on night 1, `hits` of the best move."""
    game = prepared(stage, nicknames)
    values: list[e.Entry] = [e.Roles(moment=SETUP, roles=tuple(ROLE_OF_LETTER[letter] for letter in roles))]
    if shot is not None:
        values.append(e.Shot(moment=Moment(1, Phase.NIGHT), target=shot))
    if hits is not None:
        values.append(e.BestMove(moment=Moment(1, Phase.BEST_MOVE), hits=hits))
    for seat in (*removed, *expelled):
        foul = e.Foul(
            moment=AFTER, seat=seat, penalty=Penalty.DISQUALIFYING, clause="6.7.4", from_tournament=seat in expelled
        )
        values.append(foul)
    values += [e.Foul(moment=AFTER, seat=seat, penalty=Penalty.WARNING) for seat in warned]
    reason = "сдано неверно" if winner in ("annulled", "replay") else ""
    values.append(e.GameOver(moment=AFTER, result=Result(winner), text=reason))
    for seat, points in (extra or {}).items():
        values.append(e.ExtraPoints(moment=AFTER, seat=seat, points=thousandths(Decimal(points))))
    write(game, values)
    return game


def signed(stage: Stage, winner: str = "red", **how: object) -> Game:
    """The same, signed by its judge."""
    game = played(stage, winner, **how)  # type: ignore[arg-type]
    seal(game, revision=game.revision, by=User.objects.get(username="judge"))
    return game


def player(nickname: str) -> Player:
    """The player of that nickname."""
    return Player.objects.get(nickname_key=nickname_key(nickname))
