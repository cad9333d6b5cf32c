"""What views read out of a request."""

from ipaddress import ip_address

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest, QueryDict


def user_of(request: HttpRequest) -> User:
    """Whoever is logged in; for views behind `login_required`."""
    assert isinstance(request.user, User)
    return request.user


def sent_in(request: HttpRequest) -> QueryDict | None:
    """What was sent, as a form takes it; None where the page is only read."""
    return request.POST if request.method == "POST" else None


def address_of(request: HttpRequest) -> str | None:
    """The visitor's network address, None where there is none.

    A header is believed only where the settings name it (ADDRESS_HEADER), and of it only the last address: the one
    that the proxy itself has seen. Whatever stands before it may be written by anybody.
    """
    told = request.META.get("REMOTE_ADDR", "")
    if settings.ADDRESS_HEADER:
        told = request.headers.get(settings.ADDRESS_HEADER, "").rpartition(",")[2].strip() or told
    try:
        return str(ip_address(told))
    except ValueError:
        return None
