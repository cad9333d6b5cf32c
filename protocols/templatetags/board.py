"""What the board's templates need beside plain values: the hidden half of a form, and the board on its page."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.safestring import SafeString

from protocols.board import drawing
from protocols.board.drawn import drawn
from protocols.board.face import Face
from protocols.board.posts import Post

register = template.Library()


@register.simple_tag
def hidden(post: Post) -> SafeString:
    """The hidden fields of a form of the board."""
    return drawing.hidden(post)


@register.simple_tag(takes_context=True)
def board(context: dict[str, Any], face: Face) -> SafeString:
    """The board."""
    return drawn(face, str(context["csrf_token"]))
