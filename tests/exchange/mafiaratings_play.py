"""Random games whose judge writes who votes and who shoots, and what of a game mafiaratings can tell."""

import json
from dataclasses import replace
from random import Random
from typing import Any

from protocols.exchange import formats
from protocols.exchange.mafiaratings import GameLog
from protocols.exchange.playback import played
from protocols.exchange.ratings_writer import Source, account_of_game, written
from protocols.exchange.unheld import Unheld, unheld_of
from protocols.rules import entries as e
from protocols.rules.agenda import Step
from protocols.rules.regulation import Regulation
from protocols.rules.state import GameState
from protocols.rules.terms import SEATS, Team
from protocols.rules.voting import current_ballot, voted
from tests.games.random_play import RandomGame
from tests.games.table import NICKNAMES, Table


class NamedGame(RandomGame):
    """A random game in which every vote and every shot is written by name."""

    def __init__(self, random: Random, regulation: Regulation, *, disorder: float = 0.0) -> None:
        super().__init__(random, regulation, disorder=disorder)

    def _tally(self, step: Step) -> e.Vote:
        vote, state = super()._tally(step), self.table.state
        current = current_ballot(state, state.days[step.moment.day])
        assert current is not None
        free = [seat for seat in state.living if seat not in voted(current[1])]
        return replace(vote, voters=tuple(sorted(self.random.sample(free, vote.count))))

    def entry_of(self, step: Step) -> e.Entry:
        """The entry that carries out a step of the agenda, with names."""
        entry, state = super().entry_of(step), self.table.state
        if isinstance(entry, e.RaiseAll):
            return replace(entry, voters=tuple(sorted(self.random.sample(state.living, entry.count or 0))))
        if isinstance(entry, e.Shot):
            blacks = state.living_of(Team.BLACK)
            target = entry.target or self.random.choice(list(SEATS))
            shots = tuple((black, target) for black in blacks)
            if entry.target is None and len(blacks) > 1:
                return replace(entry, shots=((blacks[0], target % 10 + 1), *shots[1:]))
            return replace(entry, shots=shots, target=target if state.seats[target].left is None else None)
        return entry


def source_of(table: Table) -> Source:
    """The game as the writer takes it."""
    return Source(table.entries, table.regulation, NICKNAMES, 1_700_000_000, 1_700_003_600)


def file_of(table: Table) -> tuple[dict[str, Any], list[Unheld]]:
    """The game's file, and what it leaves out."""
    source, state = source_of(table), table.replayed()
    return written(source, state), unheld_of(source, account_of_game(source, state))


def read_again(data: dict[str, Any], regulation: Regulation) -> GameState:
    """The state to which the file leads."""
    log = formats.read(json.dumps(data).encode())
    assert isinstance(log, GameLog)
    return played(log, regulation).state


def told(state: GameState) -> dict[str, Any]:
    """All that the file holds of a game: the state without the order of writing, words, clauses and points."""
    exits = {seat: player.left for seat, player in state.seats.items() if player.left}
    decided = {number: day for number, day in state.days.items() if day.decision}
    return {
        "roles": [player.role for player in state.seats.values()],
        "exits": {seat: (left.how, left.moment.day, left.moment.is_night) for seat, left in exits.items()},
        "fouls": {seat: len(player.fouls) for seat, player in state.seats.items()},
        "nominations": {number: day.nominations for number, day in state.days.items() if day.nominations},
        "ballots": {
            number: [
                {seat: (ballot.tallies[seat].count, ballot.tallies[seat].voters) for seat in ballot.candidates}
                for ballot in day.ballots
            ]
            for number, day in decided.items()
        },
        "raised": {n: (day.raise_all.count, day.raise_all.raised) for n, day in decided.items() if day.raise_all},
        "no vote": [number for number, day in state.days.items() if day.cancelled],
        "shots": {n: (night.victim, night.shot and night.shot.shots) for n, night in state.nights.items()},
        "checks": _first_checks(state),
        "best move": state.best_move and state.best_move.seats,
        "end": state.derived and (state.derived.result, state.derived.reason),
    }


def _first_checks(state: GameState) -> dict[tuple[str, int], int]:
    """Whose check and of whom → the night; the file has room for the first."""
    found: dict[tuple[str, int], int] = {}
    for number, night in sorted(state.nights.items()):
        for by, seat in (("don", night.don_check), ("sheriff", night.sheriff_check)):
            if seat:
                found.setdefault((by, seat), number)
    return found
