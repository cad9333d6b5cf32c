"""The site as it is served: gunicorn with the project's own configuration, in a process of its own."""

from __future__ import annotations

import http.client
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .places import ROOT

START_SECONDS = 30


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@contextmanager
def served(env: dict[str, str], application: str | None = None) -> Iterator[int]:
    """The port of a server in that environment; of the site, unless another WSGI module is named."""
    port = _free_port()
    command = [
        sys.executable,
        "-m",
        "gunicorn",
        "-c",
        "mafia_site/gunicorn.conf.py",
        *([application] if application else []),
    ]
    log = Path(env["VAR_DIR"]) / "server.log"
    with log.open("wb") as output:
        process = subprocess.Popen(command, env=env | {"PORT": str(port)}, cwd=ROOT, stdout=output, stderr=output)
        try:
            if not _answers(process, port):
                raise RuntimeError(f"The server did not start:\n{log.read_text()[-4000:]}")
            yield port
        finally:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=30)
            if process.poll() is None:
                process.kill()
                process.wait()


def _answers(process: subprocess.Popen[bytes], port: int) -> bool:
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        with suppress(OSError):
            connection.request("GET", "/favicon.ico")
            connection.getresponse()
            return True
        time.sleep(0.1)
    return False
