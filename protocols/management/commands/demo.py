"""Makes the demo tournament and tells its logins."""

from __future__ import annotations

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse
from django.utils.translation import gettext

from ...demo.tournament import PASSWORD, SLUG, build_demo, working_logins
from ...models import Tournament


class Command(BaseCommand):
    """A demo tournament is made once; its people's passwords are told as long as they hold, and never set anew."""

    help = "Make the demo tournament and tell its logins."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Whether it is made into an empty database only."""
        parser.add_argument("--if-empty", action="store_true", help="only where there is no tournament yet")

    def handle(self, *, if_empty: bool, **options: Any) -> None:
        """Makes it where it is due, and tells the logins."""
        there = Tournament.objects.filter(slug=SLUG).exists()
        if not there and not (if_empty and Tournament.objects.exists()):
            build_demo()
            there = True
        elif there and not if_empty:
            raise CommandError(gettext("The demo tournament is there already."))
        logins = working_logins() if there else []
        if not logins:
            return
        title = Tournament.objects.get(slug=SLUG).title
        self.stdout.write(f"{title}: {reverse('tournament', args=[SLUG])}")
        self.stdout.write(gettext("Logins of the demo, all with the password %(password)s") % {"password": PASSWORD})
        for login in logins:
            self.stdout.write(f"  {login.username:<12}{login.words}")
