"""A public tournament with everything that has an address, and its second game, played under one casting or another.

The hall sees and hears the same under both castings, but once the blacks win and once the reds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime

from django.contrib.auth.models import User
from django.test import Client

from protocols.models import Game, Player, SignedSheet, Tournament, nickname_key
from protocols.models.documents import Document
from protocols.rules import entries as e
from protocols.rules.terms import ROLE_OF_LETTER, SETUP
from protocols.services.prepare import add_stage, create_game, seat_players
from protocols.services.seating_rounds import open_seating
from scoring.cut_services import set_cut_size
from scoring.models import Lot
from scoring.season_services import create_season
from scoring.selectors import standings_of
from scoring.services import draw_lots
from scoring.team_models import Team
from scoring.team_paste import read_teams, write_teams
from tests.protocols.tables import NICKNAMES, real_game

from .public_walk import Fetched, addresses, fetched
from .tournaments import PLAYED_ON, person, signed, stage_of, tournament

BLACK_WIN, RED_WIN = "ККККДШЧЧКК", "ДШККЧККЧКК"
"""Two castings of the same game: its exits leave one black to one red, or are those of all the blacks."""

NOON = datetime(2026, 10, 10, 9, 0, tzinfo=UTC)

Asked = tuple[int, str]  # who: 0 is a stranger; the address
Walk = dict[Asked, Fetched]


@dataclass(frozen=True)
class Site:
    """A public tournament with everything that has an address, and the game that will be played."""

    cup: Tournament
    game: Game
    addresses: list[str]

    @property
    def screens(self) -> set[str]:
        """Where the hall sees what it has seen and heard: the only pages that change while a game is played."""
        return {each for each in self.addresses if f"/tables/{self.game.table_number}/screen/" in each}

    @property
    def quick(self) -> list[str]:
        """What is asked after every entry."""
        own = f"/games/{self.game.uuid}/"
        return ["/", "/t/cup/", "/t/cup/standings.json", own, *sorted(each for each in self.screens if "?" not in each)]


def public_site() -> Site:
    """A signed game of the ten, a lot, teams, a season, a cut into a final, and their second game, not begun."""
    cup = tournament("F")
    by, stage = User.objects.get(username="organizer"), stage_of(cup)
    before = signed(stage, "red", nicknames=NICKNAMES, extra={2: "0.3"})
    set_cut_size(add_stage(cup, name="Финал"), 5)
    lot: Lot = draw_lots(cup, standings_of(cup).table.due[0], by=by)
    text = f"Север: {NICKNAMES[0]}, {NICKNAMES[1]}\nЮг: {NICKNAMES[2]}, {NICKNAMES[3]}"
    write_teams(cup, text, seen=read_teams(cup, text).fingerprint, confirm_new=False, by=by)
    year = {"starts_on": date(2026, 1, 1), "ends_on": date(2026, 12, 31)}
    create_season(title="Год", slug="year", by=by, tournaments=[cup], **year)
    open_seating(stage, is_public=True)
    game = create_game(stage, played_on=PLAYED_ON, judge=User.objects.get(username="judge"), number=2, table_number=2)
    assert seat_players(game, NICKNAMES).is_written
    Client().get("/t/cup/protocols.pdf")  # makes the document
    Player.objects.filter(nickname_key=nickname_key(NICKNAMES[3])).update(user=person("player"))
    words: dict[str, object] = {
        "t/slug": "cup", "seasons/slug": "year", "table": 2, "number": 1,
        "players/pk": before.seats.get(number=1).player_id,
        "lots/pk": lot.pk, "teams/pk": Team.objects.filter(tournament=cup).order_by("pk")[0].pk, "name": "game-1",
        "games/uuid": game.uuid, "documents/uuid": Document.objects.get().uuid, "uuid": game.uuid,
        "code": SignedSheet.objects.get(game=before).sha256[:12], "key": "x", "paper/kind": "tables", "stage": 1,
        "players/key": before.seats.get(number=1).player_id, "judges/key": before.judge_id,
        "people/key": cup.members.order_by("pk")[0].pk,
    }  # fmt: skip
    found = addresses(words)
    found += [each for each in addresses({**words, "games/uuid": before.uuid, "table": 1}) if each not in set(found)]
    return Site(cup, game, found)


def entries_of(letters: str) -> list[e.Entry]:
    """The game under these roles, which are written first; nothing is written that only one casting could say."""
    _roles, *play = real_game()
    heard = [replace(each, shots=()) if isinstance(each, e.Shot) else each for each in play]
    return [
        e.Roles(moment=SETUP, roles=tuple(ROLE_OF_LETTER[letter] for letter in letters)),
        *(each for each in heard if not isinstance(each, e.Check)),
    ]


def walked(site: Site, asked: Sequence[str], *whose: Client) -> Walk:
    """The answers to a stranger at all of these addresses, and to each of those who are logged in."""
    return {(who, each): fetched(each, client) for who, client in enumerate([Client(), *whose]) for each in asked}


def apart(one: Walk, other: Walk) -> list[Asked]:
    """What was answered differently, where both were asked."""
    return sorted(each for each in one.keys() & other.keys() if one[each] != other[each])
