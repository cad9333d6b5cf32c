"""Name and password; where too many were wrong, the form says when to try again."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from axes.models import AccessAttempt
from django import forms
from django.conf import settings
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.forms import AuthenticationForm
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _


class LoginForm(AuthenticationForm):
    """The form of the login page, and of the page that asks for the login again."""

    def get_invalid_login_error(self) -> forms.ValidationError:
        """What is wrong: name or password, or that too many have been tried."""
        return locked_error(self) or super().get_invalid_login_error()


class AdminLoginForm(AdminAuthenticationForm):
    """The same for Django's own admin."""

    def get_invalid_login_error(self) -> forms.ValidationError:
        """What is wrong: name or password, or that too many have been tried."""
        return locked_error(self) or super().get_invalid_login_error()


def locked_error(form: AuthenticationForm) -> forms.ValidationError | None:
    """Until when this name is locked from this address; None where it is not."""
    request: Any = form.request
    if not getattr(request, "axes_locked_out", False):
        return None
    username = (form.cleaned_data.get("username") or "")[:150]  # as it is counted
    last = (
        AccessAttempt.objects.filter(username=username, ip_address=request.axes_ip_address)
        .order_by("-attempt_time")
        .values_list("attempt_time", flat=True)
        .first()
    )
    until = (last or timezone.now()) + settings.AXES_COOLOFF_TIME
    minutes = max(1, -(-(until - timezone.now()) // timedelta(minutes=1)))
    words = {
        "username": username,
        "time": date_format(timezone.localtime(until), "H:i"),
        "minutes": minutes,
    }
    return forms.ValidationError(
        _(
            "Too many wrong passwords for “%(username)s” from here. Try again in %(minutes)d min, at %(time)s. "
            "Whoever is logged in already stays logged in."
        )
        % words,
        code="locked",
    )
