"""The PDFs of one game over the site: who gets which, and that a signed one never changes."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from pypdf import PdfReader
from pytest_django import DjangoAssertNumQueries, Settings

from protocols.models import Game, SignedSheet
from protocols.printing import file_of, keep
from protocols.services.sign import reopen, seal

from .sheets import row_of, text_in, words_of
from .test_pages_access import CAST, client_of
from .world import World, world


@pytest.fixture
def cup(db: None, settings: Settings, tmp_path: Path) -> World:
    """The tournament, with a media folder of its own."""
    settings.MEDIA_ROOT = tmp_path
    return world()


def _pdf(client: Client, address: str) -> bytes:
    answer = client.get(address)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
    return answer.getvalue()


def _text(data: bytes) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(BytesIO(data)).pages)


def test_everybody_gets_the_sheets_they_may_see(cup: World) -> None:
    clients = {name: client_of(name) for name in CAST}
    given = {}
    for name in ("prepared", "running", "over", "signed"):
        uuid = getattr(cup, name).uuid
        for paper in ("sheet", "blank"):
            address = f"/games/{uuid}/{paper}.pdf"
            given[name, paper] = tuple(clients[who].get(address).status_code for who in CAST)
    not_signed = (200, 404, 200, 200, 404, 404, 404)
    blank = (200, 403, 200, 200, 404, 404, 302)
    assert given == {
        ("prepared", "sheet"): not_signed, ("prepared", "blank"): blank,
        ("running", "sheet"): not_signed, ("running", "blank"): blank,
        ("over", "sheet"): not_signed, ("over", "blank"): blank,
        ("signed", "sheet"): (200,) * 7, ("signed", "blank"): blank,
    }  # fmt: skip


def test_the_signed_protocol_has_roles_points_and_the_signature(cup: World) -> None:
    words = words_of(_pdf(Client(), f"/games/{cup.signed.uuid}/sheet.pdf"))
    rows = [row_of(words, seat) for seat in range(1, 11)]
    assert [row["nickname"] for row in rows] == list(cup.nicknames)
    assert "".join(row["role"] for row in rows) == "".join(role.letter for role in cup.roles)
    assert text_in(words, 18, 157.8, 127, 7.4) == "ПОБЕДИВШАЯ КОМАНДА чёрные"
    assert text_in(words, 107.8, 182.4, 37.2, 10.1).startswith("подписано электронно: Соколова")


def test_a_draft_says_so_and_holds_the_roles_only_for_those_who_may_know_them(cup: World) -> None:
    data = _pdf(client_of("judge"), f"/games/{cup.running.uuid}/sheet.pdf")
    assert "черновик, не подписан" in _text(data)
    words = words_of(data)
    assert "".join(row_of(words, seat)["role"] for seat in range(1, 11)) == "".join(r.letter for r in cup.roles)


def test_the_blank_has_the_nicknames_and_no_role_even_where_roles_are_written(cup: World) -> None:
    words = words_of(_pdf(client_of("judge"), f"/games/{cup.running.uuid}/blank.pdf"))
    rows = [row_of(words, seat) for seat in range(1, 11)]
    assert [row["nickname"] for row in rows] == list(cup.nicknames)
    assert {row["role"] + row["star"] + row["points"] for row in rows} == {""}
    assert text_in(words, 18, 182.4, 89.8, 10.1) == "СУДЬЯ Соколова"


def test_a_signed_sheet_is_drawn_once_and_kept_under_its_seal(cup: World) -> None:
    first = _pdf(Client(), f"/games/{cup.signed.uuid}/sheet.pdf")
    signed = SignedSheet.objects.get(game=cup.signed)
    path = Path(settings.MEDIA_ROOT) / "sheets" / signed.sha256[:2] / f"{signed.sha256}.pdf"
    assert path.read_bytes() == first
    path.write_bytes(b"%PDF as it was kept")
    assert _pdf(Client(), f"/games/{cup.signed.uuid}/sheet.pdf") == b"%PDF as it was kept"


def test_a_superseded_sheet_stays_readable_and_the_next_one_is_another_file(cup: World) -> None:
    game, people = cup.signed, cup.people
    before = _pdf(Client(), f"/games/{game.uuid}/sheet.pdf")
    reopen(game, by=people["head"], reason="Опечатка")
    assert Client().get(f"/games/{game.uuid}/sheet.pdf").status_code == 404
    assert "черновик" in _text(_pdf(client_of("judge"), f"/games/{game.uuid}/sheet.pdf"))
    seal(Game.objects.get(pk=game.pk), revision=game.revision, by=people["head"])
    after = _pdf(Client(), f"/games/{game.uuid}/sheet.pdf")
    assert ("Соколова," in _text(before), "Главная," in _text(after)) == (True, True)
    assert _pdf(Client(), f"/games/{game.uuid}/sheet.pdf?sheet=1") == before
    assert _pdf(Client(), f"/games/{game.uuid}/sheet.pdf?sheet=2") == after
    assert [Client().get(f"/games/{game.uuid}/sheet.pdf?sheet={asked}").status_code for asked in ("3", "x", "")] == [
        404, 404, 404,
    ]  # fmt: skip


def test_a_kept_file_is_written_whole_and_never_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b.pdf"
    keep(path, b"first")
    keep(path, b"second")
    assert path.read_bytes() == b"first"
    assert [each.name for each in path.parent.iterdir()] == ["b.pdf"]


def test_a_signed_sheet_asks_the_database_little(cup: World, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    file_of(SignedSheet.objects.get(game=cup.signed))
    with django_assert_num_queries(4):  # the game with what anybody is to it, its sheet, its protests, what is hidden
        _pdf(Client(), f"/games/{cup.signed.uuid}/sheet.pdf")


def test_the_file_has_a_name_that_says_what_it_is(cup: World) -> None:
    answer = Client().get(f"/games/{cup.signed.uuid}/sheet.pdf")
    name = "%D0%BF%D1%80%D0%BE%D1%82%D0%BE%D0%BA%D0%BE%D0%BB%2C%20"
    assert answer["Content-Disposition"].startswith(f"inline; filename*=UTF-8''{name}")
    assert answer["Cache-Control"] == "private, no-cache"
