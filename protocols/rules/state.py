"""What follows from the entries so far: the state of a game as the fold builds it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .entries import BestMove, Entry, ExtraPoints, Foul, GameOver, Roles, Ruling, Shot
from .refusal import Refusal
from .regulation import Regulation
from .terms import SEATS, SETUP, HowLeft, Moment, Result, Role, Team


@dataclass(slots=True)
class Exit:
    """How, when and by which clause a player left the table."""

    how: HowLeft
    moment: Moment
    clause: str
    revision: int


@dataclass(slots=True)
class SeatState:
    """One player at the table."""

    seat: int
    role: Role | None = None
    fouls: list[Foul] = field(default_factory=list)  # ordinary ones, at most four
    warnings: list[Foul] = field(default_factory=list)
    disqualified: Foul | None = None
    left: Exit | None = None
    removed: Exit | None = None  # by fouls or a disqualifying foul, also after having left
    silence_due: bool = False  # the next own minute is lost (A 6.4)
    silent_since: Moment | None = None  # when that became known
    team_defeat: Foul | None = None
    from_tournament: bool = False

    def copy(self) -> SeatState:
        """A copy that can be changed on its own."""
        return SeatState(
            self.seat, self.role, list(self.fouls), list(self.warnings), self.disqualified,
            self.left, self.removed, self.silence_due, self.silent_since, self.team_defeat, self.from_tournament,
        )  # fmt: skip


@dataclass(slots=True)
class Tally:
    """The votes for one candidate; the voters where they were written."""

    count: int
    voters: tuple[int, ...] | None
    revision: int


@dataclass(slots=True)
class Ballot:
    """One ballot or revote: its candidates in ballot order and the tallies taken so far."""

    candidates: tuple[int, ...]
    living: int
    tallies: dict[int, Tally] = field(default_factory=dict)
    void: bool = False  # the vote was cancelled, or a ruling started it anew

    @property
    def is_complete(self) -> bool:
        """Whether every candidate has a tally."""
        return len(self.tallies) == len(self.candidates)

    @property
    def given(self) -> int:
        """Votes counted so far."""
        return sum(tally.count for tally in self.tallies.values())

    @property
    def leaders(self) -> tuple[int, ...]:
        """The candidates with most votes, in ballot order; for a complete ballot."""
        most = max(tally.count for tally in self.tallies.values())
        return tuple(seat for seat in self.candidates if self.tallies[seat].count == most)

    def copy(self) -> Ballot:
        """A copy that can be changed on its own."""
        return Ballot(self.candidates, self.living, dict(self.tallies), self.void)


@dataclass(slots=True)
class Raise:
    """The raise-all question: how many were for it (None: unknown) and whether it was carried."""

    candidates: tuple[int, ...]
    count: int | None
    living: int
    raised: bool
    revision: int


@dataclass(slots=True)
class Decision:
    """How the vote of a day ended; no leavers means night falls with everyone at the table."""

    leavers: tuple[int, ...]
    clause: str
    revision: int


@dataclass(slots=True)
class Cancellation:
    """Why no vote is held on a day: the seat removed (None: a ruling) and the clause."""

    seat: int | None
    clause: str
    revision: int


@dataclass(slots=True)
class Day:
    """One day: its speeches, nominations and vote."""

    number: int
    opener: int | None = None
    speeches: dict[int, int] = field(default_factory=dict)  # ordinal from 1 → seat
    silent: list[int] = field(default_factory=list)  # seats that lost this day's minute
    short: list[int] = field(default_factory=list)  # seats that had 30 s instead of silence
    nominations: list[tuple[int | None, int]] = field(default_factory=list)  # (by, target) in ballot order
    ballots: list[Ballot] = field(default_factory=list)
    void_ballots: list[Ballot] = field(default_factory=list)  # replaced by a ruling
    tied: tuple[int, ...] = ()  # to speak before the next revote, or to be raised together
    raise_due: bool = False
    raise_all: Raise | None = None
    decision: Decision | None = None
    cancelled: Cancellation | None = None
    restored: bool = False  # a ruling holds the vote in spite of a removal
    restarts: int = 0  # how often rulings began the vote anew: its ballots are numbered from 10 × this
    pre_revote: dict[tuple[int, int], int] = field(default_factory=dict)  # (ballot, step) → seat
    last_words: list[int] = field(default_factory=list)  # seats whose last words have begun

    def copy(self) -> Day:
        """A copy that can be changed on its own."""
        return Day(
            self.number, self.opener, dict(self.speeches), list(self.silent), list(self.short),
            list(self.nominations), [ballot.copy() for ballot in self.ballots], list(self.void_ballots),
            self.tied, self.raise_due, self.raise_all, self.decision, self.cancelled, self.restored, self.restarts,
            dict(self.pre_revote), list(self.last_words),
        )  # fmt: skip


@dataclass(slots=True)
class Night:
    """One night: the shot and the checks."""

    number: int
    living: int = 10
    shot: Shot | None = None
    victim: int | None = None
    don_check: int | None = None
    sheriff_check: int | None = None
    victim_words: bool = False

    @property
    def missed(self) -> bool:
        """Whether the shot was written and hit nobody."""
        return self.shot is not None and self.victim is None

    def copy(self) -> Night:
        """A copy that can be changed on its own."""
        return Night(
            self.number,
            self.living,
            self.shot,
            self.victim,
            self.don_check,
            self.sheriff_check,
            self.victim_words,
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the game ended, by which rule and clause, and when.

    `revision` is that of the entry that brought it about or made it known, whichever is later: entries written
    before it were played in good faith and stand.
    """

    result: Result
    reason: str
    clause: str
    moment: Moment
    revision: int
    by: int = 0  # revision of the entry at whose moment the game ended
    seat: int | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """What the rules did, as a code with its clause; the words live in the catalogs."""

    code: str
    clause: str
    moment: Moment
    revision: int
    params: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Contradiction:
    """The record and the rules disagree; the judge must rule before signing."""

    code: str
    clause: str
    revision: int
    params: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pending:
    """What a foul brings — «removal», «silence» or «defeat» — until the table can know of it.

    `known` is the revision of the latest of the entries it follows from; `overtaken`: play that it would have
    changed went on before that (RULES §5).
    """

    what: str
    foul: Foul
    known: int
    overtaken: bool = False


@dataclass(slots=True)
class GameState:
    """Everything that follows from the entries so far."""

    regulation: Regulation
    results_only: bool = False
    moment: Moment = SETUP
    revision: int = 0
    seats: dict[int, SeatState] = field(default_factory=lambda: {n: SeatState(n) for n in SEATS})
    days: dict[int, Day] = field(default_factory=dict)
    nights: dict[int, Night] = field(default_factory=dict)
    cancelled_days: dict[int, Cancellation] = field(default_factory=dict)
    roles: Roles | None = None
    teams_since: int = 0  # the revision that first gave the ten seats the teams they have now
    best_move: BestMove | None = None
    extra_points: dict[int, ExtraPoints] = field(default_factory=dict)
    speech_marks: dict[int, int] = field(default_factory=dict)  # seat → thousandths
    chairs: dict[int, int] = field(default_factory=lambda: {n: n for n in SEATS})  # seat → original seat of its name
    exits: list[tuple[int, Moment]] = field(default_factory=list)
    pending: list[Pending] = field(default_factory=list)  # consequences dated when noticed
    derived: Outcome | None = None  # by the rules
    declared: GameOver | None = None  # by the judge
    rulings: list[Ruling] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    contradictions: list[Contradiction] = field(default_factory=list)
    set_aside: list[tuple[Entry, Refusal]] = field(default_factory=list)
    out_of_turn: list[tuple[Entry, Refusal]] = field(default_factory=list)  # words that stand, in the wrong order
    clauses: dict[int, str] = field(default_factory=dict)  # revision of a foul → clause added later
    defeats: list[Foul] = field(default_factory=list)  # team defeats, also those without a seat

    def copy(self) -> GameState:
        """A copy that can be changed on its own."""
        return GameState(
            self.regulation, self.results_only, self.moment, self.revision,
            {n: seat.copy() for n, seat in self.seats.items()},
            {n: day.copy() for n, day in self.days.items()},
            {n: night.copy() for n, night in self.nights.items()},
            dict(self.cancelled_days), self.roles, self.teams_since, self.best_move, dict(self.extra_points),
            dict(self.speech_marks), dict(self.chairs), list(self.exits), list(self.pending), self.derived,
            self.declared, list(self.rulings), list(self.notices), list(self.contradictions),
            list(self.set_aside), list(self.out_of_turn), dict(self.clauses), list(self.defeats),
        )  # fmt: skip

    @property
    def living(self) -> list[int]:
        """The seats at the table, in seat order."""
        return [n for n, seat in self.seats.items() if seat.left is None]

    @property
    def roles_known(self) -> bool:
        """Whether the ten roles are written."""
        return self.roles is not None

    @property
    def day(self) -> Day | None:
        """The day the game stands in; None in night 0."""
        return self.days.get(self.moment.day)

    def team_of(self, seat: int) -> Team | None:
        """The team of that seat, where roles are known."""
        role = self.seats[seat].role
        return role.team if role else None

    def seat_of(self, role: Role) -> int | None:
        """The seat of the sheriff or the don, where roles are known."""
        return next((n for n, seat in self.seats.items() if seat.role == role), None)

    def living_of(self, team: Team) -> list[int]:
        """The seats of that team still at the table."""
        return [n for n in self.living if self.team_of(n) == team]

    def removed_seats(self) -> list[int]:
        """The seats removed by four fouls or a disqualifying foul."""
        return [n for n, seat in self.seats.items() if seat.removed]

    def clause_of(self, foul: Foul) -> str:
        """The clause of a foul, also where it was added later; empty where unknown."""
        return self.clauses.get(foul.revision, foul.clause)

    def refusal(self, code: str, rule: str, **params: object) -> Refusal:
        """A refusal with the clause of this regulation."""
        return Refusal(code, self.regulation.cite(rule), params)

    def tell(self, code: str, rule: str, revision: int, **params: object) -> None:
        """Notes what the rules did, with the clause of this regulation."""
        self.notices.append(Notice(code, self.regulation.cite(rule), self.moment, revision, params))

    def contradict(self, code: str, rule: str, revision: int, **params: object) -> None:
        """Notes a disagreement between record and rules, once."""
        if not any(c.code == code and c.params == params for c in self.contradictions):
            self.contradictions.append(Contradiction(code, self.regulation.cite(rule), revision, params))
