"""What views read out of a request."""

from django.contrib.auth.models import User
from django.http import HttpRequest, QueryDict


def user_of(request: HttpRequest) -> User:
    """Whoever is logged in; for views behind `login_required`."""
    assert isinstance(request.user, User)
    return request.user


def sent_in(request: HttpRequest) -> QueryDict | None:
    """What was sent, as a form takes it; None where the page is only read."""
    return request.POST if request.method == "POST" else None
