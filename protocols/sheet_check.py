"""The short code of a signed sheet, and the drawing by which a phone finds the page that tells whether it holds.

The code is the beginning of the sheet's SHA-256, so whoever has the record can work it out without this site.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import segno
from django.conf import settings
from django.urls import reverse

CODE, SEAL = 12, 64  # hex digits of the code, and of the whole SHA-256
GROUP = 4
QUIET = 4  # modules of white around the drawing, without which a camera may miss it

# What is taken for a digit on paper, and what a Russian keyboard gives in the place of one.
_MISREAD = str.maketrans("oil|sz" + "оавсезб", "011152" + "0abce36")
_BETWEEN = str.maketrans("", "", " \t\r\n\N{NO-BREAK SPACE}-–—·.")


@dataclass(frozen=True)
class Check:
    """What a signed sheet carries for its proof."""

    code: str  # in groups
    address: str  # where the code may be typed, without the scheme
    drawing: str  # the path of a QR's dark modules, one unit each
    box: str  # its view box, the quiet zone in it


def code_of(sha256: str) -> str:
    """The code as it stands in an address: twelve hex digits."""
    return sha256[:CODE]


def in_groups(code: str) -> str:
    """The code as it is printed: «7F3A 91BC 04E2»."""
    return " ".join(code[start : start + GROUP] for start in range(0, len(code), GROUP)).upper()


def read_code(typed: str) -> str | None:
    """The code that somebody typed or read aloud: spaces, case and look-alikes forgiven; None where it is none.

    More digits than a code has, up to the whole SHA-256, are a code too.
    """
    code = typed.translate(_BETWEEN).lower().translate(_MISREAD)
    is_code = CODE <= len(code) <= SEAL and set(code) <= set("0123456789abcdef")
    return code if is_code else None


def check_of(sha256: str) -> Check:
    """What the sheet under that seal carries; its drawing holds the address of its page on this site (SITE_URL)."""
    return _check(code_of(sha256), settings.SITE_URL)


@lru_cache(maxsize=512)
def _check(code: str, site: str) -> Check:
    drawn = segno.make_qr(site + reverse("check", args=[code]), error="m")
    size = len(drawn.matrix) + 2 * QUIET
    return Check(
        code=in_groups(code),
        address=site.partition("://")[2] + reverse("check-form"),
        drawing="".join(_runs(row, y) for y, row in enumerate(drawn.matrix, start=QUIET)),
        box=f"0 0 {size} {size}",
    )


def _runs(row: bytearray, y: int) -> str:
    """The dark modules of a row, each run one box, a hair higher than the row so that no seam shows."""
    found, x = [], 0
    while x < len(row):
        end = x
        while end < len(row) and row[end]:
            end += 1
        if end > x:
            found.append(f"M{x + QUIET} {y}h{end - x}v1.02h-{end - x}z")
        x = max(end, x + 1)
    return "".join(found)
