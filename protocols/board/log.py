"""The log: one line an entry, struck ones struck, each with what the rules did because of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any

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
    reader = _reader(tuple(names.items()), record.game.from_paper, get_language(), timezone.get_current_timezone_name())
    values = {value.revision: value for value in record.values}
    late = _late(record.values)
    lines = []
    for row, value in zip(record.rows[first:], record.values[first:], strict=True):
        number = value.revision
        line = _line(value, row.recorded_at, authors.get(row.author_id, ""), number in late, reader)
        more: dict[str, Any] = {}
        if isinstance(value, e.Strike):
            more["words"] = line_words(value, values, names)
        if number in struck:
            more |= {"struck": True, "struck_by": _struck_by(struck[number], record, values, authors)}
        if number in notices:
            more["notices"] = tuple(notices[number])
        if number in fallen:
            more["fallen"] = fallen[number]
        lines.append(replace(line, **more) if more else line)
    return Log(tuple(reversed(lines)), first)


class _Reader:
    """What the words of a line depend on beside its entry: one object for the same people, language and time zone."""

    def __init__(self, people: Iterable[tuple[int, str]], *, from_paper: bool) -> None:
        self.names = dict(people)
        self.from_paper = from_paper


@lru_cache(256)
def _reader(people: tuple[tuple[int, str], ...], from_paper: bool, language: str | None, zone: str) -> _Reader:
    return _Reader(people, from_paper=from_paper)


@lru_cache(2048)
def _line(value: e.Entry, at: datetime, author: str, late: bool, reader: _Reader) -> Line:
    """The line of an entry of which nothing more is to be said; the lines of twenty tables come back at every tap."""
    return Line(
        revision=value.revision,
        words="" if isinstance(value, e.Strike) else entry_words(value, reader.names),
        when=_when(value, from_paper=reader.from_paper),
        time=timezone.localtime(at).strftime("%H:%M:%S"),
        author=author,
        late=late,
        is_strike=isinstance(value, e.Strike),
    )


def _late(values: list[e.Entry]) -> set[int]:
    """The revisions of what was written after something that is played later."""
    late, furthest, moment, key = set(), SETUP.key, SETUP, SETUP.key
    for value in values:
        if is_play(value):
            if value.moment != moment:  # many entries share one
                moment, key = value.moment, value.moment.key
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
    return type(value) not in _NO_PLAY


_NO_PLAY = {e.Strike, e.Roles, e.SeatCorrection, e.ExtraPoints, e.SpeechMark, e.FoulClause}


def _when(value: e.Entry, *, from_paper: bool) -> str:
    moment: Moment = value.moment
    if moment in (SETUP, AFTER) and from_paper:
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
