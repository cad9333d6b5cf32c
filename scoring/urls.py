"""Addresses of standings and exports."""

from django.urls import URLPattern, URLResolver, path

from . import archive_views, qualifying_views, views

urlpatterns: list[URLPattern | URLResolver] = [
    path("t/<slug:slug>/standings/", views.standings_page, name="standings"),
    path("t/<slug:slug>/standings.pdf", views.standings_pdf, name="standings-pdf"),
    path("t/<slug:slug>/standings/paper/", views.standings_paper, name="standings-paper"),
    path("t/<slug:slug>/players/<int:pk>/", views.player_page, name="player"),
    path("t/new/archive/", archive_views.from_archive, name="archive-upload"),
    path("t/<slug:slug>/archive.zip", archive_views.archive, name="archive"),
    path("t/<slug:slug>/qualifying/", qualifying_views.qualifying, name="qualifying"),
    path("t/<slug:slug>/lots/", views.draw_lot, name="draw-lots"),
]
