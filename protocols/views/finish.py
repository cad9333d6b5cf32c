"""The finish page."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse


def finish(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Not there yet."""
    raise Http404
