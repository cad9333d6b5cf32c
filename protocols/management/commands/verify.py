"""Proves that records, signed sheets and results agree."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import ngettext

from protocols.models import Game
from protocols.services.verify import differences


class Command(BaseCommand):
    """Replays every game, checks every chain and every signed sheet; fails where anything disagrees."""

    help = "Replays every game and proves that its chain, its signed sheets and their results agree."

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints what disagrees, a line each, and raises CommandError where there is any."""
        games = Game.objects.select_related("tournament", "stage").order_by("tournament", "stage", "number")
        count = broken = 0
        for game in games.iterator():
            count += 1
            found = differences(game)
            broken += bool(found)
            for what in found:
                self.stdout.write(f"{game.tournament.slug} · {game.stage} · {game} ({game.uuid}): {what}")
        if broken:
            raise CommandError(
                ngettext("%(broken)d game disagrees.", "%(broken)d games disagree.", broken) % {"broken": broken}
            )
        self.stdout.write(ngettext("%(count)d game agrees.", "%(count)d games agree.", count) % {"count": count})
