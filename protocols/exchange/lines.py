"""Words as they are stored and printed: nothing in them that can't be seen, and nothing that turns the line round."""

from __future__ import annotations

import unicodedata

JOINERS = "\u200c\u200d"  # part of some letters and of many emoji, and invisible anywhere else


def line_written(text: str) -> str:
    """The text as it stands on one line: composed letters (NFC), single spaces, no invisible control characters.

    >>> line_written("  Ёлка \\t 7 "), line_written("Кубок\\u202eйонёмЗ\\u200b\\n")
    ('Ёлка 7', 'КубокйонёмЗ')
    """
    kept = ""
    for c in unicodedata.normalize("NFC", text):
        category = unicodedata.category(c)
        if category in ("Cc", "Zl", "Zp", "Zs"):
            kept += " "
        elif category not in ("Cf", "Cs", "Co") or (c in JOINERS and _can_be_joined(kept[-1:])):
            kept += c
    return unicodedata.normalize("NFC", " ".join(word.rstrip(JOINERS) for word in kept.split()))


def _can_be_joined(before: str) -> bool:
    """Whether a joiner after this character can be seen: letters that have a case, and digits, are never joined."""
    return bool(before) and not before.isspace() and unicodedata.category(before) not in ("Lu", "Ll", "Lt", "Nd")
