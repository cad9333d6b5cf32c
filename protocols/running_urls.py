"""Addresses of a tournament that runs: rounds, judges, the board of tables, the audit log."""

from django.urls import path

from protocols.views import audit, changes, rounds, tables

urlpatterns = [
    path("t/<slug:slug>/rounds/", rounds.rounds, name="rounds"),
    path("t/<slug:slug>/rounds/<int:stage>/<int:number>/", rounds.round_page, name="round"),
    path("t/<slug:slug>/rounds/changes/", changes.changes, name="changes"),
    path("t/<slug:slug>/audit/", audit.audit, name="audit"),
    path("t/<slug:slug>/audit.csv", audit.audit_csv, name="audit-csv"),
    path("t/<slug:slug>/audit.json", audit.audit_json, name="audit-json"),
    path("t/<slug:slug>/tables/", tables.page, name="tables"),
    path("t/<slug:slug>/tables/state/", tables.state, name="tables-state"),
]
