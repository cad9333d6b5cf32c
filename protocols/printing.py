"""Protocols as files: a signed sheet is drawn once and kept; a document of many is merged from those."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from django.conf import settings

from .half_filled import half_filled_form
from .hiding import without_extra
from .models import Game, Protest, SignedSheet
from .models.documents import Document
from .pdf import form_pdf, merge
from .protest_selectors import protests_by_game, protests_of
from .protest_words import with_protests
from .selectors import records_of
from .services import documents
from .sheet_check import check_of
from .sheet_view import Form, Signature, form_of

AT_ONCE = 100  # sheets; merging so many takes half a second, which a request may take
TELL_EVERY = 0.5  # seconds between two words on how far a document is


def signed_form(signed: SignedSheet, protests: Iterable[Protest] = ()) -> Form:
    """The form of a signed sheet, with its electronic signature and the code that proves it.

    `protests` stand in its box beside what was signed: a signed protocol still takes them (RULES §8).
    """
    signature = Signature(signed.data["signature"]["name"], signed.signed_at)
    return form_of(with_protests(signed.sheet, protests, signed), signature, check=check_of(signed.sha256))


def public_form(signed: SignedSheet, protests: Iterable[Protest] = ()) -> Form:
    """The same without extra points, while these are hidden."""
    signature = Signature(signed.data["signature"]["name"], signed.signed_at)
    sheet = with_protests(without_extra(signed.sheet, signed.rules), protests, signed)
    return form_of(sheet, signature, check=check_of(signed.sha256))


def file_of(signed: SignedSheet, protests: Sequence[Protest] | None = None) -> Path:
    """The PDF of a signed sheet: drawn at the first asking, and the same bytes ever after, whatever a release draws.

    It lies in MEDIA_ROOT under the seal of the sheet; one with protests in its box is another file, and stays, too.
    `protests` are those of its game, where they have been read already.
    """
    protests = list(protests_of(signed.game)) if protests is None else protests
    path = _path_of(signed, protests)
    if not path.exists():
        keep(path, form_pdf(signed_form(signed, protests)))
    return path


def _path_of(signed: SignedSheet, protests: Sequence[Protest]) -> Path:
    name = seal = signed.sha256
    if protests:
        told = with_protests(signed.sheet, protests, signed).protest
        name = f"{seal}-{sha256(told.encode()).hexdigest()[:16]}"
    return Path(settings.MEDIA_ROOT) / "sheets" / seal[:2] / f"{name}.pdf"


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
    sheets = SignedSheet.objects.in_bulk(document.sheets)
    protests = protests_by_game([each.game_id for each in sheets.values()])
    found = [sheets[key] for key in document.sheets if key in sheets]
    paths = [_path_of(each, protests.get(each.game_id, [])) for each in found]
    if len(paths) != document.total or not all(path.exists() for path in paths):
        return False
    keep(document.path, merge(path.read_bytes() for path in paths))
    documents.finish(document)
    return True


def _signed(document: Document) -> Iterator[bytes]:
    for key in document.sheets:
        yield file_of(SignedSheet.objects.select_related("game").get(pk=key)).read_bytes()


def _half_filled(document: Document) -> Iterator[bytes]:
    games = Game.objects.select_related("tournament", "stage").in_bulk(document.games)
    records = records_of(list(games.values()))
    for key in document.games:
        yield form_pdf(half_filled_form(records[key]))
