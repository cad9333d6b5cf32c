"""The form of a game under way, for the day the server dies: what is written stands on it, the rest is for the pen."""

from __future__ import annotations

from dataclasses import replace

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from .rules.outcome import is_over
from .rules.situations import current_speaker
from .selectors import Record, sheet_from
from .sheet_view import Form, form_of
from .wording import moment_words


def half_filled_form(record: Record) -> Form:
    """The form as far as it is written, with roles; at its foot where the table stands, and who is silent next."""
    form = form_of(sheet_from(record))
    return replace(form, nights=" · ".join(part for part in (form.nights, *_foot(record)) if part))


def _foot(record: Record) -> list[str]:
    state = record.state
    if not record.rows:
        return []
    at = timezone.localtime(record.rows[-1].recorded_at).strftime("%H:%M")
    where = pgettext("form", "the game is over") if is_over(state) else moment_words(state.moment)
    parts = [_("Written until %(time)s: %(where)s") % {"time": at, "where": where}]
    speaker = None if is_over(state) else current_speaker(state)
    if speaker:
        parts.append(_("has the word: %(seat)d") % {"seat": speaker})
    silent = [str(seat) for seat in state.living if state.seats[seat].silence_due]
    if silent and not is_over(state):
        parts.append(_("loses the next minute: %(seats)s") % {"seats": ", ".join(silent)})
    return parts
