"""What views read out of a request."""

from django.contrib.auth.models import User
from django.http import HttpRequest


def user_of(request: HttpRequest) -> User:
    """Whoever is logged in; for views behind `login_required`."""
    assert isinstance(request.user, User)
    return request.user
