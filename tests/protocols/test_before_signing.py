"""What the finish page and the desk tell of a record that breaks a rule, or only looks wrong."""

from __future__ import annotations

import pytest
from django.test import Client

from protocols.models import Game, SignedSheet
from protocols.rules import entries as e
from tests.storage.broken import BEGUN, MINUTE, defeat, fouls, stored
from tests.storage.play import nominate, speech

from .markup import Page
from .test_pages_access import client_of
from .test_pages_tournaments import text_of
from .world import PASSWORD, World, game_of, world

OUT_OF_TURN: list[e.Entry] = [*BEGUN, speech(1), speech(3, step=2), speech(2, step=3)]
OVER = defeat(speech(2, step=3).moment)


@pytest.fixture
def cup(db: None) -> World:
    """A tournament with its people."""
    return world()


def kept(cup: World, course: list[e.Entry]) -> Game:
    """A game of the judge with these entries, stored around the services."""
    judge = cup.people["judge"]
    return stored(game_of(cup.stage, judge, cup.nicknames), judge, course)


def finish(client: Client, game: Game, **typed: str) -> tuple[int, str]:
    """The finish page after the password is typed, or as it opens."""
    address = f"/games/{game.uuid}/finish/"
    html = client.get(address).content.decode()
    if typed:
        form = next(form for form in Page(html).forms if form.action == address)
        data = {name: value for name, value in form.sent().items() if name != "save"}
        response = client.post(address, data | {name: [value] for name, value in typed.items()})
        return response.status_code, response.content.decode()
    return 200, html


def test_the_page_names_what_is_broken_and_leads_to_the_entry(cup: World) -> None:
    game = kept(cup, [*BEGUN, speech(1), nominate(1, 5), nominate(1, 6), *fouls(4, 5), defeat(MINUTE)])
    names = cup.nicknames
    due = (
        f"День 1: №1 {names[0]} выставляет дважды (№5 {names[4]}, №6 {names[5]}); за день — одна кандидатура "
        f"(уточнение §2) У игрока №4 {names[3]} фолов: 5; с четвёртым игрок удаляется, пятого не бывает (п. 6.5)"
    )
    client = client_of("judge")
    _, html = finish(client, game)
    assert Page(html).first("due__list") == due
    assert f'href="/games/{game.uuid}/board/?open=entry&amp;of=5"' in html
    status, html = finish(client, game, password=PASSWORD, sign="1")
    assert (status, Page(html).first("due__list"), SignedSheet.objects.filter(game=game).count()) == (422, due, 0)


def test_the_page_tells_what_looks_wrong_and_signs_all_the_same(cup: World) -> None:
    game = kept(cup, [*OUT_OF_TURN, OVER])
    client = client_of("judge")
    _, html = finish(client, game)
    said = f"День 1: №2 {cup.nicknames[1]} говорил не в свою очередь (уточнение §2)"
    assert Page(html).first("cautions__list") == said
    assert 'id="due"' not in html
    status, _ = finish(client, game, password=PASSWORD, sign="1")
    assert (status, SignedSheet.objects.filter(game=game).count()) == (302, 1)


def test_the_desk_tells_both_of_games_under_way(cup: World) -> None:
    game = kept(cup, [*OUT_OF_TURN, *(e.Foul(moment=OVER.moment, seat=4) for _ in range(5))])
    html = client_of("head").get("/t/cup/desk/").content.decode()
    line = next(line for line in html.split('<li class="table-line">') if str(game.uuid) in line)
    said = text_of(f"<main>{line.partition('</section>')[0]}")
    assert said.endswith(
        f"У игрока №4 {cup.nicknames[3]} фолов: 5; с четвёртым игрок удаляется, пятого не бывает (п. 6.5) "
        f"Стоит взглянуть: День 1: №2 {cup.nicknames[1]} говорил не в свою очередь (уточнение §2)"
    )
