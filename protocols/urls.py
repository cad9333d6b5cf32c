"""Addresses of tournaments, games and their protocols."""

from django.urls import URLPattern, URLResolver, path

from protocols.views import public

urlpatterns: list[URLPattern | URLResolver] = [
    path("rules/", public.rules, name="rules"),
]
