"""Hours by the clock that a moment carries, not by the server's."""

from datetime import datetime

from django import template

from ..schedule_words import start_words, time_words

register = template.Library()


@register.filter(expects_localtime=False)
def hour(at: datetime) -> str:
    """«12:00»."""
    return time_words(at)


@register.filter(expects_localtime=False)
def day_and_hour(at: datetime) -> str:
    """«10 октября, 12:00»."""
    return start_words(at)
