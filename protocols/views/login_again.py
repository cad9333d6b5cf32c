"""A login that expired in the middle of a game loses nothing typed.

What an unknown person posts comes back signed in the form that asks for the name and password; after that it lies
in the session, under the address of the page it belongs to, until it is written or thrown away.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec
from uuid import UUID

from django.contrib.auth import login
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import redirect_to_login
from django.core import signing
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]

SALT = "protocols.typed"
KEPT = "typed"  # the key in the session
LEFT_OUT = ("csrfmiddlewaretoken", "password")
MOST_KEPT = 20_000  # characters; the longest form of ours is a tenth of it
DAY = 24 * 3600  # seconds


def keeps_typed(view: View[P]) -> View[P]:
    """Asks for a login like `login_required`; a form that was posted without one is not lost (401)."""

    @wraps(view)
    def wrapper(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        if request.method != "POST" and "HX-Request" not in request.headers:
            return redirect_to_login(request.get_full_path())
        uuid = kwargs.get("uuid")
        return _ask(request, AuthenticationForm(request), _sealed(request, uuid if isinstance(uuid, UUID) else None))

    return wrapper


def typed_before(request: HttpRequest, path: str = "") -> QueryDict | None:
    """What was typed on this page before the login expired; stays until `forget_typed`."""
    text = request.session.get(KEPT, {}).get(path or request.path)
    return QueryDict(text) if text else None


def forget_typed(request: HttpRequest, path: str = "") -> None:
    """What was typed on the page is written now, or thrown away."""
    kept = request.session.get(KEPT, {})
    if kept.pop(path or request.path, None) is not None:
        request.session[KEPT] = kept


def _sealed(request: HttpRequest, uuid: UUID | None) -> str:
    """What was posted, signed, with the page on which it can be offered again."""
    data = request.POST.copy()
    for name in LEFT_OUT:
        data.pop(name, None)
    entries = reverse("entries", args=[uuid]) if uuid else ""
    page = reverse("board", args=[uuid]) if uuid and request.path == entries else request.path
    text = data.urlencode()
    return signing.dumps({"page": page, "data": text if len(text) <= MOST_KEPT else ""}, salt=SALT, compress=True)


def _ask(request: HttpRequest, form: AuthenticationForm, typed: str, status: int = 401) -> HttpResponse:
    whole = "HX-Request" not in request.headers
    template = "registration/login_again_page.html" if whole else "registration/_login_again.html"
    response = render(request, template, {"form": form, "typed": typed}, status=status)
    add_never_cache_headers(response)
    return response


@sensitive_post_parameters("password")
@require_POST
def log_in_again(request: HttpRequest) -> HttpResponse:
    """Logs in and leads back to the page with what was typed on it; 400 for what this site did not sign."""
    typed = request.POST.get("typed", "")
    try:
        kept: dict[str, Any] = signing.loads(typed, salt=SALT, max_age=DAY)
    except signing.BadSignature:
        return redirect("login")
    if not request.user.is_authenticated:
        form = AuthenticationForm(request, request.POST)
        if not form.is_valid():
            return _ask(request, form, typed, status=422)
        login(request, form.get_user())
    if kept["data"]:
        request.session[KEPT] = {**request.session.get(KEPT, {}), kept["page"]: kept["data"]}
    return redirect(kept["page"])
