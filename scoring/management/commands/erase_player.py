"""Erases a player's personal data on request; signed sheets still prove themselves."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from protocols.models import Player, nickname_key
from protocols.services.errors import Invalid
from scoring.erasing import Erasure, erase, erasure_of


class Command(BaseCommand):
    """Shows what would go; with --yes it goes. For whoever runs the server and owns the tables."""

    help = (
        "Shows what an erasure of a player's personal data takes away, and erases it with --yes. Run it as the owner "
        "of the tables, and restart the site afterwards: workers remember nicknames. Backups and files that were "
        "taken away are not touched, nor is what people wrote in words of their own."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Whom, and whether it is meant."""
        parser.add_argument("nickname")
        parser.add_argument("--yes", action="store_true", help="Erase; it can't be taken back.")

    def handle(self, *args: Any, nickname: str, yes: bool = False, **options: Any) -> None:
        """Prints the preview, and then what was done. Raises CommandError."""
        player = Player.objects.filter(nickname_key=nickname_key(nickname)).first()
        if player is None:
            raise CommandError(_("Nobody is called “%(nickname)s”.") % {"nickname": nickname})
        try:
            plan = erase(player) if yes else erasure_of(player)
        except Invalid as error:
            raise CommandError(" ".join(error.messages)) from None
        self._tell(plan)
        self.stdout.write(_("Erased.") if yes else _("Nothing is erased yet: repeat it with --yes."))

    def _tell(self, plan: Erasure) -> None:
        words = {
            "sheets": _("signed sheets"), "seats": _("seats"), "participations": _("participations"),
            "applications": _("applications"), "cuts": _("places in cuts"), "changes": _("changes of seats"),
        }  # fmt: skip
        becomes = _("%(names)s becomes “%(becomes)s”.") % {"names": ", ".join(plan.names), "becomes": plan.becomes}
        self.stdout.write(becomes)
        for key, name in words.items():
            self.stdout.write(f"  {name}: {plan.counts[key]}")
        for refusal in plan.refusals:
            self.stdout.write(refusal)
