"""Points and marks as the form writes them."""

from __future__ import annotations

from decimal import Decimal

from django import template

from ..wording import points_words

register = template.Library()


@register.filter
def points(value: Decimal | None) -> str:
    """Points with a comma and without trailing zeros; nothing where there are none.

    >>> [points(Decimal(text)) for text in ("3", "0.50", "-1.000", "0", "10")], points(None)
    (['3', '0,5', '−1', '0', '10'], '')
    """
    return "" if value is None else points_words(value)


@register.filter
def signed_points(value: Decimal | None) -> str:
    """Points with their sign, as an addition: +0,5 · −1 · 0.

    >>> [signed_points(Decimal(text)) for text in ("0.5", "-0.70", "0")]
    ['+0,5', '−0,7', '0']
    """
    return "" if value is None else points_words(value, sign=True)


@register.filter
def dash(value: object) -> object:
    """The value, or a dash where there is none; 0 is a value.

    >>> dash(""), dash(None), dash(0), dash("Кот")
    ('—', '—', 0, 'Кот')
    """
    return "—" if value is None or value == "" else value
