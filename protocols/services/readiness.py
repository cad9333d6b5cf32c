"""Whether a protocol may be signed: what keeps it from that, and what is only told before (A 9.9)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from typing import cast

from django.contrib.auth.models import User

from ..models import Game, nickname_key
from ..rules.cautions import Place, cautions, late_protest, repeats
from ..rules.course import problem_of
from ..rules.invariants import breaches
from ..rules.outcome import Problem, problems
from ..rules.terms import SEATS
from ..selectors import Person, Record
from .ending import typed_time

TIME_FIRST = re.compile(r"\s*(\d{1,2}:\d{2})\b")
"""A protest that tells when it was written begins with the time: «21:52 …»."""


def problems_of(record: Record, *, signer: User | None = None) -> list[Problem]:
    """What keeps the protocol from being signed: open ends, whatever rule the record breaks, the people at the table.

    `signer` is who is about to sign.
    """
    people = record.people
    broken = [*breaches(record.values, record.state), *_of_people(record, signer)]
    told = {revision for breach in broken for revision in cast(tuple[int, ...], breach.params["revisions"])}
    miscounted = any(breach.code == "roles_count" for breach in broken)
    found = [
        each
        for each in problems(record.state)
        if each.params.get("revision") not in told and not (miscounted and each.code == "roles_unknown")
    ]
    found += broken
    empty = tuple(seat for seat in SEATS if seat not in {person.seat for person in people})
    if empty:
        found.append(Problem("seats_empty", record.game.rules.cite("table"), {"seats": empty}))
    return found


def _of_people(record: Record, signer: User | None) -> list[Problem]:
    """Ten different people, none of whom judges the game (RULES §1)."""
    game, clause = record.game, record.game.rules.cite("table")
    now = {written: seat for seat, written in record.state.chairs.items()}
    people, found = record.people, []
    for person in people:
        same = [other for other in people if _is_same(person, other)]
        if len(same) > 1 and person == same[0]:
            seats = tuple(sorted(now[other.seat] for other in same))
            found.append(problem_of("person_twice", clause, (), {"seats": seats}))
        judges = {game.judge_id, signer.pk if signer else None} - {None}
        named = nickname_key(game.judge_name) == nickname_key(person.nickname) and not game.results_only
        if person.user in judges or named:
            found.append(problem_of("judge_plays", clause, (), {"seat": now[person.seat]}))
    return found


def _is_same(one: Person, other: Person) -> bool:
    return one.player == other.player or nickname_key(one.nickname) == nickname_key(other.nickname)


def cautions_of(record: Record, *, beside: Iterable[Game] | None = None) -> list[Problem]:
    """What looks wrong in the protocol and doesn't keep from signing it.

    `beside` are the other games of its tournament, where they have been read already.
    """
    game = record.game
    if beside is None:
        beside = Game.objects.filter(stage=game.stage_id, round=game.round) if game.round is not None else ()
    others = [_place(each) for each in beside if each.pk != game.pk and each.stage_id == game.stage_id]
    return [
        *cautions(record.values, record.state),
        *late_protest(game.ended_at, _written_at(game), game.rules),
        *repeats(_place(game), others, game.rules),
    ]


def _place(game: Game) -> Place:
    return Place(game.round, game.table_number, game.number)


def _written_at(game: Game) -> datetime | None:
    """When the protest was written, where its text begins with the time."""
    found = TIME_FIRST.match(game.protest)
    try:
        return typed_time(found[1], game) if found else None
    except ValueError:
        return None
