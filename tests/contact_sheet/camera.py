"""The pictures in real Chromium, and how they are put together on sheets."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.test import Client
from django.test.utils import setup_databases, setup_test_environment, teardown_databases, teardown_test_environment
from django.urls import get_resolver
from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import Browser, BrowserContext, Playwright, sync_playwright
from pytest_django.live_server_helper import LiveServer

from mafia_site import words
from tests.conftest import CHROMIUM_FLAGS, found_chromium

from .scenes import SCENES, Scene, Story

FONT = Path(settings.BASE_DIR) / "static" / "fonts" / "ibm-plex-sans-400.ttf"
QUALITY = 32
GAP, LINE, LINES = 18, 19, 2
SCHEMES = {"light": "светлая", "dark": "тёмная"}
GROUND, INK = "#8a8d91", "#ffffff"


@dataclass(frozen=True)
class Sheet:
    """One file: every scene at one size, and the board's in the dark theme, too."""

    name: str
    width: int
    height: int
    tile: int  # how wide a picture is on the sheet
    columns: int
    text: int = 100  # per cent
    schemes: tuple[str, ...] = ("light", "dark")


SHEETS = [
    Sheet("phone-390x844", 390, 844, 200, 8),
    Sheet("phone-360x640", 360, 640, 200, 8),
    Sheet("phone-640x360", 640, 360, 340, 5),
    Sheet("phone-844x390", 844, 390, 400, 5),
    Sheet("tablet-820x1180", 820, 1180, 270, 7),
    Sheet("tablet-1180x820", 1180, 820, 400, 5),
    Sheet("laptop-1440x900", 1440, 900, 440, 5),
    Sheet("laptop-900x1440", 900, 1440, 270, 7),
    Sheet("phone-390x844-text-200", 390, 844, 200, 8, 200, ("light",)),
    Sheet("phone-360x640-text-200", 360, 640, 200, 8, 200, ("light",)),
]


@contextmanager
def _site() -> Iterator[tuple[LiveServer, Story]]:
    words.compile_catalog()
    get_resolver().url_patterns  # noqa: B018 - the whole site is loaded now: what is edited meanwhile is not seen
    setup_test_environment()
    made = setup_databases(verbosity=0, interactive=False)
    server = LiveServer("127.0.0.1")
    try:
        yield server, Story()
    finally:
        server.stop()
        teardown_databases(made, verbosity=0)
        teardown_test_environment()


def sheets(folder: Path, *, only: str = "", scene: str = "", singles: Path | None = None) -> Iterator[Path]:
    """The files made, one by one."""
    scenes = [each for each in SCENES if scene in each.name]
    with _site() as (server, story), sync_playwright() as playwright:
        for sheet in SHEETS:
            if only not in sheet.name:
                continue
            browser = _browser(playwright, sheet.text)
            taken = [
                (scheme, each)
                for scheme in sheet.schemes
                for each in scenes
                if sheet.width >= each.least_width and (scheme == "light" or each.path == "board/")
            ]
            pictures = [
                (f"{each.name} · {SCHEMES[scheme]}", _picture(browser, server, story, sheet, scheme, each))
                for scheme, each in taken
            ]
            browser.close()
            if singles:
                singles.mkdir(exist_ok=True)
                for number, (_name, shot) in enumerate(pictures, start=1):
                    (singles / f"{sheet.name}-{number:02}.png").write_bytes(shot)
            path = folder / f"contact-{sheet.name}.webp"
            _sheet(sheet, pictures).save(path, quality=QUALITY, method=6)
            yield path


def _browser(playwright: Playwright, text: int) -> Browser:
    flags = [*CHROMIUM_FLAGS, f"--blink-settings=defaultFontSize={16 * text // 100}"]
    return playwright.chromium.launch(executable_path=found_chromium(), args=flags)


def _picture(browser: Browser, server: LiveServer, story: Story, sheet: Sheet, scheme: str, scene: Scene) -> bytes:
    context = browser.new_context(
        base_url=server.url, locale="ru-RU", viewport={"width": sheet.width, "height": sheet.height},
        color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce",
    )  # fmt: skip
    context.set_default_timeout(60_000)
    _log_in(context, server, story)
    page = context.new_page()
    game = story.game(scene.state)
    page.goto("/t/cup/tables/1/" + scene.path if scene.state == "hall" else f"/games/{game.uuid}/{scene.path}")
    page.evaluate("document.fonts.ready")
    scene.act(page)
    page.wait_for_timeout(150)
    shot = page.screenshot()
    context.close()
    return shot


def _log_in(context: BrowserContext, server: LiveServer, story: Story) -> None:
    client = Client()
    client.force_login(story.judge)
    name = settings.SESSION_COOKIE_NAME
    context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": server.url}])


def _sheet(sheet: Sheet, pictures: list[tuple[str, bytes]]) -> Image.Image:
    """The pictures in rows, each under its caption."""
    font = ImageFont.truetype(str(FONT), 13)
    height = round(sheet.tile * sheet.height / sheet.width)
    rows = -(-len(pictures) // sheet.columns)
    step = height + LINES * LINE + GAP
    ground = Image.new("RGB", (GAP + (sheet.tile + GAP) * sheet.columns, GAP + step * rows), GROUND)
    draw = ImageDraw.Draw(ground)
    for number, (caption, shot) in enumerate(pictures):
        row, column = divmod(number, sheet.columns)
        left, top = GAP + column * (sheet.tile + GAP), GAP + row * step
        for place, line in enumerate(_wrapped(caption, font, sheet.tile)):
            draw.text((left, top + LINE * place), line, INK, font)
        picture = Image.open(io.BytesIO(shot)).convert("RGB")
        ground.paste(picture.resize((sheet.tile, height), Image.Resampling.LANCZOS), (left, top + LINES * LINE))
    return ground


def _wrapped(caption: str, font: ImageFont.FreeTypeFont, width: int) -> list[str]:
    lines = [""]
    for word in caption.split():
        longer = f"{lines[-1]} {word}".strip()
        if font.getlength(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines[:LINES]
