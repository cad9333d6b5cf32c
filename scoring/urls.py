"""Addresses of standings and exports."""

from django.urls import URLPattern, URLResolver, include, path

from . import archive_views, export_views, merge_views, qualifying_views, registration_views, roster_views, views

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("scoring.cut_urls")),
    path("", include("scoring.protest_urls")),
    path("", include("scoring.discipline_urls")),
    path("", include("scoring.team_urls")),
    path("", include("scoring.season_urls")),
    path("t/<slug:slug>/standings/", views.standings_page, name="standings"),
    path("t/<slug:slug>/standings.pdf", export_views.paper, {"kind": "standings"}, name="standings-pdf"),
    path("t/<slug:slug>/standings/paper/", export_views.waiting, {"kind": "standings"}, name="standings-paper"),
    path("t/<slug:slug>/standings.csv", export_views.standings_csv, name="standings-csv"),
    path("t/<slug:slug>/standings.xlsx", export_views.workbook, name="standings-xlsx"),
    path("t/<slug:slug>/standings.json", export_views.data, name="standings-json"),
    path("t/<slug:slug>/games.pdf", export_views.paper, {"kind": "games"}, name="games-pdf"),
    path("t/<slug:slug>/games/paper/", export_views.waiting, {"kind": "games"}, name="games-paper"),
    path("t/<slug:slug>/games.csv", export_views.games_csv, name="games-csv"),
    path("t/<slug:slug>/nominations/", export_views.nominations_page, name="nominations"),
    path("t/<slug:slug>/nominations.pdf", export_views.paper, {"kind": "nominations"}, name="nominations-pdf"),
    path("t/<slug:slug>/players/<int:pk>/", views.player_page, name="player"),
    path("t/new/archive/", archive_views.from_archive, name="archive-upload"),
    path("t/<slug:slug>/archive.zip", archive_views.archive, name="archive"),
    path("t/<slug:slug>/qualifying/", qualifying_views.qualifying, name="qualifying"),
    path("t/<slug:slug>/participants/list/", roster_views.roster, name="roster"),
    path("t/<slug:slug>/participants/registration/", registration_views.registration, name="registration"),
    path("t/<slug:slug>/participants/merge/", merge_views.merge_page, name="merge"),
    path("t/<slug:slug>/lots/", views.draw_lot, name="draw-lots"),
]
