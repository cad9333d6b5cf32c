"""Parts of the board drawn once and kept by their value, and what is written into them at the last moment.

A tap changes a row or two and adds a line to the log; everything else looks as it did before. What has been drawn
with the same values is taken as it is. So a kept part holds nothing that differs from answer to answer: the number of
a form, the revision, the token, the moment that is now. Marks stand for them until `filled`.

A frame is kept in the same way with open places in it, each filled with what is drawn apart from it.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cache, lru_cache
from html import escape
from pathlib import Path
from uuid import UUID, uuid4

from django.template import Context, Template, engines
from django.template.backends.django import DjangoTemplates
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from ..forms.fields import moment_text
from ..rules.terms import Moment
from .posts import Post

KEPT = 8192  # parts, a kilobyte or less each

# Nobody can type them: they are made anew for every process.
_HIDDEN = f"<!--{secrets.token_hex(12)}-->"
_SAVED = SafeString(f"<!--{secrets.token_hex(12)}-->")
_NOW = f"<!--{secrets.token_hex(12)}-->"
_PLACE = secrets.token_hex(12)
_PLACES = re.compile(rf"<!--{_PLACE}:([\w.]+)-->")


@dataclass(frozen=True, slots=True)
class Addresses:
    """The pages of one game."""

    board: str
    entries: str
    finish: str
    paper: str
    prepare: str
    game: str
    hand_over: str
    clock: str
    sheet: str


@lru_cache(256)
def addresses_of(uuid: UUID) -> Addresses:
    """The addresses of the game's pages."""
    names = ("board", "entries", "finish", "paper", "prepare", "game", "hand-over", "clock", "sheet-pdf")
    return Addresses(*(reverse(name, args=[uuid]) for name in names))


@dataclass(frozen=True, slots=True)
class Pen:
    """Draws the parts of one answer: with the game's pages, for somebody who writes or only looks, in a language."""

    urls: Addresses
    writes: bool
    language: str | None = field(default_factory=get_language)

    def part(self, name: str, it: Hashable) -> str:
        """A template drawn with `it`, `urls` and `writes` and nothing else, once for the same of them."""
        return _part(name, it, self.urls, self.writes, self.language)

    def frame(self, name: str, it: Hashable, /, **places: str) -> str:
        """A template drawn like a part, its places filled: each is a name in the template, its value HTML.

        The pages are places, too, so that a frame is the same for every game.
        """
        pieces, places = _frame(name, it, self.writes, self.language, tuple(places)), places | _pages(self.urls)
        return "".join([places[piece] if at % 2 else piece for at, piece in enumerate(pieces)])


@lru_cache(KEPT)
def _part(name: str, it: Hashable, urls: Addresses, writes: bool, language: str | None) -> SafeString:
    return draw(name, {"it": it, "urls": urls, "writes": writes, "saved": _SAVED})


@lru_cache(KEPT)
def _frame(name: str, it: Hashable, writes: bool, language: str | None, places: tuple[str, ...]) -> list[str]:
    """Text, place, text, place, …, text."""
    marks = {place: SafeString(f"<!--{_PLACE}:{place}-->") for place in places}
    pages = {page: SafeString(f"<!--{_PLACE}:urls.{page}-->") for page in Addresses.__slots__}
    return _PLACES.split(draw(name, {"it": it, "urls": pages, "writes": writes, "saved": _SAVED, **marks}))


@lru_cache(256)
def _pages(urls: Addresses) -> dict[str, str]:
    return {f"urls.{page}": escape(getattr(urls, page)) for page in Addresses.__slots__}


def draw(name: str, values: dict[str, object]) -> SafeString:
    """A template of the board drawn; numbers are written as computers do."""
    return SafeString(_template(f"protocols/{name}.html").render(Context(values, use_l10n=False)))


def load() -> None:
    """Reads the templates of the board, so that a server does before it has workers and nobody waits for it."""
    engine = engines["django"]
    assert isinstance(engine, DjangoTemplates)
    for folder in engine.engine.dirs:
        for pattern in ("_board*.html", "_log*.html", "_timer.html"):
            for path in Path(folder, "protocols").glob(pattern):
                _template(f"protocols/{path.name}")


@cache
def _template(name: str) -> Template:
    engine = engines["django"]
    assert isinstance(engine, DjangoTemplates)
    return engine.engine.get_template(name)


def hidden(post: Post) -> SafeString:
    """The hidden fields of a form: what it writes and when; a mark for what `filled` adds."""
    fields = "".join(_field(name, value) for name, value in post.hidden)
    return SafeString(fields + (_NOW if post.is_now else "") + _HIDDEN)


def filled(drawn: str, *, revision: int, now: Moment, saved: str, token: str) -> str:
    """What was drawn, with what is new in every answer.

    Each form gets a number of its own, the revision it is written on top of, and the token.
    """
    same = _field("revision", revision) + _field("csrfmiddlewaretoken", token)
    drawn = drawn.replace(_NOW, _field("moment", moment_text(now))).replace(_SAVED, escape(saved))
    first, *forms = drawn.split(_HIDDEN)
    return first + "".join(f'<input type="hidden" name="uuid" value="{uuid4()}">{same}{form}' for form in forms)


def _field(name: str, value: object) -> str:
    return f'<input type="hidden" name="{escape(name)}" value="{escape(str(value))}">'
