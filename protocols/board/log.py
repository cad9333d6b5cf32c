"""The log: one line an entry, struck ones struck, each with what the rules did because of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from ..rules import entries as e
from ..rules.terms import AFTER, SETUP, Moment
from ..selectors import Record
from ..wording import entry_words, moment_words, notice_words, refusal_words, short_words
from .posts import Post

SHORT = 14  # lines that come with every tap


@dataclass(frozen=True, slots=True)
class Line:
    """One entry as the log shows it."""

    revision: int
    words: str
    when: str  # where in the game
    time: str
    author: str
    struck: bool = False
    notices: tuple[str, ...] = ()
    fallen: str = ""  # why it no longer stands
    late: bool = False  # written after entries of a later moment
    is_strike: bool = False
    struck_by: str = ""  # when, by whom and why it was struck out


@dataclass(frozen=True, slots=True)
class Log:
    """The newest lines first; `more` are left out."""

    lines: tuple[Line, ...]
    more: int = 0


@dataclass(frozen=True, slots=True)
class Undo:
    """What the undo button strikes out, or what the redo button brings back by striking the strike `revision`."""

    revision: int
    words: str
    post: Post


def undo_of(record: Record) -> Undo | None:
    """The last entry that stands; None where nothing does."""
    struck = record.struck
    for value in reversed(record.values):
        if not isinstance(value, e.Strike) and value.revision not in struck:
            return _undo(record, value.revision, value)
    return None


def redo_of(record: Record) -> Undo | None:
    """The entry undone last, while nothing but strikes was written since; None where there is none."""
    if not record.values or not isinstance(record.values[-1], e.Strike):
        return None
    struck = record.struck
    for value in reversed(record.values):
        if not isinstance(value, e.Strike):
            return None
        of = record.values[value.of - 1]
        if value.revision not in struck and not isinstance(of, e.Strike):
            return _undo(record, value.revision, of)
    return None


def _undo(record: Record, revision: int, of: e.Entry) -> Undo:
    post = Post("strike", record.state.moment, {"of": revision, "step": "1"})
    return Undo(revision, short_words(of), post)


def log_of(record: Record, names: dict[int, str], authors: dict[int, str], *, whole: bool) -> Log:
    """The log, the newest first."""
    struck = record.struck
    first = 0 if whole else max(0, len(record.rows) - SHORT)
    notices: dict[int, list[str]] = {}
    for notice in record.state.notices:
        if notice.revision > first:
            notices.setdefault(notice.revision, []).append(notice_words(notice, names))
    fallen = {entry.revision: refusal_words(why, names) for entry, why in record.state.set_aside}
    lines = []
    values = {value.revision: value for value in record.values}
    late, people, language = _late(record.values), tuple(names.items()), get_language()
    for row, value in zip(record.rows[first:], record.values[first:], strict=True):
        lines.append(
            Line(
                revision=value.revision,
                words=line_words(value, values, names)
                if isinstance(value, e.Strike)
                else _entry_words(value, people, language),
                when=_when(value, record),
                time=timezone.localtime(row.recorded_at).strftime("%H:%M:%S"),
                author=authors.get(row.author_id, ""),
                struck=value.revision in struck,
                struck_by=_struck_by(struck[value.revision], record, values, authors)
                if value.revision in struck
                else "",
                notices=tuple(notices.get(value.revision, ())),
                fallen=fallen.get(value.revision, ""),
                late=value.revision in late,
                is_strike=isinstance(value, e.Strike),
            )
        )
    return Log(tuple(reversed(lines)), first)


@lru_cache(2048)  # the lines of twenty tables come back with every tap
def _entry_words(value: e.Entry, people: tuple[tuple[int, str], ...], language: str | None) -> str:
    return entry_words(value, dict(people))


def _late(values: list[e.Entry]) -> set[int]:
    """The revisions of what was written after something that is played later."""
    late, furthest = set(), SETUP.key
    for value in values:
        if is_play(value):
            key = value.moment.key
            if key < furthest:
                late.add(value.revision)
            else:
                furthest = key
    return late


def _struck_by(strike: int | None, record: Record, values: dict[int, e.Entry], authors: dict[int, str]) -> str:
    """«вычеркнуто 21:04:10 Соколова: ошибка», so that the line itself says who, when and why."""
    if strike is None:
        return ""
    row, value = record.rows[strike - 1], values[strike]
    time = timezone.localtime(row.recorded_at).strftime("%H:%M:%S")
    words = _("struck out %(time)s %(author)s") % {"time": time, "author": authors.get(row.author_id, "")}
    why = value.text if isinstance(value, e.Strike) else ""
    return f"{words.strip()}: {why}" if why else words.strip()


def is_play(value: e.Entry) -> bool:
    """Whether the entry is part of the course of the game."""
    return not isinstance(value, e.Strike | e.Roles | e.SeatCorrection | e.ExtraPoints | e.SpeechMark | e.FoulClause)


def _when(value: e.Entry, record: Record) -> str:
    moment: Moment = value.moment
    if moment in (SETUP, AFTER) and record.game.from_paper:
        return ""
    return "" if moment == AFTER else moment_words(moment)


def line_words(value: e.Entry, values: dict[int, e.Entry], names: dict[int, str]) -> str:
    """A strike, or a clause added later, quotes the entry that it speaks of."""
    if isinstance(value, e.Strike):
        of = values.get(value.of)
        why = f". {value.text}" if value.text else ""
        if isinstance(of, e.Strike):
            back = values.get(of.of)
            return _("Restored: %(entry)s") % {"entry": entry_words(back, names) if back else of.of} + why
        return _("Struck out: %(entry)s") % {"entry": entry_words(of, names) if of else value.of} + why
    return entry_words(value, names)


def authors_of(record: Record, *known: User | None) -> dict[int, str]:
    """User → name for everybody who wrote in the record; a query only for one not at hand."""
    people = {user.pk: user for user in known if user is not None}
    missing = {row.author_id for row in record.rows} - set(people)
    if missing:
        people |= User.objects.in_bulk(missing)
    return {pk: user.last_name or user.get_username() for pk, user in people.items()}
