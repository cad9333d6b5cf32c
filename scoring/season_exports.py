"""A season's table as files: CSV, XLSX and JSON, and the value that the paper's name comes from."""

from __future__ import annotations

from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from protocols.models import Tournament

from .exports_json import exact
from .exports_json import written as written_json
from .exports_tables import Cell, Table, points
from .exports_xlsx import workbook
from .preliminary import preliminary_words
from .ratings import MILLION, ONE
from .season_selectors import SeasonTable, games_of
from .season_table import fewer_words, has_compensation, period_words
from .tiebreaks import KEYS
from .wording import IN_THOUSANDTHS, decision_words, key_words, place_words

FORMAT, VERSION = "mafia-season", 1


def said_beside(found: SeasonTable) -> str:
    """What must be said beside the table: as of which day it is, and that it is preliminary."""
    on = _("The table as of %(day)s.") % {"day": f"{found.on:%d.%m.%Y}"} if found.on else ""
    return " ".join(filter(None, (on, preliminary_words(found.progress))))


def standings_table(found: SeasonTable) -> Table:
    """The season in its order; who has too few games stands below, without a place."""
    with_ci, keys = has_compensation(found), [key for key in found.season.rules.tie_keys if key != "wins"]
    head = (
        _("Place"), _("Nickname"), _("Rating"), _("Games"), _("Wins"), _("Points"), _("Extra points"), _("Penalties"),
        *(("Ci",) if with_ci else ()), *(capfirst(key_words(key)) for key in keys), _("Above the next by"),
    )  # fmt: skip
    rows = []
    for place in found.table.places:
        rating, figures = place.rating, place.rating.figures
        cells: tuple[Cell, ...] = (
            place.number if place.number is not None and not place.is_shared else place_words(place),
            found.nicknames[place.player_id], points(rating.total), rating.games, rating.wins,
            points(figures.points), points(figures.extra_points), points(figures.penalty),
            *((points(figures.compensation),) if with_ci else ()),
            *(_key_cell(key, KEYS[key](rating)) for key in keys),
            decision_words(place.decision) if place.number is not None else fewer_words(found, place),
        )  # fmt: skip
        rows.append(cells)
    return Table(_("Season"), head, tuple(rows), kept=2)


def _key_cell(key: str, value: Any) -> Cell:
    return points(value, ONE) if key in IN_THOUSANDTHS else int(value)


def tournaments_table(found: SeasonTable) -> Table:
    """The tournaments and evenings of which games count, the earliest first."""
    rows = tuple((each.starts_on, each.title, each.city, each.slug) for each in tournaments_of(found))
    return Table(_("Tournaments"), (_("Date"), _("Title"), _("City"), _("Address")), rows, kept=2)


def tournaments_of(found: SeasonTable) -> list[Tournament]:
    """The tournaments with a game of the season, up to its day."""
    games = games_of(found.season, found.on).order_by().values("tournament")
    return list(Tournament.objects.filter(pk__in=games).order_by("starts_on", "pk"))


def season_xlsx(found: SeasonTable) -> bytes:
    """The table and the tournaments as one workbook; the same season gives the same bytes."""
    season = found.season
    said = " · ".join(filter(None, (season.title, period_words(season), said_beside(found))))
    return workbook((standings_table(found), tournaments_table(found)), season.title, season.starts_on, said)


def season_json(found: SeasonTable) -> bytes:
    """The season for a program, exact; the same season gives the same bytes."""
    season, rules = found.season, found.season.rules
    return written_json(
        {
            "format": FORMAT,
            "version": VERSION,
            "season": {
                "title": season.title,
                "starts_on": season.starts_on.isoformat(),
                "ends_on": season.ends_on.isoformat(),
                "time_zone": season.time_zone,
                "adds_up": rules.counted.value,
                "reckoning": rules.reckoning.value,
                "best": rules.best if rules.reckoning == "best" else None,
                "minimum_games": rules.least_games,
                "tie_keys": list(rules.tie_keys),
            },
            "as_of": found.on.isoformat() if found.on else None,
            "games_counted": found.progress.signed,
            "games_open": found.progress.open,
            "protests_open": found.progress.protests,
            "games_not_announced": found.progress.hidden,
            "preliminary": found.progress.is_preliminary,
            "tournaments": [
                {"title": each.title, "address": each.slug, "starts_on": each.starts_on.isoformat()}
                for each in tournaments_of(found)
            ],
            "standings": [_place(found, place) for place in found.table.places],
        }
    )


def _place(found: SeasonTable, place: Any) -> dict[str, Any]:
    rating, figures = place.rating, place.rating.figures
    return {
        "place": place.number,
        "last_place": place.last,
        "nickname": found.nicknames[place.player_id],
        "rating": exact(rating.total, MILLION),
        "games": rating.games,
        "wins": rating.wins,
        "points": exact(figures.points, MILLION),
        "extra_points": exact(figures.extra_points, MILLION),
        "penalties": exact(figures.penalty, MILLION),
        "compensation": exact(figures.compensation, MILLION),
        "above_the_next_by": place.decision.key if place.decision and place.number is not None else None,
    }
