"""Logins protected against guessing: django-axes counts wrong passwords by username and address together.

Never by the address alone, for a hall shares one; never by the name alone, for then anybody could lock anybody out.
Only logging in is refused: whoever is logged in stays so.
"""

from __future__ import annotations

from typing import Any

from axes.backends import AxesStandaloneBackend
from django.http import HttpRequest, HttpResponse

LONGEST = 150  # characters of a username
TOO_MANY = 429  # the status of a page that refuses


class Guard(AxesStandaloneBackend):  # type: ignore[misc]  # it has no types
    """Refuses a locked name before its password is looked at."""

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> None:
        """Lets those who are not locked pass on to the accounts; without a request nobody guesses."""
        if request is not None:
            super().authenticate(request, **credentials)


def name_tried(request: HttpRequest, credentials: Any) -> str | None:
    """The name as it is counted: no longer than any account's can be, however long the one that was sent."""
    name = (credentials or request.POST).get("username")
    return name[:LONGEST] if name else name


def refused(_request: HttpRequest, response: HttpResponse | None, _credentials: Any) -> HttpResponse:
    """The page of the form itself, which says until when (`protocols.forms.login`), with the status that says so."""
    answer = response or HttpResponse()
    answer.status_code = TOO_MANY
    return answer
