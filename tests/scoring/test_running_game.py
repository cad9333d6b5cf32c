"""A game that is played tells nobody its roles or its result: every public address is fetched while it is written.

One game is played twice under different roles, from the same moment of the same site: the hall sees and hears the same
both times, but once the blacks win and once the reds. Up to the signature every byte and header must be equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.utils import timezone

from protocols import selectors
from protocols.models import Game, Player, SeatResult, SignedSheet, Status, Tournament, nickname_key
from protocols.models.documents import Document
from protocols.rules import entries as e
from protocols.rules.terms import AFTER, ROLE_OF_LETTER, SETUP
from protocols.services.prepare import add_stage, create_game, seat_players
from protocols.services.seating_rounds import open_seating
from protocols.services.sign import seal
from protocols.views import screen
from scoring.cut_services import set_cut_size
from scoring.models import Lot
from scoring.season_services import create_season
from scoring.selectors import standings_of
from scoring.services import draw_lots
from scoring.team_models import Team
from scoring.team_paste import read_teams, write_teams
from tests.protocols.tables import NICKNAMES, game_now, later, real_game
from tests.protocols.test_screen import ROLE_WORDS

from .public_walk import Fetched, Unfilled, addresses, fetched
from .tournaments import PLAYED_ON, person, signed, stage_of, tournament

pytestmark = pytest.mark.django_db

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


@pytest.fixture
def site(db: None, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A signed game of the ten, a lot, teams, a season, a cut into a final, and their second game, not begun."""
    monkeypatch.setattr(timezone, "now", lambda: NOON)  # so that deadlines and times of printing are the same
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
    game = create_game(stage, played_on=PLAYED_ON, judge=User.objects.get(username="judge"), table_number=2)
    assert seat_players(game, NICKNAMES).is_written
    Client().get("/t/cup/protocols.pdf")  # makes the document
    Player.objects.filter(nickname_key=nickname_key(NICKNAMES[3])).update(user=person("player"))
    words: dict[str, object] = {
        "t/slug": "cup", "seasons/slug": "year", "table": 2, "number": 1,
        "players/pk": before.seats.get(number=1).player_id,
        "lots/pk": lot.pk, "teams/pk": Team.objects.filter(tournament=cup).order_by("pk")[0].pk, "name": "game-1",
        "games/uuid": game.uuid, "documents/uuid": Document.objects.get().uuid, "uuid": game.uuid,
        "code": SignedSheet.objects.get(game=before).sha256[:12], "key": "x",
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


def after_the_end(letters: str) -> list[e.Entry]:
    """What the judge adds before signing: another seat and other points in each casting."""
    is_black = letters == BLACK_WIN
    return [e.ExtraPoints(moment=AFTER, seat=7 if is_black else 3, points=400 if is_black else 100)]


def walked(site: Site, asked: Sequence[str], *whose: Client) -> Walk:
    """The answers to a stranger at all of these addresses, and to each of those who are logged in."""
    return {(who, each): fetched(each, client) for who, client in enumerate([Client(), *whose]) for each in asked}


def played_through(site: Site, letters: str) -> tuple[list[Walk], Walk, str]:
    """What was fetched after every entry up to the signature, what after it, and who has won; then all is undone."""
    selectors._kept.clear()  # another site's processes have other memories
    screen._kept.clear()
    player = Client()
    player.force_login(User.objects.get(username="player"))
    entries, ends = entries_of(letters), after_the_end(letters)
    last = len(entries) + len(ends) - 1
    nights = [index for index, each in enumerate(entries) if isinstance(each, e.Shot)]
    whole = {0, 1, nights[1], len(entries) - 1, last}
    with transaction.atomic():
        seen = []
        for index, entry in enumerate([*entries, *ends]):
            later(site.game, entry)
            asked = site.addresses if index in whole else site.quick
            seen.append(walked(site, asked, *([player] if index in (1, last) else [])))
        game = game_now(site.game)
        assert (game.status, game.judge is None) == (Status.OVER, False)
        seal(game, revision=game.revision, by=User.objects.get(username="judge"))
        after, result = walked(site, site.addresses), SeatResult.objects.filter(game=game)[0].result
        transaction.set_rollback(True)
    return seen, after, result


def apart(one: Walk, other: Walk) -> list[Asked]:
    """What was answered differently, where both were asked."""
    return sorted(each for each in one.keys() & other.keys() if one[each] != other[each])


def test_no_public_byte_tells_roles_or_result_before_the_signature(site: Site) -> None:
    walked(site, site.addresses)  # draws what is drawn once and kept
    before = walked(site, site.addresses)
    (blacks, after_blacks, black), (reds, after_reds, red) = (
        played_through(site, letters) for letters in (BLACK_WIN, RED_WIN)
    )
    assert (black, red, len(blacks)) == ("black", "red", len(reds))

    told = [(step, asked) for step, pair in enumerate(zip(blacks, reds, strict=True)) for asked in apart(*pair)]
    assert told == []

    # That the roles are written is not seen, and after the first move nothing is but on the screens.
    assert apart(before, blacks[0]) == []
    changed = [
        (step, who, address)
        for step, walk in enumerate(blacks[1:], start=1)
        for who, address in apart(blacks[1], walk)
        if address not in site.screens
    ]
    assert changed == []

    words = [
        (step, address, found)
        for step, walk in enumerate(blacks)
        for address in site.quick
        if "/tables/" in address
        for found in ROLE_WORDS.findall(readable(walk[0, address]))
    ]
    assert words == []

    # The same comparison sees what is told once the protocol is signed.
    own = f"/games/{site.game.uuid}/"
    seen = {address for _who, address in apart(after_blacks, after_reds)}
    assert {
        own, f"{own}sheet.pdf", f"{own}record.json", "/t/cup/", "/t/cup/standings/", "/t/cup/standings.json",
        "/t/cup/standings.csv", "/t/cup/standings.xlsx", "/t/cup/standings.pdf", "/t/cup/games.csv", "/t/cup/teams/",
        "/t/cup/nominations/", "/seasons/year/", "/seasons/year/season.json", "/t/cup/tables/2/screen/state/",
    } <= seen  # fmt: skip


def readable(page: Fetched) -> str:
    """The screen's words without the name of the site, which has a role's name in it."""
    return page.body.decode().replace("Протоколы спортивной мафии", "").replace('role="status"', "")


def test_an_address_with_an_unknown_place_is_named(site: Site) -> None:
    with pytest.raises(Unfilled, match="«lot», t/<slug:slug>/lots/<int:pk>/: lots/pk"):
        addresses(
            {"slug": "cup", "uuid": site.game.uuid, "code": "x", "key": "x", "name": "x", "number": 1, "table": 1}
        )
