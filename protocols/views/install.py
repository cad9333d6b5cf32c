"""What makes the site an app on a phone: its manifest, and the service worker by which a board opens offline."""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

PAGES = ("base.html", "protocols/board_page.html")  # the files they name are those that a board needs
NAMED = re.compile(r"""{%\s*static\s+['"]([^'"]+)['"]\s*%}""")
FONT = re.compile(r"""url\(["']?\.\./(fonts/[^"')]+)["']?\)""")
ICONS = (("icon-192.png", "192x192", "any"), ("icon-512.png", "512x512", "any"),
         ("icon-maskable-512.png", "512x512", "maskable"))  # fmt: skip


@cache
def board_files() -> tuple[str, ...]:
    """The static files that a board needs, by their names: what its page names, and the fonts."""
    pages = [settings.BASE_DIR / "templates" / page for page in PAGES]
    names = [name for page in pages for name in NAMED.findall(page.read_text(encoding="utf-8"))]
    fonts = FONT.findall(_source("css/fonts_screen.css").decode())
    return tuple(dict.fromkeys([*names, *fonts]))


def _source(name: str) -> bytes:
    found = finders.find(name)
    assert isinstance(found, str), name
    return Path(found).read_bytes()


@cache
def _worker() -> str:
    """The worker's source, headed by the files it keeps and their version, which is that of their contents."""
    files = [static(name) for name in board_files()]
    source = _source("js/sw.js")
    version = hashlib.sha256(source)
    for name, address in zip(board_files(), files, strict=True):
        version.update(address.encode() + _source(name))
    head = f"const VERSION = {json.dumps(version.hexdigest()[:16])};\nconst FILES = {json.dumps(files)};\n"
    return head + source.decode()


@never_cache
@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """The service worker of the whole site."""
    return HttpResponse(_worker(), content_type="text/javascript; charset=utf-8")


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """The web app manifest."""
    return JsonResponse(
        {
            "id": "/games/",
            "name": _("Sports mafia protocols"),
            "short_name": _("Protocols"),
            "lang": "ru",
            "start_url": "/games/",
            "scope": "/",
            "display": "standalone",
            "background_color": "#f6f5f2",
            "theme_color": "#1f5a6e",
            "icons": [
                {"src": static(f"img/{name}"), "sizes": sizes, "type": "image/png", "purpose": purpose}
                for name, sizes, purpose in ICONS
            ],
        },
        content_type="application/manifest+json",
    )
