"""Plays a whole tournament at random, to try the standings, the papers and the screens on before the day."""

from __future__ import annotations

import argparse
import secrets
import time
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from protocols.models import MemberRole, Tournament
from protocols.seating.advice import options_near
from protocols.seating.draw import CannotSeat
from protocols.seating.terms import SEATS
from protocols.services.errors import Invalid
from protocols.services.prepare import appoint
from protocols.wording.seating import fault_words, option_words

from ...rehearsing import CutTaken, Event, RoundOver, Written, copy_of, is_rehearsal, made_up, perform


class Command(BaseCommand):
    """Ctrl+C stops between two entries; naming the rehearsal itself goes on with the games not begun."""

    help = "Rehearse a tournament: play a copy of it, or one made up, with random games by the rules."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """What is rehearsed, how fast, and who sees it."""
        parser.add_argument("slug", nargs="?", metavar="SLUG", help="copy this tournament; without it one is made up")
        parser.add_argument("--players", type=int, default=30, help="of one that is made up")
        parser.add_argument("--games", type=int, default=6, help="of each player")
        parser.add_argument("--tables", type=int, help="at once; as many as the players fill unless given")
        parser.add_argument("--speed", type=float, default=0.0, help="entries a second at each table; 0: at once")
        parser.add_argument("--unsigned", type=int, default=0, help="how many last games of a stage stay unsigned")
        parser.add_argument("--seed", type=int, help="the same seed plays the same games")
        parser.add_argument("--for", dest="user", metavar="LOGIN", help="who organizes the rehearsal and so sees it")

    def handle(self, *, slug: str | None, speed: float, unsigned: int, seed: int | None, **options: Any) -> None:
        """Plays it, telling each round."""
        if speed < 0 or unsigned < 0:
            raise CommandError(gettext("Speed and unsigned games can’t be negative."))
        seed = secrets.randbelow(10**6) if seed is None else seed
        user = self._user(options["user"])
        tournament = self._copied(slug) if slug else self._made_up(seed, options)
        if user is not None:
            appoint(tournament, user, MemberRole.ORGANIZER)
        address = reverse("tournament", args=[tournament.slug])
        self.stdout.write(f"{tournament.title}: {address} (--seed {seed})")
        try:
            for event in perform(tournament, seed=seed, unsigned=unsigned):
                self._tell(event)
                if speed and isinstance(event, Written):
                    time.sleep(1 / speed / event.tables)
        except KeyboardInterrupt:
            raise CommandError(gettext("Stopped; `rehearse %(slug)s` goes on.") % {"slug": tournament.slug}) from None
        except Invalid as error:
            raise CommandError("\n".join(error.messages)) from None

    def _user(self, login: str | None) -> User | None:
        if login is None:
            return None
        found = User.objects.filter(username=login, is_active=True).first()
        if found is None:
            raise CommandError(gettext("There is no login “%(login)s”.") % {"login": login})
        return found

    def _copied(self, slug: str) -> Tournament:
        found = Tournament.objects.filter(slug=slug).first()
        if found is None:
            raise CommandError(gettext("There is no tournament “%(slug)s”.") % {"slug": slug})
        if is_rehearsal(found):
            return found
        try:
            return copy_of(found)
        except Invalid as error:
            raise CommandError("\n".join(error.messages)) from None

    def _made_up(self, seed: int, options: dict[str, Any]) -> Tournament:
        players, games = options["players"], options["games"]
        tables = options["tables"] if options["tables"] is not None else max(1, players // SEATS)
        try:
            return made_up(players, games, tables, seed=seed)
        except CannotSeat as error:
            near = [f"  {option_words(option)}" for option in options_near(players, games, tables)]
            lines = [*(fault_words(fault) for fault in error.faults), gettext("What would work:"), *near]
            raise CommandError("\n".join(lines)) from None

    def _tell(self, event: Event) -> None:
        if isinstance(event, RoundOver):
            words = ngettext(
                "%(stage)s, round %(round)d: %(count)d game", "%(stage)s, round %(round)d: %(count)d games",
                len(event.games),
            ) % {"stage": event.stage.name, "round": event.number, "count": len(event.games)}  # fmt: skip
            if event.unsigned:
                words += gettext("; not signed: %(count)d") % {"count": len(event.unsigned)}
            self.stdout.write(words)
        elif isinstance(event, CutTaken):
            names = ", ".join(event.nicknames)
            self.stdout.write(gettext("Into “%(stage)s” come: %(names)s") % {"stage": event.stage.name, "names": names})
