"""A schedule as a calendar that phones subscribe to (RFC 5545): of a player, of a judge, of the whole tournament.

Moments are written in UTC, so that no table of clock changes can be wrong; in words each event tells the hour by the
tournament's own clock. A round without a start is in no calendar; a cancelled one stays in it, cancelled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import astuple, dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from uuid import NAMESPACE_URL, UUID, uuid5

from django.utils.translation import gettext as _
from icalendar import Calendar, Event
from icalendar.prop import vDuration

from .exchange.canonical import canonical_json, sha256
from .schedule import RoundTold, Schedule, Turn
from .schedule_words import city_words, offset_words, table_words, time_words
from .services.feeds import EVERYBODY, Stamp, for_judge, for_player, stamped

PRODUCT = "-//Sports mafia protocols//Seating//RU"
LASTS = timedelta(hours=1)  # a game, where the next round does not start earlier
ASK_AGAIN = timedelta(minutes=15)
"""How often a calendar is asked to look for changes; most look when they please."""


@dataclass(frozen=True, slots=True)
class Happening:
    """An event: everything that it says, but for the address of the page about it, which is the reader's."""

    uid: UUID
    starts_at: datetime  # UTC
    ends_at: datetime
    title: str
    place: str
    words: str
    is_cancelled: bool


@dataclass(frozen=True, slots=True)
class Feed:
    """A calendar: whose it is, its name, what is in it."""

    audience: str
    name: str
    happenings: tuple[Happening, ...]


def feed_of_player(schedule: Schedule, player_id: int, nickname: str) -> Feed:
    """The player's games: round, table and seat."""
    audience = for_player(player_id)
    return _feed(schedule, audience, nickname, schedule.of_player(player_id), _played)


def feed_of_judge(schedule: Schedule, user_id: int, name: str) -> Feed:
    """The games that this person judges: round and table."""
    return _feed(schedule, for_judge(user_id), name, schedule.of_judge(user_id), _judged)


def feed_of_all(schedule: Schedule) -> Feed:
    """The rounds of the tournament."""
    turns = [Turn(round, None) for round in schedule.rounds]
    return _feed(schedule, EVERYBODY, "", turns, lambda turn: [_round(turn.round), _tables(turn.round)])


def calendar_of(schedule: Schedule, feed: Feed, address: str) -> bytes:
    """The file; `address` is of the page about it, with the host."""
    stamps = stamped(schedule.tournament, feed.audience, {each.uid: _digest(each) for each in feed.happenings})
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    for name in ("name", "x-wr-calname"):
        calendar.add(name, feed.name)
    calendar.add("x-wr-timezone", schedule.tournament.zone.key)
    calendar.add("url", address)
    calendar.add("refresh-interval", vDuration(ASK_AGAIN), parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", vDuration(ASK_AGAIN))
    for each in feed.happenings:
        calendar.add_component(_event(each, stamps[each.uid], address))
    content: bytes = calendar.to_ical(sorted=False)
    return content


def _event(happening: Happening, stamp: Stamp, address: str) -> Event:
    event = Event()
    event.add("uid", str(happening.uid))
    event.add("dtstamp", stamp.changed_at.astimezone(UTC))
    event.add("last-modified", stamp.changed_at.astimezone(UTC))
    event.add("sequence", stamp.sequence)
    event.add("dtstart", happening.starts_at)
    event.add("dtend", happening.ends_at)
    event.add("summary", happening.title)
    event.add("location", happening.place)
    event.add("description", happening.words)
    event.add("status", "CANCELLED" if happening.is_cancelled else "CONFIRMED")
    event.add("transp", "TRANSPARENT" if happening.is_cancelled else "OPAQUE")
    event.add("url", address)
    return event


def _digest(happening: Happening) -> str:
    return sha256(canonical_json([str(part) for part in astuple(happening)]))


def _feed(
    schedule: Schedule, audience: str, name: str, turns: Iterable[Turn], said: Callable[[Turn], list[str]]
) -> Feed:
    tournament = schedule.tournament
    ends = _ends(schedule)
    told = []
    for turn in turns:
        starts_at = turn.round.starts_at
        if starts_at is None or (turn.table is None and audience != EVERYBODY):
            continue
        title = " · ".join([tournament.title, *said(turn)])
        if turn.round.is_cancelled:
            title = _("Cancelled: %(what)s") % {"what": title}
        told.append(
            Happening(
                uid=_uid(schedule, turn, audience),
                starts_at=starts_at.astimezone(UTC),
                ends_at=ends[starts_at.astimezone(UTC)],
                title=title,
                place=", ".join(filter(None, [tournament.city, table_words(turn.table.number) if turn.table else ""])),
                words="\n".join(_lines(schedule, turn, starts_at)),
                is_cancelled=turn.round.is_cancelled,
            )
        )
    whole_name = f"{tournament.title}: {name}" if name else tournament.title
    return Feed(audience, whole_name, tuple(told))


def _uid(schedule: Schedule, turn: Turn, audience: str) -> UUID:
    """The same for the same game or round for ever, whatever the site's address."""
    if turn.table is not None:
        return uuid5(turn.table.uuid, audience)
    return uuid5(NAMESPACE_URL, f"{schedule.tournament.slug}/{turn.round.key}")


def _ends(schedule: Schedule) -> dict[datetime, datetime]:
    """When a round that starts then is over at the latest: in an hour, or when the next one starts; all in UTC.

    By the clock on the wall an hour may last two, or none, in the night in which clocks are changed.
    """
    starts = sorted({round.starts_at.astimezone(UTC) for round in schedule.rounds if round.starts_at})
    ends = {start: min(start + LASTS, after) for start, after in pairwise(starts)}
    return ends | {start: start + LASTS for start in starts[-1:]}


def _round(round: RoundTold) -> str:
    return _("Round %(number)d") % {"number": round.number}


def _tables(round: RoundTold) -> str:
    return _("tables: %(n)d") % {"n": len(round.tables)}


def _played(turn: Turn) -> list[str]:
    return [*_judged(turn), _("seat %(seat)d") % {"seat": turn.seat or 0}]


def _judged(turn: Turn) -> list[str]:
    assert turn.table is not None
    return [_round(turn.round), _("table %(table)s") % {"table": turn.table.number}]


def _lines(schedule: Schedule, turn: Turn, starts_at: datetime) -> list[str]:
    where = ", ".join([*city_words(schedule.tournament.zone), offset_words(starts_at.utcoffset() or timedelta())])
    lines = [_("Stage: %(stage)s") % {"stage": turn.round.stage.name}]
    lines.append(_("Starts at %(time)s (%(where)s)") % {"time": time_words(starts_at), "where": where})
    if turn.table is not None and turn.table.judge and turn.seat is not None:
        lines.append(_("Judge: %(name)s") % {"name": turn.table.judge})
    if turn.round.is_cancelled:
        lines.append(_("The round is cancelled: %(reason)s") % {"reason": turn.round.cancelled_because})
    return lines
