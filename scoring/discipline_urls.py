"""Addresses of the register of discipline."""

from django.urls import URLPattern, URLResolver, path

from . import discipline_views

urlpatterns: list[URLPattern | URLResolver] = [
    path("t/<slug:slug>/discipline/", discipline_views.discipline, name="discipline"),
]
