"""Protocols as files: a signed sheet is drawn once and kept, a draft is drawn as it stands."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from django.conf import settings

from .models import SignedSheet
from .pdf import form_pdf
from .sheet_view import Form, Signature, form_of


def signed_form(signed: SignedSheet) -> Form:
    """The form of a signed sheet, with its electronic signature."""
    return form_of(signed.sheet, Signature(signed.data["signature"]["name"], signed.signed_at))


def file_of(signed: SignedSheet) -> Path:
    """The PDF of a signed sheet: drawn at the first asking, and the same bytes ever after, whatever a release draws.

    It lies in MEDIA_ROOT under the seal of the sheet.
    """
    path = Path(settings.MEDIA_ROOT) / "sheets" / signed.sha256[:2] / f"{signed.sha256}.pdf"
    if not path.exists():
        keep(path, form_pdf(signed_form(signed)))
    return path


def keep(path: Path, data: bytes) -> None:
    """Writes a whole file or none; whoever was first stays, where two draw the same at once."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".new-", delete=False) as fresh:
        fresh.write(data)
        fresh.flush()
        os.fsync(fresh.fileno())
    try:
        if not path.exists():
            Path(fresh.name).replace(path)
    finally:
        Path(fresh.name).unlink(missing_ok=True)
