"""A season's table on paper: drawn once for the same content and kept; a long one apart from the requests."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.db import transaction
from django.template.loader import get_template, render_to_string
from django.utils import timezone
from django.utils.translation import get_language

from protocols.pdf import html_pdf
from protocols.printing import keep
from protocols.services.documents import start_apart

from .paper import KEPT, LONG, PATIENCE, ROWS_A_SECOND, STYLE
from .season_exports import season_json
from .season_selectors import SeasonTable
from .season_table import context_of, rows_of

TEMPLATE = "scoring/season_print.html"


@dataclass(frozen=True, slots=True)
class SeasonPaper:
    """The table as it stands, and the file it is kept in, drawn or not."""

    found: SeasonTable
    path: Path

    @property
    def is_drawn(self) -> bool:
        """Whether the file is there."""
        return self.path.exists()

    @property
    def is_long(self) -> bool:
        """Whether it is drawn apart from the requests."""
        return self.rows > LONG

    @property
    def rows(self) -> int:
        """How many players there are."""
        return len(self.found.table.places)

    @property
    def context(self) -> dict[str, Any]:
        """What the template shows."""
        return context_of(self.found) | {"rows": rows_of(self.found, self.found.table.places)}


def season_paper(found: SeasonTable) -> SeasonPaper:
    """The table as it is now, with the file that holds just this: told by the data, without filling in the template."""
    content = sha256(f"{get_language()} ".encode() + season_json(found))
    for name in (TEMPLATE, "print.html"):
        content.update(Path(str(get_template(name).origin.name)).read_bytes())  # type: ignore[attr-defined]
    content.update(Path(str(finders.find(STYLE))).read_bytes())
    folder = Path(settings.MEDIA_ROOT) / "seasons" / str(found.season.pk)
    return SeasonPaper(found, folder / f"{content.hexdigest()}.pdf")


def draw(paper: SeasonPaper) -> None:
    """Draws the file, and takes away what was drawn for older tables."""
    html = render_to_string(TEMPLATE, paper.context | {"printed_at": timezone.now()})
    keep(paper.path, html_pdf(html, (STYLE,)))
    paper.path.with_suffix(".asked").unlink(missing_ok=True)
    for each in paper.path.parent.iterdir():
        if each != paper.path and time.time() - each.stat().st_mtime > KEPT:
            each.unlink(missing_ok=True)


def draw_apart(paper: SeasonPaper) -> None:
    """Has a process of its own draw the file, unless one is at it; one that died is followed by another."""
    mark = paper.path.with_suffix(".asked")
    patience = PATIENCE + paper.rows / ROWS_A_SECOND
    if mark.exists() and time.time() - mark.stat().st_mtime < patience:
        return
    mark.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    mark.touch()
    command = ["draw_season", paper.found.season.slug]
    command += ["--on", paper.found.on.isoformat()] if paper.found.on else []
    transaction.on_commit(partial(start_apart, *command))
