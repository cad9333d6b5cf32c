"""What the board's templates need beside plain values: the hidden half of a form."""

from __future__ import annotations

from django import template
from django.template.context import RequestContext
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from protocols.board.posts import Post

register = template.Library()


@register.simple_tag(takes_context=True)
def hidden(context: RequestContext, post: Post) -> SafeString:
    """The hidden fields of a form of the board: what it writes, when, on top of which revision, and the token."""
    fields = [*post.hidden, ("revision", context["face"].revision), ("csrfmiddlewaretoken", context["csrf_token"])]
    return format_html_join("", '<input type="hidden" name="{}" value="{}">', fields)
