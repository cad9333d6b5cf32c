"""What every request passes through."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def refuse_oversized_requests(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """A body longer than REQUEST_MAX_BYTES is answered 413 by its declared length, before a byte is kept."""

    def middleware(request: HttpRequest) -> HttpResponse:
        try:
            length = int(request.headers.get("Content-Length") or 0)
        except ValueError:
            length = 0
        if length > settings.REQUEST_MAX_BYTES:
            limit = settings.REQUEST_MAX_BYTES // (1024 * 1024)
            return render(request, "413.html", {"limit": limit}, status=413)
        return get_response(request)

    return middleware
