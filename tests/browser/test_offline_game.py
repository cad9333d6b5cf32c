"""A whole game on a network that fails at random ends as the same game on a good one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from protocols.rules import entries as e
from protocols.services.prepare import create_game, seat_players
from tests.protocols.tables import LETTERS, NICKNAMES, Table, game_now, real_game, table

from .playing import BadNetwork, Player, in_taps, numberless, written
from .proxy import Network

pytestmark = pytest.mark.django_db(transaction=True)
SEEDS = range(int(os.environ.get("OFFLINE_SEEDS") or 3))


@pytest.fixture
def cup(transactional_db: None) -> Table:
    """A game with its ten players, nothing written."""
    return table("F")


@pytest.fixture
def network(live_server: LiveServer) -> Iterator[Network]:
    """What lies between the browser and the server."""
    with Network(live_server.url) as network:
        yield network


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A phone; at its end no script has failed, a lost network apart."""
    context = browser.new_context(locale="ru-RU", viewport={"width": 390, "height": 844}, has_touch=True)
    context.set_default_timeout(20_000)
    errors: list[str] = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    yield context.new_page()
    context.close()
    assert errors == []


def play(player: Player) -> None:
    """The whole of the game, tap by tap."""
    player.roles(LETTERS)
    for entry in in_taps(real_game("full-black-win")):
        player.write(entry)


GOOD: list[e.Entry] = []


@pytest.fixture
def good(page: Page, network: Network, cup: Table) -> list[e.Entry]:
    """What a good network makes of the game; played once."""
    if not GOOD:
        before = game_now(cup.game)
        game = create_game(before.stage, played_on=before.played_on, judge=cup.people["judge"])
        assert seat_players(game, NICKNAMES).is_written
        player = Player(page, game, network.url)
        play(player)
        player.all_is_written()
        GOOD.extend(written(game))
        page.context.clear_cookies()
    return GOOD


def test_the_game_is_the_one_of_the_file(cup: Table, good: list[e.Entry]) -> None:
    def marks(entries: list[e.Entry]) -> list[object]:
        """What is written but turns; voters, the raise-all count and a foul's place in the vote are not tapped."""
        found = [entry for entry in numberless(entries) if not isinstance(entry, e.Turn | e.RaiseAll)]
        votes = [replace(entry, voters=None) if isinstance(entry, e.Vote) else entry for entry in found]
        votes = [replace(entry, shots=()) if isinstance(entry, e.Shot) else entry for entry in votes]
        return [entry.seat if isinstance(entry, e.Foul) else entry for entry in votes]

    assert marks(good) == marks(real_game("full-black-win"))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_network_that_fails_at_random(
    page: Page, network: Network, cup: Table, good: list[e.Entry], seed: int
) -> None:
    player = Player(page, cup.game, network.url)
    bad = BadNetwork(player, network, Random(seed))
    player.before = bad
    play(player)
    network.mend()
    player.all_is_written()
    assert written(cup.game) == good, bad.happened
