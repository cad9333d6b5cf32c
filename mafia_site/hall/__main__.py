"""`make serve`: the site over HTTPS on the local network, the door beside it, and their addresses on the terminal.

PORT       of the site, otherwise 8443
HTTP_PORT  of the door, otherwise 8080
HALL_NAMES further host names of this machine, separated by commas
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mafia_site.settings")

HERE = Path(__file__).resolve().parent
LOOK_EVERY = 5  # seconds between two looks at the machine's addresses
ALWAYS = ("localhost", "127.0.0.1")


def main() -> int:
    """Serves until told to stop; where the machine gets another address, with a certificate for it."""
    signal.signal(signal.SIGTERM, _stop)
    from mafia_site.hall.addresses import addresses, host_names

    hosts = [*addresses(), *host_names(), *ALWAYS]
    running: list[subprocess.Popen[bytes]] = []
    try:
        while True:
            running = _serve(hosts)
            changed = _until_moved(running, hosts)
            _end(running)
            if changed is None:
                return max(process.returncode for process in running)
            hosts = [*changed, *(host for host in hosts if host not in changed)]
    except KeyboardInterrupt:
        return 0
    finally:
        _end(running)


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _serve(hosts: Sequence[str]) -> list[subprocess.Popen[bytes]]:
    """Starts both servers for these hosts, of which the first is told to people."""
    port, http_port = os.environ.get("PORT") or "8443", os.environ.get("HTTP_PORT") or "8080"
    var_dir = Path(os.environ.get("VAR_DIR") or HERE.parent.parent / "var").resolve()
    from mafia_site.hall.certificates import certify

    made = certify(var_dir / "tls", hosts)
    site = f"https://{hosts[0]}:{port}"
    told = {
        "HTTPS": "own",
        "PORT": port,
        "HTTP_PORT": http_port,
        "HOST": os.environ.get("HOST") or "0.0.0.0",  # noqa: S104 - the hall is meant to reach it
        "ALLOWED_HOSTS": ",".join(dict.fromkeys([*hosts, *_names("ALLOWED_HOSTS")])),
        "SITE_URL": os.environ.get("SITE_URL") or site,
        "HALL_SITE": site,
        "HALL_DOOR": f"http://{hosts[0]}:{http_port}",
        "TLS_KEY": str(made.files.site_key),
        "TLS_CERTIFICATE": str(made.files.site_certificate),
    }
    environment = {**os.environ, **told}
    gunicorn = [sys.executable, "-m", "gunicorn", "-c"]
    servers = [
        subprocess.Popen([*gunicorn, str(conf)], stdin=subprocess.DEVNULL, env=environment)
        for conf in (HERE.parent / "gunicorn.conf.py", HERE / "door.conf.py")
    ]
    # Words come from the catalog of the site, whose settings are read once a process.
    announced = [sys.executable, "-m", "mafia_site.hall.announce", *(["new"] if made.is_new_authority else [])]
    subprocess.run(announced, env=environment, check=False)
    return servers


def _names(variable: str) -> list[str]:
    return [name.strip() for name in os.environ.get(variable, "").split(",") if name.strip()]


def _until_moved(running: Sequence[subprocess.Popen[bytes]], hosts: Sequence[str]) -> list[str] | None:
    """Waits until the machine has an address that is not among these, and gives them; None when a server ended."""
    from mafia_site.hall.addresses import addresses

    looked = time.monotonic()
    while all(process.poll() is None for process in running):
        time.sleep(0.2)
        if time.monotonic() - looked > LOOK_EVERY:
            looked = time.monotonic()
            now = addresses()
            if set(now) - set(hosts):
                return now
    return None


def _end(running: Sequence[subprocess.Popen[bytes]]) -> None:
    for process in running:
        if process.poll() is None:
            process.terminate()
    for process in running:
        process.wait()


if __name__ == "__main__":
    sys.exit(main())
