"""Links to the clauses that a page cites."""

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from protocols.clauses import anchor_of
from protocols.wording import clause_words

register = template.Library()


@register.filter
def clause_url(code: str) -> str:
    """The address of the clause's text.

    >>> clause_url("A 7.1")
    '/rules/#A-7.1'
    """
    return f"{reverse('rules')}#{anchor_of(code)}"


@register.filter
def clause_said(code: str) -> str:
    """The clause as a judge cites it, for paper."""
    return clause_words(code)


@register.simple_tag
def clause_link(code: str) -> SafeString:
    """The clause as a judge cites it, linked to its text."""
    return format_html('<a class="clause" href="{}">{}</a>', clause_url(code), clause_words(code))
