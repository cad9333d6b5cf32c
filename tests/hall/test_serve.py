"""`make serve`, started for real: HTTPS that a phone can verify, a door without it, and what the terminal says."""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from pathlib import Path

import pytest
import zxingcpp
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.test import Client
from PIL import Image, ImageOps

ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass
class Hall:
    """A running hall, in a folder of its own."""

    folder: Path
    port: int
    door: int
    process: subprocess.Popen[bytes]
    cookies: dict[str, str] = field(default_factory=dict)

    @property
    def said(self) -> str:
        """Everything on its terminal so far."""
        return (self.folder / "terminal").read_text(encoding="utf-8")

    @property
    def authority(self) -> Path:
        """What a phone is told to trust."""
        return self.folder / "tls" / "ca.crt"

    def trusting(self) -> ssl.SSLContext:
        """A client that trusts this authority and nobody else."""
        return ssl.create_default_context(cafile=str(self.authority))

    def ask(self, path: str, host: str = "127.0.0.1", *, sent: str | None = None) -> http.client.HTTPResponse:
        """An answer over HTTPS; `sent` is the body of a form."""
        connection = http.client.HTTPSConnection(host, self.port, context=self.trusting(), timeout=10)
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if sent is not None:
            headers |= {
                "Content-Type": "application/x-www-form-urlencoded",
                "Referer": f"https://{host}:{self.port}{path}",
                "Origin": f"https://{host}:{self.port}",
            }
        connection.request("GET" if sent is None else "POST", path, sent, headers)
        answer = connection.getresponse()
        for line in answer.headers.get_all("Set-Cookie") or []:
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}
        return answer

    def knock(self, path: str, *, host: str = "", method: str = "GET") -> http.client.HTTPResponse:
        """An answer of the door."""
        connection = http.client.HTTPConnection("127.0.0.1", self.door, timeout=10)
        connection.request(method, path, headers={"Host": host or f"127.0.0.1:{self.door}"})
        return connection.getresponse()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "SITE_URL", "HTTPS")}
    return {**kept, "VAR_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "mafia_site.settings", "WEB_WORKERS": "2"}


def _managed(folder: Path, *command: str) -> None:
    subprocess.run(
        [sys.executable, "manage.py", *command], cwd=ROOT, env=_environment(folder), check=True, capture_output=True
    )


def _open(folder: Path) -> Hall:
    ports = _free_port(), _free_port()
    environment = {**_environment(folder), "PORT": str(ports[0]), "HTTP_PORT": str(ports[1])}
    with (folder / "terminal").open("wb") as terminal:
        process = subprocess.Popen(
            [sys.executable, "-m", "mafia_site.hall"], cwd=ROOT, env=environment, stdout=terminal, stderr=terminal,
            start_new_session=True,
        )  # fmt: skip
    hall = Hall(folder, *ports, process)
    for _ in range(300):
        assert process.poll() is None, hall.said
        try:
            if "Ctrl+C" in hall.said and hall.ask("/login/").status == hall.knock("/hall/").status == 200:
                break
        except OSError:
            pass
        time.sleep(0.1)
    hall.cookies.clear()
    return hall


def _close(hall: Hall) -> int:
    hall.process.send_signal(signal.SIGTERM)
    try:
        return hall.process.wait(30)
    finally:
        if hall.process.poll() is None:
            os.killpg(hall.process.pid, signal.SIGKILL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data of a site with one person, whose password is quick to check."""
    made = tmp_path_factory.mktemp("hall")
    _managed(made, "migrate", "--verbosity", "0")
    _managed(made, "collectstatic", "--noinput", "--verbosity", "0")
    password = PBKDF2PasswordHasher().encode("a long enough one", "salt", iterations=1000)
    _managed(
        made, "shell", "-c",
        f"from django.contrib.auth.models import User; User.objects.create(username='judge', password={password!r})",
    )  # fmt: skip
    return made


@pytest.fixture(scope="module")
def hall(folder: Path) -> Iterator[Hall]:
    """The hall, open."""
    opened = _open(folder)
    yield opened
    _close(opened)


def test_the_connection_is_verified_under_every_name(hall: Hall) -> None:
    told = re.search(r"https://([0-9a-z.-]+):\d+/", hall.said)
    assert told
    assert [hall.ask("/login/", host).status for host in ("127.0.0.1", "localhost", told[1])] == [200, 200, 200]


def test_whoever_does_not_trust_the_authority_is_warned(hall: Hall) -> None:
    connection = http.client.HTTPSConnection("127.0.0.1", hall.port, context=ssl.create_default_context())
    with pytest.raises(ssl.SSLCertVerificationError):
        connection.request("GET", "/")


def test_a_judge_logs_in_and_the_cookies_go_over_https_alone(hall: Hall) -> None:
    page = hall.ask("/login/").read().decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    assert token
    sent = f"csrfmiddlewaretoken={token[1]}&username=judge&password=a+long+enough+one"
    answer = hall.ask("/login/", sent=sent)
    cookies = [SimpleCookie(line) for line in answer.headers.get_all("Set-Cookie") or []]
    flags = {
        name: (bool(morsel["secure"]), bool(morsel["httponly"]), morsel["samesite"])
        for cookie in cookies
        for name, morsel in cookie.items()
    }
    assert (answer.status, answer.headers["Location"]) == (302, "/")
    assert flags == {"csrftoken": (True, False, "Lax"), "sessionid": (True, True, "Lax")}
    assert hall.ask("/games/").status == 200
    hall.cookies.clear()


def test_no_phone_is_told_to_refuse_the_door_and_no_header_pretends_to_be_a_proxy(hall: Hall) -> None:
    assert hall.ask("/login/").headers["Strict-Transport-Security"] is None
    connection = http.client.HTTPSConnection("127.0.0.1", hall.port, context=hall.trusting(), timeout=10)
    connection.request("GET", "/login/", headers={"X-Forwarded-Proto": "http"})
    assert connection.getresponse().status == 200


def test_several_workers_serve_and_idle_connections_hold_none_of_them(hall: Hall) -> None:
    assert len(re.findall("Booting worker", hall.said)) == 2
    idle = [socket.create_connection(("127.0.0.1", hall.port)) for _ in range(20)]
    begun = time.monotonic()
    assert hall.ask("/login/").status == 200
    assert time.monotonic() - begun < 5
    for each in idle:
        each.close()


def test_the_door_gives_the_page_and_the_certificate_and_shows_the_way_for_the_rest(hall: Hall) -> None:
    page = hall.knock("/hall/")
    words = page.read().decode()
    certificate = hall.knock("/hall/mafia-ca.crt")
    assert (page.status, "Сертификат ЦС" in words, words.count("<svg")) == (200, True, 8)
    assert certificate.headers["Content-Type"] == "application/x-x509-ca-cert"
    assert certificate.read() == hall.authority.read_bytes()
    site = f"https://127.0.0.1:{hall.port}"
    ways = {
        path: hall.knock(path) for path in ("/", "/login/?next=/games/", "//evil.example/", "/tls/ca.key", "/%0d%0aX")
    }
    assert {path: (way.status, way.headers["Location"]) for path, way in ways.items()} == {
        "/": (302, f"{site}/"),
        "/login/?next=/games/": (302, f"{site}/login/?next=/games/"),
        "//evil.example/": (302, f"{site}/evil.example/"),
        "/tls/ca.key": (302, f"{site}/tls/ca.key"),
        "/%0d%0aX": (302, f"{site}/%0D%0AX"),
    }
    styles = re.findall(r'href="(/static/[^"]+)"', words)
    assert [hall.knock(path).status for path in styles] == [200] * 4
    assert hall.knock("/login/", method="POST").status == 405


def test_the_door_leads_to_no_host_but_ours(hall: Hall) -> None:
    told = re.search(r"(https://[0-9a-z.-]+:\d+)/", hall.said)
    assert told
    assert hall.knock("/", host="evil.example:80").headers["Location"] == f"{told[1]}/"
    assert hall.knock("/", host=f"localhost:{hall.door}").headers["Location"] == f"https://localhost:{hall.port}/"


def test_the_terminal_shows_both_addresses_as_codes_that_a_camera_reads(hall: Hall) -> None:
    lines = [line for line in hall.said.splitlines() if set(line) & set("█▀▄") and not set(line) - set("█▀▄ ")]
    shades = {"█": (1, 1), "▀": (1, 0), "▄": (0, 1), " ": (0, 0)}
    width = max(len(line) for line in lines)
    dots = bytes(255 * shades[sign][half] for line in lines for half in (0, 1) for sign in line.ljust(width))
    picture = Image.frombytes("L", (width, 2 * len(lines)), dots).resize(
        (8 * width, 16 * len(lines)), Image.Resampling.NEAREST
    )
    read = {found.text for found in zxingcpp.read_barcodes(ImageOps.expand(picture, 40))}
    told = set(re.findall(r"https?://[0-9a-z.:-]+(?:/hall/|/)(?=\s)", hall.said))
    assert read == told


def test_the_page_is_on_the_site_too(hall: Hall) -> None:
    assert hall.ask("/hall/").read() == hall.knock("/hall/").read()
    assert hall.ask("/hall/mafia-ca.crt").read() == hall.authority.read_bytes()


def test_another_start_keeps_the_authority_and_ends_when_told_to(folder: Path, hall: Hall) -> None:
    before = {path.name: path.read_bytes() for path in (folder / "tls").iterdir()}
    assert "Сертификат новый" in hall.said
    assert _close(hall) == 0
    again = _open(folder)
    try:
        assert {path.name: path.read_bytes() for path in (folder / "tls").iterdir()} == before
        assert "Сертификат новый" not in again.said
        assert again.ask("/login/").status == 200
    finally:
        assert _close(again) == 0


@pytest.mark.django_db
def test_without_a_hall_there_is_no_such_page() -> None:
    assert [Client().get(path).status_code for path in ("/hall/", "/hall/mafia-ca.crt")] == [404, 404]
