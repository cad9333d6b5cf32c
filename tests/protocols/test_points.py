"""Who won, who was shot first and what the best move hit: what results and ratings are made of (A 8.2, 8.3)."""

from collections.abc import Sequence
from dataclasses import replace

from protocols.rules import entries as e
from protocols.rules.fold import replay
from protocols.rules.points import best_move_hits, first_victim, points_of, won
from protocols.rules.regulation import EDITION_A, FEDERATION, Regulation
from protocols.rules.state import GameState
from protocols.rules.terms import SEATS, Result

from .test_differences import AT, BEGUN, DEFEAT, NAMED, SHOT


def after(entries: Sequence[e.Entry], regulation: Regulation = EDITION_A) -> GameState:
    """The state after these entries, written in this order."""
    return replay([replace(entry, revision=revision) for revision, entry in enumerate(entries, 1)], regulation)


def who_won(state: GameState) -> list[bool | None]:
    """What is said of each of the ten."""
    return [won(state, seat) for seat in SEATS]


def test_who_won_is_known_where_a_team_did() -> None:
    red = [True, True, True, True, False, True, False, True, False, True]
    assert who_won(after([*BEGUN, DEFEAT])) == red
    assert who_won(after([*BEGUN, replace(DEFEAT, seat=1)])) == [not team for team in red]


def test_nobody_won_a_game_under_way_a_draw_an_annulled_one_or_with_unknown_roles() -> None:
    none = [None] * 10
    assert who_won(after(BEGUN)) == none
    for result in (Result.DRAW, Result.ANNULLED, Result.REPLAY):
        state = after(BEGUN, FEDERATION)
        state.declared = e.GameOver(moment=AT, revision=7, result=result, text="свет погас")
        assert who_won(state) == none
        assert (points_of(state) is None) == (result != Result.DRAW)
    unknown = after([*BEGUN[1:], replace(DEFEAT, team=None, seat=None), e.GameOver(moment=AT, result=Result.RED)])
    assert who_won(unknown) == none
    assert points_of(unknown) is None


def test_the_first_victim_and_the_hits_of_the_best_move() -> None:
    assert (first_victim(after(BEGUN)), best_move_hits(after(BEGUN))) == (None, None)
    assert (first_victim(after(SHOT)), best_move_hits(after(SHOT))) == (4, None)
    assert best_move_hits(after([*SHOT, NAMED])) == 3
    assert best_move_hits(after([*SHOT, replace(NAMED, seats=(1, 7, 9))])) == 2
    assert best_move_hits(after([*SHOT, replace(NAMED, seats=(1, 2, 3))])) == 0
