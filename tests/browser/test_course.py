"""A board without a network knows what comes next as the server does: the same steps after the same entries."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser

from protocols.board.course import course_of
from protocols.exchange.playback import played
from protocols.rules import entries as e
from protocols.rules.agenda import Step, next_steps
from protocols.rules.fold import new_game, step
from protocols.rules.regulation import FEDERATION, PRESETS, Regulation
from protocols.rules.state import GameState
from protocols.selectors import comes_next, furthest_of
from tests.games.random_play import RandomGame
from tests.protocols.world import GAMES, log_of, with_roles_first

SCRIPT = Path(__file__).resolve().parents[2] / "static" / "js" / "course.js"
AHEAD = 12  # entries written without the network
NOT_PLAYED = (e.Ruling, e.Strike, e.SeatCorrection, e.GameOver)  # no script knows what comes of them
BY_STALEMATE = ("three_days", "three_nights", "three_misses")

PLAY = """
games => {
    const wrong = [];
    let compared = 0;
    for (const game of games) {
        game.courses.forEach((start, first) => {
            let course = start;
            for (let at = first; at < Math.min(first + AHEAD, game.entries.length); at += 1) {
                if (!game.entries[at]) return;
                course = window.course.after(course, game.entries[at]);
                const steps = window.course.steps(course).map(step => [
                    step.code, step.moment, step.seat || 0, step.seats || [], step.count || 0, !!step.last,
                    !!step.silent, step.seconds || 0,
                ]);
                compared += 1;
                if (JSON.stringify(steps) !== JSON.stringify(game.steps[at])) {
                    wrong.push([game.name, first, at, game.entries[at], steps, game.steps[at]]);
                    return;
                }
            }
        });
    }
    return [compared, wrong.slice(0, 3), wrong.length];
}
""".replace("AHEAD", str(AHEAD))


def told(entry: e.Entry) -> dict[str, Any]:
    """The entry as the script has it from its form."""
    names = ("seat", "target", "count", "by", "penalty", "raised")
    known = {name: getattr(entry, name) for name in names if getattr(entry, name, None) is not None}
    if isinstance(entry, e.Roles):
        known["roles"] = "".join(role.letter for role in entry.roles)
    return {"kind": entry.kind, "moment": list(entry.moment), **known}


def of_step(state: GameState, found: Step) -> list[Any]:
    """A step as it is compared; whose check it is, is nobody's to know where roles are unknown."""
    seats = [] if found.code == "shot" else list(found.seats)
    return [
        found.code, list(found.moment), found.seat or 0, seats, found.count, found.is_last, found.silent,
        found.seconds,
    ]  # fmt: skip


def game_of(name: str, entries: list[e.Entry], regulation: Regulation) -> dict[str, Any]:
    """The courses before each entry, the entries that are simply next in play, and the steps after each."""
    state = new_game(regulation)
    courses, sent, steps = [], [], []
    for index, entry in enumerate(entries):
        courses.append(json.loads(course_of(state, roles=True)))
        orderly = comes_next(entry, furthest_of(entries[:index])) and not isinstance(entry, NOT_PLAYED)
        state = step(state, entry)
        if state.set_aside or state.pending or (state.derived and state.derived.reason in BY_STALEMATE):
            break
        sent.append(told(entry) if orderly else None)
        steps.append([of_step(state, found) for found in next_steps(state)])
    return {"name": name, "courses": courses[: len(sent)], "entries": sent, "steps": steps}


def compare(browser: Browser, games: list[dict[str, Any]]) -> int:
    """How many steps were compared; none differed."""
    page = browser.new_page()
    page.add_script_tag(path=SCRIPT)
    compared, wrong, count = page.evaluate(PLAY, games)
    page.close()
    assert (wrong, count) == ([], 0)
    return int(compared)


def is_offered_after_a_miss(game: dict[str, Any]) -> bool:
    """Whether night 1 was a miss and a best move was offered all the same."""
    missed = any(
        start["nights"].get("1", {}).get("shot") and not start["nights"]["1"]["victim"] for start in game["courses"]
    )
    return missed and any(step[0] == "best_move" for steps in game["steps"] for step in steps)


def test_the_real_games(browser: Browser) -> None:
    names = [path.stem for path in GAMES.glob("*.json")]
    games = [
        game_of(name, with_roles_first(played(log_of(name), FEDERATION).entries), FEDERATION) for name in sorted(names)
    ]
    assert compare(browser, games) > 3000


def test_games_whose_best_move_waits_for_the_first_player_shot(browser: Browser) -> None:
    rules = replace(FEDERATION, best_move_after_miss=True)
    games = []
    for seed in range(8):
        found = RandomGame(Random(seed), rules, disorder=0.15).play()
        games.append(game_of(f"after a miss {seed}", found.entries, rules))
    assert compare(browser, games) > 3000
    assert any(map(is_offered_after_a_miss, games))


@pytest.mark.parametrize("code", sorted(PRESETS))
def test_games_played_at_random(browser: Browser, code: str) -> None:
    games = []
    for seed in range(8):
        found = RandomGame(Random(seed), PRESETS[code], disorder=0.15).play()
        games.append(game_of(f"{code} {seed}", found.entries, PRESETS[code]))
    assert compare(browser, games) > 3000
