"""Where in the game something happened, in words."""

from __future__ import annotations

from functools import lru_cache

from django.utils.translation import get_language, gettext, pgettext_lazy

from ..rules.terms import Moment, Phase
from .terms import Words

_PHASES: Words = {
    str(int(phase)): words
    for phase, words in (
        (Phase.VICTIM_WORDS, pgettext_lazy("phase", "last words")),
        (Phase.SPEECHES, pgettext_lazy("phase", "speeches")),
        (Phase.PRE_REVOTE, pgettext_lazy("phase", "before the revote")),
        (Phase.RAISE_ALL, pgettext_lazy("phase", "raise-all")),
        (Phase.LAST_WORDS, pgettext_lazy("phase", "last words")),
        (Phase.NIGHT, pgettext_lazy("phase", "shooting")),
        (Phase.DON, pgettext_lazy("phase", "don")),
        (Phase.SHERIFF, pgettext_lazy("phase", "sheriff")),
        (Phase.BEST_MOVE, pgettext_lazy("phase", "best move")),
    )
}


def ballot_words(ballot: int) -> str:
    """The name of a ballot: 0 is the first, 1 and up are revotes, 10 and up the same of a vote begun anew."""
    ballot %= 10
    if ballot == 0:
        return gettext("ballot")
    if ballot == 1:
        return gettext("revote")
    return gettext("revote %(number)s") % {"number": ballot}


def moment_words(moment: Moment) -> str:
    """Day or night and the phase: «День 2 · речи», «Ночь 1 · дон», «До игры»."""
    return _moment_words(moment, get_language())


@lru_cache(1024)  # every line of a log says one
def _moment_words(moment: Moment, language: str | None) -> str:
    if moment.phase == Phase.SETUP:
        return gettext("Before the game")
    if moment.phase == Phase.AFTER:
        return gettext("After the game")
    if moment.day == 0:
        return gettext("Night 0 · acquaintance")
    phase = ballot_words(moment.ballot) if moment.phase == Phase.BALLOT else str(_PHASES[str(int(moment.phase))])
    part = gettext("Night %(day)s") if moment.is_night else gettext("Day %(day)s")
    return f"{part % {'day': moment.day}} · {phase}"
