"""One table and everybody who may come near it: lighter than `world`, for tests that need a single game."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from uuid import uuid4

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client

from protocols.exchange.playback import played
from protocols.models import Entry, Game, MemberRole
from protocols.rules import entries as e
from protocols.rules.regulation import FEDERATION
from protocols.rules.terms import ROLE_OF_LETTER, SETUP, Moment, Phase
from protocols.services.prepare import add_stage, appoint, create_game, create_tournament, seat_players
from protocols.services.record import record_batch

from .markup import Form, Page
from .world import PLAYED_ON, log_of, person, with_roles_first

NICKNAMES = ["Лотос", "Мираж", "Норд", "Онега", "Парус", "Рубин", "Сокол", "Тайга", "Умка", "Филин"]
LETTERS = "ККККДШЧЧКК"
ROLES = e.Roles(moment=SETUP, roles=tuple(ROLE_OF_LETTER[letter] for letter in LETTERS))
NIGHT_ZERO = e.Turn(moment=Moment(0, Phase.NIGHT))
FIRST = Moment(1, Phase.SPEECHES, 0, 1)


@dataclass(frozen=True)
class Table:
    """A game and the people: its judge, another one, the head judge, the organizer, and two from elsewhere."""

    game: Game
    people: dict[str, User]


def speech(seat: int, day: int = 1, step: int | None = None) -> e.Turn:
    """The minute of a seat; on day 1 seats speak in order."""
    return e.Turn(moment=Moment(day, Phase.SPEECHES, 0, step or seat), seat=seat)


def table(regulation: str = "F", *, seated: bool = True) -> Table:
    """A game that is prepared, of a tournament under that regulation."""
    surnames = {"judge": "Соколова", "other": "Другова", "head": "Главная", "organizer": "Орлова", "foreign": "Чужова"}
    people = {name: person(name, surname) for name, surname in surnames.items()}
    people["plain"] = person("plain", "Простова")
    cup = create_tournament(title="Кубок", starts_on=PLAYED_ON, regulation=regulation, by=people["organizer"])
    for name, role in (
        ("head", MemberRole.HEAD_JUDGE), ("judge", MemberRole.JUDGE), ("other", MemberRole.JUDGE),
    ):  # fmt: skip
        appoint(cup, people[name], role)
    elsewhere = create_tournament(title="Другой", starts_on=PLAYED_ON, regulation="A", by=people["foreign"])
    appoint(elsewhere, people["foreign"], MemberRole.HEAD_JUDGE)
    game = create_game(add_stage(cup, name="Отборочная"), played_on=PLAYED_ON, judge=people["judge"])
    if seated:
        assert seat_players(game, NICKNAMES, confirm_new=True).is_written
    return Table(game, people)


def game_now(game: Game) -> Game:
    """The game as the database has it."""
    return Game.objects.select_related("tournament", "judge").get(pk=game.pk)


def later(game: Game, *entries: e.Entry) -> None:
    """The judge writes these, all taken."""
    now = game_now(game)
    assert now.judge is not None
    answer = record_batch(entries, game=now, revision=now.revision, by=now.judge, uuid=uuid4())
    assert answer.is_written, (answer.kind, answer.refusal, answer.index)


@cache
def real_game(name: str = "full-black-win") -> list[e.Entry]:
    """The entries of a real game of these very players, its roles written first."""
    return with_roles_first(played(log_of(name), FEDERATION).entries)


def kinds(game: Game) -> list[str]:
    """The kinds of the entries written."""
    return list(Entry.objects.filter(game=game).order_by("revision").values_list("kind", flat=True))


def board(client: Client, game: Game, query: str = "") -> Page:
    """The board as it is now."""
    response = client.get(f"/games/{game.uuid}/board/{query}")
    assert response.status_code == 200
    return Page(response.content.decode())


def tap(
    client: Client, game: Game, form: Form, typed: dict[str, str] | None = None, *, quick: bool = True
) -> HttpResponse:
    """Sends a form of the board, with the script (`quick`) or without."""
    headers = {"HX-Request": "true"} if quick else {}
    response = client.post(f"/games/{game.uuid}/entries/", form.sent() | _lists(typed or {}), headers=headers)
    assert isinstance(response, HttpResponse)
    return response


def _lists(typed: dict[str, str]) -> dict[str, list[str]]:
    return {name: [value] for name, value in typed.items()}


def pad(page: Page, kind: str) -> Form:
    """The pad of the panel."""
    return next(form for form in page.of_kind(kind) if form.attributes.get("id") == "pad")


def press(client: Client, game: Game, kind: str, value: str) -> HttpResponse:
    """Taps a key of the pad."""
    form = pad(board(client, game), kind)
    button = next(button for button in form.buttons if button.value == value)
    return tap(client, game, form, {button.name: button.value})


def page_of(response: HttpResponse) -> Page:
    """An answer as it is read."""
    return Page(response.content.decode())
