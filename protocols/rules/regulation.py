"""The regulation (регламент) a game is played under: every option and every number of the rules, as one value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum

from .articles import CITATIONS, FEDERATION_PRACTICE
from .terms import Penalty, Role, Team


class Edition(StrEnum):
    """The published text the wording and the clauses come from."""

    A = "A"
    B = "B"
    FEDERATION = "F"


class Stalemate(StrEnum):
    """What ends a game in which nobody leaves."""

    NONE = "none"
    THREE_DAYS_RED = "three_days_red"  # A 7.3
    THREE_MISSES_AT_FOUR_RED = "three_misses_red"  # B-S3
    THREE_NIGHTS_DRAW = "three_nights_draw"  # Federation


class AfterLeaving(StrEnum):
    """What the removal of a player who had already left does to a vote."""

    NOTHING = "nothing"
    CANCEL = "cancel"


D = Decimal
BEST_MOVE_RED = {3: D("1"), 2: D("0.5")}
BEST_MOVE_SHERIFF = {3: D("0.5")}
TIE_KEYS = ("extra", "wins", "don_sheriff_wins", "first_victim", "lot")


@dataclass(frozen=True)
class Regulation:
    """Every switch and number of a tournament's rules; points are exact decimals, times are seconds."""

    code: str
    edition: Edition

    # the day
    opener_moves: bool = True  # each day opens with the next living seat; False: always with seat 1
    withdrawal: bool = True
    single_nominee_day_one: bool = True  # True: day 1 with one nominee has no vote
    thirty_seconds_for_silenced: bool = False  # with 3 or 4 at the table, instead of silence
    speech_seconds: int = 60
    short_speech_seconds: int = 30  # of a silenced player with 3 or 4 at the table
    tied_seconds: int = 30
    last_words_seconds: int = 60
    raised_seconds: int = 30
    night_seconds: int = 60
    check_seconds: int = 20

    # the vote
    no_raise_at_four: bool = True  # A 7.6, B-S6: at 3 or 4 a second full tie means night
    raise_three_of_nine: bool = True
    removal_after_vote_cancels_next: bool = False
    removal_after_leaving: AfterLeaving = AfterLeaving.NOTHING

    # the end
    stalemate: Stalemate = Stalemate.NONE
    has_draw: bool = False

    # points of one game
    win_red: Decimal = D("3")
    win_black: Decimal = D("4")
    loss: Decimal = D("0")
    draw: Decimal = D("0")
    removal: Decimal = D("-1")
    team_defeat_offender: Decimal = D("0")
    best_move_red: tuple[tuple[int, Decimal], ...] = tuple(BEST_MOVE_RED.items())
    best_move_sheriff: tuple[tuple[int, Decimal], ...] = tuple(BEST_MOVE_SHERIFF.items())
    best_move_void_after_raise: bool = False  # two or more left by the vote of day 1
    extra_amounts: tuple[Decimal, ...] = (D("0.5"), D("1"))  # empty: by step and range
    extra_step: Decimal = D("0.5")
    extra_least: Decimal = D("0")
    extra_most: Decimal = D("1")
    extra_players: int | None = 3
    extra_sum: Decimal | None = D("2")
    speech_step: Decimal | None = None  # None: no mark for speeches
    speech_most: Decimal = D("0")
    speech_in_points: bool = True  # the mark stands in the column Баллы

    # many games
    compensation: Decimal | None = None  # Ci: the most one lost game of the first victim may bring
    multiplied: frozenset[str] = frozenset({"win", "speech", "best_move", "extra"})
    tie_extra_with_best_move: bool = False  # False: the judge's extra points only
    tie_keys: tuple[str, ...] = TIE_KEYS
    protest_minutes: int = 10

    def cite(self, rule: str) -> str:
        """The clause of this regulation's text that holds the rule: «A 7.1», «B-S1», «ФИИМ» or «§3»."""
        in_a, in_b, in_federation = CITATIONS[rule]
        return {Edition.A: in_a, Edition.B: in_b, Edition.FEDERATION: in_federation}[self.edition]

    def win(self, team: Team) -> Decimal:
        """Points of every player of the winning team (A 8.2.1, 8.2.2)."""
        return self.win_red if team == Team.RED else self.win_black

    def best_move(self, role: Role, hits: int) -> Decimal:
        """Points of the best move of a player of that role who named `hits` black seats, 0–3 (A 8.3, 8.3.1)."""
        if role.team == Team.BLACK:
            return D("0")
        scale = self.best_move_sheriff if role == Role.SHERIFF else self.best_move_red
        return dict(scale).get(hits, D("0"))

    def clauses_of(self, penalty: Penalty) -> tuple[str, ...]:
        """The clauses under which that penalty may be given."""
        return PENALTY_CLAUSES[penalty]


PENALTY_CLAUSES: dict[Penalty, tuple[str, ...]] = {
    Penalty.WARNING: ("6.3", *(f"6.6.{n}" for n in range(1, 8))),
    Penalty.FOUL: tuple(f"6.6.{n}" for n in range(1, 8)),
    Penalty.DISQUALIFYING: tuple(f"6.7.{n}" for n in range(1, 6)),
    Penalty.TEAM_DEFEAT: tuple(f"6.8.{n}" for n in range(1, 5)),
}

EDITION_A = Regulation(code="A", edition=Edition.A, stalemate=Stalemate.THREE_DAYS_RED)
EDITION_B = replace(
    EDITION_A,
    code="B",
    edition=Edition.B,
    stalemate=Stalemate.THREE_MISSES_AT_FOUR_RED,
    speech_step=D("0.5"),
    speech_most=D("5"),
    tie_extra_with_best_move=True,
)
FEDERATION = Regulation(
    code="F",
    edition=Edition.FEDERATION,
    thirty_seconds_for_silenced=True,
    no_raise_at_four=False,
    removal_after_vote_cancels_next=True,
    stalemate=Stalemate.THREE_NIGHTS_DRAW,
    has_draw=True,
    win_red=D("1"),
    win_black=D("1"),
    removal=D("-0.5"),
    team_defeat_offender=D("-0.7"),
    best_move_red=((3, D("0.4")), (2, D("0.25"))),
    best_move_sheriff=((3, D("0.4")), (2, D("0.25"))),
    best_move_void_after_raise=True,
    extra_amounts=(),
    extra_step=D("0.05"),
    extra_least=D("-1"),
    extra_most=D("1"),
    extra_players=None,
    extra_sum=None,
    compensation=D("0.4"),
    tie_extra_with_best_move=True,
)
PRESETS: dict[str, Regulation] = {preset.code: preset for preset in (EDITION_A, EDITION_B, FEDERATION)}

__all__ = ["EDITION_A", "EDITION_B", "FEDERATION", "FEDERATION_PRACTICE", "PRESETS", "Edition", "Regulation"]
