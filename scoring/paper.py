"""The standings on paper: drawn once for the same content and kept; a long table apart from the requests."""

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
from django.template.loader import render_to_string
from django.utils import timezone

from protocols.models import Tournament
from protocols.pdf import html_pdf
from protocols.printing import keep
from protocols.services.documents import start_apart

from .selectors import progress_of, standings_of
from .table import context_of

STYLES = ("css/standings_print.css",)
LONG = 60  # rows; a longer table takes too long to be drawn while judges wait for their taps
PATIENCE = 20  # seconds after which whoever was drawing is taken for dead
KEPT = 24 * 3600  # seconds for which an older table stays


@dataclass(frozen=True, slots=True)
class Paper:
    """The table as it stands, and the file it is kept in, drawn or not."""

    context: dict[str, Any]
    path: Path

    @property
    def is_drawn(self) -> bool:
        """Whether the file is there."""
        return self.path.exists()

    @property
    def is_long(self) -> bool:
        """Whether it is drawn apart from the requests."""
        return len(self.context["rows"]) > LONG

    @property
    def mark(self) -> Path:
        """Lies there while somebody draws."""
        return self.path.with_suffix(".asked")


def paper_of(tournament: Tournament) -> Paper:
    """The standings as they are now, with the file that holds just these, in this look."""
    context = context_of(standings_of(tournament), progress_of(tournament))
    content = sha256(_html(context, None).encode())
    for name in STYLES:
        content.update(Path(str(finders.find(name))).read_bytes())
    return Paper(context, _folder(tournament) / f"{content.hexdigest()}.pdf")


def draw(paper: Paper) -> None:
    """Draws the file, and takes away what was drawn for older tables."""
    keep(paper.path, html_pdf(_html(paper.context, timezone.now()), STYLES))
    paper.mark.unlink(missing_ok=True)
    for each in paper.path.parent.iterdir():
        if each != paper.path and time.time() - each.stat().st_mtime > KEPT:
            each.unlink(missing_ok=True)


def draw_apart(paper: Paper) -> None:
    """Has a process of its own draw the file, unless one is at it; one that died is followed by another."""
    mark = paper.mark
    if mark.exists() and time.time() - mark.stat().st_mtime < PATIENCE:
        return
    mark.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    mark.touch()
    transaction.on_commit(partial(start_apart, "draw_standings", paper.context["tournament"].slug))


def _html(context: dict[str, Any], printed_at: object) -> str:
    return render_to_string("scoring/standings_print.html", {**context, "printed_at": printed_at})


def _folder(tournament: Tournament) -> Path:
    return Path(settings.MEDIA_ROOT) / "standings" / str(tournament.pk)
