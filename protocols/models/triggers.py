"""Triggers that keep rows written once as they were written, whoever speaks to the database.

They are set after every `migrate`, because SQLite drops a table's triggers when a migration builds it anew.
TRUNCATE on PostgreSQL is not held back: emptying a table needs its owner and leaves no doubt.
"""

from __future__ import annotations

from django.apps import AppConfig, apps
from django.db import connections, models
from django.db.backends.base.base import BaseDatabaseWrapper

from .written_once import WrittenOnce

EVENTS = ("update", "delete")
FUNCTION = (
    "CREATE OR REPLACE FUNCTION protocols_written_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
    " RAISE EXCEPTION '% is written once', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';"
    " END $$"
)


def guarded(app_label: str | None = None) -> list[type[models.Model]]:
    """The models whose rows are written once, of one app or of all."""
    return [
        model
        for model in apps.get_models()
        if issubclass(model, WrittenOnce) and not model._meta.proxy and app_label in (None, model._meta.app_label)
    ]


def install_after_migrate(sender: AppConfig, using: str, **facts: object) -> None:
    """Sets the triggers of an app's tables after a migration; emptying the tables, which sends no plan, sets none."""
    if "plan" in facts:
        install(connections[using], guarded(sender.label))


def install(
    connection: BaseDatabaseWrapper, tables: list[type[models.Model]] | None = None, events: tuple[str, ...] = EVENTS
) -> None:
    """Sets the triggers; those already there are set anew."""
    tables = guarded() if tables is None else tables
    remove(connection, tables, events)
    with connection.cursor() as cursor:
        if tables and connection.vendor == "postgresql":
            cursor.execute(FUNCTION)
        for model in tables:
            for event in events:
                cursor.execute(_trigger(connection.vendor, model, event))


def remove(
    connection: BaseDatabaseWrapper, tables: list[type[models.Model]] | None = None, events: tuple[str, ...] = EVENTS
) -> None:
    """Takes the triggers of these events away."""
    with connection.cursor() as cursor:
        for model in guarded() if tables is None else tables:
            table = model._meta.db_table
            for event in events:
                on = f" ON {table}" if connection.vendor == "postgresql" else ""
                cursor.execute(f"DROP TRIGGER IF EXISTS {table}_no_{event}{on}")


def _trigger(vendor: str, model: type[models.Model], event: str) -> str:
    table, what = model._meta.db_table, event.upper()
    changeable: frozenset[str] = getattr(model, "changeable", frozenset())
    if event == "update" and changeable:
        what += " OF " + ", ".join(
            f.column for f in model._meta.concrete_fields if f.column and f.name not in changeable
        )
    head = f"CREATE TRIGGER {table}_no_{event} BEFORE {what} ON {table} FOR EACH ROW"
    if vendor == "postgresql":
        return f"{head} EXECUTE FUNCTION protocols_written_once()"
    return f"{head} BEGIN SELECT RAISE(ABORT, '{table} is written once'); END"
