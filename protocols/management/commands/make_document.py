"""Makes the documents that wait: one process at a time, whoever starts it how often."""

from __future__ import annotations

import argparse
import logging
import time
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext

from ...models.documents import Document
from ...printing import make
from ...services import documents

PATIENCE = 10  # attempts to get the lock, a tenth of a second apart: a page may just be looking at it

log = logging.getLogger(__name__)


class Command(BaseCommand):
    """Started by the site when somebody asks for a document; ends when none waits, or at once where one is at work."""

    help = "Make the documents that wait, or one of them again."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Which document to make even if it is ready."""
        parser.add_argument("uuid", nargs="?", type=UUID, help="a document to make (again); otherwise all that wait")

    def handle(self, *, uuid: UUID | None, **options: Any) -> None:
        """Makes one after the other, as long as any waits."""
        for _attempt in range(PATIENCE):
            with documents.at_work() as is_ours:
                if is_ours:
                    self._work(uuid)
                    return
            time.sleep(0.1)

    def _work(self, uuid: UUID | None) -> None:
        if uuid is not None:
            try:
                make(Document.objects.get(uuid=uuid))
            except Document.DoesNotExist:
                raise CommandError(gettext("There is no such document.")) from None
            return
        while document := documents.next_to_make():
            try:
                make(document)
            except Exception:
                log.exception("document %s could not be made", document.uuid)
                documents.give_up(document)
