"""That a table is preliminary, and what it waits for, in words: pages, paper and files say it alike."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .selectors import Progress


def awaited_words(progress: Progress) -> str:
    """What may still come or change: games, decisions, announcements; empty where there is nothing to wait for."""
    said = []
    if progress.open:
        words = ngettext(
            "%(n)d game is not signed yet: it is not in the table.",
            "%(n)d games are not signed yet: they are not in the table.",
            progress.open,
        )
        said.append(words % {"n": progress.open})
    if progress.protests:
        words = ngettext("%(n)d protest is not decided yet.", "%(n)d protests are not decided yet.", progress.protests)
        said.append(words % {"n": progress.protests})
    if progress.hidden:
        words = ngettext(
            "%(n)d game is signed and not announced yet: it is not in the table.",
            "%(n)d games are signed and not announced yet: they are not in the table.",
            progress.hidden,
        )
        said.append(words % {"n": progress.hidden})
    elif progress.hides_extra:
        said.append(_("Extra points are not announced yet."))
    elif progress.is_veiled:
        said.append(_("The last rounds will be announced later."))
    return " ".join(said)


def preliminary_words(progress: Progress) -> str:
    """The same, beginning with the word itself; empty where there is nothing to wait for."""
    said = awaited_words(progress)
    return f"{_('Preliminary.')} {said}" if said else ""
