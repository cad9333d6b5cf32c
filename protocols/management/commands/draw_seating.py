"""Draws who sits where, and tells how good it is."""

from __future__ import annotations

import argparse
import secrets
import signal
import time
from pathlib import Path
from random import Random
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext

from ...seating.advice import options_near
from ...seating.draw import CannotSeat, GoOn, Progress, Seating, draw, for_seconds, for_steps
from ...seating.quality import Matrix, quality_of
from ...seating.terms import SEATS, Limit, Request
from ...wording.seating import fault_words, option_words, quality_lines


class Command(BaseCommand):
    """Players are numbers from 1; Ctrl+C stops at the best so far."""

    help = "Draw a seating: who plays in which round, at which table, in which seat."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """The size, the chance, how long, and who is kept apart."""
        parser.add_argument("--players", type=int, required=True)
        parser.add_argument("--games", type=int, required=True, help="of each player")
        parser.add_argument("--tables", type=int, help="at once; as many as the players fill unless given")
        parser.add_argument("--seed", type=int, help="the same seed and steps give the same seating")
        parser.add_argument("--seconds", type=float, default=10.0)
        parser.add_argument(
            "--steps", type=int, nargs=2, metavar=("MEETINGS", "SEATS"), help="instead of seconds, to draw it again"
        )
        parser.add_argument(
            "--apart", type=Path, metavar="FILE",
            help="a line a group: “1 2 3” never meet, “1 2 3: 2” meet at most twice; # begins a remark",
        )  # fmt: skip
        parser.add_argument("--matrices", action="store_true", help="who meets whom and who sits where, in full")

    def handle(self, *, players: int, games: int, seed: int | None, **options: Any) -> None:
        """Prints the plan, its quality and how to draw it again."""
        tables = options["tables"] if options["tables"] is not None else max(1, players // SEATS)
        limits = _limits_of(options["apart"]) if options["apart"] else ()
        request = Request(players, games, tables, limits)
        seed = secrets.randbelow(10**6) if seed is None else seed
        go_on = for_steps(*options["steps"]) if options["steps"] else for_seconds(options["seconds"], time.monotonic)
        interrupt = signal.getsignal(signal.SIGINT)
        try:
            seating = draw(request, Random(seed).random, self._stoppable(go_on))  # noqa: S311 – to be repeated
        except CannotSeat as error:
            lines = [fault_words(fault) for fault in error.faults]
            if not any(fault.players for fault in error.faults):  # those are about limits; the size itself works
                near = options_near(players, games, tables)
                lines += [gettext("What would work:"), *(f"  {option_words(option)}" for option in near)]
            raise CommandError("\n".join(lines)) from None
        finally:
            signal.signal(signal.SIGINT, interrupt)
        self._print(request, seating, seed, matrices=options["matrices"])

    def _stoppable(self, go_on: GoOn) -> GoOn:
        """Ends at the best so far on Ctrl+C, and tells a terminal how it goes."""
        stopped: list[int] = []
        signal.signal(signal.SIGINT, lambda number, _: stopped.append(number))
        tells, told = self.stderr.isatty(), 0.0

        def asked(progress: Progress) -> bool:
            nonlocal told
            if tells and time.monotonic() - told > 0.5:
                told = time.monotonic()
                line = f"\r{progress.phase} {progress.steps}: {progress.value:.1f} ≥ {progress.least:.1f} "
                self.stderr.write(line, ending="")
            return not stopped and go_on(progress)

        return asked

    def _print(self, request: Request, seating: Seating, seed: int, *, matrices: bool) -> None:
        write = self.stdout.write
        quality = quality_of(request, seating.plan)
        for number, at_once in enumerate(seating.plan.rounds):
            write(gettext("Round %(number)d") % {"number": number + 1})
            for table, game in enumerate(at_once):
                seats = " ".join(f"{player + 1:3d}" for player in game)
                write(gettext("  table %(table)d: %(seats)s") % {"table": table + 1, "seats": seats})
            bench = seating.plan.sitting_out(number)
            if bench:
                players = " ".join(str(player + 1) for player in bench)
                write(gettext("  sitting out: %(players)s") % {"players": players})
        if matrices:
            self._matrix(gettext("Meetings of players"), quality.meetings)
            self._matrix(gettext("Seats of players"), quality.seats)
        write("")
        for line in quality_lines(quality):
            write(line)
        steps = " ".join(str(count) for count in seating.steps.values())
        write(gettext("To draw it again: --seed %(seed)d --steps %(steps)s") % {"seed": seed, "steps": steps})

    def _matrix(self, title: str, matrix: Matrix) -> None:
        self.stdout.write(f"\n{title}")
        for number, row in enumerate(matrix):
            self.stdout.write(f"{number + 1:3d} | " + " ".join(f"{times:2d}" for times in row))


def _limits_of(path: Path) -> tuple[Limit, ...]:
    """The groups of a file; raises CommandError for a line that can't be read, by its number."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(gettext("%(path)s can’t be read: %(error)s") % {"path": path, "error": error}) from None
    limits = []
    for number, line in enumerate(lines, start=1):
        group, _, most = line.partition("#")[0].partition(":")
        if not group.strip():
            continue
        try:
            limits.append(Limit(tuple(int(word) - 1 for word in group.replace(",", " ").split()), int(most or 0)))
        except ValueError:
            raise CommandError(
                gettext("Line %(line)d of %(path)s is no list of players: %(text)s")
                % {"line": number, "path": path, "text": line.strip()}
            ) from None
    return tuple(limits)
