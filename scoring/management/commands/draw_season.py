"""Draws a season's table on paper, apart from the requests."""

from __future__ import annotations

import argparse
import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext

from ...models import Season
from ...season_paper import draw, season_paper
from ...season_selectors import season_table


class Command(BaseCommand):
    """Started by the site when somebody asks for a long table; the file is kept as long as the table stays so."""

    help = "Draw a season's table as a PDF, where it isn't drawn yet."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Which season, and as of which day."""
        parser.add_argument("slug", help="the season's address")
        parser.add_argument("--on", type=datetime.date.fromisoformat, help="as of that day, as 2026-10-10")

    def handle(self, *, slug: str, on: datetime.date | None = None, **options: Any) -> None:
        """Draws the table as it is now."""
        try:
            season = Season.objects.get(slug=slug)
        except Season.DoesNotExist:
            raise CommandError(gettext("There is no such season.")) from None
        paper = season_paper(season_table(season, on))
        if not paper.is_drawn:
            draw(paper)
