"""Addresses of a tournament that runs: rounds, judges, the board of tables, the audit log."""

from django.urls import path

from protocols.views import audit, changes, photos, rounds, tables

urlpatterns = [
    path("t/<slug:slug>/rounds/", rounds.rounds, name="rounds"),
    path("t/<slug:slug>/rounds/<int:stage>/<int:number>/", rounds.round_page, name="round"),
    path("t/<slug:slug>/rounds/changes/", changes.changes, name="changes"),
    path("games/<uuid:uuid>/photos/", photos.photos, name="photos"),
    path("games/<uuid:uuid>/photos/attach/", photos.attach, name="photo-attach"),
    path("games/<uuid:uuid>/photos/<uuid:key>.jpg", photos.photo, name="photo"),
    path("t/<slug:slug>/audit/", audit.audit, name="audit"),
    path("t/<slug:slug>/audit.csv", audit.audit_csv, name="audit-csv"),
    path("t/<slug:slug>/audit.json", audit.audit_json, name="audit-json"),
    path("t/<slug:slug>/tables/", tables.page, name="tables"),
    path("t/<slug:slug>/tables/state/", tables.state, name="tables-state"),
]
