"""Draws a seating on paper, apart from the requests."""

from __future__ import annotations

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.http import Http404
from django.utils.translation import gettext

from ...models import Tournament
from ...schedule import schedule_of
from ...seating_paper import KINDS, Asked, draw, narrowed, paper_of
from ...seating_print import SIZES


class Command(BaseCommand):
    """Started by the site when somebody asks for a long paper; its parts are kept as long as the seating stands so."""

    help = "Draw a paper of a tournament's seating, where it isn't drawn yet."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Which tournament, which paper, and of what."""
        parser.add_argument("slug", help="the tournament's address")
        parser.add_argument("kind", choices=list(KINDS))
        parser.add_argument("--stage", type=int)
        parser.add_argument("--round", type=int)
        parser.add_argument("--person", type=int, help="a player's key, or a judge's")
        parser.add_argument("--size", choices=SIZES, default="a4")
        parser.add_argument("--public", action="store_true", help="only what is open to everybody")

    def handle(self, *, slug: str, kind: str, **options: Any) -> None:
        """Draws the paper as the seating is now."""
        chosen = {name: options.get(name) for name in ("stage", "round", "person")}
        asked = Asked(kind, **chosen, size=options.get("size", "a4"), is_public=bool(options.get("public")))
        try:
            schedule = schedule_of(Tournament.objects.get(slug=slug), is_public=asked.is_public)
            draw(paper_of(narrowed(schedule, asked), asked))
        except Tournament.DoesNotExist:
            raise CommandError(gettext("There is no such tournament.")) from None
        except Http404:
            raise CommandError(gettext("There is no such round.")) from None
