"""The order of the standings: each tie key, shared places, lots, players removed from the tournament (A 8.5–8.6)."""

from dataclasses import replace
from fractions import Fraction

import pytest

from protocols.rules.regulation import EDITION_A, EDITION_B, FEDERATION, KNOWN_TIE_KEYS, Regulation
from scoring.ratings import Line
from scoring.standings import Decision, Lots, Standings, standings
from scoring.tiebreaks import CLAUSES, KEYS, keys_of

from .lines import IDS, NAMES, seat

Row = tuple[int | None, int | None, str, str | None]


def order(
    lines: list[Line],
    regulation: Regulation = EDITION_A,
    multipliers: dict[int, int] | None = None,
    lots: Lots | None = None,
) -> Standings:
    """The standings of these lines, equal players by nickname."""
    return standings(lines, regulation, multipliers or {1: 1000}, names=NAMES, lots=lambda: lots or {})


def rows_of(table: Standings) -> list[Row]:
    """Place, last of shared places, nickname and the key that put the row above the next."""
    return [
        (place.number, place.last, NAMES[place.player_id], place.decision.key if place.decision else None)
        for place in table.places
    ]


def test_a_higher_rating_stands_higher() -> None:
    table = order([seat(EDITION_A, "black", "Барс", "К"), seat(EDITION_A, "black", "Астра", "Ч")])
    assert rows_of(table) == [(1, 1, "Астра", "rating"), (2, 2, "Барс", None)]
    assert table.places[0].decision == Decision("rating", 4_000_000, 0)


def test_at_equal_ratings_more_extra_points_stand_higher() -> None:
    # both 4: a black win, or a red win and an extra point
    table = order([seat(EDITION_A, "black", "Астра", "Ч"), seat(EDITION_A, "red", "Барс", "К", extra="1")])
    assert rows_of(table) == [(1, 1, "Барс", "extra"), (2, 2, "Астра", None)]
    assert table.places[0].decision == Decision("extra", 1000, 0)


def both_at_four(regulation: Regulation) -> list[Line]:
    """4 from a best move, and 4 from the judge's extra points."""
    return [
        seat(regulation, "red", "Астра", "К", hits=3),
        seat(regulation, "red", "Барс", "К", extra="0.5"),
        seat(regulation, "black", "Барс", "К", extra="0.5"),
    ]


def test_edition_a_compares_the_judges_extra_points_without_the_best_move() -> None:
    # 8.3 and 8.4 are apart
    table = order(both_at_four(EDITION_A))
    assert rows_of(table)[0] == (1, 1, "Барс", "extra")
    assert table.places[0].decision == Decision("extra", 1000, 0)


def test_edition_b_compares_the_whole_extra_column() -> None:
    table = order(both_at_four(EDITION_B), EDITION_B)
    assert {place.rating.tie_extra for place in table.places} == {1000}
    assert rows_of(table)[0] == (1, 1, "Астра", "first_victim")


def test_the_federation_compares_the_whole_extra_column() -> None:
    lines = [
        seat(FEDERATION, "red", "Астра", "К", hits=2),
        seat(FEDERATION, "red", "Барс", "К", extra="0.25"),
    ]
    assert rows_of(order(lines, FEDERATION))[0] == (1, 1, "Астра", "first_victim")


def test_extra_points_are_compared_unmultiplied() -> None:
    # 4.5 both: the final's extra point is worth 1.5 in the rating, and 1 in the comparison
    lines = [
        seat(EDITION_A, "red", "Астра", "К"),
        seat(EDITION_A, "black", "Астра", "К", stage=2, extra="1"),
        seat(EDITION_A, "red", "Барс", "К", extra="1"),
        seat(EDITION_A, "black", "Барс", "К", extra="0.5"),
    ]
    table = order(lines, EDITION_A, {1: 1000, 2: 1500})
    assert {place.rating.total for place in table.places} == {4_500_000}
    assert table.places[0].decision == Decision("extra", 1500, 1000)
    assert NAMES[table.places[0].player_id] == "Барс"


def test_at_equal_extra_points_more_wins_stand_higher() -> None:
    # 12: four red wins, or three black ones
    lines = [seat(EDITION_A, "red", "Астра", "К") for _ in range(4)]
    lines += [seat(EDITION_A, "black", "Барс", "Ч") for _ in range(3)]
    table = order(lines)
    assert rows_of(table) == [(1, 1, "Астра", "wins"), (2, 2, "Барс", None)]
    assert table.places[0].decision == Decision("wins", 4, 3)


@pytest.mark.parametrize(("role", "plain", "result"), [("Ш", "К", "red"), ("Д", "Ч", "black")])
def test_at_equal_wins_more_wins_as_don_or_sheriff_stand_higher(role: str, plain: str, result: str) -> None:
    lines = [seat(EDITION_A, result, "Астра", plain), seat(EDITION_A, result, "Барс", role)]
    table = order(lines)
    assert rows_of(table) == [(1, 1, "Барс", "don_sheriff_wins"), (2, 2, "Астра", None)]


def test_then_more_deaths_on_the_first_night_stand_higher() -> None:
    lines = [seat(EDITION_A, "red", "Астра", "К"), seat(EDITION_A, "red", "Барс", "К", shot=True)]
    assert rows_of(order(lines)) == [(1, 1, "Барс", "first_victim"), (2, 2, "Астра", None)]


def three_equal_and_one_below() -> list[Line]:
    lines = [seat(EDITION_A, "red", nickname, "К") for nickname in ("Вихрь", "Астра", "Барс")]
    return [seat(EDITION_A, "black", "Гранит", "К"), *lines]


def test_players_equal_in_every_key_share_the_places_and_wait_for_a_lot() -> None:
    table = order(three_equal_and_one_below())
    assert rows_of(table) == [
        (1, 3, "Астра", None),
        (1, 3, "Барс", None),
        (1, 3, "Вихрь", "rating"),
        (4, 4, "Гранит", None),
    ]
    assert [place.lot_due for place in table.places] == [True, True, True, False]
    assert table.due == (frozenset({IDS["Астра"], IDS["Барс"], IDS["Вихрь"]}),)


def drawn(*nicknames: str) -> Lots:
    return {frozenset(IDS[name] for name in nicknames): tuple(IDS[name] for name in nicknames)}


def test_a_drawn_lot_orders_the_players_that_were_tied() -> None:
    table = order(three_equal_and_one_below(), lots=drawn("Барс", "Вихрь", "Астра"))
    assert rows_of(table) == [
        (1, 1, "Барс", "lot"),
        (2, 2, "Вихрь", "lot"),
        (3, 3, "Астра", "rating"),
        (4, 4, "Гранит", None),
    ]
    assert table.due == ()


def test_a_lot_says_nothing_once_other_players_are_tied() -> None:
    for lot in (drawn("Барс", "Астра"), drawn("Барс", "Вихрь", "Астра", "Гранит")):
        assert order(three_equal_and_one_below(), lots=lot) == order(three_equal_and_one_below())


def test_two_groups_wait_for_their_lots_apart() -> None:
    lines = [seat(EDITION_A, "red", name, "К") for name in ("Астра", "Барс")]
    lines += [seat(EDITION_A, "black", name, "К") for name in ("Вихрь", "Гранит")]
    table = order(lines, lots=drawn("Гранит", "Вихрь"))
    assert rows_of(table) == [
        (1, 2, "Астра", None),
        (1, 2, "Барс", "rating"),
        (3, 3, "Гранит", "lot"),
        (4, 4, "Вихрь", None),
    ]


def test_without_a_lot_in_the_regulation_equal_players_just_share() -> None:
    regulation = replace(EDITION_A, tie_keys=("wins",))
    table = order(three_equal_and_one_below(), regulation, lots=drawn("Барс", "Вихрь", "Астра"))
    assert [(place.number, place.last, place.lot_due) for place in table.places][:3] == [(1, 3, False)] * 3


def test_the_regulation_orders_the_keys() -> None:
    lines = [
        seat(EDITION_A, "black", "Астра", "Ч"),
        seat(EDITION_A, "red", "Барс", "К", extra="1"),
        seat(EDITION_A, "black", "Барс", "К", shot=True),
    ]
    first_victim_first = replace(EDITION_A, tie_keys=("first_victim", "extra", "lot"))
    assert rows_of(order(lines, first_victim_first))[0] == (1, 1, "Барс", "first_victim")


def test_a_key_that_nobody_defined_is_refused() -> None:
    with pytest.raises(KeyError):
        keys_of(replace(EDITION_A, tie_keys=("height", "lot")))


def test_every_key_has_its_clause() -> None:
    assert set(CLAUSES) == {*KEYS, "lot"} == {"rating", *KNOWN_TIE_KEYS}


def test_a_player_removed_from_the_tournament_stands_after_the_ranked_without_a_place() -> None:
    lines = [
        seat(EDITION_A, "black", "Астра", "Ч"),
        seat(EDITION_A, "black", "Астра", "Д", removed=True, expelled=True),
        seat(EDITION_A, "red", "Барс", "К"),
        seat(EDITION_A, "black", "Вихрь", "К"),
    ]
    table = order(lines)
    assert rows_of(table) == [(1, 1, "Барс", "rating"), (2, 2, "Вихрь", None), (None, None, "Астра", None)]
    assert table.places[2].rating.total == 7_000_000


def test_whoever_was_removed_from_the_tournament_in_an_annulled_game_is_listed_without_a_game() -> None:
    table = order([seat(EDITION_A, "annulled", "Астра", "К", expelled=True)])
    assert rows_of(table) == [(None, None, "Астра", None)]
    assert table.places[0].rating.games == 0


def test_a_removed_player_ties_with_nobody() -> None:
    lines = [seat(EDITION_A, "red", "Астра", "К", expelled=True), seat(EDITION_A, "red", "Барс", "К")]
    assert order(lines).due == ()


def test_the_order_comes_from_exact_values_not_from_rounded_ones() -> None:
    # 0.4/3 in eight games against 0.13 of extra points: both print as 0,13
    lines = [
        seat(FEDERATION, "black", "Барс", "К", shot=True),
        *[seat(FEDERATION, "black", "Барс", "К") for _ in range(7)],
        replace_extra(seat(FEDERATION, "black", "Астра", "К"), 130),
    ]
    table = order(lines, FEDERATION)
    assert rows_of(table) == [(1, 1, "Барс", "rating"), (2, 2, "Астра", None)]
    assert table.places[0].decision == Decision("rating", Fraction(400_000, 3), 130_000)


def replace_extra(line: Line, thousandths: int) -> Line:
    return line._replace(extra=thousandths)


def test_nobody_played_nobody_stands() -> None:
    assert order([]) == Standings(())
    assert order([]).due == ()
