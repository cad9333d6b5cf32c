"""Seats within each game, so that everybody sits on every seat equally often: an edge colouring.

Games stand on one side, players on the other, and a seat is the colour of the line between them. Each player's games
are cut into runs of ten, and each run counts as a player of its own; then no point has more than ten lines, and by
König's theorem ten colours do: ten different seats in a game, and no seat twice in a run. So in any such run of ten
games a player sits on every seat once, and in the whole tournament on each seat floor or ceil of G/10 times.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from .terms import SEATS, Chance, shuffled

EMPTY = -1


class Seats:
    """Who sits where in every game, and in which game each run of a player's games has each seat."""

    def __init__(self, games: Sequence[Sequence[int]], players: int, chance: Chance) -> None:
        """Seats the players of every game, in an order that chance decides; games come in the order of their rounds."""
        self.at = [[EMPTY] * SEATS for _ in games]  # game × seat → player
        self._run_of: list[dict[int, int]] = []  # game → player → run
        played = [0] * players
        runs: dict[tuple[int, int], int] = {}
        for game in games:
            self._run_of.append(
                {player: runs.setdefault((player, played[player] // SEATS), len(runs)) for player in game}
            )
            for player in game:
                played[player] += 1
        self._player_of = [player for player, _ in runs]  # run → player
        self._games = [[EMPTY] * SEATS for _ in runs]  # run × seat → game
        for number in shuffled(range(len(games)), chance):
            for player in shuffled(games[number], chance):
                self._seat(number, player)

    def _seat(self, game: int, player: int) -> None:
        """Gives a player of the game a seat; where none is free to both, two seats change places along a chain."""
        run = self._games[self._run_of[game][player]]
        seat, other = self.at[game].index(EMPTY), run.index(EMPTY)
        if run[seat] != EMPTY and self.at[game][other] == EMPTY:
            seat = other
        elif run[seat] != EMPTY:
            # The chain from the run's game on this seat reaches no game where that seat is free, so not this one.
            self.exchange(self.chain(run[seat], seat, other), seat, other)
        self.at[game][seat] = player
        run[seat] = game

    def chain(self, game: int, first: int, second: int, longest: int | None = None) -> list[int]:
        """The games in which two seats must be exchanged together with this one, so that runs keep different seats.

        Empty when there are more than `longest`.
        """
        found = [game]
        for leaving, arriving in ((first, second), (second, first)):
            here = game
            while (player := self.at[here][leaving]) != EMPTY:
                here = self._games[self._run_of[here][player]][arriving]
                if here == game:  # a ring, walked round once
                    return found
                if here == EMPTY:
                    break
                found.append(here)
                if longest is not None and len(found) > longest:
                    return []
        return found

    def exchange(self, games: Sequence[int], first: int, second: int) -> None:
        """Exchanges two seats in the games of a chain."""
        self.exchange_runs(self.runs(games, first, second), first, second)
        for number in games:
            row = self.at[number]
            row[first], row[second] = row[second], row[first]

    def runs(self, games: Sequence[int], first: int, second: int) -> set[int]:
        """The runs of all who sit on one of two seats in these games."""
        return {
            self._run_of[number][player]
            for number in games
            for player in (self.at[number][first], self.at[number][second])
            if player != EMPTY
        }

    def exchange_runs(self, runs: Iterable[int], first: int, second: int) -> None:
        """The runs' part of an exchange, for one who has exchanged the games' seats, or will."""
        for run in runs:
            row = self._games[run]
            row[first], row[second] = row[second], row[first]

    def moved(self, runs: Iterable[int], first: int, second: int) -> Iterator[tuple[int, int, int]]:
        """The players whom an exchange gives a seat for another: player, old, new. They are at the chain's ends."""
        for run in runs:
            row = self._games[run]
            if row[first] == EMPTY:
                yield self._player_of[run], second, first
            elif row[second] == EMPTY:
                yield self._player_of[run], first, second
