"""The proof on paper: a signed sheet's code and drawing, and the page that says whether that very sheet holds."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from html import unescape
from io import BytesIO
from pathlib import Path

import pytest
import zxingcpp
from django.conf import settings as site
from django.contrib.auth.models import AnonymousUser
from django.http import Http404
from django.test import Client
from playwright.sync_api import Page, expect
from pypdf import PageObject, PdfReader
from pytest_django import DjangoAssertNumQueries, Settings
from pytest_django.live_server_helper import LiveServer

from protocols import access
from protocols.models import Game, SignedSheet, Tournament
from protocols.pdf import SHEET_STYLES, form_pdf, forms_html, html_pdf
from protocols.printing import file_of
from protocols.rules.sheet import Sheet
from protocols.services.sign import reopen, seal
from protocols.sheet_check import check_of, code_of, in_groups, read_code
from protocols.sheet_view import Signature, form_of

from .sheets import FIVE_DAYS, picture_of, played, text_in, words_of
from .test_pages_access import client_of
from .world import World, world

AXE = Path(__file__).resolve().parent.parent / "vendor" / "axe-4.14.1.min.js"
SHA = "7f3a91bc04e2d5" + "0" * 50
SIGNATURE = Signature("Соколова", datetime(2026, 10, 10, 12, tzinfo=UTC))
WORDY = "Судья остановил игру рано, и это противоречит тому, что написано в регламенте турнира; " * 3


@pytest.fixture
def cup(db: None, settings: Settings, tmp_path: Path) -> World:
    """The tournament, with a media folder and an address of its own."""
    settings.MEDIA_ROOT = tmp_path
    settings.SITE_URL = "https://mafia.example.org"
    return world()


def sheet_of(game: Game, number: int = 1) -> SignedSheet:
    """A signed sheet of the game."""
    return SignedSheet.objects.get(game=game, number=number)


def seen_in(data: bytes, page: int = 2, dpi: int = 150) -> list[str]:
    """What a camera reads off the page."""
    return [found.text for found in zxingcpp.read_barcodes(picture_of(data, page=page, dpi=dpi))]


def said(client: Client, code: str) -> tuple[int, str, str]:
    """The status of the page of a code, its heading and its message."""
    response = client.get(f"/check/{code}/")
    html = response.content.decode()
    return response.status_code, _text(html, "h1"), _text(html, "p", "message")


def _text(html: str, tag: str, css: str = "") -> str:
    found = re.search(rf'<{tag}(?: class="{css}[^"]*")?>(.*?)</{tag}>', html, re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", "", found[1])).split()) if found else ""


# ---------------------------------------------------------------- the code


def test_the_code_is_the_beginning_of_the_seal_in_groups_of_four() -> None:
    assert (code_of(SHA), in_groups(code_of(SHA))) == ("7f3a91bc04e2", "7F3A 91BC 04E2")


@pytest.mark.parametrize(
    "typed",
    ["7f3a91bc04e2", "7F3A 91BC 04E2", " 7f3a-91bc-04e2 ", "7F3A9lBCO4E2", "7F3A9IBCo4EZ", "7FЗА 9|ВС О4Е2"],
)
def test_spaces_case_and_look_alikes_are_forgiven(typed: str) -> None:
    assert read_code(typed) == "7f3a91bc04e2"


@pytest.mark.parametrize("typed", ["", "7f3a91bc04e", "7f3a91bc04ex", "a" * 65, "7f3a91bc04e٢", "../../etc"])
def test_what_is_too_short_or_no_hex_is_no_code(typed: str) -> None:
    assert read_code(typed) is None


def test_the_whole_seal_is_a_code_too() -> None:
    assert read_code(SHA.upper()) == SHA


# ---------------------------------------------------------------- on paper


def _pages(data: bytes) -> list[PageObject]:
    return list(PdfReader(BytesIO(data)).pages)


def _checked(sheet: Sheet) -> bytes:
    return form_pdf(form_of(sheet, SIGNATURE, check=check_of(SHA)))


def test_the_drawing_on_the_pdf_leads_to_the_page_of_that_sheet(cup: World) -> None:
    signed = sheet_of(cup.signed)
    assert seen_in(file_of(signed).read_bytes()) == [f"https://mafia.example.org/check/{signed.sha256[:12]}/"]


def test_the_code_stands_on_both_sides_of_a_signed_sheet(cup: World) -> None:
    signed = sheet_of(cup.signed)
    data = file_of(signed).read_bytes()
    code = in_groups(signed.sha256[:12])
    assert text_in(words_of(data, 1), 200, 194, 80, 5) == f"код проверки {code}"
    assert text_in(words_of(data, 2), 214, 137, 40, 22) == (f"Действует ли этот бланк? {code} mafia.example.org/check/")


def test_the_drawing_is_read_at_the_coarseness_of_a_fax(settings: Settings) -> None:
    for address in ("http://127.0.0.1:8000", "https://protocols.mafia-federation.example.org"):
        settings.SITE_URL = address
        assert seen_in(_checked(played(FIVE_DAYS)), dpi=100) == [f"{address}/check/7f3a91bc04e2/"]


def test_the_drawing_is_twenty_millimetres_wide_or_more_with_white_around_it(settings: Settings) -> None:
    for address in ("http://a.io", "http://127.0.0.1:8000", "https://protocols.mafia-federation.example.org"):
        settings.SITE_URL = address
        image = picture_of(_checked(played(FIVE_DAYS)), page=2, dpi=254).convert("L")
        (found,) = zxingcpp.read_barcodes(image)
        corner, opposite = found.position.top_left, found.position.bottom_right
        assert (opposite.x - corner.x) / 10 >= 20
        assert (opposite.y - corner.y) / 10 >= 20
        around = image.crop((corner.x - 20, corner.y - 20, opposite.x + 20, corner.y - 3))
        assert set(around.tobytes()) == {255}


def test_a_draft_and_a_blank_carry_no_code() -> None:
    data = form_pdf(form_of(played(FIVE_DAYS), is_draft=True))
    assert seen_in(data) == []
    assert ["код проверки" in page.extract_text() for page in _pages(data)] == [False, False]


def test_the_rest_of_the_form_stays_where_it_is() -> None:
    plain, checked = form_pdf(form_of(played(FIVE_DAYS), SIGNATURE)), _checked(played(FIVE_DAYS))
    for page in (1, 2):
        was, now = words_of(plain, page), words_of(checked, page)
        assert [word for word in was if word not in now] == []


def test_a_long_protest_goes_around_the_code_and_no_word_is_lost() -> None:
    data = _checked(replace(played(FIVE_DAYS), protest="\n".join([WORDY.strip()] * 4)))
    assert seen_in(data) == ["http://127.0.0.1:8000/check/7f3a91bc04e2/"]
    words = words_of(data, 2)
    assert sum(word.text == "противоречит" for word in words) == 12
    assert len(_pages(data)) == 2


def test_what_is_written_and_what_is_printed_look_like_the_whole_with_the_code_too() -> None:
    form = form_of(played(FIVE_DAYS), SIGNATURE, check=check_of(SHA))
    layered, whole = form_pdf(form), html_pdf(forms_html([form]), SHEET_STYLES)
    for page in (1, 2):
        assert picture_of(layered, page).tobytes() == picture_of(whole, page).tobytes()


def test_the_code_stays_black_on_white_and_inside_the_margins() -> None:
    image = picture_of(_checked(played(FIVE_DAYS)), page=2, dpi=100)
    red, green, blue = (band.tobytes() for band in image.split())
    assert red == green == blue
    box = image.convert("L").point(lambda value: 255 - value).getbbox()
    assert box
    assert box[2] * 25.4 / 100 <= 280.2


def test_a_drawn_sheet_keeps_its_code_when_the_site_moves(cup: World, settings: Settings) -> None:
    before = file_of(sheet_of(cup.signed)).read_bytes()
    settings.SITE_URL = "https://elsewhere.example.org"
    assert file_of(sheet_of(cup.signed)).read_bytes() == before


def test_without_a_setting_the_drawing_leads_to_this_machine() -> None:
    assert site.SITE_URL == "http://127.0.0.1:8000"


# ---------------------------------------------------------------- the page


def test_a_sheet_in_force_is_said_to_be_in_force_and_shown(cup: World) -> None:
    signed = sheet_of(cup.signed)
    status, heading, message = said(Client(), signed.sha256[:12])
    assert (status, heading) == (200, "Бланк действует")
    assert message.startswith(f"✓ Бланк с кодом {in_groups(signed.sha256[:12])}, подписанный ")
    html = Client().get(f"/check/{signed.sha256[:12]}/").content.decode()
    assert [nickname for nickname in cup.nicknames if nickname not in unescape(html)] == []
    assert signed.sha256 in html


def test_a_reopened_sheet_is_superseded_and_its_content_closed_like_its_protocol(cup: World) -> None:
    signed = sheet_of(cup.signed)
    reopen(cup.signed, by=cup.people["head"], reason="Тайная причина")
    status, heading, message = said(Client(), signed.sha256[:12])
    assert (status, heading) == (200, "Бланк больше не действует")
    assert message.endswith("протокол переоткрыт. Заново он ещё не подписан.")
    assert Client().get(f"/games/{cup.signed.uuid}/").status_code == 404
    html = unescape(Client().get(f"/check/{signed.sha256[:12]}/").content.decode())
    secrets = [*cup.nicknames, "Тайная причина", str(cup.signed.uuid), "Кубок", "sheet-frame"]
    assert [secret for secret in secrets if secret in html] == []
    assert "sheet-frame" in client_of("judge").get(f"/check/{signed.sha256[:12]}/").content.decode()


def test_a_sheet_signed_anew_supersedes_the_old_one(cup: World) -> None:
    old = sheet_of(cup.signed)
    reopen(cup.signed, by=cup.people["head"], reason="Опечатка")
    seal(Game.objects.get(pk=cup.signed.pk), revision=cup.signed.revision, by=cup.people["head"])
    new = sheet_of(cup.signed, 2)
    _status, heading, message = said(Client(), old.sha256[:12])
    assert heading == "Бланк больше не действует"
    assert message.endswith("протокол переоткрыт. С тех пор подписан другой бланк.")
    assert said(Client(), new.sha256[:12])[:2] == (200, "Бланк действует")
    html = Client().get(f"/check/{old.sha256[:12]}/").content.decode()
    assert f"/games/{cup.signed.uuid}/?sheet=1" in html
    assert file_of(old).read_bytes() != file_of(new).read_bytes()


def test_an_unknown_code_is_not_found_in_words(cup: World) -> None:
    status, heading, message = said(Client(), "000000000000")
    assert (status, heading) == (404, "Неизвестный бланк")
    assert message == "✕ 0000 0000 0000: Бланка с таким кодом здесь никогда не подписывали."
    assert said(Client(), "what") == (404, "Неизвестный бланк", "✕ what: Это не код бланка.")


def test_a_code_that_two_sheets_share_is_refused_until_more_of_it_is_typed(cup: World) -> None:
    signed = sheet_of(cup.signed)
    digit = "0" if signed.sha256[12] != "0" else "1"
    twin = SignedSheet.objects.create(
        game=cup.over, number=1, revision=1, data=signed.data, sha256=signed.sha256[:12] + digit + signed.sha256[13:],
        record_hash=signed.record_hash, rules_version="1", regulation="F", signed_by=signed.signed_by,
        signed_at=signed.signed_at,
    )  # fmt: skip
    status, heading, message = said(Client(), signed.sha256[:12])
    assert (status, heading) == (404, "Неизвестный бланк")
    assert message.endswith("Такой код у нескольких бланков: введите больше знаков их SHA-256.")
    assert said(Client(), signed.sha256[:13])[:2] == (200, "Бланк действует")
    assert said(Client(), twin.sha256)[1] == "Бланк больше не действует"


def test_of_a_tournament_not_open_to_everybody_strangers_learn_only_whether_the_sheet_holds(cup: World) -> None:
    Tournament.objects.filter(pk=cup.tournament.pk).update(is_public=False)
    with pytest.raises(Http404):
        access.public_game(AnonymousUser(), cup.signed.uuid)
    code = sheet_of(cup.signed).sha256[:12]
    assert said(Client(), code)[:2] == (200, "Бланк действует")
    html = unescape(Client().get(f"/check/{code}/").content.decode())
    assert [word for word in (*cup.nicknames, "Кубок", "sheet-frame") if word in html] == []
    assert "sheet-frame" in client_of("other").get(f"/check/{code}/").content.decode()


def test_a_typed_code_leads_to_its_page(cup: World) -> None:
    code = sheet_of(cup.signed).sha256[:12]
    response = Client().get("/check/", {"code": in_groups(code).replace("0", "O").replace("1", "l")})
    assert (response.status_code, response["Location"]) == (302, f"/check/{code}/")
    again = Client().get(f"/check/{code.upper()}/")
    assert (again.status_code, again["Location"]) == (302, f"/check/{code}/")


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("", "Введите код, который стоит на бланке."),
        ("7f3a", "Это не код бланка: в нём 12 цифр и букв от A до F."),
    ],
)
def test_a_code_too_short_is_refused(db: None, typed: str, says: str) -> None:
    response = Client().get("/check/", {"code": typed})
    assert response.status_code == 422
    assert says in unescape(response.content.decode())


def test_the_protocol_page_and_the_first_page_lead_to_the_check(cup: World) -> None:
    code = sheet_of(cup.signed).sha256[:12]
    assert f'href="/check/{code}/"' in Client().get(f"/games/{cup.signed.uuid}/").content.decode()
    assert 'href="/check/"' in Client().get("/").content.decode()


def test_a_check_asks_the_database_little(cup: World, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    code = sheet_of(cup.signed).sha256[:12]
    with django_assert_num_queries(3):  # the sheet with its game; what this person is to it; what is hidden
        assert Client().get(f"/check/{code}/").status_code == 200


def test_nothing_is_kept_by_proxies(cup: World) -> None:
    code = sheet_of(cup.signed).sha256[:12]
    assert "no-store" in Client().get(f"/check/{code}/")["Cache-Control"]


# ---------------------------------------------------------------- in a browser


def test_on_a_phone_the_code_is_typed_and_the_sheet_seen(cup: World, live_server: LiveServer, phone: Page) -> None:
    code = sheet_of(cup.signed).sha256[:12]
    phone.goto("/")
    phone.get_by_role("link", name="Проверить бланк по коду").click()
    phone.get_by_label("Код на бланке").fill(in_groups(code).lower())
    phone.get_by_role("button", name="Проверить").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Бланк действует")
    expect(phone.locator(".sheet__qr")).to_be_hidden()
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.evaluate(AXE.read_text(encoding="utf-8"))
    found = phone.evaluate("axe.run().then(result => result.violations.map(each => each.id))")
    assert found == []
