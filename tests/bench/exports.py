"""Standings of 150 players as PDF beside WeasyPrint on the same HTML, and 60 signed protocols merged into one PDF.

Run by `python -m tests.bench exports` in a process of its own, as `python -m tests.bench.exports`.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import django
import pikepdf

from . import places
from .standings import played_tournament
from .tables import ms, show, times, verdict
from .timing import Act, in_turn

PLAYERS, GAMES, PROTOCOLS = 150, 150, 60
REPEATS = 7
AIM_WEASYPRINT, AIM_MERGED = 1.1, 0.5  # a ratio, seconds


def _pages(data: object) -> int:
    assert isinstance(data, bytes)
    with pikepdf.open(BytesIO(data)) as document:
        return len(document.pages)


def main() -> None:
    """Prints two tables."""
    django.setup()
    from django.contrib.auth.models import User

    from protocols.models import Player, nickname_key

    judge = User.objects.create_user("judge")
    names = [f"Игрок {number}" for number in range(PLAYERS)]
    players = Player.objects.bulk_create(Player(nickname=name, nickname_key=nickname_key(name)) for name in names)
    tournament = played_tournament(GAMES, players, judge)
    _standings(tournament.slug)
    _games_on_paper(tournament.slug)
    _other_files(tournament.slug)
    _protocols(tournament.slug)


def _standings(slug: str) -> None:
    from weasyprint import HTML

    from protocols import pdf
    from protocols.models import Tournament
    from scoring.paper import _html, paper_of

    tournament = Tournament.objects.get(slug=slug)
    found = paper_of(tournament)
    html, root = _html(found, None), Path(pdf._static_root())
    styles = [str(root / name) for name in ("css/fonts.css", "css/print.css", *found.styles)]

    def ours() -> bytes:
        again = paper_of(Tournament.objects.get(slug=slug))
        return pdf.html_pdf(_html(again, None), again.styles)

    def plain() -> bytes:
        done: bytes = HTML(string=html, base_url=str(root)).write_pdf(stylesheets=styles)
        return done

    acts: list[tuple[str, Act]] = [
        ("ours: from the database to bytes", ours),
        ("WeasyPrint, HTML ready, styles and fonts kept, gc off", lambda: pdf.html_pdf(html, found.styles)),
        ("WeasyPrint, HTML ready, as its manual says", plain),
    ]
    assert len({_pages(act()) for _, act in acts}) == 1
    samples = in_turn([act for _, act in acts], REPEATS, warm_up=1)
    rows = []
    for (name, _), sample in zip(acts, samples, strict=True):
        ratio = samples[0].median / sample.median
        aim = "" if name.startswith("ours") else f"≤ {AIM_WEASYPRINT}×: {verdict(ratio, AIM_WEASYPRINT)}"
        rows.append((name, REPEATS, ms(sample.median), sample.spread, times(ratio) if aim else "", aim))
    show(f"Standings of {PLAYERS} players as PDF, ms", ("", "n", "median", "p10–p90", "ours to it", "aim"), rows)


def _games_on_paper(slug: str) -> None:
    """What is drawn apart from the requests, while a page waits for it."""
    from protocols import pdf
    from protocols.models import Tournament
    from scoring.paper import _html, paper_of

    found = paper_of(Tournament.objects.get(slug=slug), "games")
    html = _html(found, None)
    acts: list[tuple[str, Act]] = [
        ("the waiting page looks whether it is drawn", lambda: paper_of(Tournament.objects.get(slug=slug), "games")),
        ("the HTML", lambda: _html(found, None)),
        ("WeasyPrint, by a nice process of its own", lambda: pdf.html_pdf(html, found.styles)),
    ]
    samples = in_turn([act for _, act in acts], 3, warm_up=1)
    rows = [(name, 3, ms(sample.median), sample.spread) for (name, _), sample in zip(acts, samples, strict=True)]
    title = f"Games of every player as PDF, {found.rows:,} rows, {_pages(pdf.html_pdf(html, found.styles))} pages, ms"
    show(title, ("", "n", "median", "p10–p90"), rows)


def _other_files(slug: str) -> None:
    from protocols.models import Tournament
    from scoring.exports import exported
    from scoring.exports_csv import csv_of
    from scoring.exports_json import json_of
    from scoring.exports_tables import games_table
    from scoring.exports_xlsx import xlsx_of

    export = exported(Tournament.objects.get(slug=slug))
    acts: list[tuple[str, Act]] = [
        ("the result out of the database", lambda: exported(Tournament.objects.get(slug=slug))),
        ("  as JSON", lambda: json_of(export)),
        ("  as XLSX", lambda: xlsx_of(export)),
        ("  its games as CSV", lambda: csv_of(games_table(export))),
    ]
    samples = in_turn([act for _, act in acts], REPEATS)
    rows = [(name, REPEATS, ms(sample.median), sample.spread) for (name, _), sample in zip(acts, samples, strict=True)]
    show(f"{GAMES} games of {PLAYERS} players as files, ms", ("", "n", "median", "p10–p90"), rows)


def _protocols(slug: str) -> None:
    """From the question to the bytes: which sheets are in force, their files, the merge, the file that is kept."""
    from protocols.models import Document, SignedSheet, Tournament
    from protocols.pdf import sheet_pdf
    from protocols.printing import _path_of, keep, make_at_once
    from protocols.services import documents

    from .pdf import played_sheet

    tournament = Tournament.objects.get(slug=slug)
    tournament.games.exclude(number__lte=PROTOCOLS).update(status="prepared", sheet_in_force=None)
    drawn = sheet_pdf(played_sheet())
    for sheet in SignedSheet.objects.filter(game__number__lte=PROTOCOLS):
        keep(_path_of(sheet, ()), drawn)

    def merged() -> bytes:
        for each in Document.objects.all():  # a file that is gone is made again
            each.path.unlink(missing_ok=True)
        found = documents.asked_for(tournament)
        assert make_at_once(found)
        return found.path.read_bytes()

    assert _pages(merged()) == 2 * PROTOCOLS
    (sample,) = in_turn([merged], REPEATS)
    words = f"≤ {AIM_MERGED} s: {verdict(sample.median, AIM_MERGED)}"
    rows = [("asked for, merged and kept", REPEATS, ms(sample.median), sample.spread, words)]
    show(f"{PROTOCOLS} drawn protocols as one PDF, ms", ("", "n", "median", "p10–p90", "aim"), rows)


def measure() -> None:
    """Runs the measurement on a site of its own."""
    with places.place("SQLite") as env:
        print(places.run(env, "-m", "tests.bench.exports"), end="", flush=True)


if __name__ == "__main__":
    main()
