"""The demo's game under way: day 2, in the third speech, with fouls, nominations and a silent minute to come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..rules import entries as e
from ..rules.terms import ROLE_OF_LETTER, SETUP, Moment, Phase, Role

NICKNAMES = ("Хмель", "Цапля", "Чайка", "Шторм", "Эхо", "Юнга", "Ягуар", "Филин", "Гранит", "Мираж")
ROLES = "К Ч К Ш К К Д К Ч К"

Minute = tuple[int | None, tuple[tuple[int, str], ...]]  # who is nominated, and fouls as (seat, clause)

DAY_ONE: Mapping[int, Minute] = {
    1: (None, ()),
    2: (5, ()),
    3: (None, ()),
    4: (None, ((3, "6.6.1"),)),
    5: (None, ()),
    6: (9, ()),
    7: (None, ()),
    8: (None, ()),
    9: (None, ((8, "6.6.2"),)),
    10: (None, ()),
}
DAY_TWO: Mapping[int, Minute] = {
    2: (6, ((8, "6.6.1"),)),
    3: (7, ((8, "6.6.3"), (10, "6.6.1"))),
    4: (2, ()),
}


def entries_so_far() -> list[e.Entry]:
    """What the judge has written, in the order of play."""
    return list(_entries())


def _entries() -> Iterator[e.Entry]:
    yield e.Roles(moment=SETUP, roles=tuple(ROLE_OF_LETTER[letter] for letter in ROLES.split()))
    yield e.Turn(moment=Moment(0, Phase.NIGHT))
    yield from _speeches(1, DAY_ONE)
    yield e.Turn(moment=Moment(1, Phase.BALLOT))
    yield e.Vote(moment=Moment(1, Phase.BALLOT, 0, 1), target=5, count=6)
    yield e.Vote(moment=Moment(1, Phase.BALLOT, 0, 2), target=9, count=4)
    yield e.Turn(moment=Moment(1, Phase.LAST_WORDS, 0, 1), seat=5)
    yield e.Turn(moment=Moment(1, Phase.NIGHT))
    yield e.Shot(moment=Moment(1, Phase.NIGHT), target=1)
    yield e.Check(moment=Moment(1, Phase.DON), by=Role.DON, target=3)
    yield e.Check(moment=Moment(1, Phase.SHERIFF), by=Role.SHERIFF, target=7)
    yield e.BestMove(moment=Moment(1, Phase.BEST_MOVE), seats=(2, 7, 10))
    yield e.Turn(moment=Moment(2, Phase.VICTIM_WORDS, 0, 1), seat=1)
    yield from _speeches(2, DAY_TWO)


def _speeches(day: int, minutes: Mapping[int, Minute]) -> Iterator[e.Entry]:
    for step, (seat, (target, fouls)) in enumerate(minutes.items(), 1):
        moment = Moment(day, Phase.SPEECHES, 0, step)
        yield e.Turn(moment=moment, seat=seat)
        if target is not None:
            yield e.Nomination(moment=moment, seat=seat, target=target)
        for offender, clause in fouls:
            yield e.Foul(moment=moment, seat=offender, clause=clause)
