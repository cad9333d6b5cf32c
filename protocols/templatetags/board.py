"""What the board's templates need beside plain values: the hidden half of a form, and parts drawn by value."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from django import template
from django.utils.safestring import SafeString

from protocols.board import drawing
from protocols.board.face import Face
from protocols.board.posts import Post

register = template.Library()


@register.simple_tag
def hidden(post: Post) -> SafeString:
    """The hidden fields of a form of the board."""
    return drawing.hidden(post)


@register.simple_tag
def part(name: str, it: Hashable, face: Face) -> SafeString:
    """A part of the board that looks the same as long as `it` is the same."""
    return drawing.part(f"protocols/{name}.html", it, face.urls, writes=face.writes)


@register.simple_tag
def parts(name: str, items: Iterable[Hashable], face: Face) -> SafeString:
    """The same part for one thing after another."""
    return drawing.parts(f"protocols/{name}.html", items, face.urls, writes=face.writes)
