"""What a board needs to go on without a network: where the game stands, and the words for it."""

from __future__ import annotations

from django import template

from protocols.board.course import course_of
from protocols.board.face import Face
from protocols.board.offline import offline_words
from protocols.views.queue import mark_of, pulse_of

LAST = 40  # entries

register = template.Library()


@register.simple_tag
def course(face: Face) -> str:
    """The course of the game, for an attribute."""
    return course_of(face.record.state, roles=face.roles)


@register.simple_tag
def mark(face: Face) -> str:
    """What changes whenever the board may look otherwise."""
    return mark_of(face.record.game)


@register.simple_tag
def pulse(face: Face) -> str:
    """The address to ask whether anything is new."""
    return pulse_of(face.record.game)


@register.simple_tag
def known(face: Face) -> str:
    """The beginnings of the numbers of the last entries: by them a device sees that an unanswered one has arrived."""
    return " ".join(str(row.uuid)[:8] for row in face.record.rows[-LAST:])


@register.simple_tag
def words() -> str:
    """The words of a board without a network, for an attribute."""
    return offline_words()
