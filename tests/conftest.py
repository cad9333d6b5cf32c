"""What tests share: a real headless Chromium, and the mark of tests that use the database."""

import os
import shutil
from collections.abc import Iterator

import pytest
from django.db import connection, connections
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from pytest_django import DjangoDbBlocker
from pytest_django.live_server_helper import LiveServer

from mafia_site import words

# Playwright keeps an event loop in this thread; Django would take that for asynchronous code and refuse.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DATABASE_FIXTURES = {"db", "transactional_db", "live_server", "admin_client", "admin_user"}


def pytest_configure(config: pytest.Config) -> None:
    """Tests read the words that the repository holds, not those of an earlier build."""
    words.compile_catalog()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that uses the database and no browser carries the mark `database`, so PostgreSQL runs it too."""
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        if "browser" in fixtures:
            item.add_marker(pytest.mark.browser)
        elif item.get_closest_marker("django_db") or fixtures & DATABASE_FIXTURES:
            item.add_marker(pytest.mark.database)


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """The test database; rows written once may be deleted from SQLite, as emptying its tables does after a test."""
    from protocols.models import triggers

    if connection.vendor == "sqlite":
        with django_db_blocker.unblock():
            triggers.remove(connection, events=("delete",))


def found_chromium() -> str | None:
    """Where the Chromium of this machine lies."""
    return os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The Chromium of this machine, without a window; CHROMIUM names another one.

    While Playwright's event loop runs in this thread, Django keeps other connections for it than without one; those
    of before and of after would stay open unseen, each with the database's file.
    """
    connections.close_all()
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found_chromium(), args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()
        connections.close_all()


def _page(context: BrowserContext) -> Iterator[Page]:
    errors: list[str] = []
    context.set_default_timeout(10_000)
    context.on("weberror", lambda error: errors.append(str(error.error)))
    context.on(
        "console",
        lambda message: (
            errors.append(message.text)
            if message.type == "error" and "Failed to load resource" not in message.text
            else None
        ),
    )
    yield context.new_page()
    context.close()
    # A breach of the Content-Security-Policy is an error on the console, too.
    assert errors == []


@pytest.fixture
def phone(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """A page on a phone, 390 × 844, with a finger; at its end no script has failed."""
    yield from _page(
        browser.new_context(
            base_url=live_server.url,
            locale="ru-RU",
            viewport={"width": 390, "height": 844},
            device_scale_factor=2,
            has_touch=True,
            is_mobile=True,
        )
    )


@pytest.fixture
def laptop(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """A page on a laptop, 1440 × 900; at its end no script has failed."""
    yield from _page(
        browser.new_context(base_url=live_server.url, locale="ru-RU", viewport={"width": 1440, "height": 900})
    )
