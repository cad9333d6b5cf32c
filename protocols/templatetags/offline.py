"""What the page of a board needs to go on without a network: whom to ask, and the words for it."""

from __future__ import annotations

from django import template

from protocols.board.face import Face
from protocols.board.offline import offline_words
from protocols.views.queue import pulse_of

register = template.Library()


@register.simple_tag
def pulse(face: Face) -> str:
    """The address to ask whether anything is new."""
    return pulse_of(face.record.game)


@register.simple_tag
def words() -> str:
    """The words of a board without a network, for an attribute."""
    return offline_words()
