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


class Base(StrEnum):
    """Where the points of a game come from, before penalties and extra points."""

    RESULT = "result"  # A 8.2.1–8.2.2: the team won, lost or drew
    MARKS = "marks"  # the judge's mark for speeches takes the place of win and loss


class Reckoning(StrEnum):
    """How a player's games make the rating."""

    SUM = "sum"  # A 8.6
    AVERAGE = "average"  # the sum divided by the games
    BEST = "best"  # the sum of the best of them


D = Decimal
Scale = tuple[tuple[int, Decimal], ...]  # points by black seats named
BEST_MOVE_RED = {3: D("1"), 2: D("0.5")}
BEST_MOVE_SHERIFF = {3: D("0.5")}
TIE_KEYS = ("extra", "wins", "don_sheriff_wins", "first_victim", "lot")
KNOWN_TIE_KEYS = (
    "extra", "wins", "don_sheriff_wins", "first_victim", "best_move", "penalty", "qualifying", "lot",
)  # fmt: skip
"""What may decide between equal players; `qualifying` is a rating given from outside the tournament."""
COMPONENTS = ("win", "speech", "best_move", "extra", "penalty", "compensation")
"""The parts of a rating that a stage's multiplier may be for."""


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
    base: Base = Base.RESULT
    win_red: Decimal = D("3")
    win_black: Decimal = D("4")
    win_sheriff: Decimal | None = None  # None: as the red
    win_don: Decimal | None = None  # None: as the black
    loss: Decimal = D("0")
    loss_black: Decimal | None = None  # None: as `loss`
    loss_sheriff: Decimal | None = None  # None: as `loss`
    loss_don: Decimal | None = None  # None: as the black
    draw: Decimal = D("0")
    removal: Decimal = D("-1")
    removal_disqualified: Decimal | None = None  # by a disqualifying foul; None: as by four fouls
    team_defeat_offender: Decimal = D("0")
    warning: Decimal = D("0")  # each oral warning, the yellow card (A 6.3)
    best_move_red: Scale = tuple(BEST_MOVE_RED.items())
    best_move_sheriff: Scale = tuple(BEST_MOVE_SHERIFF.items())
    best_move_black: Scale = ()  # empty: may name, and gets nothing
    best_move_don: Scale = ()
    best_move_void_after_raise: bool = False  # two or more left by the vote of day 1
    best_move_after_miss: bool = False  # after a miss on night 1 it is that of the first player shot
    extra_amounts: tuple[Decimal, ...] = (D("0.5"), D("1"))  # empty: by step and range
    extra_step: Decimal = D("0.5")
    extra_least: Decimal = D("0")
    extra_most: Decimal = D("1")
    extra_players: int | None = 3
    extra_sum: Decimal | None = D("2")
    extra_comment: bool = False  # none are given without a comment
    speech_step: Decimal | None = None  # None: no mark for speeches
    speech_most: Decimal = D("0")
    speech_in_points: bool = True  # the mark stands in the column Баллы

    # many games
    reckoning: Reckoning = Reckoning.SUM
    best_games: int | None = None  # how many count where the best do
    compensation: Decimal | None = None  # Ci: the most one lost game of the first victim may bring
    compensation_share: Decimal = D("0.4")  # of the games of a group of stages, at which Ci is at its most
    multiplied: frozenset[str] = frozenset({"win", "speech", "best_move", "extra"})
    tie_extra_with_best_move: bool = False  # False: the judge's extra points only
    tie_keys: tuple[str, ...] = TIE_KEYS
    protest_minutes: int = 10
    decimals: int = 2  # of a rating, as shown; the order never looks at them

    # teams
    team_best: int | None = None  # how many of its members' ratings make a team's; None: all
    team_penalties: bool = True  # a team's own penalties are taken off its sum

    def cite(self, rule: str) -> str:
        """The clause of this regulation's text that holds the rule: «A 7.1», «B-S1», «ФИИМ» or «§3»."""
        in_a, in_b, in_federation = CITATIONS[rule]
        return {Edition.A: in_a, Edition.B: in_b, Edition.FEDERATION: in_federation}[self.edition]

    def win(self, team: Team) -> Decimal:
        """Points of every player of the winning team (A 8.2.1, 8.2.2)."""
        return self.win_red if team == Team.RED else self.win_black

    def win_of(self, role: Role) -> Decimal:
        """Points of a player of that role whose team won (A 8.2.1, 8.2.2)."""
        own = {Role.SHERIFF: self.win_sheriff, Role.DON: self.win_don}.get(role)
        return self.win(role.team) if own is None else own

    def loss_of(self, role: Role) -> Decimal:
        """Points of a player of that role whose team lost."""
        black = self.loss if self.loss_black is None else self.loss_black
        whole = self.loss if role.team == Team.RED else black
        own = {Role.SHERIFF: self.loss_sheriff, Role.DON: self.loss_don}.get(role)
        return whole if own is None else own

    def removal_of(self, *, disqualified: bool) -> Decimal:
        """The penalty of a removal, by a disqualifying foul or by four fouls (A 8.2.4)."""
        apart = self.removal_disqualified if disqualified else None
        return self.removal if apart is None else apart

    def best_move_scale(self, role: Role) -> Scale:
        """Points of the best move by black seats named, for that role; empty: it brings nothing."""
        return {
            Role.RED: self.best_move_red,
            Role.SHERIFF: self.best_move_sheriff,
            Role.BLACK: self.best_move_black,
            Role.DON: self.best_move_don,
        }[role]

    def best_move(self, role: Role, hits: int) -> Decimal:
        """Points of the best move of a player of that role who named `hits` black seats, 0–3 (A 8.3, 8.3.1)."""
        return dict(self.best_move_scale(role)).get(hits, D("0"))

    @property
    def has_marks(self) -> bool:
        """Whether the judge marks speeches (B-T2)."""
        return self.speech_step is not None

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

__all__ = [
    "COMPONENTS", "EDITION_A", "EDITION_B", "FEDERATION", "FEDERATION_PRACTICE", "KNOWN_TIE_KEYS", "PRESETS",
    "AfterLeaving", "Base", "Edition", "Reckoning", "Regulation", "Scale", "Stalemate",
]  # fmt: skip
