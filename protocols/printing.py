"""Protocols as files: a signed sheet is drawn once and kept; a document of many is merged from those."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from .half_filled import half_filled_form
from .hiding import without_extra
from .models import Game, SignedSheet
from .models.documents import Document
from .pdf import form_pdf, merge
from .selectors import records_of
from .services import documents
from .sheet_check import check_of
from .sheet_view import Form, Signature, form_of

AT_ONCE = 100  # sheets; merging so many takes half a second, which a request may take
TELL_EVERY = 0.5  # seconds between two words on how far a document is


def signed_form(signed: SignedSheet) -> Form:
    """The form of a signed sheet, with its electronic signature and the code that proves it."""
    signature = Signature(signed.data["signature"]["name"], signed.signed_at)
    return form_of(signed.sheet, signature, check=check_of(signed.sha256))


def public_form(signed: SignedSheet) -> Form:
    """The same without extra points, while these are hidden."""
    signature = Signature(signed.data["signature"]["name"], signed.signed_at)
    return form_of(without_extra(signed.sheet, signed.rules), signature, check=check_of(signed.sha256))


def file_of(signed: SignedSheet) -> Path:
    """The PDF of a signed sheet: drawn at the first asking, and the same bytes ever after, whatever a release draws.

    It lies in MEDIA_ROOT under the seal of the sheet.
    """
    path = _path_of(signed.sha256)
    if not path.exists():
        keep(path, form_pdf(signed_form(signed)))
    return path


def _path_of(seal: str) -> Path:
    return Path(settings.MEDIA_ROOT) / "sheets" / seal[:2] / f"{seal}.pdf"


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


def make(document: Document) -> None:
    """The file of a document: the ready sheets merged, those not yet drawn drawn first; half-filled forms all drawn."""
    parts, told = [], time.monotonic()
    for number, part in enumerate(_half_filled(document) if document.is_half_filled else _signed(document), start=1):
        parts.append(part)
        if time.monotonic() - told > TELL_EVERY:
            documents.report(document, number)
            told = time.monotonic()
    document.path.unlink(missing_ok=True)
    keep(document.path, merge(parts))
    documents.finish(document)


def make_at_once(document: Document) -> bool:
    """Makes a document whose sheets are all drawn, and not too many; whether it did. Nothing is drawn in a request."""
    if document.is_half_filled or not document.is_unfinished or document.total > AT_ONCE:
        return False
    seals = dict(SignedSheet.objects.filter(pk__in=document.sheets).values_list("pk", "sha256"))
    paths = [_path_of(seals[key]) for key in document.sheets if key in seals]
    if len(paths) != document.total or not all(path.exists() for path in paths):
        return False
    keep(document.path, merge(path.read_bytes() for path in paths))
    documents.finish(document)
    return True


def _signed(document: Document) -> Iterator[bytes]:
    for key in document.sheets:
        yield file_of(SignedSheet.objects.get(pk=key)).read_bytes()


def _half_filled(document: Document) -> Iterator[bytes]:
    games = Game.objects.select_related("tournament", "stage").in_bulk(document.games)
    records = records_of(list(games.values()))
    for key in document.games:
        yield form_pdf(half_filled_form(records[key]))
