"""All protocols of a stage as one document: made apart from the requests, once for the same content, never lost."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django import Settings

from protocols.models import Document, DocumentState, Game, SignedSheet
from protocols.printing import file_of
from protocols.services import documents
from protocols.services.errors import Invalid
from protocols.services.prepare import add_stage
from protocols.services.sign import reopen, seal

from .sheets import heads_of
from .test_pages_access import client_of
from .world import World, world

AXE = Path(__file__).resolve().parent.parent / "vendor" / "axe-4.14.1.min.js"


@pytest.fixture
def cup(db: None, settings: Settings, tmp_path: Path) -> World:
    """The tournament with two signed games, and a media folder of its own."""
    settings.MEDIA_ROOT = tmp_path
    made = world()
    seal(made.over, revision=made.over.revision, by=made.people["judge"])
    return made


@pytest.fixture
def busy(cup: World) -> Iterator[None]:
    """A maker at work."""
    with documents.at_work() as is_ours:
        assert is_ours
        yield


def _head(game: Game) -> str:
    return f"Кубок · Отборочная · 10.10.2026 · стол № {game.table_number} · игра № {game.number}"


def test_a_document_holds_the_signed_protocols_of_the_stage_in_the_order_of_play(cup: World) -> None:
    asked = documents.ask_for(cup.tournament, cup.stage)
    assert (asked.state, asked.total, asked.path.exists()) == (DocumentState.WAITING, 2, False)
    call_command("make_document")
    asked.refresh_from_db()
    assert (asked.state, asked.done) == (DocumentState.DONE, 2)
    assert heads_of(asked.path.read_bytes()) == [_head(cup.over), _head(cup.signed)]


def test_without_a_stage_it_holds_the_whole_tournament_and_another_stage_nothing(cup: World) -> None:
    assert documents.ask_for(cup.tournament).total == 2
    final = add_stage(cup.tournament, name="Финал")
    with pytest.raises(Invalid, match="Здесь ещё не подписан ни один протокол"):
        documents.ask_for(cup.tournament, final)


def test_the_same_content_is_made_once_and_another_content_anew(cup: World) -> None:
    first = documents.ask_for(cup.tournament, cup.stage)
    assert documents.ask_for(cup.tournament, cup.stage) == first
    reopen(cup.over, by=cup.people["head"], reason="Опечатка")
    second = documents.ask_for(cup.tournament, cup.stage)
    assert (second == first, second.total) == (False, 1)
    call_command("make_document")
    first.refresh_from_db()
    assert heads_of(first.path.read_bytes()) == [_head(cup.over), _head(cup.signed)]  # as it was asked for


def test_the_sheets_are_merged_from_the_files_that_are_kept(cup: World) -> None:
    signed = SignedSheet.objects.get(game=cup.signed)
    path = file_of(SignedSheet.objects.get(game=cup.over))
    file_of(signed).write_bytes(path.read_bytes())  # whatever lies there is what was drawn
    asked = documents.ask_for(cup.tournament, cup.stage)
    call_command("make_document")
    assert heads_of(asked.path.read_bytes()) == [_head(cup.over), _head(cup.over)]


def test_one_maker_works_at_a_time(cup: World, busy: None) -> None:
    asked = documents.ask_for(cup.tournament, cup.stage)
    call_command("make_document")
    asked.refresh_from_db()
    assert asked.state == DocumentState.WAITING


def test_what_a_dead_maker_left_is_made_by_the_next_one(cup: World) -> None:
    asked = documents.ask_for(cup.tournament, cup.stage)
    with documents.at_work():
        assert documents.next_to_make() == asked
    asked.refresh_from_db()
    assert asked.state == DocumentState.RUNNING
    call_command("make_document")
    asked.refresh_from_db()
    assert (asked.state, asked.attempts) == (DocumentState.DONE, 2)


def test_a_document_on_which_three_makers_died_is_given_up_and_may_be_asked_for_again(cup: World) -> None:
    asked = documents.ask_for(cup.tournament, cup.stage)
    for _ in range(documents.ATTEMPTS):
        assert documents.next_to_make() == asked
    assert documents.next_to_make() is None
    asked.refresh_from_db()
    assert asked.state == DocumentState.FAILED
    again = documents.ask_for(cup.tournament, cup.stage)
    assert (again, again.state, again.attempts) == (asked, DocumentState.WAITING, 0)


def test_one_that_cannot_be_made_does_not_hold_up_the_next(cup: World) -> None:
    broken = documents.ask_for(cup.tournament, cup.stage)
    Document.objects.filter(pk=broken.pk).update(sheets=[0])
    sound = documents.ask_for(cup.tournament)
    call_command("make_document")
    states = dict(Document.objects.values_list("pk", "state"))
    assert states == {broken.pk: DocumentState.FAILED, sound.pk: DocumentState.DONE}


def test_a_lost_file_is_made_again(cup: World) -> None:
    asked = documents.ask_for(cup.tournament, cup.stage)
    call_command("make_document")
    asked.path.unlink()
    assert documents.ask_for(cup.tournament, cup.stage).state == DocumentState.WAITING
    call_command("make_document")
    assert asked.path.exists()


def test_a_document_may_be_made_by_hand(cup: World) -> None:
    asked = documents.ask_for(cup.tournament, cup.stage)
    call_command("make_document", str(asked.uuid))
    assert asked.path.exists()
    with pytest.raises(CommandError, match="Такого документа нет"):
        call_command("make_document", str(uuid4()))


def test_older_documents_of_the_stage_go_a_day_after_they_were_made(cup: World) -> None:
    old = documents.ask_for(cup.tournament, cup.stage)
    call_command("make_document")
    reopen(cup.over, by=cup.people["head"], reason="Опечатка")
    documents.ask_for(cup.tournament, cup.stage)
    call_command("make_document")
    assert Document.objects.filter(pk=old.pk).exists()
    Document.objects.filter(pk=old.pk).update(finished_at=timezone.now() - timedelta(days=2))
    reopen(cup.signed, by=cup.people["head"], reason="Опечатка")
    seal(Game.objects.get(pk=cup.over.pk), revision=cup.over.revision, by=cup.people["head"])
    documents.ask_for(cup.tournament, cup.stage)
    call_command("make_document")
    assert not Document.objects.filter(pk=old.pk).exists()
    assert not old.path.exists()


# ---------------------------------------------------------------- over the site


def test_asking_leads_to_the_page_and_then_to_the_file(cup: World) -> None:
    client, address = Client(), "/t/cup/protocols.pdf?stage=1"
    asked = client.get(address)
    page = asked["Location"]
    assert (asked.status_code, page) == (302, f"/documents/{Document.objects.get().uuid}/")
    assert client.get(f"{page}file.pdf")["Location"] == page
    assert "Документ ждёт своей очереди." in client.get(page).content.decode()
    call_command("make_document")
    assert client.get(address)["Location"] == f"{page}file.pdf"
    assert "Готово: 2 протокола, обе стороны каждого." in client.get(page).content.decode()
    given = client.get(f"{page}file.pdf")
    assert (given["Content-Type"], len(heads_of(given.getvalue()))) == ("application/pdf", 2)


def test_the_page_says_how_far_the_document_is_and_looks_again_without_a_script(cup: World, busy: None) -> None:
    asked = documents.ask_for(cup.tournament, cup.stage)
    documents.next_to_make()
    documents.report(asked, 1)
    Document.objects.filter(pk=asked.pk).update(state=DocumentState.RUNNING)
    html = Client().get(f"/documents/{asked.uuid}/").content.decode()
    assert "Готово протоколов: 1 из 2." in html
    assert '<noscript><meta http-equiv="refresh" content="3"></noscript>' in html


def test_a_document_that_failed_says_so_and_offers_another_try(cup: World) -> None:
    asked = documents.ask_for(cup.tournament, cup.stage)
    documents.give_up(asked)
    html = Client().get(f"/documents/{asked.uuid}/").content.decode()
    assert "Документ сделать не удалось." in html
    assert 'href="/t/cup/protocols.pdf?stage=1"' in html
    assert "http-equiv" not in html.partition("<body")[0]


def test_a_stage_without_signed_protocols_leads_back_with_a_word(cup: World) -> None:
    add_stage(cup.tournament, name="Финал")
    answer = Client().get("/t/cup/protocols.pdf?stage=2", follow=True)
    assert answer.redirect_chain == [("/t/cup/", 302)]
    assert "Здесь ещё не подписан ни один протокол." in answer.content.decode()


def test_a_document_whose_protocols_are_all_drawn_is_given_at_once(cup: World) -> None:
    for sheet in SignedSheet.objects.all():
        file_of(sheet)
    client, address = Client(), "/t/cup/protocols.pdf?stage=1"
    asked = client.get(address)
    document = Document.objects.get()
    assert (document.state, document.done) == (DocumentState.DONE, 2)
    assert asked["Location"] == f"/documents/{document.uuid}/file.pdf"
    assert heads_of(client.get(asked["Location"]).getvalue()) == [_head(cup.over), _head(cup.signed)]


def test_nothing_is_drawn_in_the_request(cup: World) -> None:
    file_of(SignedSheet.objects.get(game=cup.over))
    asked = Client().get("/t/cup/protocols.pdf?stage=1")
    assert Document.objects.get().state == DocumentState.WAITING
    assert asked["Location"] == f"/documents/{Document.objects.get().uuid}/"


@pytest.mark.parametrize("stage", ["3", "x", "", "-1", "99999999999999999999", "²"])
def test_a_stage_that_is_not_there_is_not_found(cup: World, stage: str) -> None:
    assert Client().get("/t/cup/protocols.pdf", {"stage": stage}).status_code == 404


def test_the_document_of_a_tournament_that_is_not_public_is_for_its_own_people(cup: World) -> None:
    asked = documents.ask_for(cup.tournament, cup.stage)
    call_command("make_document")
    cup.tournament.is_public = False
    cup.tournament.save()
    addresses = (f"/documents/{asked.uuid}/", f"/documents/{asked.uuid}/file.pdf", "/t/cup/protocols.pdf?stage=1")
    given = [[client_of(who).get(each).status_code for each in addresses] for who in ("other", "foreign", "anonymous")]
    assert given == [[200, 200, 302], [404, 404, 404], [404, 404, 404]]


# ---------------------------------------------------------------- the process itself


@pytest.fixture
def maker(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Makers are started for real; they are over before the database is emptied."""
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "mafia_site.settings")
    yield
    for _ in range(200):
        with documents.at_work() as is_free:
            if is_free and not documents._was_started_just_now():
                return
        time.sleep(0.1)


def _waited_for(asked: Document) -> Document:
    for _ in range(300):
        asked.refresh_from_db()
        if not asked.is_unfinished:
            break
        time.sleep(0.1)
    return asked


def test_asking_starts_a_process_that_makes_the_document(maker: None) -> None:
    cup = world()
    asked = documents.ask_for(cup.tournament, cup.stage)
    assert _waited_for(asked).state == DocumentState.DONE
    assert heads_of(asked.path.read_bytes()) == [_head(cup.signed)]


def test_the_page_turns_to_ready_by_itself(maker: None, phone: Page) -> None:
    world()
    phone.goto("/t/cup/")
    phone.get_by_role("link", name="все протоколы (PDF)").click()
    link = phone.get_by_role("link", name="Открыть PDF")
    expect(link).to_be_visible(timeout=30_000)
    given = phone.request.get(str(link.get_attribute("href")))
    assert (given.status, given.headers["content-type"]) == (200, "application/pdf")
    assert len(heads_of(given.body())) == 1


def test_the_page_is_readable_by_everybody(maker: None, phone: Page) -> None:
    cup = world()
    with documents.at_work():
        asked = documents.ask_for(cup.tournament, cup.stage)
        phone.goto(f"/documents/{asked.uuid}/")
        phone.evaluate(AXE.read_text(encoding="utf-8"))
        breaches = phone.evaluate("axe.run().then(found => found.violations.map(each => each.id))")
        is_too_wide = phone.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert (breaches, is_too_wide) == ([], False)
