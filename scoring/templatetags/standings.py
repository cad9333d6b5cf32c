"""Words that pages and paper of standings have in common."""

from __future__ import annotations

from django import template

from ..preliminary import awaited_words
from ..selectors import Progress

register = template.Library()


@register.filter
def awaited(progress: Progress) -> str:
    """What a preliminary table waits for, in words."""
    return awaited_words(progress)
