"""A seating on paper: for the wall, for the tables, for everybody's pocket, and the blank protocols of its rounds.

Each paper is merged from parts of a page or so, every one drawn once for the same content and kept. Few parts are
drawn in the request; more of them by a process of their own, and how many are drawn is how far it is.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.db import transaction
from django.template.loader import get_template
from django.utils.translation import get_language

from .models import Game, Tournament
from .pdf import SHEET_STYLES, form_pdf, html_pdf, merge
from .printing import keep
from .rules.sheet import blank
from .schedule import Schedule
from .seating_print import PRINTED, SIZES, STYLES, pages_of
from .selectors import header_of
from .services.documents import start_apart
from .sheet_view import form_of

KINDS = (*PRINTED, "blanks")
AT_ONCE = 160  # names drawn in a request, in a second at most; more are drawn apart
WEIGHT_OF_FORM = 60  # a protocol takes as long as so many names
PATIENCE = 60  # seconds without a new part after which whoever was drawing is taken for dead
KEPT = 24 * 3600  # seconds for which a part that nothing needs any more stays


@dataclass(frozen=True, slots=True)
class Asked:
    """Which paper: its kind, of which stage and round, whose, on what size; whether as everybody may read it."""

    kind: str  # of KINDS
    stage: int | None = None
    round: int | None = None
    person: int | None = None  # a slip of one player or judge
    size: str = "a4"
    is_public: bool = True

    @property
    def query(self) -> dict[str, str]:
        """The same as the query of an address."""
        size = self.size if self.size != "a4" else None
        said = {"stage": self.stage, "round": self.round, "person": self.person, "size": size}
        return {name: str(value) for name, value in said.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Part:
    """A page or a few: the file that it is kept in, drawn or not."""

    path: Path
    weight: int  # names, or what takes as long
    draw: Callable[[], bytes]

    @property
    def is_drawn(self) -> bool:
        """Whether the file is there."""
        return self.path.exists()


@dataclass(frozen=True, slots=True)
class SeatingPaper:
    """A paper as the seating stands now."""

    tournament: Tournament
    asked: Asked
    parts: tuple[Part, ...]

    @property
    def drawn(self) -> int:
        """How many of its parts are there."""
        return sum(1 for part in self.parts if part.is_drawn)

    @property
    def is_drawn(self) -> bool:
        """Whether all of them are."""
        return all(part.is_drawn for part in self.parts)

    @property
    def is_long(self) -> bool:
        """Whether what is missing is drawn apart from the requests."""
        return sum(part.weight for part in self.parts if not part.is_drawn) > AT_ONCE

    @property
    def mark(self) -> Path:
        """Lies there while somebody draws."""
        names = "".join(part.path.name for part in self.parts)
        return _folder(self.tournament, self.asked.kind) / f"{sha256(names.encode()).hexdigest()}.asked"


def narrowed(schedule: Schedule, asked: Asked) -> Schedule:
    """The part of the schedule that is asked for. Raises Http404 for what it does not have."""
    if asked.stage is None:
        return schedule
    if asked.round is None:
        return schedule.of_stage(asked.stage)
    return schedule.of_round(asked.stage, asked.round)


def paper_of(schedule: Schedule, asked: Asked) -> SeatingPaper:
    """The paper as the seating stands now. Raises Http404 for a stage, a round or a person that it does not have."""
    parts = _blanks(schedule, asked) if asked.kind == "blanks" else _printed(schedule, asked)
    return SeatingPaper(schedule.tournament, asked, tuple(parts))


def whole(paper: SeatingPaper) -> bytes:
    """The PDF; parts that are not there are drawn."""
    return merge(_data(part) for part in paper.parts)


def draw(paper: SeatingPaper) -> None:
    """Draws what is missing, and takes away what nothing has needed for a day."""
    for part in paper.parts:
        if not part.is_drawn:
            keep(part.path, part.draw())
            paper.mark.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            paper.mark.touch()
    paper.mark.unlink(missing_ok=True)
    needed = {part.path for part in paper.parts}
    for each in _folder(paper.tournament, paper.asked.kind).iterdir():
        if each not in needed and time.time() - each.stat().st_mtime > KEPT:
            each.unlink(missing_ok=True)


def draw_apart(paper: SeatingPaper) -> None:
    """Has a process of its own draw what is missing, unless one is at it; one that died is followed by another."""
    mark = paper.mark
    if mark.exists() and time.time() - mark.stat().st_mtime < PATIENCE:
        return
    mark.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    mark.touch()
    command = ["draw_seating_paper", paper.tournament.slug, paper.asked.kind]
    for name, value in paper.asked.query.items():
        command += [f"--{name}", value]
    command += ["--public"] if paper.asked.is_public else []
    transaction.on_commit(partial(start_apart, *command))


def _data(part: Part) -> bytes:
    try:
        return part.path.read_bytes()
    except FileNotFoundError:
        data = part.draw()
        keep(part.path, data)
        return data


def _printed(schedule: Schedule, asked: Asked) -> Iterator[Part]:
    folder = _folder(schedule.tournament, asked.kind)
    for html, weight in pages_of(schedule, asked.kind, size=asked.size, person=asked.person):
        content = sha256(html.encode() + _styles(STYLES)).hexdigest()
        yield Part(folder / f"{content}.pdf", weight, partial(html_pdf, html, STYLES))


def _blanks(schedule: Schedule, asked: Asked) -> Iterator[Part]:
    """A form of every game of the rounds, its header and nicknames filled, in the order of play and tables."""
    folder = _folder(schedule.tournament, asked.kind)
    tables = [table for round in schedule.rounds if not round.is_cancelled for table in round.tables]
    games = Game.objects.select_related("tournament", "stage", "regulation_version")
    found = {game.uuid: game for game in games.filter(uuid__in=[table.uuid for table in tables])}
    look = _styles(SHEET_STYLES) + _template("protocols/_sheet.html")
    for table in tables:
        if table.uuid not in found:
            continue
        game = found[table.uuid]
        nicknames = {chair.number: chair.nickname for chair in table.chairs}
        form = form_of(blank(game.rules.edition, header_of(game), nicknames))
        content = sha256(f"{get_language()} {form!r}".encode() + look).hexdigest()
        yield Part(folder / f"{content}.pdf", WEIGHT_OF_FORM, partial(form_pdf, form))


@cache
def _styles(names: tuple[str, ...]) -> bytes:
    return b"".join(Path(str(finders.find(name))).read_bytes() for name in ("css/print.css", *names))


@cache
def _template(name: str) -> bytes:
    return Path(str(get_template(name).origin.name)).read_bytes()  # type: ignore[attr-defined]


def _folder(tournament: Tournament, kind: str) -> Path:
    return Path(settings.MEDIA_ROOT) / "seatings" / str(tournament.pk) / kind


__all__ = ["KINDS", "SIZES", "Asked", "SeatingPaper", "draw", "draw_apart", "narrowed", "paper_of", "whole"]
