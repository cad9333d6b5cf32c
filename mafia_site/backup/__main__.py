"""Makes a copy of the site, or puts one in its place."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import django
from django.conf import settings
from django.utils.translation import gettext as _

from mafia_site.running import Busy, alone_with_data

from .bundle import DATABASES, Unfit, pack, unpack
from .databases import Database, Failed, database


def main() -> int:
    """What the command line asks for; gives the exit code."""
    parser = argparse.ArgumentParser(prog="python -m mafia_site.backup")
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make", help="make a copy of the running site")
    making.add_argument("-o", "--output", type=Path, metavar="FILE", help="otherwise a new file in VAR_DIR/backups")
    restoring = commands.add_parser("restore", help="put a copy in the place of the site's data")
    restoring.add_argument("file", type=Path, metavar="FILE")
    restoring.add_argument("--force", action="store_true", help="even where the site seems to run")
    given = parser.parse_args()
    django.setup()
    try:
        if given.command == "make":
            say(_("The site is copied: %(path)s") % {"path": make(given.output)})
        else:
            aside = restore(given.file, force=given.force)
            say(_("The site is as it was. What was replaced is kept in %(path)s") % {"path": aside})
            say(_("A copy of an older version is brought up to date by the next start, `make run`."))
    except Busy:
        sys.stderr.write(_("The site seems to run: stop it first. FORCE=1 goes on all the same.") + "\n")
        return 1
    except Unfit as error:
        sys.stderr.write(_("This file can’t be restored: %(why)s") % {"why": error} + "\n")
        return 1
    except (Failed, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def say(words: str) -> None:
    """Tells whoever runs it."""
    sys.stdout.write(words + "\n")


def make(output: Path | None) -> Path:
    """Copies the database at one moment, then the media, which never change once they are there."""
    target = output or _folder() / f"{_now()}.tar.gz"
    here = database()
    with tempfile.TemporaryDirectory(dir=_folder(), prefix=".making-") as folder:
        copy = Path(folder) / DATABASES[here.vendor]
        here.copy_to(copy)
        pack(target, vendor=here.vendor, database=copy, media=Path(settings.MEDIA_ROOT))
    return target


def restore(source: Path, *, force: bool) -> Path:
    """Puts the copy in the place of the site's data; gives the folder in which the replaced data is kept.

    Nothing is touched before the whole copy has been unpacked and proved. Raises Busy, Unfit or Failed.
    """
    here = database()
    with tempfile.TemporaryDirectory(dir=_folder(), prefix=".restoring-") as folder:
        copy = unpack(source, Path(folder))
        if copy.vendor != here.vendor:
            words = {"there": copy.vendor, "here": here.vendor}
            raise Unfit(_("it is a copy of a %(there)s database, and the site has %(here)s") % words)
        here.check(copy.database)
        if force:
            return _replace(here, copy.database, copy.media)
        with alone_with_data():
            if here.is_in_use():
                raise Busy
            return _replace(here, copy.database, copy.media)


def _replace(here: Database, copy: Path, new_media: Path) -> Path:
    aside = Path(tempfile.mkdtemp(dir=_folder(), prefix=f"replaced-{_now()}-"))
    here.replace_by(copy, aside)
    media = Path(settings.MEDIA_ROOT)
    if media.exists():
        shutil.move(media, aside / "media")
    shutil.move(new_media, media)
    return aside


def _folder() -> Path:
    folder = Path(settings.VAR_DIR) / "backups"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%S.%fZ")


if __name__ == "__main__":
    sys.exit(main())
