"""A schedule in words: when a round starts, by whose clock, and what a person's turn is."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from babel.dates import get_timezone_location
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from .schedule import RoundTold, Schedule, Turn


def day_words(at: datetime) -> str:
    """«Сб, 10 октября», by the clock that the moment carries."""
    return f"{date_format(at, 'D')}, {date_format(at, 'j E')}"


def time_words(at: datetime) -> str:
    """«12:00», by the clock that the moment carries."""
    return at.strftime("%H:%M")


def start_words(at: datetime | None) -> str:
    """«10 октября, 12:00»; without a start, that it is not set."""
    return date_format(at, "j E, H:i") if at else _("the time is not set yet")


def offset_words(offset: timedelta) -> str:
    """How far a clock is from UTC.

    >>> offset_words(timedelta(hours=3)), offset_words(-timedelta(hours=3, minutes=30)), offset_words(timedelta())
    ('UTC+3', 'UTC−3:30', 'UTC')
    """
    minutes = round(offset.total_seconds() / 60)
    hours, rest = divmod(abs(minutes), 60)
    if not minutes:
        return "UTC"
    return f"UTC{'+' if minutes > 0 else '−'}{hours}{f':{rest:02}' if rest else ''}"


def zone_words(schedule: Schedule) -> str:
    """By whose clock the hours are told: «Москва, UTC+3»; where clocks are changed meanwhile, from when on.

    Empty where no round has a start.
    """
    starts = sorted((round.starts_at for round in schedule.rounds if round.starts_at), key=datetime.timestamp)
    told: list[str] = []
    last = None
    for at in starts:
        offset = at.utcoffset() or timedelta()
        if offset != last:
            words = {"day": date_format(at, "j E"), "offset": offset_words(offset)}
            told.append(words["offset"] if last is None else _("from %(day)s on %(offset)s") % words)
            last = offset
    if not told:
        return ""
    return ", ".join([*city_words(schedule.tournament.zone), *told])


def city_words(zone: ZoneInfo) -> list[str]:
    """The city that a time zone is named after; none for zones that are no place."""
    if "/" not in zone.key or zone.key.startswith("Etc/"):
        return []
    return [str(get_timezone_location(zone.key, locale=(get_language() or "en").replace("-", "_"), return_city=True))]


def round_words(round: RoundTold) -> str:
    """«Отборочная, тур 3»."""
    return _("%(stage)s, round %(number)d") % {"stage": round.stage.name, "number": round.number}


def table_words(number: int) -> str:
    """«Стол 2»."""
    return _("Table %(table)s") % {"table": number}


def days_of(turns: list[Turn]) -> list[tuple[str, list[Turn]]]:
    """The turns by stage and day, in the order of play; those without a start go with the day that they follow."""
    found: list[tuple[str, list[Turn]]] = []
    is_one = len({turn.round.stage.pk for turn in turns}) < 2
    last: tuple[int, str] | None = None
    for turn in turns:
        stage, starts_at = turn.round.stage, turn.round.starts_at
        before = last[1] if last and last[0] == stage.pk else ""
        key = (stage.pk, day_words(starts_at) if starts_at else before)
        if key != last:
            found.append((" · ".join(filter(None, ["" if is_one else stage.name, key[1]])), []))
            last = key
        found[-1][1].append(turn)
    return found
