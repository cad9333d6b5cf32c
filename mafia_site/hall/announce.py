"""Says on the terminal where the site is: as text, and as QR codes for a phone's camera."""

from __future__ import annotations

import os
import sys
from itertools import zip_longest

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mafia_site.settings")

APART = 4  # columns between the two codes
WHITE_ON_BLACK, PLAIN = "\033[97;40m", "\033[0m"


def announcement(*, is_new_authority: bool, in_colour: bool) -> str:
    """The addresses, the two codes side by side, and what a new phone has to do first."""
    from django.conf import settings
    from django.utils.translation import gettext as _

    from .phones import fingerprint, qr_lines

    site, door = f"{settings.HALL_SITE}/", f"{settings.HALL_DOOR}/hall/"
    left, right = qr_lines(door), qr_lines(site)
    once, always = _("A new phone, once:"), _("The site:")
    width = max(len(left[0]), len(once), len(door)) + APART
    lines = ["", f"{once:<{width}}{always}", f"{door:<{width}}{site}", ""]
    for first, second in zip_longest(left, right, fillvalue=""):
        gap = " " * (width - len(first))
        lines.append(f"{_coloured(first, in_colour)}{gap}{_coloured(second, in_colour)}".rstrip())
    lines += ["", _("SHA-256 of the certificate: %(fingerprint)s") % {"fingerprint": fingerprint()}]
    if is_new_authority:
        lines.append(_("The certificate is new: every phone has to be told once to trust it."))
    if _has_demo_logins():
        lines.append(_("The demo’s logins work here as well, for everybody in the hall who knows their password."))
    return "\n".join([*lines, _("Ctrl+C stops it; all data stays."), ""])


def _has_demo_logins() -> bool:
    from protocols.demo.tournament import working_logins

    return bool(working_logins())


def _coloured(line: str, in_colour: bool) -> str:
    return f"{WHITE_ON_BLACK}{line}{PLAIN}" if in_colour and line else line


if __name__ == "__main__":
    django.setup()
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    sys.stdout.write(announcement(is_new_authority="new" in sys.argv, in_colour=sys.stdout.isatty()) + "\n")
