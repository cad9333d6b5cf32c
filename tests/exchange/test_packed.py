"""Zips from strangers: what is no sound one is said to be so, and nothing is unpacked beyond its bound."""

from __future__ import annotations

import io
import zipfile
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocols.exchange import archive
from protocols.exchange.packed import Packed, Spoilt
from protocols.exchange.reading import Unreadable
from protocols.exchange.roster import NoList
from protocols.exchange.roster_files import text_of

TEXT = b'{"format": "sports-mafia-tournament", "version": 3}' * 20
WAYS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)


def zipped(way: int, name: str = archive.MANIFEST) -> bytes:
    """A zip of one part."""
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", way) as file:
        file.writestr(name, TEXT)
    return kept.getvalue()


@pytest.mark.parametrize("way", WAYS)
def test_only_what_is_stored_or_deflated_is_read(way: int) -> None:
    packed = Packed(zipped(way))
    if way in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        assert packed.part(archive.MANIFEST, len(TEXT)) == TEXT
        return
    with pytest.raises(Spoilt):
        packed.part(archive.MANIFEST, len(TEXT))


def test_a_part_is_read_to_one_byte_beyond_its_bound() -> None:
    assert Packed(zipped(zipfile.ZIP_DEFLATED)).part(archive.MANIFEST, 10) == TEXT[:11]


def test_a_part_that_is_not_there_or_is_locked_is_refused() -> None:
    with pytest.raises(Spoilt):
        Packed(zipped(zipfile.ZIP_STORED)).part("other", 10)
    locked = bytearray(zipped(zipfile.ZIP_STORED))
    locked[6] |= 1  # in the part's own header
    locked[locked.index(b"PK\x01\x02") + 8] |= 1  # and in the list at the end
    with pytest.raises(Spoilt):
        Packed(bytes(locked)).part(archive.MANIFEST, 10)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(WAYS), st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 255)), max_size=4))
def test_no_change_of_its_bytes_makes_a_zip_fail_otherwise(way: int, changes: list[tuple[int, int]]) -> None:
    for name in (archive.MANIFEST, "xl/workbook.xml"):
        raw = bytearray(zipped(way, name))
        for place, byte in changes:
            raw[place % len(raw)] = byte
        with suppress(Unreadable):
            archive.read(bytes(raw))
        with suppress(NoList):
            text_of(bytes(raw))
