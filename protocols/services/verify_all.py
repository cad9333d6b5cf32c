"""The proof of every game, block by block, by as many processes as there are cores."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import NamedTuple

from django.db import connection, connections, transaction

from ..models import Game
from .verify import differences, differences_of, unreadable

BLOCK = 100  # games read at once: a few megabytes


class Disagreement(NamedTuple):
    """A game that disagrees with itself: which one, and everything that does."""

    game: str
    found: list[str]


def every_game() -> list[int]:
    """The keys of all games in the order of play."""
    return list(Game.objects.order_by("tournament", "stage", "number").values_list("pk", flat=True))


def disagreements(keys: Sequence[int], *, processes: int = 0, block: int = BLOCK) -> Iterator[Disagreement]:
    """Those of the games that disagree, in the order given; 0 processes: one for each core. Reads only.

    `block` games are read at once.
    """
    blocks = [keys[start : start + block] for start in range(0, len(keys), block)]
    processes = min(processes or _cores(), len(blocks))
    if processes < 2 or not _others_see_it():
        for each in blocks:
            yield from disagreements_of(each)
        return
    connections.close_all()  # each process opens its own
    with ProcessPoolExecutor(processes, get_context("fork")) as pool:
        for found in pool.map(disagreements_of, blocks):
            yield from found


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1


def _others_see_it() -> bool:
    """Whether another process finds in the database what this one does, and may be forked off."""
    in_memory = connection.vendor == "sqlite" and ":memory:" in str(connection.settings_dict["NAME"])
    return sys.platform == "linux" and not in_memory and not connection.in_atomic_block


def disagreements_of(keys: Sequence[int]) -> list[Disagreement]:
    """Those of one block that disagree."""
    games = Game.objects.select_related("tournament", "stage")
    try:
        found_by_key = games.in_bulk(keys)
    except Exception as error:
        if len(keys) > 1:
            return [found for key in keys for found in disagreements_of([key])]
        return [Disagreement(str(key), [unreadable(error)]) for key in keys]
    there = [found_by_key[key] for key in keys if key in found_by_key]
    suspects = [game.pk for game, found in zip(there, differences_of(there), strict=True) if found]
    disagreeing = []
    for key in suspects:
        # A judge may have written between two of the queries; whoever writes must hold the game's row.
        with transaction.atomic():
            game = games.select_for_update(of=("self",)).get(pk=key)
            found = differences(game)
        if found:
            name = f"{game.tournament.slug} · {game.stage} · {game} ({game.uuid})"
            disagreeing.append(Disagreement(name, found))
    return disagreeing
