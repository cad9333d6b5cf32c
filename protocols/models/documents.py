"""Documents of many protocols, which are made apart from the requests."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .tournament import Stage, Tournament


class DocumentState(models.TextChoices):
    """Where a document stands."""

    WAITING = "waiting", _("waiting for its turn")
    RUNNING = "running", _("being made")
    DONE = "done", _("ready")
    FAILED = "failed", _("could not be made")


class Document(models.Model):
    """All signed protocols of a stage, or of a tournament, as one PDF; or half-filled forms of games under way.

    It holds the sheets in force when it was asked for, in the order of play. `content` is the digest of what it
    holds: the same content is made once. The file is made from other files and may be made again at any time.
    Half-filled forms hold roles: they are `reader`'s alone, who may know those of all these `games`.
    """

    UNFINISHED: ClassVar = (DocumentState.WAITING, DocumentState.RUNNING)

    uuid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="documents")
    stage = models.ForeignKey(Stage, models.CASCADE, null=True, related_name="documents")  # None: every stage
    sheets = models.JSONField()  # keys of the signed sheets, in order
    games = models.JSONField(default=list)  # keys of the games whose forms are half filled, in order
    reader = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="documents")
    content = models.CharField(max_length=64, unique=True)
    state = models.CharField(max_length=8, choices=DocumentState.choices, default=DocumentState.WAITING)
    done = models.PositiveIntegerField(default=0)  # sheets drawn so far
    attempts = models.PositiveSmallIntegerField(default=0)
    asked_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("document")
        verbose_name_plural = _("documents")
        ordering = ["asked_at", "pk"]
        constraints = [
            models.CheckConstraint(
                name="document_has_a_known_state", condition=models.Q(state__in=DocumentState.values)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament} · {self.stage or '—'}"

    @property
    def path(self) -> Path:
        """Where its file lies when it is ready."""
        return Path(settings.MEDIA_ROOT) / "documents" / f"{self.uuid}.pdf"

    @property
    def is_unfinished(self) -> bool:
        """Whether it is still to be made."""
        return self.state in self.UNFINISHED

    @property
    def is_half_filled(self) -> bool:
        """Whether it holds forms of games under way, for one reader."""
        return self.reader_id is not None

    @property
    def total(self) -> int:
        """How many sheets it holds."""
        return len(self.sheets) + len(self.games)
