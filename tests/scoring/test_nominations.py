"""Nominations: the best by role, by extra points and by first nights, shared by equals."""

from __future__ import annotations

from fractions import Fraction

from protocols.rules.regulation import EDITION_A, FEDERATION, Regulation
from scoring.nominations import Nomination, nominations
from scoring.ratings import GameRating, Line, games_of_player
from scoring.standings import standings

from .lines import NAMES, seat


def awarded(
    lines: list[Line], regulation: Regulation = EDITION_A, **multipliers: int
) -> dict[str, tuple[list[str], str]]:
    """By key: the nicknames in the order of the table, and the value."""
    by_stage = {int(stage.removeprefix("stage")): value for stage, value in multipliers.items()}
    table = standings(lines, regulation, by_stage, names=NAMES)
    games: dict[int, list[GameRating | None]] = {
        player: games_of_player([line for line in lines if line.player_id == player], regulation, by_stage)
        for player in NAMES
    }
    found = nominations((place.rating for place in table.places), games)
    return {each.key: ([NAMES[player] for player in each.players], str(each.value)) for each in found}


def test_best_by_role_is_the_sum_of_the_games_in_that_role() -> None:
    lines = [
        seat(EDITION_A, "red", "Астра", "К", extra="0.5"),
        seat(EDITION_A, "red", "Астра", "К"),
        seat(EDITION_A, "red", "Барс", "К", extra="1"),
        seat(EDITION_A, "red", "Барс", "Ш"),
        seat(EDITION_A, "black", "Вихрь", "Ч"),
        seat(EDITION_A, "black", "Гранит", "Д", extra="0.5"),
    ]
    found = awarded(lines)
    assert found["red"] == (["Астра"], "13/2")
    assert found["sheriff"] == (["Барс"], "3")
    assert found["black"] == (["Вихрь"], "4")
    assert found["don"] == (["Гранит"], "9/2")


def test_the_multiplier_and_penalties_are_in_the_sum_of_a_role() -> None:
    lines = [
        seat(EDITION_A, "red", "Астра", "К", stage=2),
        seat(EDITION_A, "red", "Барс", "К"),
        seat(EDITION_A, "red", "Вихрь", "К", stage=2, removed=True),
    ]
    assert awarded(lines, stage2=1500)["red"] == (["Астра"], "9/2")
    assert awarded(lines[1:], stage2=1500)["red"] == (["Вихрь"], "7/2")


def test_equal_players_share_a_nomination_in_the_order_of_the_table() -> None:
    lines = [
        seat(EDITION_A, "red", "Барс", "К"),
        seat(EDITION_A, "red", "Астра", "К"),
        seat(EDITION_A, "red", "Барс", "Ш", shot=True),
        seat(EDITION_A, "black", "Астра", "Ш", shot=True),
    ]
    found = awarded(lines)
    assert found["red"] == (["Барс", "Астра"], "3")
    assert found["first_victim"] == (["Барс", "Астра"], "1")


def test_nobody_is_nominated_for_nothing() -> None:
    lost = seat(EDITION_A, "black", "Астра", "К")
    found = awarded([lost, seat(EDITION_A, "red", "Барс", "К", removed=True, extra="-1")])
    assert found["sheriff"] == found["extra"] == found["first_victim"] == ([], "0")
    assert awarded([lost])["red"] == ([], "0")
    assert awarded([]) == dict.fromkeys(("red", "sheriff", "black", "don", "extra", "first_victim"), ([], "0"))


def test_extra_points_are_those_of_the_first_tie_key() -> None:
    def lines(regulation: Regulation) -> list[Line]:
        return [
            seat(regulation, "black", "Астра", "К", hits=3, stage=2),
            seat(regulation, "black", "Барс", "К", extra="0.2", stage=2),
        ]

    assert awarded(lines(EDITION_A), stage2=1500)["extra"] == (["Барс"], "1/5")
    assert awarded(lines(FEDERATION), FEDERATION, stage2=1500)["extra"] == (["Астра"], "2/5")


def test_a_game_that_counts_for_nobody_brings_no_nomination() -> None:
    found = awarded([seat(EDITION_A, "annulled", "Астра", "К", extra="1", shot=True)])
    assert {key: names for key, (names, _) in found.items() if names} == {}


def test_whoever_is_removed_from_the_tournament_gets_no_nomination() -> None:
    lines = [
        seat(EDITION_A, "red", "Астра", "К", extra="1"),
        seat(EDITION_A, "red", "Астра", "Ш", expelled=True),
        seat(EDITION_A, "red", "Барс", "К"),
    ]
    found = awarded(lines)
    assert (found["red"], found["sheriff"], found["extra"]) == ((["Барс"], "3"), ([], "0"), ([], "0"))


def test_the_games_told_are_those_in_the_role() -> None:
    lines = [seat(EDITION_A, "red", "Астра", role) for role in "ККШ"]
    games = {1: games_of_player(lines, EDITION_A, {})}
    table = standings(lines, EDITION_A, {})
    red, sheriff, *_ = nominations((place.rating for place in table.places), games)
    assert red == Nomination("red", (1,), Fraction(6), (2,))
    assert sheriff == Nomination("sheriff", (1,), Fraction(3), (1,))
