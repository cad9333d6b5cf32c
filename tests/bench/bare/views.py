"""The one view, and its address."""

import uuid

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from .models import Mark, Table

NICKNAMES = ("Астра", "Барс", "Гром", "Дельта", "Ёлка", "Жара", "Зенит", "Искра", "Йод", "Комета")


def tap(request: HttpRequest, pk: int) -> HttpResponse:
    """One UPDATE, one INSERT, ten seats."""
    revision, seat = int(request.POST["revision"]), int(request.POST["seat"])
    with transaction.atomic():
        if not Table.objects.filter(pk=pk, revision=revision).update(revision=revision + 1):
            return HttpResponse(status=409)
        Mark.objects.create(table_id=pk, revision=revision + 1, uuid=uuid.UUID(request.POST["uuid"]), seat=seat)
    seats = list(enumerate(NICKNAMES, start=1))
    return render(request, "_ten_seats.html", {"revision": revision + 1, "seats": seats, "last": seat})


urlpatterns = [path("tables/<int:pk>/marks/", tap)]
