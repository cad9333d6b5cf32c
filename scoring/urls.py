"""Addresses of standings and exports."""

from django.urls import URLPattern, URLResolver, path

from . import views

urlpatterns: list[URLPattern | URLResolver] = [
    path("t/<slug:slug>/standings/", views.standings_page, name="standings"),
    path("t/<slug:slug>/standings.pdf", views.standings_pdf, name="standings-pdf"),
    path("t/<slug:slug>/standings/paper/", views.standings_paper, name="standings-paper"),
    path("t/<slug:slug>/players/<int:pk>/", views.player_page, name="player"),
    path("t/<slug:slug>/lots/", views.draw_lot, name="draw-lots"),
]
