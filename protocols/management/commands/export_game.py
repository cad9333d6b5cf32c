"""Writes games' records as files, from which any site of this program takes them in."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext

from ...exchange.game_file import to_bytes
from ...exchange.ratings_writer import Unwritable
from ...models import Game
from ...ratings_file import file_bytes, mafiaratings_of
from ...selectors import record_of
from ...services.game_files import file_of
from ...wording.unheld import unwritable_words

FORMATS = ("record", "mafiaratings")


class Command(BaseCommand):
    """One game goes to the output or to a file, several into a folder, each under its number."""

    help = "Write the records of games as files."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Which games, and where to."""
        parser.add_argument("games", nargs="+", type=UUID, metavar="UUID", help="the games' numbers")
        parser.add_argument("-o", "--output", metavar="PATH", help="a file, or a folder for several games")
        parser.add_argument("--public", action="store_true", help="as everybody may have it: no salts, no source")
        parser.add_argument(
            "--format", choices=FORMATS, default=FORMATS[0],
            help="record: everything, for another site of ours; mafiaratings: the play, what it can’t hold is told",
        )  # fmt: skip

    def handle(
        self, *, games: list[UUID], output: str | None, public: bool, format: str = FORMATS[0], **options: Any
    ) -> None:
        """Writes them; nothing is written where one of them is not there, or can't be written so."""
        found = {game.uuid: game for game in Game.objects.filter(uuid__in=games).select_related("tournament", "stage")}
        for uuid in games:
            if uuid not in found:
                raise CommandError(gettext("There is no game %(uuid)s.") % {"uuid": uuid})
        files = {uuid: self._bytes(found[uuid], format, is_public=public) for uuid in games}
        target = Path(output) if output else None
        try:
            if target is not None and (len(files) > 1 or target.is_dir()):
                target.mkdir(parents=True, exist_ok=True)
                for uuid, data in files.items():
                    (target / f"{uuid}.json").write_bytes(data)
            elif target is not None:
                target.write_bytes(next(iter(files.values())))
            elif len(files) > 1:
                raise CommandError(gettext("Several games need a folder: -o FOLDER."))
            else:
                self.stdout.write(next(iter(files.values())).decode(), ending="")
        except OSError as error:
            raise CommandError(str(error)) from None

    def _bytes(self, game: Game, format: str, *, is_public: bool) -> bytes:
        """The game's file; what a mafiaratings file leaves out goes to the errors' output, a line each."""
        if format == FORMATS[0]:
            return to_bytes(file_of(game, is_public=is_public))
        try:
            data, unheld = mafiaratings_of(record_of(game), is_public=is_public)
        except Unwritable as error:
            raise CommandError(f"{game.uuid}: {unwritable_words(error)}") from None
        for line in unheld:
            self.stderr.write(gettext("%(uuid)s, not in the file: %(words)s") % {"uuid": game.uuid, "words": line})
        return file_bytes(data)
