"""Draws the seatings that wait: one process at a time, whoever starts it how often."""

from __future__ import annotations

import logging
import time
from random import Random
from typing import Any

from django.core.management.base import BaseCommand

from ...models import SeatingRun
from ...seating.draw import Progress, draw, for_seconds
from ...services import seating_runs

PATIENCE = 10  # attempts to get the lock, a tenth of a second apart: a page may just be looking at it
TOLD_EVERY = 1.0  # seconds between two reports
SLOWEST = 3  # times as long as asked for may a busy machine take

log = logging.getLogger(__name__)


class Command(BaseCommand):
    """Started by the site when somebody asks for a seating; ends when none waits, or where one is at work."""

    help = "Draw the seatings that wait."

    def handle(self, **options: Any) -> None:
        """Draws one after the other, as long as any waits."""
        for _attempt in range(PATIENCE):
            with seating_runs.at_work() as is_ours:
                if is_ours:
                    while run := seating_runs.next_to_draw():
                        self._draw(run)
                    return
            time.sleep(0.1)

    def _draw(self, run: SeatingRun) -> None:
        clock = _clock()
        goes_on = for_seconds(run.seconds, clock)
        told, is_wanted = -TOLD_EVERY, True

        def go_on(progress: Progress) -> bool:
            nonlocal told, is_wanted
            if is_wanted and clock() - told >= TOLD_EVERY:
                told = clock()
                value = progress.value if progress.phase == "meetings" else run.value or 0.0
                is_wanted = seating_runs.report(run, phase=progress.phase, value=value, spent=told)
            return is_wanted and goes_on(progress)

        try:
            seating = draw(run.request, Random(run.seed).random, go_on)  # noqa: S311 – to be repeated
            seating_runs.finish(run, seating, clock())
        except Exception:
            log.exception("seating %s could not be drawn", run.uuid)
            seating_runs.give_up(run)


def _clock() -> Any:
    """Seconds of the processor since now, for a busy machine is to draw as well as an idle one; within bounds."""
    processor, wall = time.process_time(), time.monotonic()
    return lambda: max(time.process_time() - processor, (time.monotonic() - wall) / SLOWEST)
