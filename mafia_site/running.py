"""Whether a server works on the data folder: it holds a lock there as long as it or any of its workers lives."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mafia_site.settings")


class Busy(Exception):
    """Somebody else works on the data folder."""


def _lock_file() -> Path:
    from django.conf import settings

    return Path(settings.VAR_DIR) / "server.lock"


def work_on_data() -> IO[str]:
    """What a server keeps open while it runs; its workers inherit it. Raises Busy while data is being replaced."""
    file = _lock_file().open("a")
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise Busy from None
    return file


@contextmanager
def alone_with_data() -> Iterator[None]:
    """No server runs, and none starts meanwhile. Raises Busy where one runs."""
    with _lock_file().open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Busy from None
        yield
