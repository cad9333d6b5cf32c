"""The clock of a table: read every second or two by every screen that shows it, set by whoever writes the record."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from .. import access
from ..board.timing import clock_of, milliseconds
from ..models import Game
from ..services.clock import Setting, set_clock
from ..services.errors import Invalid

MOST = 10**14  # ms since 1970; the year 5138


class SettingForm(forms.Form):
    """A deadline, or what is left; times in milliseconds since 1970, by the server's clock."""

    entry = forms.UUIDField()
    deadline = forms.IntegerField(required=False, min_value=0, max_value=MOST)
    left = forms.IntegerField(required=False)
    changed = forms.IntegerField(min_value=0, max_value=MOST)

    def setting(self) -> Setting:
        """The setting; only for a form that is valid."""
        data = self.cleaned_data
        deadline = data["deadline"]
        return Setting(
            data["entry"], None if deadline is None else _time(deadline), data["left"], _time(data["changed"])
        )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def clock(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The clock as it stands, after what a device set."""
    if request.method != "POST":
        return _told(access.judged_game(request.user, uuid))
    game = access.writable_game(request.user, uuid)
    form = SettingForm(request.POST)
    if not form.is_valid():
        return JsonResponse({"errors": form.errors}, status=422)
    try:
        game.clock = set_clock(game, form.setting())
    except Invalid as error:
        return JsonResponse({"errors": error.messages}, status=422)
    return _told(game)


def _told(game: Game) -> JsonResponse:
    return JsonResponse({"now": milliseconds(timezone.now()), "revision": game.revision, "clock": clock_of(game)})


def _time(milliseconds_since_1970: int) -> datetime:
    return datetime.fromtimestamp(milliseconds_since_1970 / 1000, UTC)
