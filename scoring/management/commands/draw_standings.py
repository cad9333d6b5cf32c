"""Draws a table of a tournament on paper, apart from the requests."""

from __future__ import annotations

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext

from protocols.models import Tournament

from ...paper import PRINTED, draw, paper_of
from ...release import seen_by_the_public, seen_by_who_runs_it


class Command(BaseCommand):
    """Started by the site when somebody asks for a long table; the file is kept as long as the table stays so."""

    help = "Draw the standings of a tournament as a PDF, where they aren't drawn yet."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Which tournament, which of its tables, and how."""
        parser.add_argument("slug", help="the tournament's address")
        parser.add_argument("--table", choices=list(PRINTED), default="standings")
        parser.add_argument("--after", default="", help="as of then: the stage and the round, as 2.5")
        parser.add_argument("--wide", action="store_true", help="A4 landscape")
        parser.add_argument("--public", action="store_true", help="without what is hidden until it is announced")

    def handle(
        self,
        *,
        slug: str,
        table: str = "standings",
        wide: bool = False,
        after: str = "",
        public: bool = False,
        **options: Any,
    ) -> None:
        """Draws the table as it is now."""
        try:
            tournament = Tournament.objects.get(slug=slug)
            seen = seen_by_the_public(tournament, after) if public else seen_by_who_runs_it(tournament, after)
            paper = paper_of(tournament, table, is_wide=wide, seen=seen)
        except Tournament.DoesNotExist:
            raise CommandError(gettext("There is no such tournament.")) from None
        except KeyError:
            raise CommandError(gettext("There is no such round.")) from None
        if not paper.is_drawn:
            draw(paper)
