"""What the board's templates need beside plain values: the hidden half of a form, and parts drawn once.

A tap changes a row or two and adds a line to the log; everything else looks as it did before. So rows, lines and
reasons are drawn by value: what has been drawn with the same values, down to the language, is taken as it is.
"""

from __future__ import annotations

from functools import lru_cache
from html import escape

from django import template
from django.template.context import RequestContext
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from protocols.board.face import Face
from protocols.board.log import Line
from protocols.board.posts import Post
from protocols.board.rows import Reason, Row

KEPT = 2048  # parts of a kind, about a kilobyte each

register = template.Library()


@register.simple_tag(takes_context=True)
def hidden(context: RequestContext, post: Post) -> SafeString:
    """The hidden fields of a form of the board: what it writes, when, on top of which revision, and the token."""
    fields = [*post.hidden, ("revision", context["face"].revision), ("csrfmiddlewaretoken", context["csrf_token"])]
    return SafeString(
        "".join(f'<input type="hidden" name="{escape(name)}" value="{escape(str(value))}">' for name, value in fields)
    )


@register.simple_tag
def seat_row(row: Row, face: Face) -> SafeString:
    """One of the ten rows."""
    return _seat_row(row, face.writes, face.urls["board"], get_language())


@register.simple_tag
def log_line(line: Line, face: Face) -> SafeString:
    """One line of the log."""
    return _log_line(line, face.writes, face.urls["board"], get_language())


@register.simple_tag
def reasons(offered: tuple[Reason, ...], danger: bool = False) -> SafeString:
    """A button a clause."""
    return _reasons(offered, danger)


@lru_cache(KEPT)
def _seat_row(row: Row, writes: bool, board: str, language: str | None) -> SafeString:
    return _drawn("protocols/_board_row.html", row=row, writes=writes, board=board)


@lru_cache(KEPT)
def _log_line(line: Line, writes: bool, board: str, language: str | None) -> SafeString:
    return _drawn("protocols/_log_line.html", line=line, writes=writes, board=board)


@lru_cache
def _reasons(offered: tuple[Reason, ...], danger: bool) -> SafeString:
    return _drawn("protocols/_board_reasons.html", reasons=offered, danger=danger)


def _drawn(name: str, **values: object) -> SafeString:
    return render_to_string(name, values)
