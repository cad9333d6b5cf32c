"""A nickname found in a seating."""

from django import template

from ..models import nickname_key

register = template.Library()


@register.filter
def is_asked(nickname: str, asked: str) -> bool:
    """Whether the nickname holds what was asked for, whatever the case of the letters."""
    return asked in nickname_key(nickname)
