"""Why a seating can't be drawn, what would work, and how good one is. Players are told by their number from 1."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from ..seating.advice import Code, Fault, Option
from ..seating.quality import Excess, Measure, Quality

FAULTS: dict[Code, str | Promise] = {
    Code.TOO_FEW_PLAYERS: _("A table needs ten players; there are %(players)d."),
    Code.NO_GAMES: _("Each player needs at least one game."),
    Code.NO_TABLES: _("At least one table is needed."),
    Code.TOO_MANY_TABLES: _("The players fill %(most)d tables at once, not %(tables)d."),
    Code.GAMES_NOT_WHOLE: _(
        "%(players)d players × %(games)d games is no multiple of ten: %(over)d places would be left over."
    ),
    Code.UNKNOWN_PLAYER: _("There is no player %(player)d among %(players)d."),
    Code.NEGATIVE_LIMIT: _("A pair can’t meet %(most)d times."),
    Code.MUST_MEET: _(
        "With so many games, of these %(size)d players (%(names)s) two must meet %(least)d times or more; "
        "at most %(most)d is asked for."
    ),
    Code.TOO_FEW_MATES: _(
        "Player %(player)d is kept apart from so many that only %(mates)d are left to play with; nine are needed."
    ),
}


def fault_words(fault: Fault) -> str:
    """Why the request can't be met, as a sentence."""
    values: dict[str, object] = {**fault.values, "names": ", ".join(str(player + 1) for player in fault.players)}
    if "player" in fault.values:
        values["player"] = fault.values["player"] + 1
    return str(FAULTS[fault.code]) % values


def option_words(option: Option) -> str:
    """A size that works: players, games, rounds, tables, and who waits."""
    size = gettext("%(players)d players, %(games)d games each: %(total)d games, %(rounds)d rounds") % {
        "players": option.players, "games": option.games, "total": option.total, "rounds": option.rounds,
    }  # fmt: skip
    parts = [size]
    for tables in sorted(set(option.by_round), reverse=True):
        rounds = option.by_round.count(tables)
        parts.append(
            gettext("%(rounds)d × %(tables)s")
            % {"rounds": rounds, "tables": ngettext("%(n)d table", "%(n)d tables", tables) % {"n": tables}}
        )
    if option.sitting_out:
        parts.append(
            ngettext("each sits out %(n)d round", "each sits out %(n)d rounds", option.sitting_out)
            % {"n": option.sitting_out}
        )
    else:
        parts.append(gettext("nobody sits out"))
    return "; ".join(parts)


def quality_lines(quality: Quality) -> Iterator[str]:
    """How good a seating is, a line each, every value beside the least there can be."""
    bounds = quality.bounds
    yield gettext("Meetings: %(value)s, the lower bound is %(least)s") % _values(Measure(quality.spread, bounds.best))
    yield gettext("  bounds: whole numbers %(arithmetic)s, Welch %(welch)s, shared players of games %(overlaps)s") % {
        "arithmetic": _number(bounds.arithmetic), "welch": _number(bounds.welch), "overlaps": _number(bounds.overlaps),
    }  # fmt: skip
    pairs = ", ".join(f"{times}: {count}" for times, count in quality.pairs_by_meetings().items())
    yield gettext("  pairs by number of meetings: %(pairs)s") % {"pairs": pairs}
    yield gettext("Seats: %(value)s, at least %(least)s") % _values(quality.seat_spread)
    yield gettext("Seats 1, 2 and 10: %(value)s, at least %(least)s") % _values(quality.key_seat_spread)
    yield gettext("Beginning, middle and end of the table: %(value)s, at least %(least)s") % _values(
        quality.third_spread
    )
    yield gettext("Neighbours: %(value)s, at least %(least)s") % _values(quality.neighbour_spread)
    yield gettext("Tables: %(value)s, at least %(least)s") % _values(quality.table_spread)
    if quality.longest_wait:
        yield gettext("Longest wait in a row, rounds: %(n)d") % {"n": quality.longest_wait}
    yield from (excess_words(excess) for excess in quality.excesses)


def excess_words(excess: Excess) -> str:
    """A limit that the search could not keep."""
    first, second = excess.players
    return gettext("Players %(first)d and %(second)d meet %(met)d times, at most %(most)d was asked for.") % {
        "first": first + 1, "second": second + 1, "met": excess.met, "most": excess.most,
    }  # fmt: skip


def _values(measure: Measure) -> dict[str, str]:
    return {"value": _number(measure.value), "least": _number(measure.least)}


def _number(value: float) -> str:
    return number_format(abs(round(value, 1)), decimal_pos=1)
