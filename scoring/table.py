"""Standings as a page and a sheet of paper show them: rows of ready words and figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from protocols.models import Stage, nickname_key
from protocols.regulation_words import regulation_title
from protocols.rules.points import thousandths
from protocols.rules.regulation import Regulation

from .ratings import MILLION, ONE, Exact, Figures
from .selectors import Progress, TournamentStandings
from .standings import Place
from .tiebreaks import CLAUSES, LOT, RATING
from .wording import decimals_of, decision_words, figure, key_words, multiplier_words, place_words, reckoning_words

NONE = "—"


@dataclass(frozen=True, slots=True)
class Row:
    """One player's row."""

    player_id: int
    place: str
    nickname: str
    rating: str
    games: int
    wins: int
    points: str
    extra_points: str
    penalty: str
    compensation: str
    don_sheriff_wins: int
    first_victim: int
    decision: str
    clause: str  # of the key that decided; empty where the rating itself did
    lot_due: bool
    is_ranked: bool
    passed: str = ""  # the last stage whose cut the player has passed
    cut_below: str = ""  # what the line of a cut below this row says
    team: str = ""  # whom the player plays for


@dataclass(frozen=True, slots=True)
class TiedGroup:
    """Players who wait for a lot, or whose lot is drawn: the places, and who they are in the order of the table."""

    places: str
    players: tuple[int, ...]
    nicknames: tuple[str, ...]
    lot: int = 0  # the key of the lot that was drawn


def rows_of(found: TournamentStandings) -> list[Row]:
    """Every row; each column has as many decimals as its figures need, at most the regulation’s."""
    places = found.table.places
    most = found.tournament.rules.decimals
    columns: dict[str, Callable[[Figures], Exact]] = {
        "points": lambda figures: figures.points,
        "extra_points": lambda figures: figures.extra_points,
        "penalty": lambda figures: figures.penalty,
        "compensation": lambda figures: figures.compensation,
    }
    decimals = {
        name: decimals_of([read(place.rating.figures) for place in places], MILLION, most)
        for name, read in columns.items()
    }
    rating = decimals_of([place.rating.total for place in places], MILLION, most)

    def cell(name: str, place: Place, none: str | None = None) -> str:
        value = columns[name](place.rating.figures)
        return none if none is not None and not value else figure(value, MILLION, decimals[name])

    return [
        Row(
            player_id=place.player_id,
            place=place_words(place),
            nickname=found.nicknames[place.player_id],
            rating=figure(place.rating.total, MILLION, rating),
            games=place.rating.games,
            wins=place.rating.wins,
            points=cell("points", place),
            extra_points=cell("extra_points", place),
            penalty=cell("penalty", place, NONE),
            compensation=cell("compensation", place, NONE),
            don_sheriff_wins=place.rating.don_sheriff_wins,
            first_victim=place.rating.first_victim,
            decision=decision_words(place.decision, most),
            clause=CLAUSES[place.decision.key] if place.decision and place.decision.key != RATING else "",
            lot_due=place.lot_due,
            is_ranked=place.number is not None,
        )
        for place in places
    ]


def matching(rows: Iterable[Row], query: str) -> list[Row]:
    """The rows whose nickname holds the query, however it is capitalised; е finds ё."""
    asked = _folded(query)
    return [row for row in rows if asked in _folded(row.nickname)]


def _folded(nickname: str) -> str:
    return nickname_key(nickname).replace("ё", "е")


def due_groups(found: TournamentStandings) -> list[TiedGroup]:
    """Who waits for a lot, from the top."""
    groups = []
    for tied in found.table.due:
        places = [place for place in found.table.places if place.player_id in tied]
        groups.append(_group(found, place_words(places[0]), [place.player_id for place in places]))
    return groups


def drawn_groups(found: TournamentStandings) -> list[tuple[TiedGroup, str, object]]:
    """The lots that hold, from the top: the group, who drew it and when."""
    numbers = {place.player_id: place.number or 0 for place in found.table.places}
    lots = sorted(found.lots.values(), key=lambda lot: numbers[lot.players[0]])
    return [
        (
            _group(found, f"{numbers[lot.players[0]]}–{numbers[lot.players[-1]]}", lot.players, lot.pk),
            lot.drawn_by,
            lot.drawn_at,
        )
        for lot in lots
    ]


def _group(found: TournamentStandings, places: str, players: Sequence[int], lot: int = 0) -> TiedGroup:
    return TiedGroup(places, tuple(players), tuple(found.nicknames[player] for player in players), lot)


def tie_keys(regulation: Regulation) -> list[tuple[str, str]]:
    """The tie keys in the regulation's order, each with its clause."""
    named = list(regulation.tie_keys)
    asked = named[: named.index(LOT) + 1] if LOT in named else named
    words = {"extra": _("the whole column of extra points") if regulation.tie_extra_with_best_move else ""}
    return [(words.get(key) or key_words(key), CLAUSES[key]) for key in asked]


def multiplied_stages(stages: Iterable[Stage]) -> list[tuple[str, str]]:
    """The stages that multiply, each with its multiplier."""
    found = [(stage.name, thousandths(stage.multiplier)) for stage in stages]
    return [(name, multiplier_words(multiplier)) for name, multiplier in found if multiplier != ONE]


def played_stages(found: TournamentStandings) -> list[Stage]:
    """The stages of which games count, in their order."""
    played = {part.tally.stage_id for place in found.table.places for part in place.rating.stages}
    return [stage for stage in found.stages if stage.pk in played]


def context_of(found: TournamentStandings, progress: Progress) -> dict[str, Any]:
    """What the page and the paper show alike."""
    rules = found.tournament.rules
    played = [rules, *found.terms.own.values()]
    return {
        "tournament": found.tournament,
        "regulation": regulation_title(found.tournament),
        "rows": rows_of(found),
        "progress": progress,
        "has_compensation": any(each.compensation is not None for each in played),
        "has_speech_marks": any(each.has_marks for each in played),
        "penalty_is_multiplied": any("penalty" in each.multiplied for each in played),
        "reckoning": reckoning_words(rules),
        "multiplied": multiplied_stages(found.stages),
        "tie_keys": tie_keys(rules),
        "drawn": drawn_groups(found),
    }
