"""Roles, and whatever gives them away, reach nobody who must not know them before the protocol is signed (RULES §9)."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from django.test import Client
from pypdf import PdfReader

from protocols.exchange.playback import played
from protocols.models import Game, Status
from protocols.rules.regulation import FEDERATION

from .test_pages_access import client_of
from .world import World, game_of, log_of, with_roles_first, world, write

STRANGERS = ("anonymous", "plain", "foreign", "other")


@pytest.fixture
def cup(db: None) -> World:
    """The tournament and its games."""
    return world()


def addresses(cup: World, game: Game) -> list[str]:
    """Everything that a stranger may ask for or send."""
    own = f"/games/{game.uuid}/"
    return [
        "/",
        "/t/cup/",
        "/t/cup/standings/",
        "/t/cup/standings.pdf",
        "/t/cup/protocols.pdf?stage=1",
        "/t/cup/desk/",
        "/t/cup/edit/",
        "/players/suggest/?q=л",
        own,
        f"{own}?sheet=1",
        *(own + part for part in (
            "sheet.pdf", "blank.pdf", "prepare/", "board/", "entries/", "paper/", "finish/", "hand-over/", "reopen/",
        )),
        *(f"POST {own}{part}" for part in ("prepare/", "entries/", "paper/", "finish/", "hand-over/", "reopen/")),
    ]  # fmt: skip


def answer(client: Client, path: str) -> tuple[int, str]:
    """The status and every word of the answer, in the page or in the PDF, without what differs each time."""
    method, _, path = path.rpartition(" ")
    response = client.post(path) if method == "POST" else client.get(path)
    content = b"".join(response) if response.streaming else response.content
    if response.headers.get("Content-Type", "").startswith("application/pdf"):
        text = "\n".join(page.extract_text() for page in PdfReader(BytesIO(content)).pages)
        return response.status_code, re.sub(r"\d\d:\d\d", "", text)
    words = re.sub(r'name="(csrfmiddlewaretoken|typed)" value="[^"]+"', "", content.decode())
    return response.status_code, words + response.headers.get("Location", "")


def test_strangers_read_the_same_before_and_after_a_game_is_played(cup: World) -> None:
    roles, *entries = with_roles_first(played(log_of("full-black-win"), FEDERATION).entries)
    game = game_of(cup.stage, cup.people["judge"], cup.nicknames)
    write(game, entries[:5], cup.people["judge"])
    assert game.status == Status.RUNNING
    clients = {name: client_of(name) for name in STRANGERS}
    before = {(name, path): answer(clients[name], path) for name in STRANGERS for path in addresses(cup, game)}

    write(game, [roles, *entries[5:]], cup.people["judge"])

    assert game.status == Status.OVER
    after = {(name, path): answer(clients[name], path) for name in STRANGERS for path in addresses(cup, game)}
    assert after == before
