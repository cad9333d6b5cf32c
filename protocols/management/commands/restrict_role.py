"""The SQL that lets PostgreSQL itself keep the application from changing what is written once."""

from __future__ import annotations

import re
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from protocols.models import triggers

NAME = re.compile(r"[a-z_][a-z0-9_]{0,62}")


class Command(BaseCommand):
    """Prints grants for the role that the site runs as: to records and logs it may add, and nothing else."""

    help = (
        "Prints SQL for PostgreSQL, to be run by the owner of the tables after every migration. ROLE, which the site's "
        "DATABASE_URL names and which owns nothing, may then read and write the site's tables, but not change or "
        "delete what is written once: entries, signed sheets, the audit log. Run migrations and erase_player as owner."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Which role."""
        parser.add_argument("role")

    def handle(self, *args: Any, role: str, **options: Any) -> None:
        """Prints the statements. Raises CommandError for what can't be a role."""
        if not NAME.fullmatch(role):
            raise CommandError(_("A role is called by small Latin letters, digits and “_”."))
        self.stdout.write("\n".join(grants(role)))


def grants(role: str) -> list[str]:
    """The statements, in order."""
    lines = [
        f"GRANT USAGE ON SCHEMA public TO {role};",
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role};",
        f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role};",
    ]
    for model in triggers.guarded():
        table = model._meta.db_table
        changeable: frozenset[str] = getattr(model, "changeable", frozenset())
        lines.append(f"REVOKE UPDATE, DELETE, TRUNCATE ON {table} FROM {role};")
        columns = sorted(str(f.column) for f in model._meta.concrete_fields if f.name in changeable)
        if columns:
            lines.append(f"GRANT UPDATE ({', '.join(columns)}) ON {table} TO {role};")
    return lines
