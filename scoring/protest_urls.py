"""Addresses of the desk's protests and of what waits for an answer."""

from django.urls import URLPattern, URLResolver, path

from . import protest_views, queue_views

urlpatterns: list[URLPattern | URLResolver] = [
    path("t/<slug:slug>/protests/<uuid:uuid>/", protest_views.protest, name="protest"),
    path("t/<slug:slug>/queue/", queue_views.queue, name="tournament-queue"),
    path("waiting/", queue_views.count, name="waiting"),
]
