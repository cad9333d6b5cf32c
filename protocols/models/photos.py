"""Photos of papers that were signed by hand, attached to a sheet."""

from __future__ import annotations

import uuid
from pathlib import Path

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .sheets import SignedSheet
from .written_once import WrittenOnce, WrittenOnceManager


class SheetPhoto(WrittenOnce):
    """A photo of the paper of a signed sheet: written anew as JPEG, without what a camera tells beside the picture."""

    objects = WrittenOnceManager["SheetPhoto"]()

    uuid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    sheet = models.ForeignKey(SignedSheet, models.PROTECT, related_name="photos", verbose_name=_("signed sheet"))
    sha256 = models.CharField(max_length=64)
    width = models.PositiveIntegerField(_("width"))  # pixels
    height = models.PositiveIntegerField(_("height"))
    attached_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("attached by")
    )
    attached_at = models.DateTimeField(_("attached at"))

    class Meta:
        verbose_name = _("photo of a paper")
        verbose_name_plural = _("photos of papers")
        ordering = ["sheet", "attached_at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["sheet", "sha256"], name="sheet_has_a_photo_once"),
        ]

    def __str__(self) -> str:
        return f"{self.sheet} · {self.uuid}"

    @property
    def path(self) -> Path:
        """Where its file lies."""
        return Path(settings.MEDIA_ROOT) / "photos" / f"{self.uuid}.jpg"
