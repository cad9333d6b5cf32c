"""Draws a table of a tournament on paper, apart from the requests."""

from __future__ import annotations

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext

from protocols.models import Tournament

from ...as_of import moment, moments_of
from ...paper import PRINTED, draw, paper_of


class Command(BaseCommand):
    """Started by the site when somebody asks for a long table; the file is kept as long as the table stays so."""

    help = "Draw the standings of a tournament as a PDF, where they aren't drawn yet."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Which tournament, which of its tables, and how."""
        parser.add_argument("slug", help="the tournament's address")
        parser.add_argument("--table", choices=list(PRINTED), default="standings")
        parser.add_argument("--after", default="", help="as of then: the stage and the round, as 2.5")
        parser.add_argument("--wide", action="store_true", help="A4 landscape")

    def handle(
        self, *, slug: str, table: str = "standings", wide: bool = False, after: str = "", **options: Any
    ) -> None:
        """Draws the table as it is now."""
        try:
            tournament = Tournament.objects.get(slug=slug)
            paper = paper_of(tournament, table, is_wide=wide, until=moment(moments_of(tournament), after))
        except Tournament.DoesNotExist:
            raise CommandError(gettext("There is no such tournament.")) from None
        except KeyError:
            raise CommandError(gettext("There is no such round.")) from None
        if not paper.is_drawn:
            draw(paper)
