"""Acts timed in turn, so that a slow spell of the machine, or what one act leaves behind, falls on all alike."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from random import Random

from .tables import Sample

Act = Callable[[], object]


def timed(act: Act) -> float:
    """How long one call takes, in seconds."""
    started = time.perf_counter()
    act()
    return time.perf_counter() - started


def in_turn(acts: Sequence[Act], repeats: int, *, warm_up: int = 2) -> list[Sample]:
    """Each act timed once a round, each round in another order; a sample an act, in the order given."""
    taken: list[list[float]] = [[] for _ in acts]
    for _ in range(warm_up):
        for act in acts:
            act()
    gc.collect()
    order, chance = list(range(len(acts))), Random(repeats)
    for _ in range(repeats):
        chance.shuffle(order)
        for index in order:
            taken[index].append(timed(acts[index]))
    return [Sample(tuple(values)) for values in taken]
