"""Nicknames that are two and look like one: ё and е, Latin and Cyrillic twins, case, spaces, signs."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

LOOKS_LIKE = {
    "aeopcyxkmthb": "аеорсухкмтнв",  # Latin letters, by their capitals
    "αεορτχυκ": "аеортхук",  # Greek ones
    "ѕіјιıl": "sijiii",  # and what looks like a Latin letter
    "031": "озi",  # digits that pass for letters
}
TWINS = str.maketrans(dict(pair for these, those in LOOKS_LIKE.items() for pair in zip(these, those, strict=True)))
SHORT_I = "\u0306"  # the sign that makes й of и: they are two letters, and nobody takes one for the other
ALPHABETS = ("LATIN", "CYRILLIC", "GREEK")


@lru_cache(maxsize=65_536)
def skeleton(nickname: str) -> str:
    """What is the same in nicknames that look alike; of nothing but signs, the signs.

    >>> skeleton("Ёлка 7") == skeleton("елкa7") == skeleton("EЛKА_7") != skeleton("Палка 7")
    True
    >>> skeleton("❤️ Кот") == skeleton("Koт"), skeleton("☀️") == skeleton("☀"), skeleton("Рой") == skeleton("Рои")
    (True, True, False)
    """
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", nickname).casefold())
    letters = [
        each
        for before, each in zip(" " + folded, folded, strict=False)
        if not unicodedata.combining(each) or (each == SHORT_I and before == "и")
    ]
    twins = "".join(letters).translate(TWINS)
    kept = "".join(each for each in twins if each.isalnum() or each == SHORT_I)
    return kept or "".join(each for each in twins if unicodedata.category(each) not in ("Mn", "Cf", "Zs")) or twins


def mixes_alphabets(nickname: str) -> bool:
    """Whether a word of it has letters of two alphabets, so that it can't be found by who types it as it looks.

    >>> mixes_alphabets("Ёлкa"), mixes_alphabets("DJ Кот")
    (True, False)
    """
    return any(len(_alphabets(word)) > 1 for word in nickname.split())


def _alphabets(word: str) -> set[str]:
    names = (unicodedata.name(letter, "").partition(" ")[0] for letter in word if letter.isalpha())
    return {name for name in names if name in ALPHABETS}
