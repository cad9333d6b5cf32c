"""A photo of a hand-signed paper is looked at, written anew and kept."""

from __future__ import annotations

import hashlib
import io
import os
from uuid import uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from PIL import Image, ImageOps

from ..models import Game, SheetPhoto, SignedSheet
from .errors import Invalid

FORMATS = ("JPEG", "PNG", "WEBP")  # by what is inside, whatever the file is called
MOST_BYTES = 4_500_000
MOST_PIXELS = 60_000_000
LONGEST_SIDE = 2400  # pixels; larger pictures are made smaller
MOST_PHOTOS = 6  # of a sheet
QUALITY = 85


def attach_photo(game: Game, raw: bytes, *, by: User) -> SheetPhoto:
    """Attaches the picture to the game's sheet in force. Raises Invalid for what is no picture, or too big."""
    if len(raw) > MOST_BYTES:
        raise Invalid(_("The file is too big: at most %(most)d MB.") % {"most": MOST_BYTES // 1_000_000})
    content, (width, height) = _anew(raw)
    digest = hashlib.sha256(content).hexdigest()
    with transaction.atomic():
        held = Game.objects.select_for_update().get(pk=game.pk)
        sheet = SignedSheet.objects.filter(game=held, superseded_at=None).first()
        if sheet is None:
            raise Invalid(_("The protocol is not signed: there is no sheet to attach a photo to."))
        known = SheetPhoto.objects.filter(sheet=sheet)
        if known.filter(sha256=digest).exists():
            raise Invalid(_("This photo is attached already."))
        if known.count() >= MOST_PHOTOS:
            raise Invalid(_("A sheet has at most %(most)d photos.") % {"most": MOST_PHOTOS})
        photo = SheetPhoto(
            uuid=uuid4(), sheet=sheet, sha256=digest, width=width, height=height, attached_by=by,
            attached_at=timezone.now(),
        )  # fmt: skip
        photo.save()
        photo.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with photo.path.open("xb") as file:  # before the row is there for others; a lost one is only a lost file
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    return photo


def _anew(raw: bytes) -> tuple[bytes, tuple[int, int]]:
    """The picture alone as JPEG, upright, with its size; whatever a camera wrote beside it is gone."""
    refused = Invalid(_("This is no picture: a JPEG, PNG or WebP is taken."))
    try:
        with Image.open(io.BytesIO(raw), formats=FORMATS) as picture:
            if picture.width * picture.height > MOST_PIXELS:
                raise Invalid(_("The picture has too many pixels."))
            picture.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
            upright = ImageOps.exif_transpose(picture).convert("RGB")
    except Invalid:
        raise
    except Exception:  # a broken file may raise whatever its decoder does
        raise refused from None
    upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    bare = Image.new("RGB", upright.size)
    bare.paste(upright)
    out = io.BytesIO()
    bare.save(out, "JPEG", quality=QUALITY, optimize=True)
    return out.getvalue(), bare.size
