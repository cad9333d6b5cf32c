"""Behind any line of any game only what the rules accept there is offered, and what is offered they accept."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from uuid import uuid4

import pytest
from django.http import QueryDict
from django.utils import timezone

from protocols.board.drawers import Opened
from protocols.board.late import late_of
from protocols.forms.corrections import corrected, is_correction, tap_of
from protocols.models import Game, Tournament
from protocols.models.entries import Row
from protocols.rules import entries as e
from protocols.rules.fold import preview, replay, standing
from protocols.rules.insertion import behind
from protocols.rules.regulation import PRESETS
from protocols.selectors import Record
from tests.games.random_play import KNOWN, LATE, RandomGame

NICKNAMES = {seat: f"Ник{seat}" for seat in range(1, 11)}
CODES = (
    "foul", "nomination", "withdrawal", "ruling", "speech", "pre_revote", "tally", "raise_all", "last_words", "night",
    "shot", "don", "sheriff", "best_move", "victim_words",
)  # fmt: skip


def record_of_play(seed: int, regulation: str, roles: str) -> Record:
    """A random game as a record that no database holds."""
    table = RandomGame(Random(seed), PRESETS[regulation], roles=roles, disorder=0.15, longest=90).play()
    game = Game(tournament=Tournament(regulation=regulation))
    rows = [Row(entry.revision, uuid4(), 1, timezone.now(), "") for entry in table.entries]
    return Record(game, rows, table.entries, table.state, NICKNAMES)


def filled(opened: Opened, chance: Random) -> QueryDict:
    """The form as somebody fills it who chooses at random among what it offers."""
    assert opened.post is not None
    data = QueryDict(mutable=True)
    data.update({name: str(value) for name, value in opened.post.hidden})
    data["revision"], data["uuid"] = "0", str(uuid4())
    tallies = [field for field in opened.fields if field.name.startswith("count_")]
    for field in opened.fields:
        if field.choices and field.name != "clause":
            data[field.name] = str(chance.choice(field.choices).value)
        elif field.name == "count":
            data[field.name] = "0"
        elif field.name == "seats":
            victim = opened.lines[-1]
            data[field.name] = " ".join([n for n in map(str, range(1, 11)) if f"№{n} " not in f"{victim} "][:3])
        elif field.name == "text":
            data[field.name] = "Причина"
    if tallies:
        left = next(line for line in opened.lines if line.startswith("В сумме")).rstrip(".").split()[-1]
        data.update({field.name: "0" for field in tallies[:-1]} | {tallies[-1].name: left})
    return data


@pytest.mark.parametrize(
    ("seed", "regulation", "roles"),
    [(1, "A", KNOWN), (2, "B", KNOWN), (3, "F", KNOWN), (4, "A", LATE), (5, "F", LATE), (6, "A", KNOWN)],
)
def test_what_is_offered_is_accepted(seed: int, regulation: str, roles: str) -> None:
    record, chance = record_of_play(seed, regulation, roles), Random(seed)
    lines, tried = standing(record.values), set()
    for entry in chance.sample(lines, min(10, len(lines))):
        for code in CODES:
            opened = late_of(record, NICKNAMES, entry, code)
            if opened is None or opened.post is None:
                continue
            form = tap_of(filled(opened, chance))
            assert form.is_valid(), form.errors
            tried.add(form.KIND)
            if is_correction(form):
                values = corrected(form, record.values, record.state.moment)
                first = record.revision + 1
                new = [replace(value, revision=revision) for revision, value in enumerate(values, start=first)]
                after = replay([*record.values, *new], record.game.rules)
                refused = [(value, why) for value, why in after.set_aside if value.revision >= first]
                assert (bool(new), refused) == (True, []), (entry, code)
                continue
            value = form.value()
            placed = replace(value, place=behind(entry, value.moment))
            refusal = preview(record.values, placed, record.game.rules).refusal
            chosen_freely = isinstance(value, e.Foul)  # the seat and the penalty are chosen apart
            assert refusal is None or chosen_freely, (entry, code, value, refusal)
    assert "foul" in tried
