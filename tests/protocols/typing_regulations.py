"""The form of a regulation filled in as an organizer does: what stands in it, with some of it changed."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.http import HttpResponse
from django.test import Client

from protocols.forms.regulation import RegulationForm
from protocols.models import RegulationVersion, Tournament
from protocols.rules.regulation import Regulation

from .world import PASSWORD


def filled(start: Regulation, **changes: Any) -> dict[str, Any]:
    """What a browser would send of the form that begins with `start`; an empty text empties a field."""
    form = RegulationForm(start=start)
    sent: dict[str, Any] = {"name": "Свой регламент"}
    for name in form.fields:
        value = changes.get(name, form[name].value())
        if isinstance(value, bool):
            sent |= {name: "on"} if value else {}
        elif isinstance(value, Decimal):
            sent[name] = str(value).replace(".", ",")
        elif value not in (None, ""):
            sent[name] = value
    return sent | {name: value for name, value in changes.items() if name in ("name", "from", "stage")}


def send(tournament: Tournament, sent: dict[str, Any], *, who: str = "organizer") -> HttpResponse:
    """The answer to the form."""
    client = Client()
    assert client.login(username=who, password=PASSWORD)
    response: HttpResponse = client.post(f"/t/{tournament.slug}/regulation/edit/", sent)  # type: ignore[assignment]
    return response


def type_regulation(tournament: Tournament, start: Regulation, **changes: Any) -> RegulationVersion:
    """The regulation that the tournament, or the stage named, has once the form is sent."""
    response = send(tournament, {**filled(start, **changes), "from": start.code})
    assert response.status_code == 302, response.context["form"].errors  # type: ignore[attr-defined]
    tournament.refresh_from_db()
    return RegulationVersion.objects.filter(tournament=tournament).order_by("-created_at")[0]
