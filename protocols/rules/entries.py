"""What a judge writes: one value per kind of entry, as the paper protocol has one mark per kind.

Every entry has its `moment` (where in the game it happened), its `revision` (the order of writing, from 1; 0
for one not yet written) and its `place` (the order within the moment; 0 means: as written).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .terms import Moment, Penalty, Result, Role, RulingAbout, Team


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One mark in the protocol."""

    kind: ClassVar[str] = ""
    after_end: ClassVar[bool] = False  # may be written after the end of the game

    moment: Moment
    revision: int = 0
    place: int = 0

    @property
    def order(self) -> tuple[tuple[int, int, int, int, int], int, int]:
        """The order of play: by moment, then by place."""
        return (self.moment.key, self.place or self.revision or 1 << 30, self.revision)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn(Entry):
    """The game moves on: whose minute or which phase begins. Changes nothing else."""

    kind: ClassVar[str] = "turn"
    seat: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Foul(Entry):
    """An oral warning, a foul, a disqualifying foul or a team defeat (A 6.3–6.8), with its clause where known."""

    kind: ClassVar[str] = "foul"
    after_end: ClassVar[bool] = True
    seat: int | None
    penalty: Penalty = Penalty.FOUL
    clause: str = ""
    team: Team | None = None
    from_tournament: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoulClause(Entry):
    """The clause of a foul written before, added later."""

    kind: ClassVar[str] = "foul_clause"
    after_end: ClassVar[bool] = True
    of: int
    clause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Nomination(Entry):
    """`seat` nominates `target`; None where only the ballot is on paper, as on the printed form."""

    kind: ClassVar[str] = "nomination"
    seat: int | None
    target: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawal(Entry):
    """`seat` takes back the nomination made in this minute."""

    kind: ClassVar[str] = "withdrawal"
    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote(Entry):
    """The tally of one candidate; `voters` where the judge wrote them down."""

    kind: ClassVar[str] = "vote"
    target: int
    count: int
    voters: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RaiseAll(Entry):
    """Who is for all of the tied leaving: the count, or, where unknown, only whether they were raised."""

    kind: ClassVar[str] = "raise_all"
    count: int | None = None
    raised: bool | None = None
    voters: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot(Entry):
    """The night's shot; `target` None is a miss. `shots` are (shooter, seat) pairs where they were written."""

    kind: ClassVar[str] = "shot"
    target: int | None = None
    shots: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Check(Entry):
    """The don's or the sheriff's check of a seat."""

    kind: ClassVar[str] = "check"
    by: Role
    target: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BestMove(Entry):
    """The three seats named by the player shot on night 1; `hits` alone in an archive without them."""

    kind: ClassVar[str] = "best_move"
    after_end: ClassVar[bool] = True
    seats: tuple[int, ...] = ()
    hits: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraPoints(Entry):
    """The judge's extra points of a seat, in thousandths; a later entry for the seat replaces an earlier one."""

    kind: ClassVar[str] = "extra_points"
    after_end: ClassVar[bool] = True
    seat: int
    points: int
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechMark(Entry):
    """The judge's mark for a seat's speeches (B-T2), in thousandths."""

    kind: ClassVar[str] = "speech_mark"
    after_end: ClassVar[bool] = True
    seat: int
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles(Entry):
    """The ten roles in seat order; a later entry replaces an earlier one."""

    kind: ClassVar[str] = "roles"
    after_end: ClassVar[bool] = True
    roles: tuple[Role, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatCorrection(Entry):
    """Two players sat in each other's chairs: their names change places, what was written by seat stays."""

    kind: ClassVar[str] = "seat_correction"
    after_end: ClassVar[bool] = True
    seat: int
    target: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOver(Entry):
    """The judge declares the game over; needed where roles are unknown, or for a broken-off game."""

    kind: ClassVar[str] = "game_over"
    after_end: ClassVar[bool] = True
    result: Result
    clause: str = ""
    text: str = ""
    time: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling(Entry):
    """The judge settles what the rules leave open, with a reason that is printed."""

    kind: ClassVar[str] = "ruling"
    after_end: ClassVar[bool] = True
    about: RulingAbout
    text: str
    result: Result | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Strike(Entry):
    """Strikes out the entry of that revision; striking a strike brings the entry back."""

    kind: ClassVar[str] = "strike"
    after_end: ClassVar[bool] = True
    of: int
    text: str = ""


KINDS: dict[str, type[Entry]] = {
    kind.kind: kind
    for kind in (
        Turn, Foul, FoulClause, Nomination, Withdrawal, Vote, RaiseAll, Shot, Check, BestMove,
        ExtraPoints, SpeechMark, Roles, SeatCorrection, GameOver, Ruling, Strike,
    )
}  # fmt: skip
