"""Where a measurement writes: a folder and databases of its own, gone when it ends; never the site's."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

ROOT = Path(__file__).resolve().parent.parent.parent
SITE = "mafia_site.settings"
BARE = "tests.bench.bare.settings"
SERVER_SETTINGS = ("SECRET_KEY", "ALLOWED_HOSTS", "ORIGINS", "HTTPS", "DEBUG", "HOST", "PORT", "DJANGO_SETTINGS_MODULE")


def databases() -> list[str]:
    """SQLite, and PostgreSQL where DATABASE_URL names a cluster, as `make bench` sees to."""
    url = os.environ.get("DATABASE_URL", "")
    return ["SQLite", *(["PostgreSQL"] if url.startswith("postgres") else [])]


@contextmanager
def place(database: str, settings: str = SITE) -> Iterator[dict[str, str]]:
    """The environment of a site with an empty database of that kind, its tables made."""
    env = {name: value for name, value in os.environ.items() if name not in SERVER_SETTINGS}
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, _database(database, Path(folder)) as url:
        env |= {"VAR_DIR": folder, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": settings, "LOG_LEVEL": "WARNING"}
        run(env, "-m", "django", "migrate", "--run-syncdb", "--skip-checks", "--verbosity=0")
        run(env, "-m", "django", "collectstatic", "--skip-checks", "--noinput", "--verbosity=0")
        yield env


@contextmanager
def _database(kind: str, folder: Path) -> Iterator[str]:
    if kind == "SQLite":
        yield f"sqlite:///{folder / 'db.sqlite3'}"
        return
    cluster = os.environ["DATABASE_URL"]
    name = f"bench_{secrets.token_hex(6)}"
    with psycopg.connect(cluster, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")  # a name of ours
    try:
        yield f"{cluster.rpartition('/')[0]}/{name}"
    finally:
        with psycopg.connect(cluster, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def run(env: dict[str, str], *arguments: str, given: str = "") -> str:
    """Runs our Python with these arguments in that environment and returns what it prints; raises if it fails."""
    done = subprocess.run(
        [sys.executable, *arguments], env=env, cwd=ROOT, input=given, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(arguments)} failed:\n{done.stderr[-4000:]}")
    return done.stdout
