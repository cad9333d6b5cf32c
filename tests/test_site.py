"""What every page of the site is sent with, and what a bad request gets."""

import io
import stat
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.handlers.wsgi import WSGIRequest
from django.db import connection
from django.test import Client, RequestFactory
from django.views.defaults import server_error
from playwright.sync_api import Page

from mafia_site import settings as site_settings
from mafia_site.middleware import refuse_oversized_requests

AXE = Path(__file__).resolve().parent / "vendor" / "axe-4.14.1.min.js"
POLICY = {
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
}


@pytest.mark.django_db
def test_a_page_allows_nothing_that_is_not_ours(client: Client) -> None:
    response = client.get("/login/")
    assert response.status_code == 200
    assert set(response["Content-Security-Policy"].split("; ")) == POLICY
    assert response["X-Frame-Options"] == "DENY"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Referrer-Policy"] == "same-origin"
    assert response["Cross-Origin-Opener-Policy"] == "same-origin"


@pytest.mark.django_db
def test_the_session_cookie_is_out_of_reach_of_scripts_and_lasts_two_weeks(client: Client) -> None:
    User.objects.create_user("judge", password="a long enough one")
    response = client.post("/login/", {"username": "judge", "password": "a long enough one"})
    assert response.status_code == 302
    cookie = response.cookies["sessionid"]
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Lax", 14 * 24 * 3600)


@pytest.mark.django_db
def test_login_goes_to_no_other_site(client: Client) -> None:
    User.objects.create_user("judge", password="a long enough one")
    response = client.post(
        "/login/?next=https://evil.example/",
        {"username": "judge", "password": "a long enough one", "next": "https://evil.example/"},
    )
    assert (response.status_code, response["Location"]) == (302, "/")


@pytest.mark.django_db
def test_a_missing_page_says_so_calmly(client: Client) -> None:
    response = client.get("/no-such-page/")
    assert response.status_code == 404
    assert "Такой страницы нет" in response.content.decode()


@pytest.mark.django_db
def test_a_form_without_its_token_is_refused_and_says_what_to_do() -> None:
    response = Client(enforce_csrf_checks=True).post("/login/", {"username": "judge", "password": "x"})
    assert response.status_code == 403
    assert "Страница устарела" in response.content.decode()


def test_fifty_megabytes_are_refused_and_read_to_their_end_so_that_the_answer_arrives(rf: RequestFactory) -> None:
    sent = io.BytesIO(bytes(50_000_000))
    environ = rf.post("/login/", content_type="application/json").environ
    request = WSGIRequest({**environ, "wsgi.input": sent, "CONTENT_LENGTH": "50000000"})
    response = refuse_oversized_requests(server_error)(request)
    assert response.status_code == 413
    assert "не больше 5 МБ" in response.content.decode()
    assert sent.read() == b""


def test_five_gigabytes_are_refused_by_their_length(client: Client) -> None:
    response = client.post("/login/", data=b"", content_type="application/json", CONTENT_LENGTH=5_000_000_000)
    assert response.status_code == 413


def test_an_error_of_ours_is_told_calmly_without_the_database(rf: RequestFactory) -> None:
    response = server_error(rf.get("/"))
    assert response.status_code == 500
    assert "Всё, что уже записано, сохранено." in response.content.decode()


def test_debugging_is_off_by_default_and_strangers_hosts_are_unknown(client: Client) -> None:
    assert site_settings.DEBUG is False
    assert client.get("/login/", headers={"host": "evil.example"}).status_code == 400


def test_the_secret_key_is_made_once_and_nobody_else_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "secret_key"
    first = site_settings._secret_key(path)
    assert len(first) >= 50
    assert site_settings._secret_key(path) == first
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [found.name for found in tmp_path.iterdir()] == ["secret_key"]


@pytest.mark.django_db(transaction=True)
def test_sqlite_keeps_answered_writes_and_lets_readers_read() -> None:
    if connection.vendor == "postgresql":
        assert settings.DATABASES["default"]["CONN_MAX_AGE"] == 600
        return
    with connection.cursor() as cursor:
        read = {
            name: cursor.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    assert read == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    assert settings.DATABASES["default"]["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_login_page_is_reachable_by_everybody(phone: Page, scheme: str) -> None:
    phone.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    phone.goto("/login/")
    phone.evaluate(AXE.read_text(encoding="utf-8"))
    breaches = phone.evaluate("axe.run().then(found => found.violations.map(each => each.id))")
    assert breaches == []
    small = phone.evaluate(
        "[...document.querySelectorAll('a, button, input:not([type=hidden])')]"
        ".filter(each => !each.matches('.skip-link') && each.getBoundingClientRect().height < 44)"
        ".map(each => each.outerHTML)"
    )
    assert small == []
    assert phone.evaluate("document.documentElement.scrollWidth") == 390


def _log_in(page: Page) -> None:
    page.goto("/login/")
    page.get_by_label("Имя пользователя").fill("judge")
    page.get_by_label("Пароль").fill("a long enough one")
    page.get_by_role("main").get_by_role("button", name="Войти").click()
    page.get_by_role("button", name="Выйти").wait_for()


def _log_out(page: Page) -> None:
    page.get_by_role("button", name="Выйти").click()
    page.get_by_role("link", name="Войти").wait_for()


@pytest.mark.django_db(transaction=True)
def test_a_judge_logs_in_and_out(phone: Page) -> None:
    User.objects.create_user("judge", password="a long enough one")
    _log_in(phone)
    _log_out(phone)


@pytest.mark.django_db(transaction=True)
def test_a_form_opened_before_another_login_still_goes_through(phone: Page) -> None:
    User.objects.create_user("judge", password="a long enough one")
    _log_in(phone)
    other = phone.context.new_page()
    other.goto("/")
    _log_out(other)
    _log_in(other)  # the token of the first page is an old one now
    _log_out(phone)
