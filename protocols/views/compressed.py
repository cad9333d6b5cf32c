"""A tap's answer, compressed while a finger waits: the lightest level saves nearly as much as the heaviest."""

from __future__ import annotations

import gzip
import secrets
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponseBase
from django.utils.cache import patch_vary_headers

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]

FEWEST = 200  # bytes; less is not worth it
MOST_MASKED = 100  # bytes
HAS_NAME = 8  # the flag of a gzip header


def compressed(view: View[P]) -> View[P]:
    """Like Django's `gzip_page`, at a third of its price and a sixth more bytes."""

    @wraps(view)
    def wrapper(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        response = view(request, *args, **kwargs)
        content: bytes = getattr(response, "content", b"")
        if len(content) < FEWEST or response.has_header("Content-Encoding"):
            return response
        patch_vary_headers(response, ("Accept-Encoding",))
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            response.content = masked(gzip.compress(content, compresslevel=1, mtime=0))  # type: ignore[attr-defined]
            response.headers["Content-Encoding"] = "gzip"
        return response

    return wrapper


def masked(zipped: bytes) -> bytes:
    """The same with a file name of random length, so that its size tells nothing of a token in it (BREACH)."""
    name = b"a" * secrets.randbelow(MOST_MASKED) + b"\0"
    return zipped[:3] + bytes([zipped[3] | HAS_NAME]) + zipped[4:10] + name + zipped[10:]
