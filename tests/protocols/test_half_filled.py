"""Every game under way as a half-filled form, for the day the server dies: whose it is, and what stands on it."""

from __future__ import annotations

from datetime import timedelta
from io import BytesIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone
from playwright.sync_api import Page
from pypdf import PdfReader
from pytest_django import Settings

from protocols.half_filled import half_filled_form
from protocols.models import Document, DocumentState, Game
from protocols.selectors import record_of
from protocols.services import documents

from .sheets import heads_of
from .test_documents import maker  # noqa: F401
from .test_pages_access import CAST, client_of
from .world import PASSWORD, World, world

FORMS = "/t/cup/desk/forms/"


@pytest.fixture
def cup(db: None, settings: Settings, tmp_path: Path) -> World:
    """The tournament with a game in each state, and a media folder of its own."""
    settings.MEDIA_ROOT = tmp_path
    return world()


def _head(game: Game) -> str:
    return f"Кубок · Отборочная · 10.10.2026 · стол № {game.table_number} · игра № {game.number}"


def _words(document: Document) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(BytesIO(document.path.read_bytes())).pages)


def _made(world: World, reader: str = "head") -> Document:
    asked = documents.ask_for_running(world.tournament, world.people[reader])
    call_command("make_document")
    asked.refresh_from_db()
    return asked


def test_it_holds_every_game_begun_and_not_signed_in_the_order_of_play(cup: World) -> None:
    made = _made(cup)
    assert (made.state, made.done, made.total) == (DocumentState.DONE, 2, 2)
    assert heads_of(made.path.read_bytes()) == [_head(cup.running), _head(cup.over)]


def test_what_is_written_stands_on_the_form_and_the_rest_is_blank(cup: World) -> None:
    record = record_of(cup.running)
    form = half_filled_form(record)
    assert [player.role for player in form.players] == [role.letter for role in cup.roles]
    assert [player.nickname.words for player in form.players] == list(cup.nicknames)
    assert {player.points for player in form.players} == {""}
    assert (form.result, form.signature, form.is_draft, form.check) == ("", "подпись", False, None)
    assert [block.is_blank for block in form.blocks] == [False, False, True, True, True, True, True]


def test_its_foot_says_where_the_table_stands(cup: World) -> None:
    foot = half_filled_form(record_of(cup.running)).nights
    at = timezone.localtime(record_of(cup.running).rows[-1].recorded_at).strftime("%H:%M")
    assert foot == f"Отстрелы по ночам: 1 — 4 · Записано до {at}: День 2 · речи · слово у 1"


def test_it_shows_the_game_as_it_is_when_it_is_drawn(cup: World) -> None:
    made = _made(cup)
    assert "Записано до" in _words(made)
    assert "черновик" not in _words(made)


def test_a_second_tap_means_the_same_document_and_a_later_one_another(cup: World) -> None:
    first = documents.ask_for_running(cup.tournament, cup.people["head"])
    assert documents.ask_for_running(cup.tournament, cup.people["head"]) == first
    assert documents.ask_for_running(cup.tournament, cup.people["organizer"]) != first
    call_command("make_document")
    assert documents.ask_for_running(cup.tournament, cup.people["head"]) != first


def test_it_goes_an_hour_after_a_newer_one_is_ready(cup: World) -> None:
    old = _made(cup)
    signed = documents.ask_for(cup.tournament, cup.stage)
    call_command("make_document")
    Document.objects.filter(pk__in=(old.pk, signed.pk)).update(finished_at=timezone.now() - timedelta(hours=2))
    new = _made(cup)
    assert set(Document.objects.all()) == {signed, new}
    assert not old.path.exists()


# ---------------------------------------------------------------- who may


def test_only_the_head_judge_and_the_organizer_may_ask_for_it(cup: World) -> None:
    given = {name: client_of(name).post(FORMS).status_code for name in CAST}
    assert given == {
        "judge": 403, "other": 403, "head": 302, "organizer": 302, "foreign": 403, "plain": 403, "anonymous": 401,
    }  # fmt: skip
    assert Document.objects.count() == 2
    assert client_of("head").get(FORMS).status_code == 405


def test_nobody_but_who_asked_for_it_reads_it(cup: World) -> None:
    page = f"/documents/{_made(cup).uuid}/"
    given = {name: {client_of(name).get(page + part).status_code for part in ("", "file.pdf")} for name in CAST}
    assert given == {**{name: {404} for name in CAST}, "head": {200}}


def test_who_plays_at_a_table_gets_nothing_of_its_game(cup: World) -> None:
    made = _made(cup)
    head = cup.people["head"]
    player = cup.running.seats.get(number=1).player
    player.user = head
    player.save()
    assert client_of("head").get(f"/documents/{made.uuid}/file.pdf").status_code == 404
    # At the table that is over they may know the roles by now.
    assert documents.ask_for_running(cup.tournament, head).games == [cup.over.pk]


def test_without_a_game_under_way_the_desk_says_so(cup: World) -> None:
    Game.objects.filter(pk__in=(cup.running.pk, cup.over.pk)).update(status="prepared")
    answer = client_of("head").post(FORMS, follow=True)
    assert answer.redirect_chain == [("/t/cup/desk/", 302)]
    assert "Сейчас не идёт ни одна игра." in answer.content.decode()
    assert FORMS not in answer.content.decode()


def test_a_page_that_waited_is_sent_to_the_file_and_one_that_looks_is_not(cup: World) -> None:
    made = _made(cup)
    client, page = client_of("head"), f"/documents/{made.uuid}/"
    waited = client.get(page, headers={"HX-Request": "true"})
    assert waited.headers["HX-Redirect"] == f"{page}file.pdf"
    assert "HX-Redirect" not in client.get(page).headers
    assert client.get(f"{page}file.pdf").headers["Cache-Control"] == "private, no-cache"


def test_one_tap_on_the_desk_leads_to_the_file(maker: None, laptop: Page) -> None:  # noqa: F811
    world()
    laptop.goto("/login/?next=/t/cup/desk/")
    laptop.get_by_label("Имя пользователя").fill("head")
    laptop.get_by_label("Пароль").fill(PASSWORD)
    laptop.get_by_role("main").get_by_role("button", name="Войти").click()
    with laptop.expect_response("**/file.pdf", timeout=60_000) as answer:
        laptop.get_by_role("button", name="Распечатать идущие игры").click()
    assert (answer.value.status, answer.value.headers["content-type"]) == (200, "application/pdf")
