"""A zip from a stranger: read in memory, part by part, within a bound, and never unpacked to disk.

Parts are stored or deflated, as every writer of archives and workbooks makes them; other ways of packing are not
tried, so that what can go wrong is what is listed here.
"""

from __future__ import annotations

import io
import zipfile
import zlib

TAKEN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_LOCKED = 0x1  # of a part's flags

_SPOILT = (
    zipfile.BadZipFile,  # no zip, half of one, or a part whose checksum differs
    zlib.error,  # a part that inflates to nothing sensible
    EOFError,  # a part that ends too soon
    NotImplementedError,  # a zip newer than the reader, or a patch of another
    ValueError,  # a part that would lie before the beginning
)
"""What zipfile raises for bytes in memory that are no sound zip."""


class Spoilt(Exception):
    """These bytes are no zip, or the part asked for is not there, is locked, or can't be read."""


class Packed:
    """The parts of a zip by their names."""

    def __init__(self, raw: bytes) -> None:
        """Raises Spoilt."""
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(raw))
        except _SPOILT:
            raise Spoilt from None
        self.names = self._zip.namelist()

    def part(self, name: str, most: int) -> bytes:
        """The part's bytes, one more than `most` at the most, whatever the zip says of its size. Raises Spoilt."""
        if name not in self._zip.NameToInfo:
            raise Spoilt
        info = self._zip.getinfo(name)
        if info.compress_type not in TAKEN or info.flag_bits & _LOCKED:
            raise Spoilt
        try:
            with self._zip.open(info) as part:
                return part.read(most + 1)
        except _SPOILT:
            raise Spoilt from None
