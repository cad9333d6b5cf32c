"""A game that is played tells nobody its roles or its result: every public address is fetched while it is written.

One game is played twice under different roles, from the same moment of the same site. Up to the signature every byte
and header must be equal, though once the blacks win and once the reds.
"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.utils import timezone

from protocols import selectors
from protocols.models import SeatResult, Status
from protocols.rules import entries as e
from protocols.rules.terms import AFTER
from protocols.services.sign import seal
from protocols.views import screen
from tests.protocols.tables import game_now, later
from tests.protocols.test_screen import ROLE_WORDS

from .public_site import BLACK_WIN, NOON, RED_WIN, Site, Walk, apart, entries_of, public_site, walked
from .public_walk import Fetched, Unfilled, addresses

pytestmark = pytest.mark.django_db
PLAYER = 1  # in a walk: who sits at the table, and so sees on the page for protests that the game is over


@pytest.fixture
def site(db: None, monkeypatch: pytest.MonkeyPatch) -> Site:
    """The tournament; the time stands still, so that deadlines and times of printing are the same."""
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    return public_site()


def after_the_end(letters: str) -> list[e.Entry]:
    """What the judge adds before signing: another seat and other points in each casting."""
    is_black = letters == BLACK_WIN
    return [e.ExtraPoints(moment=AFTER, seat=7 if is_black else 3, points=400 if is_black else 100)]


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


def test_no_public_byte_tells_roles_or_result_before_the_signature(site: Site) -> None:
    walked(site, site.addresses)  # draws what is drawn once and kept
    before = walked(site, site.addresses)
    (blacks, after_blacks, black), (reds, after_reds, red) = (
        played_through(site, letters) for letters in (BLACK_WIN, RED_WIN)
    )
    assert (black, red, len(blacks)) == ("black", "red", len(reds))

    told = [(step, asked) for step, pair in enumerate(zip(blacks, reds, strict=True)) for asked in apart(*pair)]
    assert told == []

    # That the roles are written is not seen, but that the game is no longer to come; after the first move nothing is
    # but on the screens.
    assert [each for each in apart(before, blacks[0]) if "/seating/" not in each[1]] == []
    changed = [
        (step, who, address)
        for step, walk in enumerate(blacks[1:], start=1)
        for who, address in apart(blacks[1], walk)
        if address not in site.screens
        and (who, address.partition("?")[0]) != (PLAYER, f"/games/{site.game.uuid}/protest/")
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


def test_an_address_with_an_unknown_place_is_named() -> None:
    with pytest.raises(Unfilled, match=r"^«[\w-]+», .*<slug:slug>.*: t/slug$"):
        addresses({"uuid": "x", "key": "x", "code": "x", "pk": "x"})
