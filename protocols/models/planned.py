"""Statements that are asked over and over, planned once a connection where the database plans.

Django writes values into the text of a statement before PostgreSQL sees it, so that each is a new one: planning the
read of a game takes four times as long as the read. SQLite's own cache knows a statement again by its text.
"""

from __future__ import annotations

import psycopg
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper


def planning_once(connection: BaseDatabaseWrapper) -> CursorWrapper:
    """Django's cursor; on PostgreSQL one that sends values apart from the text, which is then soon prepared there.

    After how many times is the connection's `prepare_threshold`. A value is of the type that Python says, so what the
    statement can't tell by itself needs a cast. While statements are logged, they are written out in full.
    """
    cursor = connection.cursor()
    if connection.vendor == "postgresql" and not connection.queries_logged:
        cursor.cursor = psycopg.Cursor(cursor.cursor.connection)
    return cursor
