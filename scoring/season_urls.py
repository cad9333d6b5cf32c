"""Addresses of seasons, and of players across tournaments."""

from django.urls import URLPattern, path

from . import people_views, season_views

urlpatterns: list[URLPattern] = [
    path("seasons/", season_views.seasons_page, name="seasons"),
    path("seasons/new/", season_views.season_new, name="season-new"),
    path("seasons/<slug:slug>/", season_views.season_page, name="season"),
    path("seasons/<slug:slug>/edit/", season_views.season_edit, name="season-edit"),
    path("seasons/<slug:slug>/players/<int:pk>/", season_views.season_player_page, name="season-player"),
    path("seasons/<slug:slug>/season.csv", season_views.season_csv, name="season-csv"),
    path("seasons/<slug:slug>/season.xlsx", season_views.season_workbook, name="season-xlsx"),
    path("seasons/<slug:slug>/season.json", season_views.season_data, name="season-json"),
    path("seasons/<slug:slug>/season.pdf", season_views.season_pdf, name="season-pdf"),
    path("seasons/<slug:slug>/paper/", season_views.season_waiting, name="season-paper"),
    path("players/<int:pk>/", people_views.person_page, name="person"),
]
