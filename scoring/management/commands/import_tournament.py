"""Rebuilds a whole tournament from its archive."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext

from protocols.exchange.archive import MOST_BYTES, NotTaken
from protocols.exchange.reading import Unreadable
from protocols.services.errors import Invalid
from protocols.wording.files import why_not_taken

from ...archives import rebuild


class Command(BaseCommand):
    """The tournament is written whole or not at all; why not is told in full, and the exit code is 1."""

    help = "Rebuild a tournament from its archive."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """The archive, and who organizes the tournament here."""
        parser.add_argument("file", metavar="FILE")
        parser.add_argument("--by", metavar="LOGIN", help="who organizes it here, beside those of the archive")

    def handle(self, *, file: str, by: str | None, **options: Any) -> None:
        """Rebuilds it."""
        user = User.objects.filter(username=by).first() if by else None
        if by and user is None:
            raise CommandError(gettext("There is no user “%(login)s”.") % {"login": by})
        try:
            with Path(file).open("rb") as opened:
                raw = opened.read(MOST_BYTES + 1)
            taken = rebuild(raw, by=user)
        except OSError as error:
            raise CommandError(str(error)) from None
        except (Unreadable, NotTaken, Invalid) as error:
            for line in why_not_taken(error):
                self.stderr.write(f"{file}: {line}")
            raise CommandError(gettext("The file was not taken, and nothing was written.")) from None
        said = gettext("is there already: %(title)s") if taken.was_known else gettext("taken in: %(title)s")
        self.stdout.write(f"{file}: " + said % {"title": taken.tournament.title})
