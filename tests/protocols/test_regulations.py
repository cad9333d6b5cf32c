"""The three presets number by number, a regulation as plain data, and what makes no sense in one."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from protocols.rules.articles import ARTICLES, CITATIONS
from protocols.rules.regulation import (
    EDITION_A,
    EDITION_B,
    FEDERATION,
    PRESETS,
    Base,
    Reckoning,
    Regulation,
    Stalemate,
)
from protocols.rules.regulation_data import NotARegulation, changed, from_data, to_data
from protocols.rules.regulation_sense import Flaw, flaws_of
from protocols.rules.terms import Penalty, Role

IN_A: dict[str, Any] = {
    "edition": "A",
    "opener_moves": True, "withdrawal": True, "single_nominee_day_one": True, "thirty_seconds_for_silenced": False,
    "speech_seconds": 60, "short_speech_seconds": 30, "tied_seconds": 30, "last_words_seconds": 60,
    "raised_seconds": 30, "night_seconds": 60, "check_seconds": 20,
    "no_raise_at_four": True, "raise_three_of_nine": True, "removal_after_vote_cancels_next": False,
    "removal_after_leaving": "nothing",
    "stalemate": "three_days_red", "has_draw": False,
    "base": "result", "win_red": "3", "win_black": "4", "win_sheriff": None, "win_don": None,
    "loss": "0", "loss_black": None, "loss_sheriff": None, "loss_don": None, "draw": "0",
    "removal": "-1", "removal_disqualified": None, "team_defeat_offender": "0", "warning": "0",
    "best_move_red": [[3, "1"], [2, "0.5"]], "best_move_sheriff": [[3, "0.5"]], "best_move_black": [],
    "best_move_don": [], "best_move_void_after_raise": False,
    "extra_amounts": ["0.5", "1"], "extra_step": "0.5", "extra_least": "0", "extra_most": "1", "extra_players": 3,
    "extra_sum": "2", "extra_comment": False,
    "speech_step": None, "speech_most": "0", "speech_in_points": True,
    "reckoning": "sum", "best_games": None, "compensation": None, "compensation_share": "0.4",
    "multiplied": ["best_move", "extra", "speech", "win"],
    "tie_extra_with_best_move": False, "tie_keys": ["extra", "wins", "don_sheriff_wins", "first_victim", "lot"],
    "protest_minutes": 10, "decimals": 2, "team_best": None, "team_penalties": True,
}  # fmt: skip
OTHERWISE_IN_B: dict[str, Any] = {
    "edition": "B", "stalemate": "three_misses_red", "speech_step": "0.5", "speech_most": "5",
    "tie_extra_with_best_move": True,
}  # fmt: skip
OTHERWISE_IN_F: dict[str, Any] = {
    "edition": "F", "thirty_seconds_for_silenced": True, "no_raise_at_four": False,
    "removal_after_vote_cancels_next": True, "stalemate": "three_nights_draw", "has_draw": True,
    "win_red": "1", "win_black": "1", "removal": "-0.5", "team_defeat_offender": "-0.7",
    "best_move_red": [[3, "0.4"], [2, "0.25"]], "best_move_sheriff": [[3, "0.4"], [2, "0.25"]],
    "best_move_void_after_raise": True, "extra_amounts": [], "extra_step": "0.05", "extra_least": "-1",
    "extra_players": None, "extra_sum": None, "compensation": "0.4", "tie_extra_with_best_move": True,
}  # fmt: skip


def test_the_presets_are_the_published_ones_number_by_number() -> None:
    assert to_data(EDITION_A) == IN_A
    assert to_data(EDITION_B) == {**IN_A, **OTHERWISE_IN_B}
    assert to_data(FEDERATION) == {**IN_A, **OTHERWISE_IN_F}
    assert {code: preset.code for code, preset in PRESETS.items()} == {"A": "A", "B": "B", "F": "F"}
    assert [flaws_of(preset) for preset in PRESETS.values()] == [[], [], []]


def test_each_penalty_has_its_clauses() -> None:
    assert {penalty: EDITION_A.clauses_of(penalty) for penalty in Penalty} == {
        Penalty.WARNING: ("6.3", "6.6.1", "6.6.2", "6.6.3", "6.6.4", "6.6.5", "6.6.6", "6.6.7"),
        Penalty.FOUL: ("6.6.1", "6.6.2", "6.6.3", "6.6.4", "6.6.5", "6.6.6", "6.6.7"),
        Penalty.DISQUALIFYING: ("6.7.1", "6.7.2", "6.7.3", "6.7.4", "6.7.5"),
        Penalty.TEAM_DEFEAT: ("6.8.1", "6.8.2", "6.8.3", "6.8.4"),
    }


def test_points_go_by_role_where_they_are_said_to() -> None:
    own = replace(
        EDITION_A, win_sheriff=Decimal(5), win_don=Decimal(6), loss=Decimal(1), loss_black=Decimal(-1),
        loss_sheriff=Decimal(2), loss_don=Decimal(-2), removal_disqualified=Decimal(-3),
    )  # fmt: skip
    roles = (Role.RED, Role.SHERIFF, Role.BLACK, Role.DON)
    assert [EDITION_A.win_of(role) for role in roles] == [3, 3, 4, 4]
    assert [own.win_of(role) for role in roles] == [3, 5, 4, 6]
    assert [own.loss_of(role) for role in roles] == [1, 2, -1, -2]
    assert [replace(own, loss_sheriff=None, loss_don=None).loss_of(role) for role in roles] == [1, 1, -1, -1]
    assert [replace(EDITION_A, loss=Decimal(1)).loss_of(role) for role in roles] == [1, 1, 1, 1]
    assert [own.removal_of(disqualified=by_foul) for by_foul in (True, False)] == [-3, -1]
    assert [EDITION_A.removal_of(disqualified=by_foul) for by_foul in (True, False)] == [-1, -1]
    assert [EDITION_A.best_move(role, 3) for role in roles] == [1, Decimal("0.5"), 0, 0]
    assert [EDITION_A.best_move(Role.RED, hits) for hits in range(4)] == [0, 0, Decimal("0.5"), 1]
    assert (EDITION_A.has_marks, EDITION_B.has_marks) == (False, True)


# ---------------------------------------------------------------- plain data


@pytest.mark.parametrize("code", PRESETS)
def test_a_regulation_comes_back_from_its_data(code: str) -> None:
    own = replace(
        PRESETS[code], best_games=3, team_best=2, extra_players=None, extra_sum=Decimal("1.50"),
        stalemate=Stalemate.NONE, tie_keys=("wins",),
        multiplied=frozenset({"win"}), best_move_don=((1, Decimal("0.1")),), base=Base.MARKS,
        loss_don=Decimal(1), protest_minutes=0, withdrawal=False,
    )  # fmt: skip
    assert from_data(code, to_data(own)) == own
    assert to_data(own)["extra_sum"] == "1.5"
    assert from_data(code, {}) == PRESETS[code]
    assert set(changed(own, PRESETS[code])) >= {"best_games", "team_best", "tie_keys", "multiplied", "base"}
    assert changed(own, own) == ()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("strength", "1"),
        ("win_red", 3), ("win_red", "NaN"), ("win_red", "three"), ("win_red", None), ("win_red", "Infinity"),
        ("extra_amounts", [1]), ("extra_amounts", 5), ("extra_amounts", None),
        ("best_move_red", [["3", "1"]]), ("best_move_red", [[3]]), ("best_move_red", [[3, 1]]),
        ("speech_seconds", "60"), ("speech_seconds", True), ("speech_seconds", 1.5), ("best_games", "3"),
        ("best_games", True), ("withdrawal", 1), ("withdrawal", "yes"), ("stalemate", "often"), ("edition", "C"),
        ("tie_keys", "wins"), ("tie_keys", [1]), ("tie_keys", 7), ("multiplied", {"win": 1}),
    ],
)  # fmt: skip
def test_data_that_is_no_regulation_names_the_switch(name: str, value: object) -> None:
    with pytest.raises(NotARegulation) as raised:
        from_data("A", {"decimals": 1, name: value})
    assert (raised.value.name, str(raised.value)) == (name, name)


def test_a_switch_that_came_later_is_told_only_where_it_is_on() -> None:
    """So that what was stored, sealed and sent before it reads the same."""
    own = replace(EDITION_A, best_move_after_miss=True)
    assert to_data(EDITION_A).keys() | {"best_move_after_miss"} == to_data(own).keys()
    assert (from_data("A", to_data(own)), changed(own, EDITION_A)) == (own, ("best_move_after_miss",))


def test_a_regulation_begins_with_a_preset() -> None:
    with pytest.raises(NotARegulation) as raised:
        from_data("C", {})
    assert raised.value.name == "code"


# ---------------------------------------------------------------- what makes no sense


def D(text: str) -> Decimal:
    """The exact number."""
    return Decimal(text)


RANGE = {"extra_amounts": (), "extra_least": D("-1"), "extra_most": D("1"), "extra_step": D("0.5"), "extra_sum": None}
SENSELESS: list[tuple[dict[str, Any], list[Flaw]]] = [
    ({"speech_seconds": 0}, [Flaw("seconds", "speech_seconds", {"least": 1, "most": 600})]),
    ({"check_seconds": 601}, [Flaw("seconds", "check_seconds", {"least": 1, "most": 600})]),
    ({"win_red": D("1000.001")}, [Flaw("too_much", "win_red", {"most": D("1000")})]),
    ({"best_move_red": ((3, D("0.0001")),)}, [Flaw("too_fine", "best_move_red", {"points": D("0.0001")})]),
    ({"win_red": D("0")}, [Flaw("win_not_above_loss", "win_red", {"win": D("0"), "loss": D("0")})]),
    (
        {"win_black": D("1"), "loss_black": D("2")},
        [Flaw("win_not_above_loss", "win_black", {"win": D("1"), "loss": D("2")})],
    ),
    ({"win_sheriff": D("0")}, [Flaw("win_not_above_loss", "win_sheriff", {"win": D("0"), "loss": D("0")})]),
    ({"win_don": D("1"), "loss_don": D("2")}, [Flaw("win_not_above_loss", "win_don", {"win": D("1"), "loss": D("2")})]),
    ({"loss_sheriff": D("3")}, [Flaw("win_not_above_loss", "loss_sheriff", {"win": D("3"), "loss": D("3")})]),
    ({"loss_don": D("5")}, [Flaw("win_not_above_loss", "loss_don", {"win": D("4"), "loss": D("5")})]),
    (
        {"win_red": D("0"), "win_sheriff": D("1")},
        [Flaw("win_not_above_loss", "win_red", {"win": D("0"), "loss": D("0")})],
    ),
    ({"removal": D("0.5")}, [Flaw("penalty_above_0", "removal", {"points": D("0.5")})]),
    ({"removal_disqualified": D("1")}, [Flaw("penalty_above_0", "removal_disqualified", {"points": D("1")})]),
    ({"team_defeat_offender": D("1")}, [Flaw("penalty_above_0", "team_defeat_offender", {"points": D("1")})]),
    ({"warning": D("0.1")}, [Flaw("penalty_above_0", "warning", {"points": D("0.1")})]),
    ({"extra_amounts": (D("1"), D("1"))}, [Flaw("amounts_twice", "extra_amounts")]),
    ({"extra_amounts": (D("1"), D("0"))}, [Flaw("amounts_twice", "extra_amounts")]),
    (
        {**RANGE, "extra_least": D("2")},
        [Flaw("least_above_most", "extra_least", {"least": D("2"), "most": D("1")})],
    ),
    ({**RANGE, "extra_step": D("0")}, [Flaw("step_not_above_0", "extra_step")]),
    (
        {**RANGE, "extra_least": D("-0.7")},
        [Flaw("not_in_steps", "extra_least", {"points": D("-0.7"), "step": D("0.5")})],
    ),
    (
        {**RANGE, "extra_most": D("0.7")},
        [Flaw("not_in_steps", "extra_most", {"points": D("0.7"), "step": D("0.5")})],
    ),
    ({"extra_players": 0}, [Flaw("players", "extra_players", {"least": 1, "most": 10})]),
    ({"extra_players": 11}, [Flaw("players", "extra_players", {"least": 1, "most": 10})]),
    ({"extra_sum": D("0.4")}, [Flaw("sum_below_amount", "extra_sum", {"sum": D("0.4")})]),
    ({"extra_amounts": (D("-1"),), "extra_sum": D("0")}, [Flaw("sum_below_amount", "extra_sum", {"sum": D("0")})]),
    ({**RANGE, "extra_sum": D("0.9")}, [Flaw("sum_below_amount", "extra_sum", {"sum": D("0.9")})]),
    ({"best_move_red": ((4, D("1")),)}, [Flaw("hits", "best_move_red")]),
    ({"best_move_don": ((3, D("1")), (3, D("1")))}, [Flaw("hits", "best_move_don")]),
    ({"best_move_sheriff": ((1, D("1")),)}, [Flaw("more_hits_less", "best_move_sheriff")]),
    ({"best_move_black": ((2, D("1")), (3, D("0.5")))}, [Flaw("more_hits_less", "best_move_black")]),
    ({"base": Base.MARKS}, [Flaw("marks_without_scale", "base")]),
    ({"speech_step": D("0"), "speech_most": D("5")}, [Flaw("step_not_above_0", "speech_step")]),
    (
        {"speech_step": D("0.5"), "speech_most": D("0")},
        [Flaw("not_in_steps", "speech_most", {"points": D("0"), "step": D("0.5")})],
    ),
    (
        {"speech_step": D("0.5"), "speech_most": D("0.7")},
        [Flaw("not_in_steps", "speech_most", {"points": D("0.7"), "step": D("0.5")})],
    ),
    ({"stalemate": Stalemate.THREE_NIGHTS_DRAW}, [Flaw("draw_needed", "has_draw")]),
    ({"reckoning": Reckoning.BEST}, [Flaw("best_needed", "best_games")]),
    ({"best_games": 0}, [Flaw("players", "best_games", {"least": 1, "most": 1000})]),
    ({"team_best": 1001}, [Flaw("players", "team_best", {"least": 1, "most": 1000})]),
    ({"multiplied": frozenset({"win", "luck"})}, [Flaw("unknown_component", "multiplied", {"name": "luck"})]),
    ({"compensation": D("0")}, [Flaw("not_above_0", "compensation")]),
    ({"compensation_share": D("0")}, [Flaw("share", "compensation_share")]),
    ({"compensation_share": D("1.1")}, [Flaw("share", "compensation_share")]),
    ({"decimals": 4}, [Flaw("players", "decimals", {"least": 0, "most": 3})]),
    ({"decimals": -1}, [Flaw("players", "decimals", {"least": 0, "most": 3})]),
    ({"protest_minutes": -1}, [Flaw("players", "protest_minutes", {"least": 0, "most": 1440})]),
    ({"protest_minutes": 1441}, [Flaw("players", "protest_minutes", {"least": 0, "most": 1440})]),
    ({"tie_keys": ()}, [Flaw("no_tie_key", "tie_keys")]),
    ({"tie_keys": ("strength",)}, [Flaw("unknown_tie_key", "tie_keys", {"name": "strength"})]),
    ({"tie_keys": ("wins", "wins")}, [Flaw("tie_key_twice", "tie_keys")]),
    ({"tie_keys": ("lot", "wins")}, [Flaw("after_the_lot", "tie_keys")]),
]
SENSIBLE: list[dict[str, Any]] = [
    {"speech_seconds": 1, "check_seconds": 600},
    {"win_red": D("1000"), "removal": D("-1000")},
    {"best_move_red": ((3, D("0.001")),)},
    {"win_red": D("0.001")},
    {"win_black": D("1"), "loss": D("0.5"), "loss_black": D("0.999")},
    {"base": Base.MARKS, "speech_step": D("0.5"), "speech_most": D("0.5"), "win_red": D("0"), "win_black": D("0")},
    {"win_sheriff": D("0.001"), "win_don": D("0.001"), "loss_sheriff": D("0"), "loss_don": D("-1")},
    {"base": Base.MARKS, "speech_step": D("0.5"), "speech_most": D("0.5"), "win_don": D("0"), "loss_don": D("1")},
    {"removal": D("0"), "removal_disqualified": D("0"), "team_defeat_offender": D("0"), "warning": D("0")},
    RANGE,
    {**RANGE, "extra_least": D("1"), "extra_most": D("1")},
    {**RANGE, "extra_sum": D("1")},
    {"extra_amounts": (), "extra_least": D("-1"), "extra_most": D("0"), "extra_sum": D("0.5")},
    {"extra_players": 1}, {"extra_players": 10}, {"extra_players": None},
    {"extra_sum": D("0.5")}, {"extra_sum": D("0.5"), "extra_amounts": (D("-1"), D("0.5"), D("1"))},
    {"extra_sum": None},
    {"best_move_red": ((0, D("-1")), (1, D("0.5")), (2, D("0.5")), (3, D("1")))},
    {"best_games": 1, "reckoning": Reckoning.BEST}, {"best_games": 1000, "team_best": 1},
    {"stalemate": Stalemate.THREE_NIGHTS_DRAW, "has_draw": True},
    {"multiplied": frozenset({"win", "speech", "best_move", "extra", "penalty", "compensation"})},
    {"multiplied": frozenset()},
    {"compensation": D("0.001"), "compensation_share": D("1")}, {"compensation_share": D("0.001")},
    {"decimals": 0}, {"decimals": 3}, {"protest_minutes": 0}, {"protest_minutes": 1440},
    {"tie_keys": ("lot",)}, {"tie_keys": ("extra", "wins", "don_sheriff_wins", "first_victim")},
    {"tie_keys": ("best_move", "penalty", "qualifying", "lot")},
]  # fmt: skip


def named(value: object) -> str:
    """What a regulation is given otherwise, as the name of the test."""
    return ", ".join(f"{key}={item}" for key, item in value.items()) if isinstance(value, dict) else ""


@pytest.mark.parametrize(("otherwise", "flaws"), SENSELESS, ids=named)
def test_what_makes_no_sense_is_told_where_it_stands(otherwise: dict[str, Any], flaws: list[Flaw]) -> None:
    rules: Regulation = replace(EDITION_A, **otherwise)
    assert flaws_of(rules) == flaws


@pytest.mark.parametrize("otherwise", SENSIBLE, ids=named)
def test_what_is_just_within_its_bounds_makes_sense(otherwise: dict[str, Any]) -> None:
    assert flaws_of(replace(EDITION_A, **otherwise)) == []


# ---------------------------------------------------------------- clauses


def test_every_rule_cites_a_clause_that_is_printed() -> None:
    heads = {clause.rpartition(".")[0] for clause in ARTICLES}  # «A 6.8», of which 6.8.1 is printed
    printed = {*ARTICLES, *heads, *(f"§{number}" for number in range(1, 10)), "ФИИМ"}
    cited = {preset.cite(rule) for preset in PRESETS.values() for rule in CITATIONS}
    assert cited - printed == set()
    assert {"A 7.1", "B-S1", "ФИИМ", "§3"} <= cited
