"""Ratings under regulations of a tournament's own: sums, averages, the best games, groups of stages, other keys."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from protocols.rules.regulation import EDITION_A, FEDERATION, Reckoning, Regulation
from scoring.ratings import Line, Rating, Terms, ratings
from scoring.standings import standings

from .lines import IDS, NAMES, seat

FLAT = {1: 1000, 2: 1000}


def of(
    nickname: str,
    lines: list[Line],
    regulation: Regulation,
    multipliers: dict[int, int] | None = None,
    terms: Terms | None = None,
) -> Rating:
    """The rating of that player."""
    rows = ratings(lines, regulation, multipliers or FLAT, terms or Terms())
    return next(row for row in rows if row.player_id == IDS[nickname])


def test_an_average_is_the_exact_sum_divided_by_the_games() -> None:
    rules = replace(EDITION_A, reckoning=Reckoning.AVERAGE)
    lines = [
        seat(rules, "red", "Астра", "К", extra="0.5"),
        seat(rules, "black", "Астра", "К"),
        seat(rules, "black", "Астра", "Ч"),
    ]
    rating = of("Астра", lines, rules)
    assert (rating.total, rating.figures.total) == (2_500_000, 7_500_000)
    assert of("Астра", [*lines, *lines[1:]], rules).total == Fraction(11_500_000, 5)
    assert of("Астра", [*lines[:2], seat(rules, "red", "Астра", "Д")], rules).total == Fraction(3_500_000, 3)


def test_of_the_best_games_only_so_many_count_under_their_multipliers() -> None:
    rules = replace(EDITION_A, reckoning=Reckoning.BEST, best_games=2)
    lines = [
        seat(rules, "red", "Астра", "К"),  # 3
        seat(rules, "black", "Астра", "Ч"),  # 4
        seat(rules, "red", "Астра", "К", stage=2, extra="0.5"),  # 3.5 × 1.5
        seat(rules, "black", "Астра", "К", stage=2, removed=True),  # −1
    ]
    rating = of("Астра", lines, rules, {1: 1000, 2: 1500})
    assert (rating.total, rating.games, rating.wins) == (9_250_000, 4, 3)
    assert of("Астра", lines[:1], rules).total == 3_000_000


def test_compensation_counts_the_games_of_a_group_of_stages_as_one() -> None:
    lines = [
        seat(FEDERATION, "black", "Астра", "К", shot=True),
        seat(FEDERATION, "red", "Астра", "К"),
        seat(FEDERATION, "red", "Астра", "К"),
        *(seat(FEDERATION, "red", "Астра", "К") for _ in range(2)),
        *(seat(FEDERATION, "red", "Астра", "К", stage=2) for _ in range(5)),
    ]
    # Alone, stage 1: N = 5, K = 1, 0.4·1/2 = 0.2. Together: N = 10, K = 1, 0.4·1/4 = 0.1.
    assert of("Астра", lines, FEDERATION).figures.compensation == 200_000
    together = Terms(groups={1: "отбор", 2: "отбор"})
    assert of("Астра", lines, FEDERATION, terms=together).figures.compensation == 100_000
    assert of("Астра", lines, FEDERATION, terms=Terms(groups={1: "отбор"})).figures.compensation == 200_000


def test_a_stage_may_have_a_regulation_of_its_own() -> None:
    final = replace(FEDERATION, compensation=None, multiplied=frozenset({"win", "penalty"}))
    lines = [
        seat(FEDERATION, "black", "Астра", "К", shot=True),
        seat(FEDERATION, "black", "Астра", "К", shot=True, stage=2),
        seat(FEDERATION, "red", "Астра", "К", stage=2, extra="0.3", removed=True),
    ]
    figures = of("Астра", lines, FEDERATION, {1: 1000, 2: 2000}, Terms(own={2: final})).figures
    assert (figures.points, figures.extra_points, figures.penalty) == (2_000_000, 300_000, -1_000_000)
    assert figures.compensation == 400_000  # of stage 1 alone


def test_ci_is_off_unless_the_regulation_says_otherwise() -> None:
    assert Regulation(code="A", edition=EDITION_A.edition).compensation is None
    lines = [seat(EDITION_A, "black", "Астра", "К", shot=True)]
    assert of("Астра", lines, EDITION_A).figures.compensation == 0
    half = replace(EDITION_A, compensation=Decimal("0.5"), compensation_share=Decimal("0.5"))
    four = [*lines, *(seat(half, "red", "Астра", "К") for _ in range(3))]
    assert of("Астра", four, half).figures.compensation == 250_000  # 0.5·1/round(0.5·4)


def test_more_keys_decide_in_the_order_of_the_regulation() -> None:
    rules = replace(EDITION_A, tie_keys=("penalty", "best_move", "qualifying"))
    lines = [
        seat(rules, "black", "Астра", "Ч"),
        seat(rules, "red", "Барс", "К", extra="1"),
        seat(rules, "red", "Вихрь", "К", hits=3),
        seat(rules, "red", "Гранит", "К", extra="1"),
        seat(rules, "red", "Гранит", "Ч", extra="1", removed=True),
    ]
    terms = Terms(qualifying={IDS["Барс"]: 2100, IDS["Астра"]: 1500})
    table = standings(lines, rules, FLAT, terms=terms, names=NAMES)
    assert [
        (place.number, NAMES[place.player_id], place.decision and place.decision.key) for place in table.places
    ] == [
        (1, "Вихрь", "best_move"),
        (2, "Барс", "qualifying"),
        (3, "Астра", "penalty"),
        (4, "Гранит", None),
    ]
