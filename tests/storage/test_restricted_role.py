"""The role that the site runs as on PostgreSQL can't change or delete what is written once, triggers or not."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from protocols.management.commands.restrict_role import grants

pytestmark = pytest.mark.django_db


def test_every_table_that_is_written_once_is_named() -> None:
    out = StringIO()
    call_command("restrict_role", "mafia_app", stdout=out)
    revoked = [line.split()[5] for line in out.getvalue().splitlines() if line.startswith("REVOKE")]
    assert {"protocols_entry", "protocols_signedsheet", "protocols_auditrow", "scoring_playerpenalty"} <= set(revoked)
    assert "GRANT UPDATE (reopen_reason, reopened_by_id, superseded_at) ON protocols_signedsheet TO mafia_app;" in (
        out.getvalue().splitlines()
    )


def test_what_is_no_role_is_refused() -> None:
    with pytest.raises(CommandError):
        call_command("restrict_role", "x; DROP TABLE protocols_entry")


def test_the_role_adds_and_reads_and_changes_nothing() -> None:
    if connection.vendor != "postgresql":
        assert grants("mafia_app")[0] == "GRANT USAGE ON SCHEMA public TO mafia_app;"  # SQLite knows no roles
        return
    with connection.cursor() as cursor:
        cursor.execute("CREATE ROLE mafia_app")
        for line in grants("mafia_app"):
            cursor.execute(line)
        cursor.execute("SET ROLE mafia_app")
        cursor.execute("INSERT INTO protocols_auditrow (at, view, path, address, agent, \"table\", what, rows, words) "
                       "VALUES (now(), 'x', '/', '', '', 't', 'added', '[]', '')")  # fmt: skip
        cursor.execute("SELECT count(*) FROM protocols_auditrow")
        assert cursor.fetchone() == (1,)
    refused = []
    for sql in ("UPDATE protocols_auditrow SET path = ''", "DELETE FROM protocols_auditrow",
                "TRUNCATE protocols_auditrow", "DELETE FROM protocols_entry",
                "UPDATE protocols_signedsheet SET sha256 = ''"):  # fmt: skip
        with pytest.raises(DatabaseError) as error, transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(sql)
        refused.append("permission denied" in str(error.value))
    assert refused == [True] * 5
    with connection.cursor() as cursor:
        cursor.execute("UPDATE protocols_signedsheet SET superseded_at = now() WHERE id = 0")
        cursor.execute("RESET ROLE")
