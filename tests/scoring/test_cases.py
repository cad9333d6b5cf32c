"""The case files of the standings: `tests/games/standings`, one rule each, in words a judge can read.

standings A            the regulation: A, B or F
stage Финал ×1,5       the games below belong to this stage; those before any are of a stage ×1
game red   Астра К +0,5, Барс Ш best move 2, Вихрь Ч shot removed
                       who won (or annulled, replay, draw) and the seats that matter: nickname, role, extra points,
                       shot on night 1, hits of the best move, removed, expelled (from the tournament)
lot  Барс, Астра       a lot drawn among these, in this order
expect  1 Барс 4 (extra 1 : 0) · 2–3 Астра 3 (lot due) · …
                       the whole table: place, nickname, rating, and what put the row above the next
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from protocols.rules.articles import clause_exists
from protocols.rules.regulation import PRESETS, Regulation
from scoring.ratings import MILLION, ONE, Exact, Line
from scoring.standings import Place, standings
from scoring.wording import place_words, short_figure
from tests.games.script import Case, Statement, case_files, read_case

from .lines import IDS, NAMES, seat

SEAT = re.compile(
    r"(?P<nickname>\w+) (?P<role>[КШЧД])"
    r"(?P<marks>(?: (?:[+−][\d,]+|shot|best move \d|speech [\d,]+|removed|expelled))*)"
)
MARK = re.compile(
    r"(?P<extra>[+−][\d,]+)|best move (?P<hits>\d)|speech (?P<speech>[\d,]+)|(?P<word>shot|removed|expelled)"
)
KEYS = {"don_sheriff_wins": "don or sheriff", "first_victim": "first night"}
FILES = case_files("standings")


@dataclass
class Board:
    """What a case has told so far."""

    regulation: Regulation = PRESETS["A"]
    stages: list[int] = field(default_factory=lambda: [ONE])  # multipliers in thousandths
    lines: list[Line] = field(default_factory=list)
    lots: dict[frozenset[int], tuple[int, ...]] = field(default_factory=dict)

    def tell(self, statement: Statement) -> None:
        """Takes one line of the case. Raises ValueError for one it can't read."""
        word, _, rest = statement.text.partition(" ")
        rest = rest.strip()
        if word == "standings":
            self.regulation = PRESETS[rest]
        elif word == "stage":
            self.stages.append(int(number(rest.rpartition("×")[2]) * ONE))
        elif word == "game":
            result, _, seats = rest.partition(" ")
            self.lines += [self.seat(result, text) for text in seats.strip().split(", ")]
        elif word == "lot":
            players = tuple(IDS[nickname] for nickname in rest.split(", "))
            self.lots[frozenset(players)] = players
        else:
            raise ValueError(f"line {statement.line}: {statement.text}")

    def seat(self, result: str, text: str) -> Line:
        """One seat of a game."""
        found = SEAT.fullmatch(text)
        if found is None:
            raise ValueError(text)
        how: dict[str, Any] = {}
        for mark in MARK.finditer(found["marks"]):
            if mark["word"]:
                how[mark["word"]] = True
            elif mark["hits"]:
                how["hits"] = int(mark["hits"])
            else:
                how["extra" if mark["extra"] else "speech"] = plain(mark["extra"] or mark["speech"])
        return seat(self.regulation, result, found["nickname"], found["role"], stage=len(self.stages), **how)

    def table(self) -> list[str]:
        """The rows, as a case writes them."""
        multipliers = dict(enumerate(self.stages, start=1))
        order = standings(self.lines, self.regulation, multipliers, names=NAMES, lots=lambda: self.lots)
        return [row_words(place) for place in order.places]


def plain(text: str) -> str:
    """A decimal as Python reads it: «+0,5» → 0.5."""
    return text.replace("+", "").replace("−", "-").replace(",", ".")


def number(text: str) -> Fraction:
    """An exact number: «1,5»."""
    return Fraction(plain(text))


def row_words(place: Place) -> str:
    """«1–3 Астра 3 (lot due)»."""
    why = ["lot due"] if place.lot_due else []
    if place.decision is not None:
        why.append(decision_words(place.decision.key, place.decision.value, place.decision.next_value))
    row = f"{place_words(place)} {NAMES[place.player_id]} {short_figure(place.rating.total, MILLION)}"
    return f"{row} ({', '.join(why)})" if why else row


def decision_words(key: str, value: Exact, other: Exact) -> str:
    """«extra 1 : 0»; the rating and the lot without figures."""
    if key in ("rating", "lot"):
        return key
    unit = ONE if key == "extra" else 1
    return f"{KEYS.get(key, key)} {short_figure(value, unit)} : {short_figure(other, unit)}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    case: Case = read_case(path)
    board = Board()
    for statement in case.statements:
        if not statement.is_expected:
            board.tell(statement)
    assert board.table() == [statement.text for statement in case.statements if statement.is_expected]


def test_every_clause_of_standings_has_a_case() -> None:
    named = {clause for path in FILES for clause in read_case(path).clauses}
    assert {"A 8.5", "A 8.5.1", "A 8.5.2", "A 8.5.3", "A 8.5.4", "A 8.6"} <= named
    assert {clause for clause in named if not clause_exists(clause) and not clause.startswith("§")} == set()
