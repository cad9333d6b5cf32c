"""Why a size or a limit can't be met, and what near it would."""

from itertools import product

import pytest

from protocols.seating.advice import Code, Option, faults_of, options_near
from protocols.seating.terms import Limit, Request


@pytest.mark.parametrize(
    ("request_", "codes"),
    [
        (Request(20, 10, 2), []),
        (Request(33, 10, 3), []),
        (Request(9, 10, 1), [Code.TOO_FEW_PLAYERS]),
        (Request(20, 0, 2), [Code.NO_GAMES]),
        (Request(20, 10, 0), [Code.NO_TABLES]),
        (Request(29, 10, 3), [Code.TOO_MANY_TABLES]),
        (Request(33, 12, 3), [Code.GAMES_NOT_WHOLE]),
        (Request(20, 10, 2, (Limit((0, 20)),)), [Code.UNKNOWN_PLAYER]),
        (Request(20, 10, 2, (Limit((0, 1), -1),)), [Code.NEGATIVE_LIMIT]),
        (Request(20, 10, 2, (Limit((0, 1, 2), 3),)), [Code.MUST_MEET]),
        (Request(20, 10, 2, (Limit((0, 1, 2), 4),)), []),
        (Request(20, 10, 2, tuple(Limit((0, other)) for other in range(1, 11))), []),
        (Request(20, 10, 2, tuple(Limit((0, other)) for other in range(1, 12))), [Code.TOO_FEW_MATES]),
    ],
)
def test_counting_finds_what_is_wrong(request_: Request, codes: list[Code]) -> None:
    assert [fault.code for fault in faults_of(request_)] == codes


def test_a_group_that_must_meet_is_told_how_often() -> None:
    # Three players, ten games each, twenty games: ten games hold two of them, and three pairs share those ten.
    (fault,) = faults_of(Request(20, 10, 2, (Limit((3, 4, 5), 2),)))
    assert (dict(fault.values), fault.players) == ({"size": 3, "most": 2, "least": 4}, (3, 4, 5))


def test_a_size_that_works_is_its_own_advice() -> None:
    assert options_near(33, 10, 3) == (
        Option(players=33, games=10, tables=3, rounds=11, total=33, sitting_out=1, by_round=(3,) * 11),
    )


def test_near_a_size_that_does_not_work_are_fewer_and_more_games_and_players() -> None:
    assert [(near.players, near.games, near.rounds, near.sitting_out) for near in options_near(33, 12, 3)] == [
        (33, 10, 11, 1),
        (33, 20, 22, 2),
        (30, 12, 12, 0),
        (35, 12, 14, 2),
    ]


@pytest.mark.parametrize("tables", [0, 1, 3])
def test_what_is_advised_works(tables: int) -> None:
    for players, games in product(range(1, 45), (0, 1, 7, 10, 12)):
        options = options_near(players, games, tables)
        assert options != ()
        for option in options:
            assert faults_of(Request(option.players, option.games, option.tables)) == ()
            assert (sum(option.by_round), len(option.by_round)) == (option.total, option.rounds)
