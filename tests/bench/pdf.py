"""One sheet's PDF, from the Sheet to bytes, beside what WeasyPrint and Chromium take for the same HTML, ready.

Run by `python -m tests.bench pdf` in a process of its own, as `python -m tests.bench.pdf`.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import django
import pikepdf
from playwright.sync_api import sync_playwright

from protocols.rehearsal.play import Table
from protocols.rules.fold import replay
from protocols.rules.outcome import is_over
from protocols.rules.regulation import EDITION_A
from protocols.rules.sheet import Header, Sheet, sheet

from . import places
from .tables import ms, show, times, verdict
from .timing import Act, in_turn

REPEATS = 20
AIM_WEASYPRINT, AIM_CHROMIUM = 1.1, 1.0
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
NICKNAMES = ("Астра", "Барс", "Гром №2", "Дельта", "Ёлка", "Жар-птица", "Зенит", "Искра", "Йод", "Комета Галлея")


def played_sheet() -> Sheet:
    """The filled sheet of a whole game."""
    table = Table(2)
    for _ in table.play():
        pass
    state = replay(table.written, EDITION_A)
    assert is_over(state)
    header = Header("Кубок столицы", "Отборочная стадия", 12, 3, "2025-05-17", "Соколова")
    return sheet(state, header, dict(enumerate(NICKNAMES, start=1)), ended_at="2025-05-17T14:32:00+03:00")


@contextmanager
def _chromium(html: str, styles: list[Path]) -> Iterator[Act]:
    """Chromium, warm, and the act of giving it the page and printing it."""
    links = "".join(f'<link rel="stylesheet" href="{style.as_uri()}">' for style in styles)
    page_html = html.replace("</head>", f"{links}</head>")
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        empty = Path(folder) / "empty.html"
        empty.write_text("<!DOCTYPE html>")
        browser = playwright.chromium.launch(executable_path=found, args=CHROMIUM_FLAGS)
        page = browser.new_page()
        page.goto(empty.as_uri())  # from a file, so that the page may use our files

        def print_page() -> bytes:
            page.set_content(page_html)
            return page.pdf(prefer_css_page_size=True, print_background=True)

        yield print_page
        browser.close()


def _pages(data: bytes) -> int:
    with pikepdf.open(BytesIO(data)) as document:
        return len(document.pages)


def main() -> None:
    """Prints the table."""
    django.setup()
    from weasyprint import HTML

    from protocols import pdf
    from protocols.sheet_view import form_of

    filled = played_sheet()
    html = pdf.forms_html([form_of(filled)])
    root = Path(pdf._static_root())
    styles = [root / name for name in ("css/fonts.css", "css/print.css", *pdf.SHEET_STYLES)]

    def plain() -> bytes:
        done: bytes = HTML(string=html, base_url=str(root)).write_pdf(stylesheets=[str(style) for style in styles])
        return done

    with _chromium(html, styles) as chromium:
        acts: list[tuple[str, Act]] = [
            ("ours: from the Sheet to bytes", lambda: pdf.sheet_pdf(filled)),
            ("  of it: the form and its HTML", lambda: pdf.forms_html([form_of(filled)])),
            ("WeasyPrint, HTML ready, styles and fonts kept, gc off", lambda: pdf.html_pdf(html, pdf.SHEET_STYLES)),
            ("WeasyPrint, HTML ready, as its manual says", plain),
            ("Chromium, warm: the page set and printed", chromium),
        ]
        documents = [act() for _, act in (acts[0], *acts[2:])]
        samples = in_turn([act for _, act in acts], REPEATS)
        folder = os.environ.get("BENCH_KEEP")
        for (name, _), document in zip((acts[0], *acts[2:]), documents, strict=True):
            assert isinstance(document, bytes)
            assert _pages(document) == 2, name
            if folder:
                (Path(folder) / f"{name[:8].strip()}-{len(document)}.pdf").write_bytes(document)

    ours = samples[0].median
    aims = ["", "", AIM_WEASYPRINT, AIM_WEASYPRINT, AIM_CHROMIUM]
    rows = []
    for (name, _), sample, aim in zip(acts, samples, aims, strict=True):
        ratio = ours / sample.median
        words = f"≤ {aim}×: {verdict(ratio, aim)}" if isinstance(aim, float) else ""
        rows.append((name, len(sample.values), ms(sample.median), sample.spread, times(ratio) if words else "", words))
    show("PDF of one sheet, both sides, ms", ("", "n", "median", "p10–p90", "ours to it", "aim"), rows)


def measure() -> None:
    """Runs the measurement where it may import the site."""
    with places.place("SQLite") as env:
        print(places.run(env, "-m", "tests.bench.pdf"), end="", flush=True)


if __name__ == "__main__":
    main()
