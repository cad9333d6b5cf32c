"""A photo of the hand-signed paper: looked at, written anew, seen by whoever may see the whole sheet."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from protocols.models import SheetPhoto
from protocols.services.errors import Invalid
from protocols.services.photos import MOST_BYTES, MOST_PHOTOS, attach_photo
from tests.protocols.world import World, world

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(db: None, settings: object, tmp_path: Path) -> World:
    """The tournament, with media of its own."""
    settings.MEDIA_ROOT = tmp_path  # type: ignore[attr-defined]
    return world()


def picture(kind: str = "JPEG", colour: str = "red", size: tuple[int, int] = (40, 20)) -> bytes:
    """A picture that tells of its camera and lies on its side."""
    out = io.BytesIO()
    exif = Image.Exif()
    exif[0x010F], exif[0x0112] = "Камера судьи", 6  # the maker; turned by 90°
    Image.new("RGB", size, colour).save(out, kind, exif=exif)
    return out.getvalue()


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_picture_is_kept_upright_as_jpeg_without_what_the_camera_wrote(cup: World, kind: str) -> None:
    photo = attach_photo(cup.signed, picture(kind), by=cup.people["judge"])
    with Image.open(photo.path) as kept:
        assert (kept.format, kept.size, dict(kept.getexif())) == ("JPEG", (20, 40), {})
    assert (photo.width, photo.height, photo.sheet_id) == (20, 40, cup.signed.sheet_in_force_id)
    assert "Камера".encode() not in photo.path.read_bytes()


def test_a_large_picture_is_made_smaller(cup: World) -> None:
    photo = attach_photo(cup.signed, picture(size=(4000, 3000)), by=cup.people["judge"])
    assert max(photo.width, photo.height) == 2400


@pytest.mark.parametrize(
    "raw",
    [b"", b"<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>", b"%PDF-1.7", picture()[:200],
     picture("GIF"), b"\xff" * (MOST_BYTES + 1)],
    ids=["empty", "svg", "pdf", "torn", "gif", "big"],
)  # fmt: skip
def test_what_is_no_picture_is_refused(cup: World, raw: bytes) -> None:
    with pytest.raises(Invalid):
        attach_photo(cup.signed, raw, by=cup.people["judge"])
    assert SheetPhoto.objects.count() == 0


def test_a_photo_goes_to_a_signed_sheet_once_and_to_so_many(cup: World) -> None:
    judge = cup.people["judge"]
    with pytest.raises(Invalid, match="не подписан"):
        attach_photo(cup.over, picture(), by=judge)
    for number in range(MOST_PHOTOS):
        attach_photo(cup.signed, picture(size=(10 + number, 10)), by=judge)
    for again in ((10, 10), (99, 10)):
        with pytest.raises(Invalid):
            attach_photo(cup.signed, picture(size=again), by=judge)


def test_the_judge_attaches_it_and_whoever_sees_the_sheet_sees_it(cup: World, client: Client) -> None:
    client.force_login(User.objects.get(username="judge"))
    at = f"/games/{cup.signed.uuid}/photos/"
    sent = SimpleUploadedFile("бланк.jpg", picture(), content_type="text/html")
    assert client.post(f"{at}attach/", {"file": sent}).status_code == 302
    photo = SheetPhoto.objects.get()
    client.logout()
    assert f'src="{at}{photo.uuid}.jpg"' in client.get(at).content.decode()
    answer = client.get(f"{at}{photo.uuid}.jpg")
    told = answer["Content-Type"], answer["X-Content-Type-Options"], answer.status_code
    assert told == ("image/jpeg", "nosniff", 200)
    assert client.get(f"/games/{cup.over.uuid}/photos/{photo.uuid}.jpg").status_code == 404
    cup.tournament.is_public = False
    cup.tournament.save()
    assert client.get(f"{at}{photo.uuid}.jpg").status_code == 404
