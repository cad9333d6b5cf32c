"""A table with its revision, and the marks made at it."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class Table(models.Model):
    """Where the revision is claimed."""

    revision = models.IntegerField(default=0)

    objects: ClassVar[models.Manager[Table]] = models.Manager()

    class Meta:
        app_label = "bare"

    def __str__(self) -> str:
        return str(self.pk)


class Mark(models.Model):
    """One row a tap."""

    table = models.ForeignKey(Table, models.PROTECT)
    revision = models.IntegerField()
    uuid = models.UUIDField(unique=True)
    seat = models.IntegerField()
    recorded_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[models.Manager[Mark]] = models.Manager()

    class Meta:
        app_label = "bare"
        constraints = [models.UniqueConstraint(fields=["table", "revision"], name="bare_revision")]

    def __str__(self) -> str:
        return str(self.uuid)
