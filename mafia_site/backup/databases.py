"""Copying a database while the site runs, and putting a copy in its place."""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol

from django.conf import settings
from django.utils.translation import gettext as _

SHARED_FROM, SHARED_BYTES = 0x40000002, 510  # where SQLite's readers lock a database's file


class Failed(Exception):
    """The database could not be copied or replaced; the message says why."""


class Database(Protocol):
    """What is asked of a database."""

    vendor: str

    def copy_to(self, target: Path) -> None:
        """Writes the database as it is at one moment, whoever is writing into it."""

    def is_in_use(self) -> bool:
        """Whether somebody else has it open."""

    def check(self, source: Path) -> None:
        """Raises Failed where the copy is damaged."""

    def replace_by(self, source: Path, aside: Path) -> None:
        """Puts the copy in the database's place; what was there is kept in the folder `aside`."""


def database() -> Database:
    """The site's database."""
    found = settings.DATABASES["default"]
    return SQLite(Path(found["NAME"])) if found["ENGINE"].endswith("sqlite3") else PostgreSQL(found)


class SQLite:
    """A database in one file, beside which lies the log of what is not in it yet."""

    vendor = "sqlite"

    def __init__(self, path: Path) -> None:
        self.path = path

    def copy_to(self, target: Path) -> None:
        """One step of SQLite's online backup: readers and writers go on meanwhile."""
        if not self.path.exists():
            raise Failed(_("There is no database yet: %(path)s") % {"path": self.path})
        with closing(sqlite3.connect(self.path, timeout=60)) as source, closing(sqlite3.connect(target)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, nothing beside it
        self.check(target)

    def is_in_use(self) -> bool:
        """Whoever has it open in WAL holds a shared lock on these bytes, also when idle; asking changes nothing."""
        if not self.path.exists():
            return False
        with self.path.open("r+b") as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, SHARED_BYTES, SHARED_FROM)
            except OSError:
                return True
        return False

    def check(self, source: Path) -> None:
        """Has SQLite look through the whole file."""
        try:
            with closing(sqlite3.connect(source)) as copy:
                said = [line for (line,) in copy.execute("PRAGMA integrity_check(3)")]
        except sqlite3.DatabaseError as error:
            raise Failed(str(error)) from None
        if said != ["ok"]:
            raise Failed("; ".join(said))

    def replace_by(self, source: Path, aside: Path) -> None:
        """Moves the file and its log aside, then the copy into its place.

        Whoever has it open would go on reading and writing the file moved aside: then its contents are replaced, by
        one transaction that they see at once.
        """
        if self.is_in_use():
            self._pour(source, aside / DATABASE_ASIDE)
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        beside = self.path.with_name(f".{self.path.name}.restored")
        shutil.copyfile(source, beside)  # to the same disk first: the last step is a mere rename
        beside.chmod(0o600)
        _to_disk(beside)
        for suffix in ("", "-wal", "-shm", "-journal"):
            old = self.path.with_name(self.path.name + suffix)
            if old.exists():
                shutil.move(old, aside / (DATABASE_ASIDE + suffix))
        beside.replace(self.path)
        _to_disk(self.path.parent)

    def _pour(self, source: Path, aside: Path) -> None:
        """SQLite's online backup backwards: into the open file, after the same of what is there."""
        try:
            self.copy_to(aside)
            with closing(sqlite3.connect(source)) as copy, closing(sqlite3.connect(self.path, timeout=60)) as target:
                copy.backup(target)
        except sqlite3.DatabaseError as error:
            raise Failed(_("It is in use and can’t be replaced (%(why)s): stop the site.") % {"why": error}) from None


DATABASE_ASIDE = "database.sqlite3"


def _to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class PostgreSQL:
    """A database of a PostgreSQL server, spoken to through its own programs."""

    vendor = "postgresql"

    def __init__(self, found: dict[str, Any]) -> None:
        names = {
            "PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD", "PGDATABASE": "NAME"
        }  # fmt: skip
        given = {name: str(found.get(key) or "") for name, key in names.items()}
        self.environment = {**os.environ, **{name: value for name, value in given.items() if value}}

    def copy_to(self, target: Path) -> None:
        """A dump is one transaction: the database as it was when it began."""
        self._run("pg_dump", "--no-owner", "--no-privileges", "--file", str(target))

    def is_in_use(self) -> bool:
        """Whether the server has another client in this database."""
        count = self._ask(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        return count != "0"

    def check(self, source: Path) -> None:
        """A dump ends with a word that says so."""
        with source.open("rb") as file:
            file.seek(max(0, source.stat().st_size - 2000))
            if b"PostgreSQL database dump complete" not in file.read():
                raise Failed(_("the dump was cut short"))

    def replace_by(self, source: Path, aside: Path) -> None:
        """Dumps what is there, then empties and fills the database in one transaction."""
        self.copy_to(aside / "database.sql")
        self._run(
            "psql", "--no-psqlrc", "--quiet", "--output=/dev/null", "--set=ON_ERROR_STOP=1", "--single-transaction",
            "--command", "DROP SCHEMA public CASCADE", "--command", "CREATE SCHEMA public", "--file", str(source),
        )  # fmt: skip

    def _ask(self, statement: str) -> str:
        return self._run("psql", "--no-psqlrc", "--tuples-only", "--no-align", "--command", statement).strip()

    def _run(self, program: str, *arguments: str) -> str:
        command = [_program(program), *arguments]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode:
            raise Failed(f"{program}: {done.stderr.strip()}")
        return done.stdout


def _program(name: str) -> str:
    """The newest of that name that the machine has: an older one refuses a newer server."""
    versions: Sequence[Path] = sorted(
        Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: float(path.parts[-3])
    )
    found = str(versions[-1]) if versions else shutil.which(name)
    if not found:
        raise Failed(_("The program %(name)s is missing; it comes with PostgreSQL’s client.") % {"name": name})
    return found
