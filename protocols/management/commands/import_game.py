"""Takes games from files: our own records, mafiaratings JSON move by move, and club evenings, results only."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from ...draft_view import breach_lines
from ...exchange.reading import MAX_BYTES, Contradictory, Unreadable
from ...models import RegulationCode
from ...rules.outcome import outcome
from ...selectors import record_of
from ...services.drafts import take_draft_for
from ...services.errors import Invalid, NotReady, Refused
from ...services.importing import Imported, Target, import_file
from ...wording import outcome_words
from ...wording.files import why_not_taken


class Command(BaseCommand):
    """Every file is taken whole or not at all; one that isn't is named with its reasons, and the exit code is 1."""

    help = "Take games from files: records of ours, mafiaratings JSON, or club evenings with results only."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Files, and where their games go."""
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument(
            "--tournament", default="", metavar="SLUG", help="its address; made where there is none (default: by file)"
        )
        parser.add_argument("--stage", default="", metavar="NAME", help="its name; made where there is none")
        parser.add_argument(
            "--regulation", default="", choices=RegulationCode.values, help="of a new tournament (default: by file)"
        )
        parser.add_argument("--judge", metavar="LOGIN", help="whose games they become (default: nobody's)")
        parser.add_argument("--by", metavar="LOGIN", help="who writes and signs (default: “import”)")
        parser.add_argument("--sign", action="store_true", help="sign the protocols at once")
        parser.add_argument(
            "--draft", action="store_true",
            help="keep a mafiaratings game that contradicts itself as a draft of the tournament (default: refuse)",
        )  # fmt: skip

    def handle(self, *, files: list[str], by: str | None, judge: str | None, sign: bool, **options: Any) -> None:
        """Takes the files one by one."""
        author = _user(by) if by else None
        target = Target(
            tournament=options["tournament"],
            stage=options["stage"],
            regulation=options["regulation"],
            judge=_user(judge) if judge else None,
        )
        failed = 0
        for name in files:
            try:
                if options["draft"] and self._keep_draft(name, target, author):
                    continue
                taken = import_file(_bytes_of(name), name=Path(name).name[:200], target=target, by=author, sign=sign)
            except (Unreadable, Contradictory, Invalid, NotReady, Refused) as error:
                failed += 1
                for line in why_not_taken(error):
                    self.stderr.write(f"{name}: {line}")
            else:
                self._tell(name, taken)
        if failed:
            words = ngettext("%(failed)d file was not taken.", "%(failed)d files were not taken.", failed)
            raise CommandError(words % {"failed": failed})

    def _keep_draft(self, name: str, target: Target, author: User | None) -> bool:
        """Whether the file contradicts itself and is kept as a draft, which is told with every contradiction."""
        raw = _bytes_of(name)
        try:
            draft = take_draft_for(raw, name=Path(name).name, target=target, by=author)
        except Invalid:  # no draft: taken in or refused like any other file
            return False
        place = reverse("draft", args=[draft.tournament.slug, draft.uuid])
        self.stdout.write(f"{name}: " + gettext("kept as a draft: %(place)s") % {"place": place})
        for line in breach_lines(draft):
            self.stdout.write(f"{name}: {line}")
        return True

    def _tell(self, name: str, taken: Imported) -> None:
        if taken.was_known:
            self.stdout.write(f"{name}: " + gettext("is there already: %(title)s") % {"title": taken.tournament.title})
            return
        for game in taken.games:
            end = outcome(record_of(game).state)
            words = gettext("%(tournament)s, %(stage)s, game %(number)d: %(end)s") % {
                "tournament": taken.tournament.title,
                "stage": game.stage.name,
                "number": game.number,
                "end": outcome_words(end) if end else "",
            }
            self.stdout.write(f"{name}: {words}")


def _user(login: str) -> User:
    try:
        return User.objects.get(username=login)
    except User.DoesNotExist:
        raise CommandError(gettext("There is no user “%(login)s”.") % {"login": login}) from None


def _bytes_of(name: str) -> bytes:
    """The file's bytes, and never more of them than a game has."""
    try:
        with open(name, "rb") as file:  # noqa: PTH123 — a pipe is fine, too
            if os.fstat(file.fileno()).st_size > MAX_BYTES:
                raise Unreadable("too_big", most=MAX_BYTES)
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise Unreadable("no_file", reason=_reason(error)) from None


def _reason(error: OSError) -> str:
    match error:
        case FileNotFoundError():
            return gettext("there is no such file")
        case IsADirectoryError():
            return gettext("it is a folder")
        case PermissionError():
            return gettext("it may not be read")
    return error.strerror or str(error)
