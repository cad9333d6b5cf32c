"""What every request passes through."""

import time
from collections.abc import Callable

from csp.constants import HEADER
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.shortcuts import render

from protocols.services.auditing import Origin, watched
from protocols.views.requests import address_of

MOST_DROPPED = 64 * 1024 * 1024  # bytes of a refused body that are read
LONGEST_DROP = 10  # seconds that is done for
PIECE = 1024 * 1024
TAPPED_ON = ("/entries/", "/queue/", "/clock/")  # how the addresses end at which judges tap


def content_security_policy(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """The one policy of `settings` on every answer, written out once: nothing inline is allowed, so it has no nonce."""
    policy = build_policy()

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if not (settings.DEBUG and response.status_code in (404, 500)):  # Django's pages about errors have it inline
            response.headers[HEADER] = policy
        return response

    return middleware


def refuse_oversized_requests(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """A body longer than REQUEST_MAX_BYTES is answered 413 by its declared length, and not a byte of it is kept."""

    def middleware(request: HttpRequest) -> HttpResponse:
        try:
            length = int(request.headers.get("Content-Length") or 0)
        except ValueError:
            length = 0
        if length > settings.REQUEST_MAX_BYTES:
            if length <= MOST_DROPPED:
                _drop_body(request)
            limit = settings.REQUEST_MAX_BYTES // (1024 * 1024)
            return render(request, "413.html", {"limit": limit}, status=413)
        return get_response(request)

    return middleware


def _drop_body(request: HttpRequest) -> None:
    """Reads what is being sent: a browser cut off in the middle of it shows a broken connection, not the answer."""
    until = time.monotonic() + LONGEST_DROP
    try:
        while request.read(PIECE) and time.monotonic() < until:
            pass
    except UnreadablePostError:
        pass


def audited(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """What is written while a form is answered is told in the audit log, with who sent it and from where."""

    def middleware(request: HttpRequest) -> HttpResponse:
        is_tap = request.path.startswith("/games/") and request.path.endswith(TAPPED_ON)  # the record tells of itself
        if is_tap or request.method in ("GET", "HEAD", "OPTIONS"):
            return get_response(request)
        origin = Origin(
            view=lambda: str(request.resolver_match.view_name if request.resolver_match else ""),
            user=lambda: request.user.pk,
            about=lambda: dict(request.resolver_match.kwargs) if request.resolver_match else {},
            path=request.path,
            address=address_of(request) or "",
            agent=short_agent(request.headers.get("User-Agent", "")),
        )
        with watched(origin):
            return get_response(request)

    return middleware


def short_agent(agent: str) -> str:
    """The browser and the system, without their versions.

    >>> short_agent("Mozilla/5.0 (Linux; Android 14; SM-A546B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0")
    'Chrome, Android'
    """
    browsers = ("Edg", "OPR", "YaBrowser", "Firefox", "Chrome", "Safari")
    systems = ("Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux")
    found = [next((each for each in names if each in agent), "") for names in (browsers, systems)]
    return ", ".join(filter(None, found)) or agent[:20]
