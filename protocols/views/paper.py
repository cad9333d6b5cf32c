"""The paper page."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse


def paper(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Not there yet."""
    raise Http404
