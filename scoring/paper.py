"""Tables on paper: drawn once for the same content and kept; a long one apart from the requests."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
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

from protocols.models import Tournament
from protocols.pdf import html_pdf
from protocols.printing import keep
from protocols.services.documents import start_apart

from .as_of import Until
from .cut_table import standings_context
from .discipline_words import fines_of
from .exports import Exported, exported
from .exports_json import json_of
from .exports_pages import games_context, nominations_context
from .legend import legend_of, legend_of_teams
from .release import Seen, said_of
from .team_table import teams_context

PRINTED = {
    "standings": "scoring/standings_print.html",
    "games": "scoring/games_print.html",
    "nominations": "scoring/nominations_print.html",
    "teams": "scoring/teams_print.html",
}
"""What there is on paper, and the template of each."""

STYLE, WIDE_STYLE = "css/standings_print.css", "css/standings_print_wide.css"
LONG = 60  # rows; a longer table takes too long to be drawn while judges wait for their taps
PATIENCE = 20  # seconds after which whoever was drawing is taken for dead, and one more for so many rows:
ROWS_A_SECOND = 25  # on a slow machine that judges are busy on
KEPT = 24 * 3600  # seconds for which an older table stays


@dataclass(frozen=True, slots=True)
class Paper:
    """A table as it stands, and the file it is kept in, drawn or not."""

    kind: str  # of PRINTED
    is_wide: bool  # A4 landscape
    tournament: Tournament
    until: Until | None
    is_public: bool  # as the public sees it
    shown: Callable[[], dict[str, Any]]  # what the template shows
    rows: int
    path: Path

    @property
    def is_drawn(self) -> bool:
        """Whether the file is there."""
        return self.path.exists()

    @property
    def is_long(self) -> bool:
        """Whether it is drawn apart from the requests."""
        return self.kind != "nominations" and self.rows > LONG

    @property
    def mark(self) -> Path:
        """Lies there while somebody draws."""
        return self.path.with_suffix(".asked")

    @property
    def patience(self) -> float:
        """Seconds after which whoever was drawing is taken for dead."""
        return PATIENCE + self.rows / ROWS_A_SECOND

    @property
    def styles(self) -> tuple[str, ...]:
        """The style sheets, beside those of all paper."""
        return (STYLE, WIDE_STYLE) if self.is_wide else (STYLE,)


def paper_of(
    tournament: Tournament, kind: str = "standings", *, is_wide: bool = False, seen: Seen | None = None
) -> Paper:
    """The table as it is now, with the file that holds just this, in this look. Raises KeyError for another kind."""
    seen = seen or Seen()
    until, said, is_public = seen.until, said_of(seen), not seen.veil.is_open
    if kind == "standings":
        standings, context = standings_context(tournament, seen)
        context |= {"said": said, "legend": legend_of(standings), "fines": fines_of(standings)}
        found = Paper(kind, is_wide, tournament, until, is_public, lambda: context, len(context["rows"]), Path())
        content = sha256(_html(found, None).encode())
    else:  # thousands of rows, perhaps: what they say is told by the data without filling in the template
        export, context_for = (
            exported(tournament, seen, said),
            {"games": games_context, "nominations": nominations_context, "teams": teams_paper}[kind],
        )
        rows = len(export.teams.places) if kind == "teams" and export.teams else len(export.seats)
        found = Paper(kind, is_wide, tournament, until, is_public, lambda: context_for(export), rows, Path())
        content = sha256(f"{kind} {get_language()} {said} ".encode() + json_of(export))
        content.update(Path(str(get_template(PRINTED[kind]).origin.name)).read_bytes())  # type: ignore[attr-defined]
    for name in found.styles:
        content.update(Path(str(finders.find(name))).read_bytes())
    return replace(found, path=_folder(tournament) / f"{content.hexdigest()}.pdf")


def teams_paper(export: Exported) -> dict[str, Any]:
    """What the paper of the teams shows: as the page, with the legend."""
    legend = legend_of_teams(export.found, export.teams) if export.teams is not None else None
    return teams_context(export) | {"legend": legend, "said": export.said}


def draw(paper: Paper) -> None:
    """Draws the file, and takes away what was drawn for older tables."""
    keep(paper.path, html_pdf(_html(paper, timezone.now()), paper.styles))
    paper.mark.unlink(missing_ok=True)
    for each in paper.path.parent.iterdir():
        if each != paper.path and time.time() - each.stat().st_mtime > KEPT:
            each.unlink(missing_ok=True)


def draw_apart(paper: Paper) -> None:
    """Has a process of its own draw the file, unless one is at it; one that died is followed by another."""
    mark = paper.mark
    if mark.exists() and time.time() - mark.stat().st_mtime < paper.patience:
        return
    mark.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    mark.touch()
    command = ["draw_standings", paper.tournament.slug, "--table", paper.kind]
    command += ["--wide"] if paper.is_wide else []
    command += ["--after", paper.until.key] if paper.until else []
    command += ["--public"] if paper.is_public else []
    transaction.on_commit(partial(start_apart, *command))


def _html(paper: Paper, printed_at: object) -> str:
    context = {**paper.shown(), "is_wide": paper.is_wide, "printed_at": printed_at}
    return render_to_string(PRINTED[paper.kind], context)


def _folder(tournament: Tournament) -> Path:
    return Path(settings.MEDIA_ROOT) / "standings" / str(tournament.pk)
