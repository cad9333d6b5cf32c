"""The night: what the judge says aloud, and the answer to a check with its gesture."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from ..rules.agenda import Step
from ..rules.outcome import is_over
from ..rules.situations import holder_was_alive
from ..rules.state import GameState
from ..rules.terms import Phase, Role, Team
from ..wording import seat_words


def say(state: GameState, names: dict[int, str], step: Step) -> tuple[str, ...]:
    """The judge's words in their order, for the step that comes next; nothing that the hall may not hear.

    A don or sheriff who has left is called like one who plays on: a call left out would tell the hall their role.
    """
    if is_over(state):
        return ()
    match step.code:
        case "shot":
            return (_("Night falls. The mafia shoots: number 1, number 2 … number 10."),)
        case "don":
            return _called(state, Phase.DON)
        case "sheriff":
            return _called(state, Phase.SHERIFF)
        case "best_move" if state.moment.is_night:
            # In one breath, so that the ten rows stay free over the pad.
            return (" ".join((*_morning(state, names), _("Your best move?"))),)
        case "speech" | "victim_words" if state.moment.is_night and state.moment.phase < Phase.BEST_MOVE:
            return _morning(state, names)
    return ()


def _called(state: GameState, until: Phase) -> tuple[str, ...]:
    """From what is written to that phase: who falls asleep and who wakes up, once for each who is called."""
    number, phase = state.moment.day, state.moment.phase
    asleep, lines = _("The mafia falls asleep."), []
    for called, role, wakes, sleeps in (
        (Phase.DON, Role.DON, _("The don wakes up and looks for the sheriff."), _("The don falls asleep.")),
        (Phase.SHERIFF, Role.SHERIFF, _("The sheriff wakes up and checks one player."), _("The sheriff falls asleep.")),
    ):  # fmt: skip
        if called == until or (phase < called < until and not holder_was_alive(state, role, number)):
            lines.append(f"{asleep} {wakes}")
        if called < until:
            asleep = sleeps
    return (*lines, asleep) if until == Phase.BEST_MOVE else tuple(lines)


def _morning(state: GameState, names: dict[int, str]) -> tuple[str, ...]:
    if state.moment.day == 0:
        return (
            _("The mafia wakes up and agrees without a word. One minute."),
            _("The mafia falls asleep. The sheriff wakes up, looks at the city and falls asleep."),
            _("Good morning, city."),
        )
    before = _called(state, Phase.BEST_MOVE)
    victim = state.nights[state.moment.day].victim
    if victim is None:
        return (*before, _("Good morning, city. Nobody was killed this night."))
    return (*before, _("Good morning, city. Killed this night: %(seat)s.") % {"seat": seat_words(victim, names)})


@dataclass(frozen=True, slots=True)
class Shown:
    """The answer to a check: who asked, and what is shown while a finger is down."""

    asked: str
    words: str
    gesture: str
    sign: str  # yes, no, black, red: for the picture


def answer_of(state: GameState, step: Step) -> Shown | None:
    """The answer to the check just written this night; None where there is none or roles are unknown."""
    night = state.nights.get(state.moment.day)
    if night is None or not state.roles_known or not state.moment.is_night:
        return None
    if state.moment.phase == Phase.DON and night.don_check:
        seat = night.don_check
        found = state.seats[seat].role == Role.SHERIFF
        return Shown(
            _("Answer to the don about No. %(seat)s") % {"seat": seat},
            pgettext("check", "yes, the sheriff") if found else pgettext("check", "no"),
            _("by custom: a nod") if found else _("by custom: shake the head"),
            "yes" if found else "no",
        )
    if state.moment.phase == Phase.SHERIFF and night.sheriff_check:
        seat = night.sheriff_check
        black = state.team_of(seat) == Team.BLACK
        return Shown(
            _("Answer to the sheriff about No. %(seat)s") % {"seat": seat},
            pgettext("check", "black") if black else pgettext("check", "red"),
            _("by custom: thumb down") if black else _("by custom: thumb up"),
            "black" if black else "red",
        )
    return None
