"""How both searches cool: hot once, then warmed again and again, each time for longer."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import cycle

from .terms import Chance, shuffled

_DRAWS = 4099  # a prime, so that no two sweeps see the draws in step with what they go through


def thresholds(chance: Chance) -> Iterator[float]:
    """Without end: how many temperatures a change may lose, exponentially distributed as Metropolis has it."""
    return cycle(shuffled([-math.log((number + 0.5) / _DRAWS) for number in range(_DRAWS)], chance))


def coolings(hot: float, warm: tuple[float, ...], cold: float, first: int) -> Iterator[list[float]]:
    """Temperatures sweep by sweep, one list a cooling, without end.

    The first cooling, `first` sweeps long, melts the start; the later ones begin at the warm temperatures in turn,
    loosen only what stands, and take a fifth longer each. So a search may be left at any time and has yet spent most
    of it on slow coolings.
    """
    length, number = float(first), 0
    while True:
        start = warm[number % len(warm)] if number else hot
        count = round(length)
        yield [start * (cold / start) ** (step / count) for step in range(count)]
        length *= 1.2
        number += 1
