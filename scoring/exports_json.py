"""An export as JSON; EXPORTS.md beside this file tells what each key means."""

from __future__ import annotations

import json
from collections.abc import Collection
from fractions import Fraction
from functools import lru_cache
from typing import Any

from protocols.hiding import EXTRA_COMPONENTS, Veil

from .discipline_words import FineRow
from .exports import Exported, PlayedSeat, nicknames_of
from .nominations import Nomination
from .ratings import MILLION, ONE, Exact
from .standings import Place
from .team_json import team_told

FORMAT, VERSION = "mafia-standings", 1


def json_of(export: Exported) -> bytes:
    """The whole result; the same result gives the same bytes, whatever the day or the machine."""
    return written(_data(export))


def written(data: dict[str, Any]) -> bytes:
    """The keys in their order, one line a row of a list."""
    lines = ",\n".join(f"{_line(key)}: {_value(value)}" for key, value in data.items())
    return f"{{\n{lines}\n}}\n".encode()


def _value(value: Any) -> str:
    """One line a row of a list, so that two exports can be compared by eye."""
    return "[\n" + ",\n".join(map(_line, value)) + "\n]" if isinstance(value, list) and value else _line(value)


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def exact(value: Exact, unit: int = 1) -> str:
    """So many `unit`ths, exactly: a decimal without trailing zeros, or «n/d» where the decimal would never end.

    >>> exact(7_500_000, 1_000_000), exact(-1000, 1000), exact(Fraction(400_000, 3), 1_000_000)
    ('7.5', '-1', '2/15')
    """
    if isinstance(value, int) and value % unit == 0:
        return str(value // unit)
    return _exact(Fraction(value) / unit)


@lru_cache(maxsize=4096)
def _exact(fraction: Fraction) -> str:
    rest, twos, fives = fraction.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1:
        return f"{fraction.numerator}/{fraction.denominator}"
    places = max(twos, fives)
    digits = str(abs(fraction.numerator) * 10**places // fraction.denominator).rjust(places + 1, "0")
    sign = "-" if fraction < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else sign + digits


def _data(export: Exported) -> dict[str, Any]:
    found, tournament = export.found, export.found.tournament
    own, until, unknown = tournament.regulation_version, export.until, export.without_extra
    return {
        "format": FORMAT,
        "version": VERSION,
        "tournament": {
            "title": tournament.title,
            "city": tournament.city,
            "starts_on": tournament.starts_on.isoformat(),
            "preset": tournament.regulation,
            "regulation": {"name": own.name, "version": own.number} if own else None,
        },
        "as_of": {"stage": until.stage_number, "round" if until.is_round else "game": until.number} if until else None,
        "games_counted": export.progress.signed,
        "games_open": export.progress.open,
        "protests_open": export.progress.protests,
        "games_not_announced": export.progress.hidden,
        "preliminary": export.progress.is_preliminary,
        "hidden": _hidden(export.veil),
        "for_the_public": export.is_public,
        "stages": [
            {"number": stage.number, "name": stage.name, "multiplier": exact(Fraction(stage.multiplier))}
            for stage in found.stages
        ],
        "standings": [_place(export, place, unknown) for place in found.table.places],
        "games": [_seat(export, seat) for seat in export.seats],
        "penalties_outside_games": [_fine(each) for each in export.fines],
        "nominations": [_nomination(export, each) for each in export.nominations],
        "teams": [team_told(export.teams, row, exact) for row in export.teams.places] if export.teams else [],
    }


def _hidden(veil: Veil) -> dict[str, Any] | None:
    """What is hidden of the file, and from when on."""
    if veil.is_open:
        return None
    what = "extra_points" if veil.hides_extra else "table"
    return {"what": what, "stage": veil.stage_number, "round": veil.number}


def _place(export: Exported, place: Place, without_extra: Collection[int]) -> dict[str, Any]:
    rating, figures = place.rating, place.rating.figures
    is_unknown = place.player_id in without_extra
    return {
        "place": place.number,
        "last_place": place.last,
        "nickname": export.found.nicknames[place.player_id],
        "team": export.teams.team_of.get(place.player_id) if export.teams else None,
        "rating": exact(rating.total, MILLION),
        "games": rating.games,
        "wins": rating.wins,
        "points": exact(figures.points, MILLION),
        "extra_points": None if is_unknown else exact(figures.extra_points, MILLION),
        "penalties": exact(figures.penalty, MILLION),
        "compensation": exact(figures.compensation, MILLION),
        "tie_extra_points": None if is_unknown else exact(rating.tie_extra, ONE),
        "don_sheriff_wins": rating.don_sheriff_wins,
        "first_victim": rating.first_victim,
        "above_the_next_by": place.decision.key if place.decision else None,
        "lot_due": place.lot_due,
        "removed_from_tournament": rating.from_tournament,
    }


def _seat(export: Exported, seat: PlayedSeat) -> dict[str, Any]:
    line, rating = seat.line, seat.rating
    brought: dict[str, Any] = {
        "win": exact(line.win, ONE),
        "speech": exact(line.speech, ONE),
        "extra": exact(line.extra, ONE),
        "best_move": exact(line.best_move, ONE),
        "penalty": exact(line.penalty, ONE),
    }
    if rating is None:
        brought = dict.fromkeys(brought)
    elif seat.hides_extra:
        brought |= dict.fromkeys(EXTRA_COMPONENTS)
    return {
        "stage": seat.stage.number,
        "game": seat.game,
        "table": seat.table,
        "played_on": seat.played_on.isoformat(),
        "seat": seat.seat,
        "nickname": export.found.nicknames[line.player_id],
        "role": line.role or None,
        "result": line.result,
        "won": None if line.won is None else bool(line.won),
        "counts": rating is not None,
        "first_victim": bool(line.first_victim),
        "removed": seat.removed,
        "removed_from_tournament": bool(line.from_tournament),
        **brought,
        "compensation": exact(rating.figures.compensation, MILLION) if rating else None,
        "multiplier": exact(rating.multiplier, ONE) if rating else None,
        "total": exact(rating.figures.total, MILLION) if rating else None,
    }


def _fine(fine: FineRow) -> dict[str, Any]:
    return {
        "nickname": fine.nickname,
        "kind": fine.kind,
        "points": exact(-fine.thousandths, ONE),
        "clause": fine.clause,
        "reason": fine.reason,
    }


def _nomination(export: Exported, nomination: Nomination) -> dict[str, Any]:
    names = nicknames_of(nomination, export.found.nicknames)
    return {
        "nomination": nomination.key,
        "value": exact(nomination.value),
        "players": [{"nickname": name, "games": games} for name, games in zip(names, nomination.games, strict=True)],
    }
