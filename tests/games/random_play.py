"""Games played at random by the rules: what may come next is asked of the agenda, everything else is tried.

`RandomGame(random, regulation).play()` gives a whole game; `random` is a `random.Random`, or hypothesis' own, which
shrinks. Nothing here decides what is allowed: an entry that the rules refuse is simply not written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import TypeVar

from protocols.rules import entries as e
from protocols.rules.agenda import Step, next_steps
from protocols.rules.outcome import is_over
from protocols.rules.regulation import EDITION_A, PENALTY_CLAUSES, Regulation
from protocols.rules.situations import cancellation_of, current_speaker
from protocols.rules.terms import (
    AFTER,
    ROLE_COUNTS,
    SEATS,
    SETUP,
    Moment,
    Penalty,
    Phase,
    Result,
    Role,
    RulingAbout,
    Team,
)

from .table import Table

T = TypeVar("T")
KNOWN, LATE, UNKNOWN = "known", "late", "unknown"
ROLES_ARE = (KNOWN, LATE, UNKNOWN)
PHASES = tuple(Phase)


class RandomGame:
    """A table at which chance plays. `disorder` is the share of what is not the next step, 0 to 1."""

    def __init__(
        self,
        random: Random,
        regulation: Regulation = EDITION_A,
        *,
        roles: str = KNOWN,
        disorder: float = 0.3,
        longest: int = 250,
    ) -> None:
        self.random = random
        self.table = Table(regulation)
        self.roles = roles
        self.disorder = disorder
        self.longest = longest

    def play(self) -> Table:
        """The whole game, to its end or to the longest it may be."""
        for _ in self.acts():
            pass
        return self.table

    def acts(self) -> Iterator[Table]:
        """The table after every act, which may have written something or not."""
        if self.roles == KNOWN:
            self.write(self._roles())
        while not is_over(self.table.state) and len(self.table.entries) < self.longest:
            if self.random.random() < self.disorder:
                self._disorder()
            else:
                self._next()
            yield self.table
            if self.roles != KNOWN and self.random.random() < 0.005:
                self.write(e.GameOver(moment=self.table.state.moment, result=self._one_of(tuple(Result)[:3])))
        for _ in range(self.random.randint(0, 6)):
            self._after_the_end()
            yield self.table
        if self.roles == LATE:
            self.write(self._roles())
            yield self.table

    def write(self, entry: e.Entry) -> bool:
        """Whether the rules took the entry."""
        return self.table.write(entry, checked=False) is None

    def _one_of(self, choices: Sequence[T]) -> T:
        return self.random.choice(choices)

    def _seat(self) -> int:
        return self._one_of(list(SEATS))

    def _roles(self) -> e.Roles:
        roles = [role for role, count in ROLE_COUNTS.items() for _ in range(count)]
        self.random.shuffle(roles)
        return e.Roles(moment=SETUP, roles=tuple(roles))

    # ------------------------------------------------------------ what comes next

    def _next(self) -> None:
        steps = next_steps(self.table.state)
        step = steps[0] if self.random.random() < 0.8 else self._one_of(steps)
        if step.code == "finish":
            if not is_over(self.table.state):  # nobody is left, the roles are unknown
                self.write(e.GameOver(moment=self.table.state.moment, result=Result.RED))
            return
        refusal = self.table.write(self.entry_of(step), checked=False)
        assert refusal is None, f"{step} is offered and refused: {refusal}"
        speaker = current_speaker(self.table.state)
        if step.code == "speech" and speaker and self.random.random() < 0.7:
            self._nominate(speaker)

    def _nominate(self, by: int) -> None:
        target = self._one_of(self.table.state.living)
        self.write(e.Nomination(moment=self.table.state.moment, seat=by, target=target))

    def entry_of(self, step: Step) -> e.Entry:
        """The entry that carries out a step of the agenda."""
        moment, living, chance = step.moment, self.table.state.living, self.random
        if step.is_turn:
            return e.Turn(moment=moment, seat=step.seat)
        if step.code == "tally":
            return self._tally(step)
        if step.code == "raise_all":
            return e.RaiseAll(moment=moment, count=chance.randint(0, len(living)))
        if step.code == "shot":
            return e.Shot(moment=moment, target=None if chance.random() < 0.4 else self._seat())
        if step.code in ("don", "sheriff"):
            return e.Check(moment=moment, by=Role(step.code), target=self._seat())
        assert step.code == "best_move", step
        others = [seat for seat in SEATS if seat != step.seat]
        return e.BestMove(moment=moment, seats=tuple(chance.sample(others, 3)))

    def _tally(self, step: Step) -> e.Vote:
        """Ties are what the rules are rich in: often everybody gets the same."""
        assert step.seat is not None
        even = len(self.table.state.living) // len(step.seats)
        count = min(even, step.count) if self.random.random() < 0.6 else self.random.randint(0, step.count)
        return e.Vote(moment=step.moment, target=step.seat, count=step.count if step.is_last else count)

    # ------------------------------------------------------------ what comes in between

    def _disorder(self) -> None:
        act = self._one_of(
            [self._foul, self._foul, self._foul, self._late, self._strike, self._rule, self._nonsense, self._correct]
        )
        act()

    def _penalty(self, moment: Moment) -> e.Foul:
        likely = [Penalty.FOUL] * 24 + [Penalty.WARNING, Penalty.DISQUALIFYING, Penalty.DISQUALIFYING]
        penalty = self._one_of(likely) if self.random.random() < 0.99 else Penalty.TEAM_DEFEAT
        return e.Foul(
            moment=moment,
            seat=self._seat(),
            penalty=penalty,
            clause=self._one_of(["", *PENALTY_CLAUSES[penalty]]),
            team=self._one_of([None, Team.RED, Team.BLACK]) if penalty == Penalty.TEAM_DEFEAT else None,
        )

    def _foul(self) -> None:
        self.write(self._penalty(self.table.state.moment))
        if self.random.random() < 0.3 and isinstance(self.table.entries[-1] if self.table.entries else None, e.Foul):
            last = self.table.entries[-1]
            self.write(e.FoulClause(moment=AFTER, of=last.revision, clause=f"6.6.{self.random.randint(1, 7)}"))

    def _late(self) -> None:
        """Something remembered: a foul or a nomination at the moment of an entry already written."""
        written = [entry for entry in self.table.entries if entry.moment.key < AFTER.key]
        if written:
            moment = self._one_of(written).moment
            by, target = self._seat(), self._seat()
            late = e.Nomination(moment=moment, seat=by, target=target)
            self.write_unless_something_falls(self._penalty(moment) if self.random.random() < 0.8 else late)

    def _strike(self) -> None:
        if self.table.entries:
            of = self.random.randint(max(1, len(self.table.entries) - 8), len(self.table.entries))
            self.write_unless_something_falls(e.Strike(moment=self.table.state.moment, of=of))

    def write_unless_something_falls(self, entry: e.Entry) -> bool:
        """Writes what changes no entry's standing, as a judge who is asked to confirm mostly would."""
        seen = self.table.seen_before(entry)
        return seen.refusal is None and not seen.fallen and self.write(entry)

    def _rule(self) -> None:
        state = self.table.state
        cancelled = cancellation_of(state, state.moment.day) is not None
        about = RulingAbout.VOTE_HELD if cancelled else self._one_of([RulingAbout.VOTE_CANCELLED, RulingAbout.STANDS])
        if cancelled or self.random.random() < 0.1:
            self.write(e.Ruling(moment=state.moment, about=about, text="решение"))

    def _correct(self) -> None:
        kind = self.random.randint(0, 3)
        if kind == 0:
            self.write(e.SeatCorrection(moment=SETUP, seat=self._seat(), target=self._seat()))
        elif kind == 1:
            self.write(e.ExtraPoints(moment=AFTER, seat=self._seat(), points=self._one_of([0, 500, 1000])))
        elif kind == 2:
            self.write(e.SpeechMark(moment=AFTER, seat=self._seat(), points=500 * self.random.randint(0, 10)))
        elif self.roles == LATE and self.random.random() < 0.1:
            self.write_unless_something_falls(self._roles())

    def _after_the_end(self) -> None:
        self._one_of([self._foul, self._correct, self._strike, self._late])()

    def _nonsense(self) -> None:
        self.write_unless_something_falls(nonsense(self.random))


def nonsense(random: Random) -> e.Entry:
    """An entry of any kind whose numbers may be anything at all."""

    def number() -> int:
        choice: int = random.choice([-7, -1, 0, *range(1, 12), 99])
        return choice

    def text() -> str:
        return random.choice(["", "x", "6.6.1", "6.8.3", "6.8.4", "6.9"])

    moment = Moment(random.choice([-1, 0, 1, 1, 2, 3, 99]), random.choice(PHASES), number(), number())
    if random.random() < 0.5:
        moment = replace_some(moment, random)
    seats = tuple(number() for _ in range(random.randint(0, 4)))
    made: list[e.Entry] = [
        e.Turn(moment=moment, seat=random.choice([None, number()])),
        e.Foul(
            moment=moment,
            seat=random.choice([None, number()]),
            penalty=random.choice(list(Penalty)),
            clause=text(),
            team=random.choice([None, Team.RED]),
            from_tournament=random.random() < 0.5,
        ),
        e.FoulClause(moment=moment, of=number(), clause=text()),
        e.Nomination(moment=moment, seat=random.choice([None, number()]), target=number()),
        e.Withdrawal(moment=moment, seat=number()),
        e.Vote(moment=moment, target=number(), count=number(), voters=random.choice([None, seats])),
        e.RaiseAll(
            moment=moment,
            count=random.choice([None, number()]),
            raised=random.choice([None, True, False]),
            voters=random.choice([None, seats]),
        ),
        e.Shot(
            moment=moment,
            target=random.choice([None, number()]),
            shots=tuple((number(), number()) for _ in range(random.randint(0, 3))),
        ),
        e.Check(moment=moment, by=random.choice(list(Role)), target=number()),
        e.BestMove(moment=moment, seats=seats, hits=random.choice([None, number()])),
        e.ExtraPoints(moment=moment, seat=number(), points=random.choice([-50, 0, 1, 500, 10**9])),
        e.SpeechMark(moment=moment, seat=number(), points=random.choice([-50, 0, 1, 500, 10**9])),
        e.Roles(moment=moment, roles=tuple(random.choice(list(Role)) for _ in range(random.randint(0, 11)))),
        e.SeatCorrection(moment=moment, seat=number(), target=number()),
        e.GameOver(moment=moment, result=random.choice(list(Result)), text=text()),
        e.Ruling(
            moment=moment,
            about=random.choice(list(RulingAbout)),
            text=text(),
            result=random.choice([None, *Result]),
        ),
        e.Strike(moment=moment, of=number()),
    ]
    return random.choice(made)


def replace_some(moment: Moment, random: Random) -> Moment:
    """The same moment with ordinary numbers."""
    return moment._replace(ballot=random.choice([0, 0, 1, 10]), step=random.choice([0, 1, 2, 3]))


def scattered(table: Table, random: Random) -> list[e.Entry]:
    """The entries of the game in any order, as a database may give them."""
    mixed = [replace(entry) for entry in table.entries]
    random.shuffle(mixed)
    return mixed
