"""A game played at random by the rules, as a judge would write it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from random import Random

from ..rules import entries as e
from ..rules.agenda import Step, next_steps
from ..rules.fold import new_game, replay, step
from ..rules.points import thousandths
from ..rules.refusals import refuse
from ..rules.regulation import EDITION_A, Regulation
from ..rules.situations import current_speaker
from ..rules.terms import AFTER, ROLE_COUNTS, SEATS, SETUP, Penalty, Role

FOUL_CLAUSES = tuple(f"6.6.{number}" for number in range(1, 8))


class Table:
    """A table with its protocol: chooses what happens next and writes it, each entry legal at its moment.

    The same seed and regulation play the same game. Roles are written first, extra points last.
    """

    def __init__(self, seed: int, regulation: Regulation = EDITION_A) -> None:
        self.random = Random(seed)  # noqa: S311 – to be repeated
        self.regulation = regulation
        self.written: list[e.Entry] = []
        self.state = new_game(regulation)

    def write(self, entry: e.Entry) -> bool:
        """Writes the entry with the next revision; False where the rules refuse it."""
        if refuse(self.state, entry) is not None:
            return False
        numbered = _numbered(entry, len(self.written) + 1)
        self.written.append(numbered)
        if isinstance(entry, e.Strike):
            self.state = replay(self.written, self.regulation)
        else:
            self.state = step(self.state, numbered)
        return True

    def play(self) -> Iterator[e.Entry]:
        """Plays to the end of the game, one entry at a time."""
        seen = 0
        for _ in self._acts():
            yield from self.written[seen:]
            seen = len(self.written)

    def _acts(self) -> Iterator[None]:
        roles = [role for role, count in ROLE_COUNTS.items() for _ in range(count)]
        self.random.shuffle(roles)
        self.write(e.Roles(moment=SETUP, roles=tuple(roles)))
        yield
        while (todo := next_steps(self.state))[0].code != "finish":
            assert self.write(self._entry_of(todo[0])), todo[0]
            yield
            self._remarks()
            yield
        for seat, points in zip(self.random.sample(SEATS, 3), self._extra_points(), strict=False):
            self.write(e.ExtraPoints(moment=AFTER, seat=seat, points=points, text="За игру"))
            yield
        if self.regulation.speech_step is not None:
            for seat in SEATS:
                self.write(e.SpeechMark(moment=AFTER, seat=seat, points=self._mark(self.regulation.speech_step)))
                yield

    def _extra_points(self) -> list[int]:
        """Three amounts of the regulation's list or range, in thousandths."""
        rules = self.regulation
        if rules.extra_amounts:
            listed = sorted(rules.extra_amounts, reverse=True)
            return [thousandths(points) for points in (listed[0], listed[-1], listed[-1])]
        steps = max(0, int(min(rules.extra_most, rules.extra_sum or rules.extra_most) / 3 / rules.extra_step))
        return [thousandths(self.random.randint(0, steps) * rules.extra_step) for _ in range(3)]

    def _mark(self, step: Decimal) -> int:
        return thousandths(self.random.randint(0, int(self.regulation.speech_most / step)) * step)

    def _remarks(self) -> None:
        """What happens in the minute that has begun: a nomination, a foul or two, a slip struck out."""
        chance, state = self.random, self.state
        speaker = current_speaker(state)
        if speaker is not None and chance.random() < 0.7:
            self.write(e.Nomination(moment=state.moment, seat=speaker, target=chance.choice(state.living)))
        for _ in range(chance.choice((0, 0, 1, 1, 2))):
            if self.state.derived or not self.state.living:
                return
            seat = chance.choice(self.state.living)
            fouls = len(self.state.seats[seat].fouls)
            penalty = Penalty.WARNING if fouls == 3 else Penalty.FOUL  # the fourth is rare at a real table
            foul = e.Foul(moment=self.state.moment, seat=seat, penalty=penalty)
            if not self.write(foul):
                continue
            of = len(self.written)
            if chance.random() < 0.1:
                self.write(e.Strike(moment=self.state.moment, of=of, text="Не тот игрок"))
            elif chance.random() < 0.4 and penalty == Penalty.FOUL:
                self.write(e.FoulClause(moment=AFTER, of=of, clause=chance.choice(FOUL_CLAUSES)))

    def _entry_of(self, todo: Step) -> e.Entry:
        """The entry that carries out that step."""
        chance, moment, living = self.random, todo.moment, self.state.living
        if todo.is_turn:
            return e.Turn(moment=moment, seat=todo.seat)
        if todo.code == "tally":
            assert todo.seat is not None
            return e.Vote(moment=moment, target=todo.seat, count=todo.count if todo.is_last else self._hands(todo))
        if todo.code == "raise_all":
            return e.RaiseAll(moment=moment, count=chance.randint(0, len(living)))
        if todo.code == "shot":
            miss = chance.random() < 0.35  # a little luckless, so that games last
            return e.Shot(moment=moment, target=None if miss else chance.choice(living))
        if todo.code in ("don", "sheriff"):
            return e.Check(moment=moment, by=Role(todo.code), target=chance.choice(SEATS))
        assert todo.code == "best_move", todo
        others = [seat for seat in SEATS if seat != todo.seat]
        return e.BestMove(moment=moment, seats=tuple(chance.sample(others, 3)))

    def _hands(self, todo: Step) -> int:
        return self.random.randint(0, min(todo.count, 2 + todo.count // max(1, len(todo.seats))))


def _numbered(entry: e.Entry, revision: int) -> e.Entry:
    return replace(entry, revision=revision)
