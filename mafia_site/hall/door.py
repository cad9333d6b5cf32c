"""The door without HTTPS: the page for phones that don't trust yet, the certificate, and the way to the site.

It gives out nothing else, knows nobody and reads no database; every other address leads to the same one on the site.
"""

from __future__ import annotations

import mimetypes
import os
import re
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import quote, urlsplit

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mafia_site.settings")

Environ = dict[str, Any]
StartResponse = Callable[[str, list[tuple[str, str]]], Any]
Given = tuple[str, bytes]  # its type, its bytes

POLICY = "default-src 'none'; style-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'"


def things() -> dict[str, Given]:
    """Everything that is given out, by path: the page with its styles, and the certificate."""
    from django.conf import settings
    from django.contrib.staticfiles import finders

    from .phones import CERTIFICATE_TYPE, authority_file, page_html

    html = page_html()
    found = {
        "/hall/": ("text/html; charset=utf-8", html.encode()),
        "/hall/mafia-ca.crt": (CERTIFICATE_TYPE, authority_file().read_bytes()),
    }
    for path in re.findall(rf'(?:href|src)="(/{settings.STATIC_URL.strip("/")}/[^"]+)"', html):
        name = path.removeprefix(f"/{settings.STATIC_URL.strip('/')}/")
        file = settings.STATIC_ROOT / name
        if not file.exists():  # not collected: DEBUG, tests
            file = finders.find(name)
        with open(file, "rb") as content:  # noqa: PTH123 - finders give a str
            found[path] = (mimetypes.guess_type(name)[0] or "application/octet-stream", content.read())
    return found


class Door:
    """The WSGI application. `site` is where the site is; `hosts` are the names by which it may be asked for."""

    def __init__(self, given: dict[str, Given], site: str, hosts: Iterable[str]) -> None:
        self.given = given
        self.site = site
        self.hosts = frozenset(hosts)

    def __call__(self, environ: Environ, start_response: StartResponse) -> list[bytes]:
        """The page, the certificate, or the way to the site."""
        if environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
            start_response("405 Method Not Allowed", [("Allow", "GET, HEAD"), ("Content-Length", "0")])
            return [b""]
        found = self.given.get(environ.get("PATH_INFO", ""))
        if found is None:
            # Not for good: another day this address is another machine's.
            headers = [("Location", self._on_the_site(environ)), ("Content-Length", "0"), ("Cache-Control", "no-store")]
            start_response("302 Found", headers)
            return [b""]
        kind, content = found
        headers = [
            ("Content-Type", kind), ("Content-Length", str(len(content))), ("Cache-Control", "no-cache"),
            ("Content-Security-Policy", POLICY), ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
        ]  # fmt: skip
        start_response("200 OK", headers)
        return [b"" if environ["REQUEST_METHOD"] == "HEAD" else content]

    def _on_the_site(self, environ: Environ) -> str:
        """The same address on the site, under the name it was asked for by, where that is one of ours."""
        site = urlsplit(self.site)
        host = str(environ.get("HTTP_HOST", "")).rpartition(":")[0] or str(environ.get("HTTP_HOST", ""))
        if host not in self.hosts:
            host = str(site.hostname)
        path = quote(str(environ.get("PATH_INFO") or "/").encode("latin-1"), safe="/:@!$&'()*+,;=~-._")
        query = str(environ.get("QUERY_STRING", ""))
        query = f"?{query}" if query and query.isprintable() and query.isascii() else ""
        return f"https://{host}:{site.port}/{path.lstrip('/')}{query}"


def application(environ: Environ, start_response: StartResponse) -> list[bytes]:
    """The server's entry point; what is given out is read at the first request."""
    return _door()(environ, start_response)


_made: list[Door] = []


def _door() -> Door:
    if not _made:
        from django.conf import settings

        django.setup()
        _made.append(Door(things(), settings.HALL_SITE, settings.ALLOWED_HOSTS))
    return _made[0]
