"""A login that expired loses nothing typed, on whichever page: every view that takes a form is one of these.

What an unknown person posts comes back signed in the form that asks for the name and password; after that it lies
in the session, under the address of the page it belongs to, until something is written there or it is thrown away.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from django import forms
from django.contrib.auth import login
from django.contrib.auth.views import redirect_to_login
from django.core import signing
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import NoReverseMatch, reverse
from django.utils.cache import add_never_cache_headers
from django.utils.datastructures import MultiValueDict
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from protocols.forms.login import LoginForm

P = ParamSpec("P")
OfAnyForm = TypeVar("OfAnyForm", bound=forms.BaseForm)
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]

SALT = "protocols.typed"
KEPT = "typed"  # the key in the session
FILES = "had-a-file"  # stands for the files that were posted; they are never kept
LEFT_OUT = ("csrfmiddlewaretoken", "password")
MOST_KEPT = 20_000  # characters; the longest form of ours is a tenth of it
DAY = 24 * 3600  # seconds


def keeps_typed(view: View[P]) -> View[P]:
    """Asks for a login like `login_required`; a form that was posted without one is not lost (401)."""
    return keeps_typed_on("")(view)


def keeps_typed_on(page: str, *, is_button: bool = False) -> Callable[[View[P]], View[P]]:
    """The same for a view whose form stands on another page, of that name and the same arguments.

    A form that is nothing but a button has no typed words to keep: its page is shown, to press it again.
    """

    def decorator(view: View[P]) -> View[P]:
        @wraps(view)
        def wrapper(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            def address() -> str:
                return _page_of(page, kwargs) if page else request.path

            if request.user.is_authenticated:
                response = view(request, *args, **kwargs)
                if request.method == "POST" and response.status_code == 302:  # 303 leads back to what still waits
                    forget_typed(request, address())
                return response
            if request.method != "POST" and "HX-Request" not in request.headers:
                return redirect_to_login(request.get_full_path())
            sealed = _sealed(request, address(), is_button=is_button)
            return _ask(request, LoginForm(request), sealed, is_button=is_button)

        return wrapper

    return decorator


def _page_of(name: str, kwargs: dict[str, Any]) -> str:
    """The address of that page, with as many of the arguments as it takes."""
    try:
        return reverse(name, kwargs=kwargs)
    except NoReverseMatch:
        return reverse(name, kwargs={key: value for key, value in kwargs.items() if key == "slug"})


def typed_before(request: HttpRequest, path: str = "") -> QueryDict | None:
    """What was typed on this page before the login expired; stays until `forget_typed`."""
    text = request.session.get(KEPT, {}).get(path or request.path)
    return QueryDict(text) if text else None


def forget_typed(request: HttpRequest, path: str = "") -> None:
    """What was typed on the page is written now, or thrown away."""
    kept = request.session.get(KEPT, {})
    if kept.pop(path or request.path, None) is not None:
        request.session[KEPT] = kept


def offered_again(request: HttpRequest, form: OfAnyForm, path: str = "") -> OfAnyForm:
    """The form of a page that is only read, with what was typed in it before the login expired; files excepted.

    A form that other fields were typed in is left as it is. The page says so by itself, see `base.html`.
    """
    typed = typed_before(request, path)
    if typed is None or form.is_bound or not any(form.add_prefix(name) in typed for name in form.fields):
        return form
    for name, field in form.fields.items():
        if not isinstance(field, forms.FileField):
            form.initial[name] = field.widget.value_from_datadict(typed, MultiValueDict(), form.add_prefix(name))
    request.typed_again = {  # type: ignore[attr-defined]
        "page": path or request.path, "had_file": FILES in typed
    }  # fmt: skip
    return form


def _sealed(request: HttpRequest, page: str, *, is_button: bool) -> str:
    """What was posted, signed, with the page on which it can be offered again."""
    data = request.POST.copy()
    for name in LEFT_OUT:
        data.pop(name, None)
    if request.FILES:
        data[FILES] = "1"
    text = "" if is_button else data.urlencode()
    return signing.dumps({"page": page, "data": text if len(text) <= MOST_KEPT else ""}, salt=SALT, compress=True)


def _ask(
    request: HttpRequest, form: LoginForm, typed: str, status: int = 401, *, is_button: bool = False
) -> HttpResponse:
    whole = "HX-Request" not in request.headers
    template = "registration/login_again_page.html" if whole else "registration/_login_again.html"
    context = {"form": form, "typed": typed, "is_button": is_button, "had_file": bool(request.FILES)}
    response = render(request, template, context, status=status)
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
        form = LoginForm(request, request.POST)
        if not form.is_valid():
            return _ask(request, form, typed, status=422)
        login(request, form.get_user())
    if kept["data"]:
        request.session[KEPT] = {**request.session.get(KEPT, {}), kept["page"]: kept["data"]}
    return redirect(kept["page"])


@require_POST
def throw_away(request: HttpRequest) -> HttpResponse:
    """Forgets what was typed on a page of this site, and shows that page as it is without it."""
    page = request.POST.get("page", "")
    if page not in request.session.get(KEPT, {}):
        return redirect("home")
    forget_typed(request, page)
    return redirect(page)
