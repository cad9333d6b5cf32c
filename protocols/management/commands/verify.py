"""Proves that records, signed sheets and results agree."""

from __future__ import annotations

from itertools import chain
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import ngettext

from protocols.services.verify_all import disagreements, every_game, strays


class Command(BaseCommand):
    """Replays every game, checks every chain and every signed sheet; fails where anything disagrees."""

    help = "Replays every game and proves that its chain, its signed sheets and their results agree."

    def add_arguments(self, parser: CommandParser) -> None:
        """How many processes share the work."""
        parser.add_argument("--processes", type=int, default=0, help="How many at once; otherwise one for each core.")

    def handle(self, *args: Any, processes: int = 0, **options: Any) -> None:
        """Prints what disagrees, a line each, and raises CommandError where there is any."""
        keys, broken = every_game(), 0
        for game, found in chain(disagreements(keys, processes=processes), strays()):
            broken += 1
            for what in found:
                self.stdout.write(f"{game}: {what}")
        if broken:
            raise CommandError(
                ngettext("%(broken)d game disagrees.", "%(broken)d games disagree.", broken) % {"broken": broken}
            )
        count = len(keys)
        self.stdout.write(ngettext("%(count)d game agrees.", "%(count)d games agree.", count) % {"count": count})
