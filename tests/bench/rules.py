"""The rules core: entries folded per second, and a replay of 200 entries (aim: at most 10 ms)."""

from __future__ import annotations

from protocols.rehearsal.play import Table
from protocols.rules import entries as e
from protocols.rules.agenda import next_steps
from protocols.rules.fold import preview, replay, standing, step
from protocols.rules.outcome import problems
from protocols.rules.regulation import EDITION_A

from .play import game_of
from .tables import ms, show, times, verdict
from .timing import Act, in_turn

LENGTH = 200  # entries
AIM = 0.010  # seconds
GAMES = 100
REPEATS = 60


def _played(count: int) -> list[list[e.Entry]]:
    games = []
    for seed in range(count):
        table = Table(seed)
        for _ in table.play():
            pass
        games.append(table.written)
    return games


def measure() -> None:
    """Prints the table of the rules core."""
    game = game_of(LENGTH)
    before = replay(game[:-1], EDITION_A)
    last = game[-1]
    acts: list[tuple[str, Act]] = [
        ("floor: the same entries only put in order of play", lambda: standing(game)),
        (f"replay of {LENGTH} entries", lambda: replay(game, EDITION_A)),
        ("one entry more, in its turn", lambda: step(before, last)),
        ("one entry more, late: previewed as two replays", lambda: preview(game[:-1], last, EDITION_A)),
        ("what comes next, what blocks signing", lambda: (next_steps(before), problems(before))),
    ]
    samples = in_turn([act for _, act in acts], REPEATS)
    floor = samples[0].median
    rows = [
        (name, len(sample.values), ms(sample.median), sample.spread, "", "")
        for (name, _), sample in zip(acts, samples, strict=True)
    ]
    aim = f"≤ {AIM * 1000:.0f} ms: {verdict(samples[1].median, AIM)}"
    rows[1] = (*rows[1][:-2], times(samples[1].median / floor), aim)
    show("Rules: one game, ms", ("", "n", "median", "p10–p90", "to floor", "aim"), rows)

    games = _played(GAMES)
    entries = sum(map(len, games))
    ordered, folded = in_turn(
        [lambda: [standing(game) for game in games], lambda: [replay(game, EDITION_A) for game in games]], 10
    )
    show(
        f"Rules: {GAMES} whole games, {entries:,} entries",
        ("", "n", "ms", "p10–p90", "entries/s"),
        [
            (name, len(sample.values), ms(sample.median), sample.spread, f"{entries / sample.median:,.0f}")
            for name, sample in (("floor: only put in order of play", ordered), ("folded", folded))
        ],
    )
