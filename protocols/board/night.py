"""The night: what the judge says aloud, and the answer to a check with its gesture."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from ..rules.agenda import Step
from ..rules.outcome import is_over
from ..rules.state import GameState
from ..rules.terms import Phase, Role, Team
from ..wording import seat_words


def say(state: GameState, names: dict[int, str], step: Step) -> tuple[str, ...]:
    """The judge's words in their order, for the step that comes next."""
    if is_over(state):
        return ()
    match step.code:
        case "shot":
            return (_("Night falls. The mafia shoots: number 1, number 2 … number 10."),)
        case "don":
            return (_("The mafia falls asleep. The don wakes up and looks for the sheriff."),)
        case "sheriff":
            before = _("The don falls asleep.") if state.moment.phase == Phase.DON else _("The mafia falls asleep.")
            return (before + " " + _("The sheriff wakes up and checks one player."),)
        case "speech" | "victim_words" if state.moment.is_night:
            return _morning(state, names)
    return ()


def _morning(state: GameState, names: dict[int, str]) -> tuple[str, ...]:
    if state.moment.day == 0:
        return (
            _("The mafia wakes up and agrees without a word. One minute."),
            _("The mafia falls asleep. The sheriff looks at the city and falls asleep."),
            _("Good morning, city."),
        )
    night = state.nights[state.moment.day]
    asleep = _("The sheriff falls asleep.") if state.moment.phase == Phase.SHERIFF else _("The city sleeps.")
    if night.victim is None:
        return (asleep, _("Good morning, city. Nobody was killed this night."))
    return (asleep, _("Good morning, city. Killed this night: %(seat)s.") % {"seat": seat_words(night.victim, names)})


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
