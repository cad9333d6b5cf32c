"""The proof of every game, block by block, by as many processes as there are cores."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import NamedTuple

from django.db import connection, connections, models, transaction
from django.db.models import Count, Exists, OuterRef
from django.utils.translation import gettext as _

from ..models import Entry, Game, Seat, SeatResult, SignedSheet, Stage, Tournament
from .verify import differences, differences_of, unreadable

BLOCK = 100  # games read at once: a few megabytes
OF_A_GAME: tuple[type[models.Model], ...] = (Entry, SignedSheet, SeatResult, Seat)


class Disagreement(NamedTuple):
    """A game that disagrees with itself: which one, and everything that does."""

    game: str
    found: list[str]


def every_game() -> list[int]:
    """The keys of all games, tournament by tournament in the order of play.

    Ordered by keys alone: a game of a tournament that is missing is among them.
    """
    return list(Game.objects.order_by("tournament_id", "stage_id", "number", "pk").values_list("pk", flat=True))


def strays() -> Iterator[Disagreement]:
    """Rows whose game or sheet is missing: no game asks for them, but results among them would count."""
    found: dict[int, list[str]] = {}
    for model in OF_A_GAME:
        orphans = model._base_manager.exclude(Exists(Game.objects.filter(pk=OuterRef("game_id"))))
        for key, count in orphans.order_by("game_id").values_list("game_id").annotate(Count("pk")):
            words = {"table": model._meta.db_table, "count": count}
            said = _("the game is missing, but %(table)s has rows of it: %(count)d") % words
            found.setdefault(key, []).append(said)
    for key in sorted(found):
        yield Disagreement(str(key), found[key])
    in_games = SeatResult.objects.filter(Exists(Game.objects.filter(pk=OuterRef("game_id"))))
    alone = in_games.exclude(Exists(SignedSheet.objects.filter(pk=OuterRef("sheet_id"))))
    for uuid, seat in alone.order_by("game_id", "seat").values_list("game__uuid", "seat"):
        yield Disagreement(str(uuid), [_("the sheet of the result of seat %(seat)d is missing") % {"seat": seat}])


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
    with ProcessPoolExecutor(processes, get_context("fork"), _spare_the_collector) as pool:
        for found in pool.map(disagreements_of, blocks):
            yield from found


def _spare_the_collector() -> None:
    """Rows come and go by the hundred thousand and in no cycles: to look for some so often is a tenth of the time."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


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
    disagreeing = _homeless([key for key in keys if key not in found_by_key])
    suspects = [game.pk for game, found in zip(there, differences_of(there), strict=True) if found]
    for key in suspects:
        # A judge may have written between two of the queries; whoever writes must hold the game's row.
        with transaction.atomic():
            game = games.select_for_update(of=("self",)).get(pk=key)
            found = differences(game)
        if found:
            name = f"{game.tournament.slug} · {game.stage} · {game} ({game.uuid})"
            disagreeing.append(Disagreement(name, found))
    return disagreeing


def _homeless(keys: Sequence[int]) -> list[Disagreement]:
    """Games that nothing can be told of, as their tournament or stage is missing."""
    found = []
    for game in Game.objects.filter(pk__in=keys).order_by("pk"):  # their own order asks for the stage
        what = [] if Tournament.objects.filter(pk=game.tournament_id).exists() else [_("its tournament is missing")]
        what += [] if Stage.objects.filter(pk=game.stage_id).exists() else [_("its stage is missing")]
        if what:
            found.append(Disagreement(str(game.uuid), what))
    return found
