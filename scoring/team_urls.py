"""Addresses of teams."""

from django.urls import path

from . import export_views, team_views

urlpatterns = [
    path("t/<slug:slug>/teams/", export_views.teams_page, name="teams"),
    path("t/<slug:slug>/teams.pdf", export_views.paper, {"kind": "teams"}, name="teams-pdf"),
    path("t/<slug:slug>/teams/paper/", export_views.waiting, {"kind": "teams"}, name="teams-paper"),
    path("t/<slug:slug>/teams.csv", export_views.teams_csv, name="teams-csv"),
    path("t/<slug:slug>/teams/edit/", team_views.teams_edit, name="teams-edit"),
    path("t/<slug:slug>/teams/paste/", team_views.teams_paste, name="teams-paste"),
    path("t/<slug:slug>/teams/<int:pk>/edit/", team_views.team_edit, name="team-edit"),
]
