"""Ratings: the components of many games added up under the multipliers of their stages (A 8.2–8.6)."""

import ast
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.rules.regulation import EDITION_A, EDITION_B, FEDERATION, Regulation
from scoring.ratings import Figures, Line, Rating, Tally, compensation_of_a_game, games_of_player, ratings

from .lines import IDS, seat

FLAT = {1: 1000}
POINT = 1_000_000


def rating_of(nickname: str, lines: list[Line], regulation: Regulation, multipliers: dict[int, int]) -> Rating:
    """That player's rating."""
    return {row.player_id: row for row in ratings(lines, regulation, multipliers)}[IDS[nickname]]


def test_edition_a_totals_of_three_games_reckoned_by_hand() -> None:
    lines = [
        seat(EDITION_A, "red", "Астра", "К", hits=3),  # 3 + 1
        seat(EDITION_A, "red", "Барс", "Ш", extra="0.5"),  # 3 + 0.5
        seat(EDITION_A, "red", "Вихрь", "К", removed=True),  # 3 − 1
        seat(EDITION_A, "red", "Гранит", "Д", extra="1"),  # 0 + 1
        seat(EDITION_A, "black", "Астра", "Ч"),  # 4
        seat(EDITION_A, "black", "Барс", "К", hits=2),  # 0 + 0.5
        seat(EDITION_A, "black", "Вихрь", "Д", removed=True, extra="0.5"),  # 4 − 1 + 0.5
        seat(EDITION_A, "black", "Гранит", "Ш", hits=3),  # 0 + 0.5
        seat(EDITION_A, "red", "Астра", "Ч", removed=True),  # −1
        seat(EDITION_A, "red", "Барс", "Д"),  # 0
        seat(EDITION_A, "red", "Вихрь", "Ш", hits=2),  # 3 + 0
        seat(EDITION_A, "red", "Гранит", "К"),  # 3
    ]
    totals = {row.player_id: Fraction(row.total, POINT) for row in ratings(lines, EDITION_A, FLAT)}
    assert totals == {
        IDS["Астра"]: Fraction("7"),
        IDS["Барс"]: Fraction("4"),
        IDS["Вихрь"]: Fraction("8.5"),
        IDS["Гранит"]: Fraction("4.5"),
    }


def test_the_multiplier_is_for_points_and_the_penalty_goes_in_as_it_is() -> None:
    # A 8.6 with 8.2.3 and 8.2.4
    lines = [
        seat(EDITION_A, "black", "Астра", "Ч", removed=True),
        seat(EDITION_A, "red", "Астра", "К", stage=2, hits=2, extra="0.5", removed=True),
    ]
    rating = rating_of("Астра", lines, EDITION_A, {1: 1000, 2: 1500})
    assert rating.figures == Figures(points=8_500_000, extra_points=1_500_000, penalty=-2_000_000)
    assert rating.total == 8 * POINT


def test_a_regulation_may_multiply_the_penalty_too() -> None:
    regulation = replace(EDITION_A, multiplied=EDITION_A.multiplied | {"penalty"})
    lines = [seat(regulation, "red", "Астра", "К", removed=True)]
    assert rating_of("Астра", lines, regulation, {1: 1500}).total == 3 * POINT


def test_a_regulation_may_leave_extra_points_unmultiplied() -> None:
    regulation = replace(EDITION_A, multiplied=frozenset({"win"}))
    lines = [seat(regulation, "red", "Астра", "К", hits=3, extra="1")]
    assert rating_of("Астра", lines, regulation, {1: 1500}).total == 6_500_000


def test_the_rating_grows_over_all_stages_and_counts_each_game() -> None:
    lines = [
        seat(EDITION_A, "red", "Астра", "Ш", stage=1, shot=True),
        seat(EDITION_A, "black", "Астра", "Д", stage=2),
        seat(EDITION_A, "black", "Астра", "К", stage=3, shot=True),
    ]
    rating = rating_of("Астра", lines, EDITION_A, {1: 1000, 2: 1000, 3: 1500})
    assert (rating.games, rating.wins, rating.don_sheriff_wins, rating.first_victim) == (3, 2, 2, 2)
    assert [stage.figures.total for stage in rating.stages] == [3 * POINT, 4 * POINT, 0]


@pytest.mark.parametrize("result", ["annulled", "replay"])
def test_an_annulled_or_replayed_game_counts_for_nobody(result: str) -> None:
    lines = [seat(EDITION_A, "red", "Астра", "К"), seat(EDITION_A, result, "Астра", "К", extra="1", shot=True)]
    assert ratings(lines, EDITION_A, FLAT) == ratings(lines[:1], EDITION_A, FLAT)
    assert ratings(lines[1:], EDITION_A, FLAT) == []


def test_a_draw_is_a_game_without_a_win() -> None:
    rating = rating_of("Астра", [seat(FEDERATION, "draw", "Астра", "К", shot=True)], FEDERATION, FLAT)
    assert (rating.games, rating.wins, rating.total) == (1, 0, 0)


def test_a_mark_for_speeches_stands_in_the_column_the_regulation_names() -> None:
    lines = [seat(EDITION_B, "red", "Астра", "К", speech="4.5", extra="0.5")]
    assert rating_of("Астра", lines, EDITION_B, {1: 1500}).figures == Figures(points=11_250_000, extra_points=750_000)
    apart = replace(EDITION_B, speech_in_points=False)
    rating = rating_of("Астра", lines, apart, {1: 1500})
    assert rating.figures == Figures(points=4_500_000, extra_points=7_500_000)
    assert rating.tie_extra == 5000


# --- the Federation's compensation


@pytest.mark.parametrize(
    ("games", "nights", "millionths"),
    [
        (1, 1, 400_000),  # round(0.4) is 0: the one night brings the most
        (2, 1, 400_000),  # round(0.8) = 1
        (3, 1, 400_000),  # round(1.2) = 1
        (4, 1, 200_000),  # round(1.6) = 2
        (5, 1, 200_000),
        (8, 1, Fraction(400_000, 3)),  # round(3.2) = 3
        (8, 2, Fraction(800_000, 3)),
        (10, 4, 400_000),  # 0.4·4/4
        (10, 5, 400_000),  # never more than 0.4
        (12, 3, 240_000),  # round(4.8) = 5
    ],
)
def test_compensation_grows_with_the_nights_and_has_a_ceiling(
    games: int, nights: int, millionths: int | Fraction
) -> None:
    tally = Tally(1, 1, games=games, red_first_victim=nights, red_first_victim_lost=nights)
    assert compensation_of_a_game(tally, FEDERATION) == millionths


def test_compensation_is_for_each_lost_game_of_the_red_first_victim() -> None:
    lines = [
        seat(FEDERATION, "black", "Астра", "К", hits=0),  # lost: compensated
        seat(FEDERATION, "black", "Астра", "Ш", hits=0),  # lost as the sheriff, who plays red: compensated
        seat(FEDERATION, "red", "Астра", "К", hits=0),  # won: counts among the nights only
        seat(FEDERATION, "red", "Астра", "Ч", shot=True),  # black: neither
        *[seat(FEDERATION, "red", "Астра", "Ч") for _ in range(6)],
    ]
    # ten games, three such nights: 0.4·3/4 = 0.3 a game
    assert rating_of("Астра", lines, FEDERATION, FLAT).figures.compensation == 600_000


def test_compensation_counts_the_games_and_nights_of_each_stage_apart() -> None:
    lines = [
        seat(FEDERATION, "black", "Астра", "К", stage=1, shot=True),
        *[seat(FEDERATION, "black", "Астра", "К", stage=1) for _ in range(9)],  # 0.4·1/4
        seat(FEDERATION, "black", "Астра", "К", stage=2, shot=True),
        *[seat(FEDERATION, "black", "Астра", "К", stage=2) for _ in range(4)],  # 0.4·1/2
    ]
    rating = rating_of("Астра", lines, FEDERATION, {1: 1000, 2: 1500})
    assert [stage.figures.compensation for stage in rating.stages] == [100_000, 200_000]


def test_a_draw_is_not_compensated() -> None:
    lines = [seat(FEDERATION, "draw", "Астра", "К", shot=True)]
    assert rating_of("Астра", lines, FEDERATION, FLAT).figures.compensation == 0


def test_editions_a_and_b_know_no_compensation() -> None:
    for regulation in (EDITION_A, EDITION_B):
        lines = [seat(regulation, "black", "Астра", "К", shot=True)]
        assert rating_of("Астра", lines, regulation, FLAT).figures.compensation == 0


# --- what each game brought


def test_a_players_games_add_up_to_the_rating() -> None:
    lines = [
        seat(FEDERATION, "black", "Астра", "К", hits=2, extra="0.35"),
        seat(FEDERATION, "annulled", "Астра", "К"),
        *[seat(FEDERATION, "red", "Астра", "К", extra="0.05") for _ in range(7)],
        seat(FEDERATION, "red", "Астра", "Д", stage=2, removed=True),
    ]
    multipliers = {1: 1000, 2: 1500}
    games = games_of_player(lines, FEDERATION, multipliers)
    assert [game is None for game in games] == [False, True, *[False] * 8]
    brought = sum((game.figures for game in games if game), Figures())
    assert brought == rating_of("Астра", lines, FEDERATION, multipliers).figures


seats = st.builds(
    lambda role, result, extra, hits, removed, stage: seat(
        FEDERATION,
        result,
        "Астра",
        role,
        stage=stage,
        extra=str(Decimal(extra) / 20),
        hits=hits,
        removed=removed,
    ),
    st.sampled_from("КШЧД"),
    st.sampled_from(["red", "black", "draw", "annulled", "replay"]),
    st.integers(-20, 20),
    st.one_of(st.none(), st.integers(0, 3)),
    st.booleans(),
    st.integers(1, 3),
)


@given(st.lists(seats, max_size=25), st.permutations([0, 1, 2]))
def test_any_games_add_up_to_the_rating_in_any_order(lines: list[Line], stages: list[int]) -> None:
    multipliers = {1: 1000, 2: 1250, 3: 1500}
    reordered = sorted(lines, key=lambda line: stages[line.stage_id - 1])
    first = ratings(lines, FEDERATION, multipliers)
    second = ratings(reordered, FEDERATION, multipliers)
    assert [row.total for row in first] == [row.total for row in second]
    brought = sum((game.figures.total for game in games_of_player(lines, FEDERATION, multipliers) if game), 0)
    assert brought == sum(row.total for row in first)


@given(st.lists(seats, min_size=1, max_size=25))
def test_every_figure_is_exact(lines: list[Line]) -> None:
    for row in ratings(lines, FEDERATION, {1: 1000, 2: 1250, 3: 1500}):
        figures = row.figures
        parts = (figures.points, figures.extra_points, figures.penalty, figures.compensation, row.total)
        assert {type(part) for part in parts} <= {int, Fraction}


@pytest.mark.parametrize("module", ["ratings", "tiebreaks", "standings"])
def test_no_number_of_the_core_is_a_float(module: str) -> None:
    source = Path(__file__).resolve().parents[2] / "scoring" / f"{module}.py"
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float))
        assert not (isinstance(node, ast.Name) and node.id in {"float", "round"})
        assert not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div))
