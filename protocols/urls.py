"""Addresses of tournaments, games and their protocols."""

from django.urls import URLPattern, URLResolver

app_name = "protocols"
urlpatterns: list[URLPattern | URLResolver] = []
