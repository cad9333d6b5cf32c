"""Who comes into a stage by a table, and what a correction would change of it (RULES §7)."""

from __future__ import annotations

import pytest

from protocols.rules.regulation import EDITION_A
from scoring.cuts import Change, Passing, change, passing
from scoring.ratings import Line
from scoring.standings import Lots, Standings, standings

from .lines import IDS, NAMES, seat

# Астра 4, Барс and Вихрь 3 and equal, Гранит 0.5, Дельта 0
LINES = [
    seat(EDITION_A, "black", "Астра", "Ч"),
    seat(EDITION_A, "red", "Барс", "К"),
    seat(EDITION_A, "red", "Вихрь", "К"),
    seat(EDITION_A, "black", "Гранит", "К", extra="0.5"),
    seat(EDITION_A, "black", "Дельта", "К"),
]


def table_of(lines: list[Line], lots: Lots | None = None) -> Standings:
    """The table of these lines."""
    return standings(lines, EDITION_A, {1: 1000}, names=NAMES, lots=lambda: lots or {})


def names(found: Passing) -> tuple[list[str], list[str], bool]:
    """Who comes in, who waits for a lot, and whether all is settled."""
    through, tied = ([NAMES[place.player_id] for place in places] for places in (found.through, found.tied))
    return through, tied, found.is_settled


@pytest.mark.parametrize(
    ("size", "through", "tied", "settled"),
    [
        (1, ["Астра"], [], True),
        (2, ["Астра"], ["Барс", "Вихрь"], False),
        (3, ["Астра", "Барс", "Вихрь"], [], True),  # equal players on one side of the line wait for nothing
        (4, ["Астра", "Барс", "Вихрь", "Гранит"], [], True),
        (5, ["Астра", "Барс", "Вихрь", "Гранит", "Дельта"], [], True),
        (6, ["Астра", "Барс", "Вихрь", "Гранит", "Дельта"], [], False),  # fewer than should come in
    ],
)
def test_the_first_come_in_and_a_tie_across_the_line_waits(
    size: int, through: list[str], tied: list[str], settled: bool
) -> None:
    assert names(passing(table_of(LINES), size)) == (through, tied, settled)


@pytest.mark.parametrize("order", [("Барс", "Вихрь"), ("Вихрь", "Барс")])
def test_a_drawn_lot_decides_who_of_the_tied_comes_in(order: tuple[str, str]) -> None:
    drawn = tuple(IDS[name] for name in order)
    found = passing(table_of(LINES, {frozenset(drawn): drawn}), 2)
    assert names(found) == (["Астра", order[0]], [], True)


def test_the_tied_share_what_places_are_left() -> None:
    three = [seat(EDITION_A, "red", name, "К") for name in ("Астра", "Барс", "Вихрь")]
    found = passing(table_of(three), 2)
    assert (found.left, found.tied_players) == (2, frozenset({1, 2, 3}))


def test_the_next_takes_the_place_of_whoever_is_removed_from_the_tournament() -> None:
    expelled = [*LINES, seat(EDITION_A, "black", "Астра", "Ч", expelled=True)]
    assert names(passing(table_of(expelled), 3)) == (["Барс", "Вихрь", "Гранит"], [], True)


def test_nobody_comes_in_from_an_empty_table() -> None:
    assert passing(table_of([]), 10) == Passing(10, ())


def changed(passed: list[str], now: Passing) -> dict[str, list[str]]:
    """The change in nicknames."""
    found = change([IDS[name] for name in passed], now)
    parts = {"comes": found.comes, "goes": found.goes, "tied": found.tied}
    return {part: [NAMES[player] for player in players] for part, players in parts.items() if players}


def test_another_order_of_the_same_players_changes_nothing() -> None:
    assert change([3, 1, 2], passing(table_of(LINES), 3)) == Change()
    assert not Change()


def test_a_correction_that_lets_somebody_else_in_is_told() -> None:
    assert changed(["Астра", "Барс", "Дельта"], passing(table_of(LINES), 3)) == {"comes": ["Вихрь"], "goes": ["Дельта"]}


def test_a_tie_that_comes_up_later_is_told_as_a_lot() -> None:
    assert changed(["Астра", "Барс"], passing(table_of(LINES), 2)) == {"tied": ["Барс", "Вихрь"]}


def test_whoever_is_removed_later_would_go() -> None:
    expelled = [*LINES, seat(EDITION_A, "black", "Астра", "Ч", expelled=True)]
    now = passing(table_of(expelled), 3)
    assert changed(["Астра", "Барс", "Вихрь"], now) == {"comes": ["Гранит"], "goes": ["Астра"]}
