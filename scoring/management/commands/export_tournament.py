"""Writes a whole tournament as one archive."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext, ngettext

from protocols.models import Game, Tournament

from ...archives import archive_of


class Command(BaseCommand):
    """The archive holds all games, signed or not, with their roles: it is for the organizer alone."""

    help = "Write a tournament with all its games as one archive."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Which tournament, and where to."""
        parser.add_argument("slug", metavar="SLUG", help="the tournament's address")
        parser.add_argument("-o", "--output", required=True, metavar="FILE")

    def handle(self, *, slug: str, output: str, **options: Any) -> None:
        """Writes it."""
        tournament = Tournament.objects.filter(slug=slug).first()
        if tournament is None:
            raise CommandError(gettext("There is no tournament “%(slug)s”.") % {"slug": slug})
        try:
            Path(output).write_bytes(archive_of(tournament))
        except OSError as error:
            raise CommandError(str(error)) from None
        games = Game.objects.filter(tournament=tournament).count()
        words = ngettext("%(title)s: %(count)d game", "%(title)s: %(count)d games", games)
        self.stdout.write(f"{output}: " + words % {"title": tournament.title, "count": games})
